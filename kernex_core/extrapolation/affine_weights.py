"""Affine weights: how a point is put together from its nearest neighbours, with weights that sum to 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.parameters import check_range

REGULARISATION = 1e-3
"""Added to the diagonal of the local Gram matrix, relative to its trace; scikit-learn's convention."""
_ENTRIES = 2_000_000


def check_neighbours(n_neighbors: Any, n: int) -> int:
    """Return the number of neighbours if it is a whole number from 1 to n − 1.

    Raises
    ------
    InvalidInputError
        Otherwise, with the range.
    """
    whole = isinstance(n_neighbors, int | np.integer) and not isinstance(n_neighbors, bool)
    if not whole or not 1 <= n_neighbors < n:
        raise InvalidInputError(
            f"The number of neighbours has to be a whole number from 1 to {n - 1}, one less than the items",
            repr(n_neighbors),
            "Take fewer neighbours or more items",
        )
    return int(n_neighbors)


def own_weights(X: FloatArray, n_neighbors: int, reg: float = REGULARISATION) -> FloatArray:
    """(n, n) weights of every row of X on its nearest other rows (Kernel extrapolation, section 4.3).

    Row i minimises |x_i − Σ_j w_ij x_j|² + reg tr(G) |w_i|² subject to Σ_j w_ij = 1, G_jl = (x_j − x_i)'(x_l − x_i).
    Of equally near rows those that come first are neighbours.
    """
    weights = np.zeros((X.shape[0], X.shape[0]))
    for rows, near, _ in _nearest(X, X, n_neighbors, skip_own=True):
        np.put_along_axis(weights[rows], near, _solved(X[rows], X[near], reg), axis=1)
    return weights


def new_weights(
    X: FloatArray, X_new: FloatArray, n_neighbors: int, reg: float = REGULARISATION
) -> FloatArray:
    """(n_new, n) weights of new points on the nearest rows of X.

    A point at distance zero from a row is that row: its unit vector, spread evenly where several rows are the same.
    """
    weights = np.zeros((X_new.shape[0], X.shape[0]))
    for rows, near, distance in _nearest(X_new, X, n_neighbors, skip_own=False):
        made, here = _solved(X_new[rows], X[near], reg), distance == 0.0
        same = here.any(axis=1)
        made[same] = here[same] / here[same].sum(axis=1, keepdims=True)
        np.put_along_axis(weights[rows], near, made, axis=1)
    return weights


def closed_parts(W: FloatArray) -> int:
    """How many groups of items lean on nobody outside: so many independent f solve f = W f, not the constant alone."""
    graph = csr_array(W != 0.0)
    count, part = connected_components(graph, directed=True, connection="strong")
    rows, columns = graph.nonzero()
    leaving = np.unique(part[rows[part[rows] != part[columns]]])
    return int(count - leaving.size)


def _nearest(
    A: FloatArray, X: FloatArray, k: int, *, skip_own: bool
) -> list[tuple[slice, IntArray, FloatArray]]:
    """Pieces of rows of A with the positions of, and distances to, their k nearest rows of X."""
    found, step = [], max(1, _ENTRIES // X.shape[0])
    for start in range(0, A.shape[0], step):
        rows = slice(start, min(start + step, A.shape[0]))
        d = cdist(A[rows], X)
        if skip_own:
            d[np.arange(d.shape[0]), start + np.arange(d.shape[0])] = np.inf
        near = np.argsort(d, axis=1, kind="stable")[:, :k]
        found.append((rows, near, np.take_along_axis(d, near, axis=1)))
    return found


def _solved(points: FloatArray, near: FloatArray, reg: float) -> FloatArray:
    """(n, k) weights of points (n, d) on their neighbours (n, k, d): G w = 1, then Σ w = 1."""
    check_range("The regularisation", reg, 0.0, open_low=True)
    gaps = near - points[:, None, :]
    G = gaps @ gaps.transpose(0, 2, 1)
    trace = np.trace(G, axis1=1, axis2=2)
    k = G.shape[1]
    # neighbours that all lie on the point itself leave G = 0: they share it evenly
    G[:, np.arange(k), np.arange(k)] += np.where(trace > 0.0, reg * trace, reg)[:, None]
    w = np.linalg.solve(G, np.ones((G.shape[0], k, 1)))[:, :, 0]
    return np.asarray(w / w.sum(axis=1, keepdims=True))
