"""How far a map can be trusted."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from kernex_core.extrapolation.affine_weights import nearest
from kernex_core.extrapolation.point_clouds import Cloud
from kernex_core.frozen import FloatArray, IntArray

_ENTRIES = 4_000_000


def trust(cloud: Cloud, items: IntArray, coordinates: FloatArray, n_neighbors: int) -> float:
    """Trustworthiness, 0 to 1: neighbours in the map are neighbours among the points (Venna and Kaski 2001).

    1 − 2 / (n k (2n − 3k − 1)) Σ_i Σ_j max(0, r(i, j) − k) over the k neighbours j of i in the map; r(i, j) is the rank of j
    among the points by their distance to i, one more than there are nearer ones.

    Parameters
    ----------
    cloud : VectorCloud or KernelCloud
    items : (n,) int
        Of the cloud.
    coordinates : (n, q) float
        Of these items.
    n_neighbors : int
        At most as many as is possible, fewer than half the items.
    """
    n = items.size
    k = max(1, min(n_neighbors, (n - 1) // 2))
    cost, step = 0, max(1, _ENTRIES // n)
    for start in range(0, n, step):
        rows = np.arange(start, min(start + step, n))
        own = np.arange(rows.size), rows
        flat, apart = cdist(coordinates[rows], coordinates, "sqeuclidean"), cloud.squared(items[rows], items)
        flat[own] = apart[own] = np.inf
        for column in nearest(flat, k).T:
            nearer = (apart < apart[own[0], column][:, None]).sum(axis=1)
            cost += int(np.maximum(nearer + 1 - k, 0).sum())
    return 1.0 - 2.0 * cost / (n * k * (2.0 * n - 3.0 * k - 1.0))


def best_spearman(coordinates: FloatArray, along: FloatArray) -> float:
    """Largest |rank correlation| of a coordinate with a known quantity; NaN for fewer than three items or no variance."""
    if along.size < 3:
        return float("nan")
    ranks = _ranks(along)
    return float(np.nanmax([abs(_correlation(_ranks(column), ranks)) for column in coordinates.T]))


def _ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1; ties share their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2.0)[inverse])


def _correlation(a: FloatArray, b: FloatArray) -> float:
    a, b = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / norm if norm > 0.0 else float("nan")


def laid_on(coordinates: FloatArray, whole: FloatArray, kept: IntArray) -> FloatArray:
    """(n, q) map `whole` moved, turned, mirrored and sized so that its kept items lie on those of `coordinates` best.

    Maps are known up to these: orthogonal Procrustes with scale (Schönemann and Carroll 1970).

    Parameters
    ----------
    coordinates : (n, q)
        Kept items as they are mapped; the others play no part.
    whole : (n, q)
        The map of all items.
    kept : positions
    """
    A, B = coordinates[kept], whole[kept]
    centre_a, centre_b = A.mean(axis=0), B.mean(axis=0)
    U, singular, Vt = np.linalg.svd((B - centre_b).T @ (A - centre_a))
    spread = float(((B - centre_b) ** 2).sum())
    scale = float(singular.sum()) / spread if spread > 0.0 else 1.0
    return np.asarray((whole - centre_b) @ (U @ Vt) * scale + centre_a)


def radius(coordinates: FloatArray) -> float:
    """Root mean square distance of items from their mean."""
    return float(np.sqrt(((coordinates - coordinates.mean(axis=0)) ** 2).sum(axis=1).mean()))


def distance(A: FloatArray, B: FloatArray) -> float:
    """Root mean square distance of the rows of A and B."""
    return float(np.sqrt(((A - B) ** 2).sum(axis=1).mean()))
