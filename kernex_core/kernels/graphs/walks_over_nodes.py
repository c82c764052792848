"""Walks of two graphs in step, compared vertex by vertex with any kernel on vertices (Joint regularization, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import sparse

from kernex_core.errors import TooLargeError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays, owned_sparse
from kernex_core.gram.graph import Graph
from kernex_core.kernels.graphs.coded import CodedGraphs, coded
from kernex_core.parameters import check_range
from kernex_core.pieces import Pieces
from kernex_core.threads import spread_in_pieces

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


def walk_sums_in_pieces(
    graphs: Sequence[Graph], strip: NodeStrip, longest: int = 3, *, edge_labels: bool = True
) -> Pieces[WalkSums]:
    """Compare every two graphs, a graph with all that follow a piece.

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
    Pieces of WalkSums
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
    for piece in spread_in_pieces(work, range(of.n)):
        for sums in piece:
            by_length[:, done, done:] = sums
            by_length[:, done:, done] = sums
            done += 1
        yield float(total[done])
    return WalkSums(by_length)


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
