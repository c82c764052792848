"""Kernels between graphs that sum over the walks which both have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.kernels.base import Progress
from kernex_core.kernels.graphs.coded import CodedGraphs
from kernex_core.kernels.graphs.product import walk_counts
from kernex_core.kernels.graphs.shared_walks import Worth
from kernex_core.kernels.graphs.walk_kernel import WalkKernel
from kernex_core.kernels.pairwise import Work
from kernex_core.parameters import parameter


@dataclass(frozen=True)
class WalkOfOrder(WalkKernel):
    """Walks of n edges, K(G, G') = 1' A_x^n 1: pairs of walks, one in each graph, with the same labels all along.

    A_x is the adjacency of the product graph, whose vertices are pairs of vertices with equal labels and whose edges
    are pairs of edges with equal labels. A walk may come back to where it was. Exact in integers up to 2⁵³.

    Parameters
    ----------
    n : int
        Edges of a walk, 0 to 100; 0 counts pairs of vertices with equal labels.
    vertex_labels, edge_labels : bool
        Whether labels have to be equal, of vertices and of edges; off: all are.

    Notes
    -----
    Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, COLT 2003. The product
    graph is held as a list of edges, or not at all where all labels are equal: then K(G, G') = (1' Aⁿ 1)(1' A'ⁿ 1).

    Examples
    --------
    >>> from kernex_core import Graph, WalkOfOrder
    >>> triangle = Graph(3, [(0, 1), (1, 2), (0, 2)], node_labels=["C", "C", "O"])
    >>> path = Graph(3, [(0, 1), (1, 2)], node_labels=["C", "O", "C"])
    >>> WalkOfOrder(n=2).gram([triangle, path]).tolist()
    [[32.0, 20.0], [20.0, 20.0]]
    """

    title: ClassVar[str] = "Walks of n edges"
    formula: ClassVar[str] = r"K(G,G')=\mathbf 1^\top A_\times^{\,n}\,\mathbf 1"
    source: ClassVar[str] = (
        "Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, COLT 2003"
    )
    cost: ClassVar[str] = "n² pairs of graphs, each half as many steps as a walk has along all pairs of edges"

    n: int = parameter(
        3,
        help="Edges of the walks that are counted.",
        label="Edges of a walk",
        symbol="n",
        low=0,
        high=100,
        step=1,
    )

    def _worth(self, found: CodedGraphs) -> Worth:
        ones = np.ones(found.labels.size)
        return Worth(ones, ones, ones, int(self.n), int(self.n))

    def _iterations(self, share: float) -> float:
        return (self.n + 1.0) // 2.0

    def _alone(self, found: CodedGraphs) -> float:
        return float(self.n * found.neighbours.size)

    def _work(self, found: CodedGraphs, offset: int) -> Work:
        order = int(self.n)
        weights = found.sizes

        def work(pairs: IntArray, meter: IntArray) -> FloatArray:
            out = np.zeros(pairs.shape[0])
            walk_counts(
                found.starts, found.rows, found.neighbours, found.labels, found.edge_labels,
                pairs + np.array([0, offset]), weights, order, out, meter,
            )  # fmt: skip
            return out

        return work

    def _of_shapes(self, found: CodedGraphs, n: int, symmetric: bool, progress: Progress) -> FloatArray:
        """The number of pairs of walks is the product of the numbers of walks."""
        size = found.labels.size
        A = sparse.csr_array((np.ones(found.neighbours.size), found.neighbours, found.rows), (size, size))
        x: FloatArray = np.ones(size)
        with np.errstate(over="ignore"):
            for k in range(self.n):
                x = np.asarray(A @ x, np.float64)
                progress((k + 1) / (self.n + 1))
            owner = np.repeat(np.arange(found.n), np.diff(found.starts))
            counts = np.asarray(np.bincount(owner, weights=x, minlength=found.n), np.float64)
            K: FloatArray = np.outer(counts[:n], counts if symmetric else counts[n:])
        progress(1.0)
        return K
