"""Kernels between graphs that sum over the walks which both have."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from scipy import sparse

from kernex_core.base.errors import TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, owned_sparse
from kernex_core.base.parameters import check_range, parameter
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import Operations, Progress, no_progress, seconds
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.graphs.graph_kernel import CodedGraphs, GraphKernel, Graphs, coded, in_range
from kernex_core.kernels.graphs.product import walk_counts
from kernex_core.kernels.graphs.shared_walks import Worth, explain_walks
from kernex_core.kernels.pairwise import Work, all_pairs, shared
from kernex_core.runtime.executors import spread_in_steps
from kernex_core.runtime.progress import Steps

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
        return partial(_counts, found.bare(), found.sizes, int(self.n), offset)

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


# Walks of two graphs in step, compared vertex by vertex with any kernel on vertices (Joint regularization, section 3).

NODE_LIMIT = 40_000
"""Largest number of vertices of all graphs together: every two of them are compared."""
LONGEST = 10
"""Longest walk, in edges."""

NodeStrip = Callable[[int, int], FloatArray]
"""(first, end) -> (end - first, N - first): similarities of the vertices from `first` up to `end` with those from `first`
on, all N vertices being numbered through all graphs."""


@dataclass(frozen=True, eq=False)
class WalkSums(ReadOnlyArrays):
    """Walks of two graphs in step, of each length apart.

    Attributes
    ----------
    by_length : (longest + 1, n, n) float
        Entry l: 1' V_l 1 for every two graphs, V_0 = K and V_l = K * sum_e A_e V_(l-1) A'_e over the labels e of edges.
    """

    by_length: FloatArray

    def up_to(self, length: int) -> FloatArray:
        """(n, n) kernel of the walks of at most `length` edges.

        Raises
        ------
        InvalidInputError
            Longer walks than were summed.
        """
        check_range("The length of walks", length, 0, self.by_length.shape[0] - 1)
        return np.asarray(self.by_length[: length + 1].sum(axis=0))


def walk_sums_in_steps(
    graphs: Sequence[Graph], strip: NodeStrip, longest: int = 3, *, edge_labels: bool = True
) -> Steps[WalkSums]:
    """Compare every two graphs, a graph with all that follow a step.

    Parameters
    ----------
    graphs : sequence of Graph
        Edges are equal where their labels are; without labels all are.
    strip : callable
        See NodeStrip: K among the vertices, positive semidefinite, N by N in all and never formed as a whole.
    longest : int
        Edges of the longest walk, 0 to 10.
    edge_labels : bool
        False: all edges are equal.

    Returns
    -------
    Steps of WalkSums
        Yields the share that is done at least every quarter of a second.

    Raises
    ------
    TooLargeError
        More than NODE_LIMIT vertices.
    InvalidInputError
        A length out of range.
    """
    length = int(check_range("The length of walks", longest, 0, LONGEST))
    of = coded(graphs, node_labels=False, edge_labels=edge_labels)
    n_nodes = int(of.starts[-1])
    if n_nodes > NODE_LIMIT:
        raise TooLargeError(
            f"Graphs of at most {NODE_LIMIT:,} vertices together are compared vertex by vertex",
            f"{n_nodes:,}",
            "Select fewer graphs",
        )
    by_length = np.zeros((length + 1, of.n, of.n))
    work = partial(_one_graph, _Steps.of(of), strip, length)
    total = _share_after(of)
    done = 0
    for batch in spread_in_steps(work, range(of.n)):
        for sums in batch:
            by_length[:, done, done:] = sums
            by_length[:, done:, done] = sums
            done += 1
        yield float(total[done])
    return WalkSums(by_length)


def _counts(
    found: CodedGraphs, weights: IntArray, order: int, offset: int, pairs: IntArray, meter: IntArray
) -> FloatArray:
    out = np.zeros(pairs.shape[0])
    walk_counts(
        found.starts, found.rows, found.neighbours, found.labels, found.edge_labels,
        pairs + np.array([0, offset]), weights, order, out, meter,
    )  # fmt: skip
    return out


def _share_after(of: CodedGraphs) -> FloatArray:
    """(n + 1,) share of the entries of K that the first graphs have with all that follow."""
    sizes = np.diff(of.starts)
    after = np.concatenate([[0.0], np.cumsum(sizes * (of.starts[-1] - of.starts[:-1]), dtype=np.float64)])
    return np.asarray(after / after[-1]) if after[-1] else np.linspace(0.0, 1.0, of.n + 1)


@dataclass(frozen=True, eq=False)
class _Steps(ReadOnlyArrays):
    """Adjacency of all vertices, one matrix a label of edges, and where graphs begin and end."""

    starts: IntArray
    kinds: tuple[sparse.csr_array, ...]

    @classmethod
    def of(cls, graphs: CodedGraphs) -> _Steps:
        n = graphs.rows.size - 1
        tails = np.repeat(np.arange(n), np.diff(graphs.rows))
        made = []
        for kind in range(graphs.n_edge_labels):
            chosen = graphs.edge_labels == kind
            ends = tails[chosen], graphs.neighbours[chosen]
            made.append(owned_sparse(sparse.csr_array((np.ones(ends[0].size), ends), shape=(n, n))))
        return cls(graphs.starts, tuple(made))


def _one_graph(steps: _Steps, strip: NodeStrip, length: int, graph: int) -> FloatArray:
    """(length + 1, n - graph) sums of a graph with itself and all that follow, by sparse products of a whole strip."""
    first, end = (int(at) for at in steps.starts[graph : graph + 2])
    ends = steps.starts[graph:] - first
    if first == end:
        return np.zeros((length + 1, ends.size - 1))
    K = V = strip(first, end)
    out = [_by_graph(V, ends)]
    own = [(whole[first:end, first:end], whole[first:, first:]) for whole in steps.kinds]
    for _ in range(length):
        step = np.zeros_like(K)
        for A, others in own:
            if A.nnz:
                step += (others @ (A @ V).T).T
        V = K * step
        out.append(_by_graph(V, ends))
    return np.array(out)


def _by_graph(V: FloatArray, ends: IntArray) -> FloatArray:
    """Sum over the block of each graph; a graph without vertices has none."""
    out = np.zeros(ends.size - 1)
    some = np.diff(ends) > 0
    out[some] = np.add.reduceat(V.sum(axis=0), ends[:-1][some])
    return out
