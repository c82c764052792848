"""Walks against paths on a small graph, and the walks that two graphs share, counted on their product."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.gram.graph import Graph
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.kernels.explanation import SharedWalk
from kernex_core.kernels.graphs.all_walks import GeometricWalk
from kernex_core.kernels.graphs.explained.product_graph import ProductGraph, product_graph, walk_totals
from kernex_core.kernels.graphs.walks import WalkOfOrder
from kernex_core.parameters import check_range

FIRST = Graph(4, [(0, 1), (1, 2), (2, 3)], ["A", "B", "B", "A"])
SECOND = Graph(4, [(0, 1), (0, 2), (1, 2), (2, 3)], ["A", "B", "B", "A"])
LONGEST = 5
"""Edges of the longest walks that are counted."""


@dataclass(frozen=True, eq=False)
class Ways(ReadOnlyArrays):
    """Ways through one graph, by their number of edges 0 to LONGEST; each direction counts.

    Attributes
    ----------
    walks : (LONGEST + 1,) float
        1'Aⁿ1: they may come back to where they were.
    paths : (LONGEST + 1,) int
        Those that visit no node twice.
    """

    walks: FloatArray
    paths: IntArray


@dataclass(frozen=True, eq=False)
class Matched(ReadOnlyArrays):
    """Walks of FIRST and SECOND with the same labels all along.

    Attributes
    ----------
    n : int
        Edges of the walks.
    product : ProductGraph
    totals : (LONGEST + 1,) float
        Walks of the product by their number of edges.
    words : tuple of SharedWalk
        Label sequences of n edges that both have, with how often each has them.
    pairs : float
        All pairs of walks of n edges, one of each graph, whatever their labels.
    value, cosine : float
        Of the kernel that counts walks of n edges.
    bound : float
        What β of the geometric kernel has to stay below on these two graphs.
    """

    n: int
    product: ProductGraph
    totals: FloatArray
    words: tuple[SharedWalk, ...]
    pairs: float
    value: float
    cosine: float
    bound: float


def ways(graph: Graph) -> Ways:
    """Count walks and paths.

    Parameters
    ----------
    graph : Graph
        Of few nodes: paths are counted over all sets of nodes.

    Examples
    --------
    >>> made = ways(Graph(3, [(0, 1), (1, 2)]))
    >>> made.walks.tolist(), made.paths.tolist()
    ([3.0, 4.0, 6.0, 8.0, 12.0, 16.0], [3, 4, 2, 0, 0, 0])
    """
    return Ways(walk_totals(graph, LONGEST), _paths(graph))


def _paths(graph: Graph) -> IntArray:
    """Paths by the set of their nodes, which 2^n numbers name, and by their last node."""
    n = graph.n_nodes
    A, sets = graph.adjacency.toarray().astype(np.int64), np.arange(2**n)
    ending = np.zeros((2**n, n), np.int64)
    ending[1 << np.arange(n), np.arange(n)] = 1
    totals = [n]
    for _ in range(LONGEST):
        reached = ending @ A
        ending = np.zeros_like(ending)
        for v in range(n):
            without = sets[(sets >> v) & 1 == 0]
            ending[without | (1 << v), v] = reached[without, v]
        totals.append(int(ending.sum()))
    return owned(np.array(totals))


def matched(n: int) -> Matched:
    """Walks of n edges that both graphs have.

    Raises
    ------
    InvalidInputError
        n out of 0 to LONGEST.

    Examples
    --------
    >>> made = matched(2)
    >>> made.value, made.pairs, made.totals.tolist()
    (36.0, 180.0, [8.0, 16.0, 36.0, 76.0, 168.0, 360.0])
    """
    n = int(check_range("The number of edges of a walk", n, 0, LONGEST))
    kernel, both = WalkOfOrder(n=n), (FIRST, SECOND)
    K = kernel.gram(both)
    product = product_graph(*both)
    words = kernel.explain(*both, top=100).parts
    return Matched(
        n,
        product,
        walk_totals(product.graph, LONGEST),
        tuple(word for word in words if isinstance(word, SharedWalk)),
        float(walk_totals(FIRST, n)[n] * walk_totals(SECOND, n)[n]),
        float(K[0, 1]),
        float(np.asarray(cosine_normalize(K))[0, 1]),
        GeometricWalk().bound_on(both),
    )
