"""Where a part of a similarity lies in a graph: vertices and edges on walks, ends of paths, neighbourhoods, subgraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse.csgraph import shortest_path

from kernex_core.frozen import BoolArray, ReadOnlyArrays
from kernex_core.gram.graph import Graph, Names


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
