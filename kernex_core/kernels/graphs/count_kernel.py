"""CountKernel: kernels that count parts of each graph, K = counts counts'."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernex_core.frozen import FloatArray
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import Progress, no_progress
from kernex_core.kernels.cost import Operations
from kernex_core.kernels.counts import common, products
from kernex_core.kernels.graphs.graph_kernel import GraphKernel, Graphs
from kernex_core.pieces import Pieces, finished

COUNTED = 0.8
"""Share of the progress after which the parts are counted."""
SAMPLED_VERTICES, FEW = 5_000, 32
"""Vertices up to which parts are counted on all graphs to tell the cost (some hundredths of a second), and the fewest
graphs."""


@dataclass(frozen=True)
class CountKernel(GraphKernel):
    """Base of kernels with a feature a kind of part: what is counted in one graph does not depend on the others.

    Graphs that are compared are counted together, so that one dictionary of parts serves all of them.
    """

    @abc.abstractmethod
    def counting(self, graphs: Graphs) -> Pieces[sparse.csr_array]:
        """Count in pieces; the result has a row a graph and a column a part: (n, n_parts) of float."""

    @abc.abstractmethod
    def counted(self, graphs: Graphs) -> Operations:
        """Number of operations of `counting`, by kind."""

    def operations(self, samples: Graphs) -> Operations:
        """See AbstractKernel."""
        some = _spread(samples)
        f = len(samples) / max(len(some), 1)
        counts = finished(self.counting(some))
        dense = common(counts)
        held = np.bincount(counts.indices, minlength=dense.size)[~dense].astype(np.float64)
        pairs = float(len(samples)) ** 2
        return {
            **self.counted(samples),
            "entry": pairs,
            "sparse entry": pairs,
            "dense product": pairs * float(dense.sum()),
            # a part is multiplied for every pair of graphs that hold it
            "shared part": float((held * held).sum()) * f * f,
        }

    def gram(self, samples: Graphs, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among graphs."""
        self.check(samples)
        return self._multiplied(tuple(samples), len(samples), progress)

    def cross(self, samples: Graphs, others: Graphs, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n') of graphs to others."""
        self.check(samples)
        self.check(others)
        return self._multiplied((*samples, *others), len(samples), progress)

    def _multiplied(self, graphs: Graphs, n_rows: int, progress: Progress) -> FloatArray:
        pieces = self.counting(graphs)
        while True:
            try:
                progress(COUNTED * next(pieces))
            except StopIteration as end:
                counts: sparse.csr_array = end.value
                break
        return products(counts, n_rows, lambda share: progress(COUNTED + (1.0 - COUNTED) * share))


def _spread(graphs: Sequence[Graph]) -> Graphs:
    """Graphs spread over all, with about SAMPLED_VERTICES vertices and at least FEW graphs."""
    total = sum(graph.n_nodes for graph in graphs)
    count = min(len(graphs), max(FEW, len(graphs) * SAMPLED_VERTICES // max(total, 1)))
    return [graphs[i] for i in np.linspace(0, len(graphs) - 1, count).astype(np.int64).tolist()]
