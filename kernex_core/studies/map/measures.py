"""How far a map can be trusted."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray, IntArray


def trust(points: FloatArray, coordinates: FloatArray, n_neighbors: int) -> float:
    """Trustworthiness, 0 to 1: neighbours in the map are neighbours among the points (Venna and Kaski 2001).

    By scikit-learn, with at most as many neighbours as it takes (fewer than half the items).
    """
    from sklearn.manifold import trustworthiness  # costs most of a second

    few = max(1, min(n_neighbors, (points.shape[0] - 1) // 2))
    return float(trustworthiness(points, coordinates, n_neighbors=few))


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
