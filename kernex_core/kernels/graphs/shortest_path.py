"""Shortest path kernel: graphs are similar if vertices with the same labels lie equally far from each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import shortest_path

from kernex_core.base.frozen import IntArray, ReadOnlyArrays
from kernex_core.base.jit import jit
from kernex_core.base.parameters import parameter
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import Operations
from kernex_core.kernels.counts import tallied
from kernex_core.kernels.explanation import Explanation, SharedPath
from kernex_core.kernels.graphs.graph_kernel import CodedGraphs, CountKernel, Graphs, coded, explained
from kernex_core.runtime.progress import Steps


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


BLOCK = 1_000_000
"""Pairs of vertices, or steps along edges, that are worked through at a time: some hundredths of a second."""


@dataclass(frozen=True)
class ShortestPath(CountKernel):
    """Shortest path kernel, k(G, G') = Σ_{u≠v} Σ_{u'≠v'} [l(u) = l(u')] [l(v) = l(v')] max(0, c − |d(u,v) − d(u',v')|).

    d counts the edges of a shortest path, and pairs (u, v) are ordered; those that no path joins do not count. Labels of
    edges are not looked at. For c = 1 the distances have to be equal. For every whole c the kernel is positive
    semidefinite: c − |d − d'| is the number of windows of c successive lengths that hold both d and d'.

    Parameters
    ----------
    width : int
        c, 1 to 20 edges: distances that differ by as much are no longer similar.
    vertex_labels : bool
        False: only distances count.

    Notes
    -----
    Borgwardt and Kriegel (2005), Shortest-path kernels on graphs, ICDM, definition 5; the second kernel on distances is
    that of section 4.2 there.

    Examples
    --------
    >>> from kernex_core import Graph, ShortestPath
    >>> path, triangle = Graph(3, [(0, 1), (1, 2)]), Graph(3, [(0, 1), (1, 2), (0, 2)])
    >>> ShortestPath().gram([path, triangle]).tolist()
    [[20.0, 24.0], [24.0, 36.0]]
    """

    title: ClassVar[str] = "Shortest paths"
    formula: ClassVar[str] = (
        r"\begin{gathered}k(G,G')=\sum_{u\neq v}\sum_{u'\neq v'}[l_u=l_{u'}]\,[l_v=l_{v'}]\\"
        r"{}\cdot\max(0,\,c-|d_{uv}-d_{u'v'}|)\end{gathered}"
    )
    source: ClassVar[str] = "Borgwardt and Kriegel, Shortest-path kernels on graphs, ICDM 2005"
    cost: ClassVar[str] = (
        "vertices times edges of each graph, then the sum over kinds of paths of the squared number of graphs"
    )

    width: int = parameter(
        1,
        help="Distances that differ by so many edges are no longer similar; at 1 they have to be equal.",
        label="Width of equal distances",
        symbol="c",
        low=1,
        high=20,
        step=1,
        unit="edges",
    )
    vertex_labels: bool = parameter(
        True,
        help="Ends of paths have to have equal labels; off: only distances count.",
        label="Labels of vertices",
    )

    def counting(self, graphs: Graphs) -> Steps[sparse.csr_array]:
        """See CountKernel: a column a pair of labels and window of c lengths."""
        made = coded(graphs, node_labels=self.vertex_labels, edge_labels=False)
        kinds = Kinds(made.n_labels, int(np.diff(made.starts).max(initial=1)) + self.width)
        parts = [np.empty((3, 0), np.int64)]
        pieces = _sources(made, kinds)
        for k, (first, last) in enumerate(pieces):
            parts.append(_tally(made, kinds, first, last))
            yield (k + 1) / len(pieces)
        owner, kind, count = np.concatenate(parts, axis=1)
        owner, kind, count = _both_ways(kinds, owner, kind, count)
        wide = (kind[:, None] + np.arange(self.width)).ravel()
        found, column = np.unique(wide, return_inverse=True)
        entries = (np.repeat(count, self.width).astype(np.float64), (np.repeat(owner, self.width), column))
        counts = sparse.coo_array(entries, shape=(made.n, found.size)).tocsr()
        counts.sum_duplicates()
        return counts

    def counted(self, graphs: Graphs) -> Operations:
        """See CountKernel: each pair of vertices, and each edge from each vertex."""
        return {"path step": float(sum(g.n_nodes * (g.n_nodes + 2 * g.n_edges) for g in graphs))}

    def _explained(self, s: Graph, t: Graph, top: int, total: float) -> Explanation:
        made = coded((s, t), node_labels=self.vertex_labels, edge_labels=False)
        return explain_paths((s, t), made, self.width, top, total)


@dataclass(frozen=True)
class Kinds:
    """Kinds of paths as numbers: (label, label, hops).

    Attributes
    ----------
    n_labels : int
    n_hops : int
        Hops are below.
    """

    n_labels: int
    n_hops: int

    @property
    def n(self) -> int:
        """Number of kinds."""
        return self.n_labels**2 * self.n_hops

    def parts(self, kinds: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """First label, second label, hops."""
        labels, hops = np.divmod(kinds, self.n_hops)
        return *np.divmod(labels, self.n_labels), hops

    def of(self, first: IntArray, second: IntArray, hops: IntArray) -> IntArray:
        """Numbers of kinds."""
        made: IntArray = (first * self.n_labels + second) * self.n_hops + hops
        return made


def _sources(graphs: CodedGraphs, kinds: Kinds) -> list[tuple[int, int]]:
    """Vertices (first, last + 1) from which paths are sought at a time: about BLOCK steps, in few enough graphs that
    (graph, kind) is one number.
    """
    sizes, degrees = np.diff(graphs.starts), np.diff(graphs.rows)
    edges = np.add.reduceat(np.append(degrees, 0), graphs.starts[:-1]) if sizes.size else degrees[:0]
    steps = np.cumsum(np.repeat(sizes + np.where(sizes > 0, edges, 0), sizes))
    owner = np.repeat(np.arange(graphs.n), sizes)
    most = max(1, 2**62 // kinds.n)
    cuts = np.diff(steps // BLOCK).astype(bool) | np.diff(owner // most).astype(bool)
    borders = [0, *(np.flatnonzero(cuts) + 1).tolist(), int(owner.size)]
    return [(a, b) for a, b in pairwise(borders) if b > a]


def _tally(graphs: CodedGraphs, kinds: Kinds, first: int, last: int) -> IntArray:
    """(3, ...) graph, kind of path and number of unordered pairs, of those whose first vertex is one of these."""
    owner = np.searchsorted(graphs.starts, np.arange(first, last), side="right") - 1
    room = int((graphs.starts[owner + 1] - np.arange(first, last) - 1).sum())
    begin = int(owner[0])
    codes = np.empty(room, np.int64)
    count = paths(
        graphs.rows,
        graphs.neighbours,
        graphs.labels,
        np.array([first, last, kinds.n_labels, kinds.n_hops]),
        (owner - begin) * kinds.n,
        codes,
    )
    found, number = tallied(codes[:count], (int(owner[-1]) - begin + 1) * kinds.n)
    of, kind = np.divmod(found, kinds.n)
    return np.stack([of + begin, kind, number])


@jit
def paths(
    rows: IntArray,
    neighbours: IntArray,
    labels: IntArray,
    sizes: IntArray,
    offsets: IntArray,
    codes: IntArray,
) -> int:
    """Write the kind of the shortest path from each source to each later vertex, smaller label first; count them.

    Parameters
    ----------
    sizes : first source, last one + 1, n_labels, n_hops
    offsets : added to the kinds of each source
    codes : written
    """
    first, last, n_labels, n_hops = sizes
    hops = np.zeros(labels.size, np.int64)
    seen = np.full(labels.size, -1, np.int64)
    queue = np.empty(labels.size, np.int64)
    count = 0
    # breadth first from every source: all edges are one long; `seen` names the source, so that it needs no clearing
    for source in range(first, last):
        queue[0] = source
        seen[source], hops[source] = source, 0
        begin, end = 0, 1
        while begin < end:
            at = queue[begin]
            begin += 1
            for p in range(rows[at], rows[at + 1]):
                to = neighbours[p]
                if seen[to] != source:
                    seen[to], hops[to] = source, hops[at] + 1
                    queue[end] = to
                    end += 1
                    if to > source:
                        low, high = min(labels[source], labels[to]), max(labels[source], labels[to])
                        codes[count] = offsets[source - first] + (low * n_labels + high) * n_hops + hops[to]
                        count += 1
    return count


def _both_ways(
    kinds: Kinds, owner: IntArray, kind: IntArray, count: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Ordered pairs instead of unordered ones."""
    low, high, hops = kinds.parts(kind)
    other = low != high
    return (
        np.concatenate([owner, owner[other]]),
        np.concatenate([kind, kinds.of(high, low, hops)[other]]),
        np.concatenate([np.where(other, count, 2 * count), count[other]]),
    )
