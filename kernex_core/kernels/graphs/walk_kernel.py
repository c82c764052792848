"""WalkKernel: what kernels share that count walks which two graphs have in common."""

from __future__ import annotations

import abc
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import TooLargeError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import Progress, no_progress
from kernex_core.kernels.cost import Operations, seconds
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.graphs.coded import CodedGraphs, coded
from kernex_core.kernels.graphs.graph_kernel import GraphKernel, Graphs, in_range
from kernex_core.kernels.graphs.shared_walks import Worth, explain_walks
from kernex_core.kernels.pairwise import Work, all_pairs, shared
from kernex_core.parameters import parameter

PAIR_LIMIT = 50_000_000
"""Largest number of pairs of edges, each in both directions, of two graphs: their product takes four bytes each."""
VISIT = 5.0
"""Steps that a pair of edges takes while a product is made."""
STEP_LIMIT = 2e13
"""Largest number of steps along edges of products that is worked through: hours on two cores."""


@dataclass(frozen=True, kw_only=True)
class WalkKernel(GraphKernel):
    """Base of kernels on the product of two graphs, A_x: a walk in it is a walk in each graph with the same labels."""

    vertex_labels: bool = parameter(
        True, help="Only vertices with equal labels match; off: all do.", label="Labels of vertices"
    )
    edge_labels: bool = parameter(
        True, help="Only edges with equal labels match; off: all do.", label="Labels of edges"
    )

    def gram(self, samples: Graphs, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among graphs.

        Raises
        ------
        InvalidInputError
            A similarity beyond LARGEST_ENTRY, or a parameter beyond what these graphs allow.
        TooLargeError
            More work than the limit, with the time that it would take, or two graphs whose product does not fit.
        """
        return self._values(tuple(samples), None, progress)

    def cross(self, samples: Graphs, others: Graphs, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n') of graphs to others; raises as `gram` does."""
        return self._values(tuple(samples), tuple(others), progress)

    def operations(self, samples: Graphs) -> Operations:
        """See AbstractKernel; as if on one core, but for the threads that share the pairs."""
        found = self.coded(samples)
        n = float(found.n)
        if _one_label(found):
            return {"entry": n * n, "walk step": self._alone(found)}
        return {"entry": n * n, "walk step": shared(self._all_steps(found))}

    def coded(self, graphs: Graphs) -> CodedGraphs:
        """Graphs with the labels that this kernel looks at."""
        return coded(graphs, node_labels=self.vertex_labels, edge_labels=self.edge_labels)

    def _values(self, samples: Graphs, others: Graphs | None, progress: Progress) -> FloatArray:
        for each in (samples, samples if others is None else others):
            GraphKernel.check(self, each)
        whole = (*samples, *(others or ()))
        kernel, found = self.resolved(whole), self.coded(whole)
        weights = found.sizes
        rows = weights[: len(samples)]
        columns = None if others is None else weights[len(samples) :]
        if _one_label(found):
            K = kernel._of_shapes(found, len(samples), others is None, progress)
        else:
            refuse_if_too_much(kernel._all_steps(found))
            _refuse_large(rows, rows if columns is None else columns)
            K = all_pairs(
                kernel._work(found, 0 if columns is None else len(samples)), rows, columns, progress
            )
        return in_range(K, self.title, "Choose shorter walks")

    @abc.abstractmethod
    def _worth(self, found: CodedGraphs) -> Worth:
        """What a walk is worth in its graph; the kernel is `resolved`."""

    def _explained(self, s: Graph, t: Graph, top: int, total: float) -> Explanation:
        if total == 0.0:
            return Explanation(total, (), 0.0, "no walk", 0)
        found = self.coded((s, t))
        return explain_walks(found, self._worth(found), top, total)

    def _all_steps(self, found: CodedGraphs) -> float:
        """Steps along edges of products, what it takes to list them counted as steps."""
        visits, edges = product_sizes(found)
        listing = float(found.labels.size) ** 2 / 2.0 + VISIT * visits
        return listing + edges * self._iterations(edges / max(visits, 1.0))

    @abc.abstractmethod
    def _iterations(self, share: float) -> float:
        """Steps along every edge of a product graph, of whose pairs of edges this share match where their tails do."""

    @abc.abstractmethod
    def _alone(self, found: CodedGraphs) -> float:
        """Operations where all labels are equal: each graph is looked at for itself."""

    @abc.abstractmethod
    def _work(self, found: CodedGraphs, offset: int) -> Work:
        """What computes some pairs; columns are graphs from `offset` on."""

    @abc.abstractmethod
    def _of_shapes(self, found: CodedGraphs, n: int, symmetric: bool, progress: Progress) -> FloatArray:
        """Similarities of the first n graphs to each other or to the rest, where all labels are equal."""


def product_sizes(found: CodedGraphs) -> tuple[float, float]:
    """Pairs of edges with matching tails, and edges, in both directions, of the products of all graphs.

    Each unordered pair of graphs counts once; nothing but labels is counted.
    """
    tails = np.repeat(np.arange(found.labels.size), np.diff(found.rows))
    owner = np.searchsorted(found.starts, tails, side="right") - 1
    kinds = (found.labels[tails] * found.n_edge_labels + found.edge_labels) * found.n_labels
    return _pairs_of_kind(owner, found.labels[tails]), _pairs_of_kind(
        owner, kinds + found.labels[found.neighbours]
    )


def _pairs_of_kind(owner: IntArray, kinds: IntArray) -> float:
    _, kind = np.unique(kinds, return_inverse=True)
    wide = int(kind.max(initial=0)) + 1
    both, counts = np.unique(owner * wide + kind, return_counts=True)
    of_kind = np.bincount(both % wide, weights=counts)
    return (float((of_kind**2).sum()) + float((counts.astype(np.float64) ** 2).sum())) / 2.0


def refuse_if_too_much(steps: float) -> None:
    """Refuse more steps than the limit, with the time that they would take.

    Raises
    ------
    TooLargeError
    """
    if steps > STEP_LIMIT:
        raise TooLargeError(
            f"At most {STEP_LIMIT:.0e} steps along pairs of edges are worked through",
            f"{steps:.1e}, about {seconds({'walk step': shared(steps)}) / 3600.0:,.0f} hours",
            "Select fewer or smaller graphs, or a kernel on Weisfeiler-Lehman subtrees, whose cost grows with the edges",
        )


def _refuse_large(rows: IntArray, columns: IntArray) -> None:
    largest = int(rows.max(initial=0)) * int(columns.max(initial=0))
    if largest > PAIR_LIMIT:
        raise TooLargeError(
            f"Two graphs may have {PAIR_LIMIT:,} pairs of edges and vertices",
            f"{largest:,} (graphs {int(rows.argmax()) + 1} and {int(columns.argmax()) + 1})",
            "Leave out the largest graphs",
        )


def _one_label(found: CodedGraphs) -> bool:
    return found.n_labels == 1 and found.n_edge_labels == 1
