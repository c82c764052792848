"""Where the vertices of a graph are drawn: as far from each other as in the graph, as well as a plane allows."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

from kernex_core.frozen import FloatArray, IntArray, owned
from kernex_core.gram.graph import Graph

LARGEST: Final = 150
"""Vertices up to which all distances count; of more graphs those to a few pivots do."""
_PIVOTS: Final = 40
_STEPS, _ENOUGH = 80, 3e-4
_JITTER: Final = 0.03


def graph_layout(graph: Graph) -> FloatArray:
    """Find places whose distances are those in the graph, in edges: the least stress Σ (|x_i − x_j| − d_ij)² / d_ij².

    The same graph gives the same places. Parts that are not joined keep a distance. The longest extent lies along the first
    axis.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    (n_nodes, 2) float array
        Centred; an edge is about 1 long.

    Notes
    -----
    Kamada and Kawai, An algorithm for drawing general undirected graphs, 1989, whose stress is made smaller step by step as
    in Gansner, Koren and North, Graph drawing by stress majorization, 2004. Above 150 vertices: two components of the
    distances to 40 pivots (Brandes and Pich, Eigensolver methods for progressive multidimensional scaling, 2006).

    Examples
    --------
    >>> graph_layout(Graph(3, [(0, 1), (1, 2)]))[:, 0].round(1).tolist()
    [1.0, -0.0, -1.0]
    """
    n = graph.n_nodes
    if n < 2:
        return owned(np.zeros((n, 2)))
    if n > LARGEST:
        return owned(_turned(_jittered(_of_pivots(graph.adjacency))))
    distances = _distances(graph.adjacency, np.arange(n))
    return owned(_turned(_least_stress(distances)))


def _distances(A: sparse.csr_array, start: IntArray) -> FloatArray:
    """(k, n) edges from some vertices to all; between parts that are not joined a little more than the longest there is."""
    d = np.asarray(dijkstra(A, directed=False, unweighted=True, indices=start))
    apart = ~np.isfinite(d)
    if apart.any():
        d[apart] = 0.6 * float(d[~apart].max()) + 1.5
    return d


def _least_stress(d: FloatArray) -> FloatArray:
    """(n, 2) places by majorisation, from classical scaling on."""
    n = d.shape[0]
    weights = np.divide(1.0, d * d, out=np.zeros_like(d), where=d > 0.0)
    V = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(V + 1.0 / n) - 1.0 / n  # V is singular along (1, ..., 1) alone
    target = weights * d
    at, before = _jittered(_scaled(d)), np.inf
    for _ in range(_STEPS):
        found = _between(at)
        stress = float((weights * (found - d) ** 2).sum())
        if before - stress <= _ENOUGH * stress:
            break
        before = stress
        B = -np.divide(target, found, out=np.zeros_like(d), where=found > 1e-9)
        B[np.diag_indices(n)] = -B.sum(axis=1)
        at = inverse @ (B @ at)
    return at


def _between(at: FloatArray) -> FloatArray:
    x, y = at.T
    return np.asarray(np.hypot(x[:, None] - x, y[:, None] - y))


def _scaled(d: FloatArray) -> FloatArray:
    """(n, 2) classical scaling."""
    squares = d * d
    centred = -0.5 * (squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean())
    values, vectors = np.linalg.eigh(centred)
    return np.asarray(vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-9)))


def _of_pivots(A: sparse.csr_array) -> FloatArray:
    """(n, 2) from distances to pivots, each as far from those before it as can be."""
    d = np.empty((min(_PIVOTS, A.shape[0]), A.shape[0]))
    nearest, pivot = np.full(A.shape[0], np.inf), 0
    for k in range(d.shape[0]):
        d[k] = _distances(A, np.array([pivot]))[0]
        nearest = np.minimum(nearest, d[k])
        pivot = int(nearest.argmax())
    squares = (d * d).T
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    at = centred @ vectors[:, -2:]
    i, j = A.tocoo().coords
    length = np.hypot(*(at[i] - at[j]).T).mean() if i.size else 1.0
    return np.asarray(at / (length or 1.0))


def _jittered(at: FloatArray) -> FloatArray:
    """Vertices that are alike would fall on one point, and never come apart."""
    return np.asarray(at + np.random.default_rng(0).uniform(-_JITTER, _JITTER, at.shape))


def _turned(at: FloatArray) -> FloatArray:
    """Centred, with the longest extent along the first axis; no sign is left to chance."""
    at = at - at.mean(axis=0)
    _, vectors = np.linalg.eigh(at.T @ at)
    at = at @ vectors[:, ::-1]
    for axis in (0, 1):
        if at[np.abs(at[:, axis]).argmax(), axis] < 0.0:
            at[:, axis] *= -1.0
    return np.asarray(at)
