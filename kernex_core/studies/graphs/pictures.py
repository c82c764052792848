"""Where the vertices of a graph are drawn: as far from each other as in the graph, as well as a plane allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra, shortest_path

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.gram.graph import Graph, Names
from kernex_core.gram.matrix import GramMatrix

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


# Nearest neighbours of one graph, by the cosine of its row of a kernel: without it large graphs are near to everything.


@dataclass(frozen=True, eq=False)
class GraphNeighbours(ReadOnlyArrays):
    """All other graphs by their similarity to one.

    Attributes
    ----------
    item : int
    ids : tuple of n − 1 str
        The others, largest cosine first; ties in the order of the data.
    cosines : (n − 1,) float
        K(G, G') / √(K(G, G) K(G', G')), 0 where one of both is similar to nothing.
    values : (n − 1,) float
        K(G, G').
    """

    item: int
    ids: tuple[str, ...]
    cosines: FloatArray
    values: FloatArray


def nearest_graphs(K: GramMatrix, item: int) -> GraphNeighbours:
    """Rank all other graphs by their cosine with one.

    Parameters
    ----------
    K : GramMatrix
        Fully known, without a negative number on the diagonal.
    item : int
        Position.
    """
    row, selves = K.values[item], np.diagonal(K.values)
    length = np.sqrt(selves * selves[item])
    cosines = np.divide(row, length, out=np.zeros_like(row), where=length > 0.0)
    order = np.argsort(-cosines, kind="stable")
    order = order[order != item]
    return GraphNeighbours(item, tuple(K.ids[k] for k in order.tolist()), cosines[order], row[order])


# Where a part of a similarity lies in a graph: vertices and edges on walks, ends of paths, neighbourhoods, subgraphs.


@dataclass(frozen=True, eq=False)
class Occurrence(ReadOnlyArrays):
    """Vertices and edges of a graph that a part is made of.

    Attributes
    ----------
    vertices : (n_nodes,) bool
    edges : (n_edges,) bool
    """

    vertices: BoolArray
    edges: BoolArray


def on_walks(graph: Graph, vertices: Sequence[str] | int, edges: Sequence[str] | None) -> Occurrence:
    """Find everything that lies on a walk which reads as given, from one end or the other.

    Parameters
    ----------
    graph : Graph
    vertices : sequence of str, or int
        Labels of the vertices of the walk in their order; a number where they do not count: how many there are.
    edges : sequence of str or None
        Labels of the edges between them; None where they do not count.

    Returns
    -------
    Occurrence
        A vertex is on such a walk where one that begins as given can reach it, and can go on from it to the end.
    """
    length = vertices if isinstance(vertices, int) else len(vertices)
    fits = [_labelled(graph.node_labels, graph.n_nodes, vertices, k) for k in range(length)]
    passes = [_labelled(graph.edge_labels, graph.n_edges, edges, k) for k in range(length - 1)]
    forward, backward = [fits[0]], [fits[-1]]
    for k in range(1, length):
        forward.append(fits[k] & _next_to(graph, forward[-1], passes[k - 1]))
        backward.append(fits[-k - 1] & _next_to(graph, backward[-1], passes[-k]))
    backward.reverse()
    on = np.zeros(graph.n_nodes, dtype=bool)
    taken = np.zeros(graph.n_edges, dtype=bool)
    i, j = graph.edges.T
    for k in range(length):
        on |= forward[k] & backward[k]
        if k + 1 < length:
            begins, ends = forward[k], backward[k + 1]
            taken |= passes[k] & ((begins[i] & ends[j]) | (begins[j] & ends[i]))
    return Occurrence(on, taken)


def _labelled(names: Names | None, n: int, wanted: Sequence[str] | int | None, k: int) -> BoolArray:
    """Which of n vertices or edges may stand at place k."""
    if wanted is None or isinstance(wanted, int):
        return np.ones(n, dtype=bool)
    given = np.full(n, "") if names is None else np.asarray(names, np.str_)
    return np.asarray(given == wanted[k], dtype=bool)


def _next_to(graph: Graph, at: BoolArray, passes: BoolArray) -> BoolArray:
    """Vertices that an edge which may be passed joins to one of these."""
    found = np.zeros(graph.n_nodes, dtype=bool)
    i, j = graph.edges[passes].T
    found[j[at[i]]] = True
    found[i[at[j]]] = True
    return found


def on_paths(graph: Graph, ends: tuple[str, str] | None, hops: int) -> Occurrence:
    """Find pairs of vertices with given labels that lie so many edges apart, and the edges of all their shortest paths.

    Parameters
    ----------
    graph : Graph
    ends : two labels, or None
        None: labels do not count.
    hops : int
        At least 1.

    Returns
    -------
    Occurrence
        The vertices are ends of paths, not what lies between them.
    """
    d = np.asarray(shortest_path(graph.adjacency, directed=False, unweighted=True))
    apart = d == hops
    if ends is not None:
        first, second = (_labelled(graph.node_labels, graph.n_nodes, ends, k) for k in (0, 1))
        apart &= np.outer(first, second) | np.outer(second, first)
    edges = np.zeros(graph.n_edges, dtype=bool)
    u, v = np.nonzero(apart)
    for k, (i, j) in enumerate(graph.edges.tolist()):
        # from u to i, over the edge, and from j to v; the other way round is the pair (v, u)
        edges[k] = bool((d[u, i] + 1.0 + d[j, v] == hops).any())
    return Occurrence(apart.any(axis=1), edges)


def along(graph: Graph, path: Sequence[int]) -> Occurrence:
    """Return the ends of one path, and its edges."""
    at = np.zeros(graph.n_nodes, dtype=bool)
    at[[path[0], path[-1]]] = True
    steps = {frozenset(pair) for pair in pairwise(path)}
    edges = [frozenset(pair) in steps for pair in graph.edges.tolist()]
    return Occurrence(at, np.array(edges, dtype=bool))


def around(graph: Graph, roots: Sequence[int], height: int) -> Occurrence:
    """Return vertices, and the edges that walks of up to `height` edges from them can take."""
    at = np.zeros(graph.n_nodes, dtype=bool)
    at[list(roots)] = True
    edges, reached = np.zeros(graph.n_edges, dtype=bool), at.copy()
    every = np.ones(graph.n_edges, dtype=bool)
    for _ in range(height):
        edges |= reached[graph.edges].any(axis=1)
        reached = reached | _next_to(graph, reached, every)
    return Occurrence(at, edges)


def among(graph: Graph, vertices: Sequence[int]) -> Occurrence:
    """Return vertices, and the edges between them."""
    at = np.zeros(graph.n_nodes, dtype=bool)
    at[list(vertices)] = True
    return Occurrence(at, np.asarray(at[graph.edges].all(axis=1), dtype=bool))
