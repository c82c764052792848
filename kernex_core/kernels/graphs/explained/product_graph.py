"""The product of two graphs as a graph, to be looked at, and its walks counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.gram.graph import Graph
from kernex_core.kernels.graphs.coded import coded
from kernex_core.kernels.graphs.product import matched_edges, matched_vertices
from kernex_core.parameters import check_range

VERTEX_LIMIT = 10_000
"""Most pairs of vertices of two graphs: a product that is looked at is small."""


@dataclass(frozen=True, eq=False)
class ProductGraph(ReadOnlyArrays):
    """Pairs of vertices with equal labels, joined where both graphs have an edge with equal labels.

    Attributes
    ----------
    pairs : (V, 2) int array
        Vertex of each graph.
    graph : Graph
        With the labels of the vertices, where they count.
    """

    pairs: IntArray
    graph: Graph


def product_graph(
    s: Graph, t: Graph, *, vertex_labels: bool = True, edge_labels: bool = True
) -> ProductGraph:
    """Product of two graphs: a walk in it is a walk in each of them with the same labels.

    Parameters
    ----------
    s, t : Graph
    vertex_labels, edge_labels : bool
        Whether labels have to be equal; off: all are.

    Raises
    ------
    TooLargeError
        More than VERTEX_LIMIT pairs of vertices.

    Notes
    -----
    Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, COLT 2003, definition 3.

    Examples
    --------
    >>> triangle = Graph(3, [(0, 1), (1, 2), (0, 2)], node_labels=["C", "C", "O"])
    >>> made = product_graph(triangle, Graph(3, [(0, 1), (1, 2)], node_labels=["C", "O", "C"]))
    >>> made.pairs.tolist(), made.graph.edges.tolist()
    ([[0, 0], [0, 2], [1, 0], [1, 2], [2, 1]], [[0, 4], [1, 4], [2, 4], [3, 4]])
    """
    if s.n_nodes * t.n_nodes > VERTEX_LIMIT:
        raise TooLargeError(
            f"A product that is looked at has up to {VERTEX_LIMIT:,} pairs of vertices",
            f"{s.n_nodes:,} × {t.n_nodes:,}",
            "Take smaller graphs",
        )
    found = coded((s, t), node_labels=vertex_labels, edge_labels=edge_labels)
    number, left, right = matched_vertices(found.starts, found.labels, 0, 1)
    first, heads = matched_edges(
        found.starts, found.rows, found.neighbours, found.edge_labels, 0, 1, number, left, right
    )
    tails = np.repeat(np.arange(left.size), np.diff(first))
    names = [found.label_names[label] for label in found.labels[left]] if found.label_names else None
    graph = Graph(left.size, np.column_stack([tails, heads]).astype(np.int64), names)
    return ProductGraph(np.column_stack([left, right - s.n_nodes]), graph)


def walk_totals(graph: Graph, longest: int) -> FloatArray:
    """(longest + 1,) walks of 0, 1, ... edges, 1'Aⁿ1: each way along edges, back and forth too, from every vertex.

    Exact in integers up to 2⁵³.

    Parameters
    ----------
    graph : Graph
    longest : int
        At least 0.

    Raises
    ------
    InvalidInputError
        Below 0, or walks beyond the range of float64.

    Examples
    --------
    >>> walk_totals(Graph(3, [(0, 1), (1, 2)]), 3).tolist()
    [3.0, 4.0, 6.0, 8.0]
    """
    longest = int(check_range("The number of edges of a walk", longest, 0.0))
    x, totals = np.ones(graph.n_nodes), [float(graph.n_nodes)]
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(longest):
            x = np.asarray(graph.adjacency @ x, np.float64)
            totals.append(float(x.sum()))
    if not np.isfinite(totals).all():
        raise InvalidInputError("Walks are counted up to 1e308", "more", "Choose shorter walks")
    return owned(np.array(totals))
