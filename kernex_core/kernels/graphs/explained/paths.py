"""Shortest paths that two graphs share, by the labels of their ends and their length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import shortest_path

from kernex_core.frozen import IntArray, ReadOnlyArrays
from kernex_core.gram.graph import Graph
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.graphs.coded import CodedGraphs
from kernex_core.kernels.graphs.explained.listed import explained
from kernex_core.kernels.parts_of_graphs import SharedPath


@dataclass(frozen=True, eq=False)
class _Kinds(ReadOnlyArrays):
    """Kinds of paths of one graph.

    Attributes
    ----------
    table : (K, 3) int array
        Label, label, hops; the smaller label first.
    count : (K,) int array
        Pairs of vertices.
    first : (K, 2) int array
        One of them.
    """

    table: IntArray
    count: IntArray
    first: IntArray


def explain_paths(
    graphs: tuple[Graph, Graph], made: CodedGraphs, width: int, top: int, total: float
) -> Explanation:
    """List the kinds of paths that contribute most; a pair of lengths is a kind of its own where width > 1."""
    s, t = (_kinds(graph, made.labels[made.starts[k] : made.starts[k + 1]]) for k, graph in enumerate(graphs))
    ends = np.unique(np.concatenate([s.table[:, :2], t.table[:, :2]]), axis=0, return_inverse=True)[1].ravel()
    of_s, of_t = ends[: s.count.size], ends[s.count.size :]
    near = width - np.abs(s.table[:, None, 2] - t.table[None, :, 2])
    worth = np.where(of_s[:, None] == of_t[None, :], np.maximum(near, 0), 0)
    i, j = np.nonzero(worth)
    ways = np.where(s.table[i, 0] == s.table[i, 1], 4.0, 2.0)
    contributions = np.asarray(ways * s.count[i] * t.count[j] * worth[i, j], np.float64)

    def part(k: int) -> SharedPath:
        low, high, hops = s.table[i[k]].tolist()
        name = made.label_names or ("",)
        return SharedPath(
            (name[low], name[high]),
            hops,
            int(t.table[j[k], 2]),
            int(s.count[i[k]]),
            int(t.count[j[k]]),
            _path(graphs[0], *s.first[i[k]].tolist()),
            _path(graphs[1], *t.first[j[k]].tolist()),
            float(contributions[k]),
        )

    apart = "pairs of vertices by SciPy's shortest paths, against a product of sparse counts"
    return explained(contributions, part, top, total, apart, "all other kinds of paths")


def _kinds(graph: Graph, labels: IntArray) -> _Kinds:
    d = shortest_path(graph.adjacency, unweighted=True)
    u, v = np.nonzero(np.triu(np.isfinite(d), 1))
    low, high = np.minimum(labels[u], labels[v]), np.maximum(labels[u], labels[v])
    rows = np.stack([low, high, d[u, v].astype(np.int64)], axis=1)
    table, first, count = np.unique(rows, axis=0, return_index=True, return_counts=True)
    return _Kinds(table, count, np.stack([u, v], axis=1)[first])


def _path(graph: Graph, start: int, end: int) -> tuple[int, ...]:
    before = shortest_path(graph.adjacency, unweighted=True, indices=[start], return_predecessors=True)[1][0]
    found = [end]
    while found[-1] != start:
        found.append(int(before[found[-1]]))
    return tuple(found[::-1])
