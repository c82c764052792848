"""Which walks two graphs share: label sequences, how often each graph has them, and what they contribute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_range
from kernex_core.gram.graph import Graph
from kernex_core.kernels.explanation import Explanation, SharedWalk
from kernex_core.kernels.graphs.graph_kernel import CodedGraphs, coded
from kernex_core.kernels.graphs.product import matched_edges, matched_vertices

STATE_LIMIT = 300_000
"""Most pairs of a label sequence and a vertex where it ends, of both graphs, that are held."""
LONGEST = 6
"""Edges of the longest walks that are listed where walks of all lengths count."""
TAIL = 100_000
"""Most lengths that are added up one by one."""


@dataclass(frozen=True, eq=False)
class Worth(ReadOnlyArrays):
    """What one walk is worth in its graph: start of its first vertex, leave of each but the last, end of the last one.

    Attributes
    ----------
    start, leave, end : (N,) float array
        Of the vertices of both graphs.
    shortest, longest : int
        Edges of the walks that count; longest −1: there is no longest one.
    """

    start: FloatArray
    leave: FloatArray
    end: FloatArray
    shortest: int = 0
    longest: int = -1


@dataclass(frozen=True, eq=False)
class _Ends(ReadOnlyArrays):
    """Walks of one length in one graph, by label sequence and last vertex."""

    word: IntArray
    vertex: IntArray
    count: FloatArray
    worth: FloatArray


def explain_walks(found: CodedGraphs, worth: Worth, top: int, total: float) -> Explanation:
    """List the heaviest label sequences that both of two coded graphs have.

    A sequence and the same read backwards are one part: every walk can be walked back.

    Parameters
    ----------
    found : CodedGraphs
        Two graphs.
    worth : Worth
    top : int
        Number of parts.
    total : float
        K(s, t) as the kernel computes it.

    Raises
    ------
    TooLargeError
        Walks of one length that have more label sequences than fit.
    """
    last = worth.longest if worth.longest >= 0 else LONGEST
    parts: list[SharedWalk] = []
    left, listed, reached = 0.0, 0, -1
    for length, words, both in _lengths(found, worth, last):
        reached = length
        if length < worth.shortest:
            continue
        heaviest, rest, number = _heaviest(found, worth, words, both, top)
        parts, left, listed = parts + heaviest, left + rest, listed + number
    parts.sort(key=lambda part: (-part.contribution, len(part.vertices), part.vertices, part.edges))
    left += sum(part.contribution for part in parts[top:])
    if worth.longest < 0:
        left += _longer(found, worth, reached)
    meaning = "all other label sequences"
    if worth.longest < 0:
        meaning += f", those of more than {reached} edges among them"
    apart = "walks counted in each graph by label sequence, against steps on the product of both graphs"
    number_of_all = listed if worth.longest >= 0 else None
    return Explanation(total, tuple(parts[:top]), left, meaning, number_of_all, apart)


def _lengths(
    found: CodedGraphs, worth: Worth, last: int
) -> Iterator[tuple[int, IntArray, tuple[_Ends, _Ends]]]:
    """Each length with its label sequences (n_words, 2 length + 1), vertex and edge codes by turns, and where walks end."""
    vertices = [np.arange(found.starts[k], found.starts[k + 1]) for k in (0, 1)]
    starts = [_Ends(found.labels[at], at, np.ones(at.size), worth.start[at]) for at in vertices]
    words = np.arange(found.n_labels)[:, None]
    words, both = _shared(words, (starts[0], starts[1]))
    yield 0, words, both
    for length in range(1, last + 1):
        extended = [_extended(found, worth, ends) for ends in both]
        if sum(ends.word.size for ends in extended) > STATE_LIMIT:
            if worth.longest < 0:
                return
            raise TooLargeError(
                f"Walks are listed as long as they end in {STATE_LIMIT:,} ways",
                f"more of {length} edges",
                "Choose shorter walks",
            )
        wide = found.n_edge_labels * found.n_labels
        codes = np.unique(np.concatenate([ends.word for ends in extended]))
        words = np.column_stack(
            [words[codes // wide], codes % wide // found.n_labels, codes % found.n_labels]
        )
        renamed = [
            _Ends(np.searchsorted(codes, ends.word), ends.vertex, ends.count, ends.worth) for ends in extended
        ]
        words, both = _shared(words, (renamed[0], renamed[1]))
        yield length, words, both


def _extended(found: CodedGraphs, worth: Worth, ends: _Ends) -> _Ends:
    """Walks with one more edge; a sequence is called by its first part, its last edge and its last vertex."""
    degrees = found.rows[ends.vertex + 1] - found.rows[ends.vertex]
    of = np.repeat(np.arange(ends.vertex.size), degrees)
    arcs = found.rows[ends.vertex][of] + np.arange(of.size) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    heads = found.neighbours[arcs]
    word = (ends.word[of] * found.n_edge_labels + found.edge_labels[arcs]) * found.n_labels + found.labels[
        heads
    ]
    keys, group = np.unique(word * found.labels.size + heads, return_inverse=True)
    worths = (ends.worth * worth.leave[ends.vertex])[of]
    return _Ends(
        keys // found.labels.size,
        keys % found.labels.size,
        np.asarray(np.bincount(group, ends.count[of], keys.size), np.float64),
        np.asarray(np.bincount(group, worths, keys.size), np.float64),
    )


def _shared(words: IntArray, both: tuple[_Ends, _Ends]) -> tuple[IntArray, tuple[_Ends, _Ends]]:
    """Only sequences that both graphs have: no other one begins a shared one."""
    kept = np.intersect1d(both[0].word, both[1].word)
    made = []
    for ends in both:
        at = np.isin(ends.word, kept)
        made.append(
            _Ends(np.searchsorted(kept, ends.word[at]), ends.vertex[at], ends.count[at], ends.worth[at])
        )
    return words[kept], (made[0], made[1])


def _heaviest(
    found: CodedGraphs, worth: Worth, words: IntArray, both: tuple[_Ends, _Ends], top: int
) -> tuple[list[SharedWalk], float, int]:
    """Heaviest parts of one length, what the others contribute, and the number of all."""
    n = words.shape[0]
    values = np.prod(
        [np.bincount(ends.word, ends.worth * worth.end[ends.vertex], minlength=n) for ends in both], axis=0
    )
    counts = [np.bincount(ends.word, ends.count, minlength=n) for ends in both]
    # a sequence and its reverse are called by the smaller of both
    differ = words - words[:, ::-1]
    first = np.take_along_axis(differ, (differ != 0).argmax(axis=1)[:, None], axis=1) if n else differ
    smaller = np.where(first > 0, words[:, ::-1], words)
    _, at, group = np.unique(smaller, axis=0, return_index=True, return_inverse=True)
    group = group.ravel()
    together = np.bincount(group, values, minlength=at.size)
    order = np.argsort(-together, kind="stable")
    listed = []
    for k in order[:top]:
        word = words[at[k]] if first[at[k], 0] <= 0 else words[at[k], ::-1]
        listed.append(
            SharedWalk(
                tuple(_name(found.label_names, code) for code in word[::2]),
                tuple(_name(found.edge_label_names, code) for code in word[1::2]),
                int(counts[0][at[k]]),
                int(counts[1][at[k]]),
                int((group == k).sum()),
                _example(found, 0, word),
                _example(found, 1, word),
                float(together[k]),
            )
        )
    return listed, float(together[order[top:]].sum()), at.size


def _name(names: tuple[str, ...], code: int) -> str:
    return names[code] if names else ""


def _example(found: CodedGraphs, graph: int, word: IntArray) -> tuple[int, ...]:
    """One walk that reads a word, as vertices of its graph."""
    here = np.arange(found.starts[graph], found.starts[graph + 1])
    reached = [here[found.labels[here] == word[0]]]
    for edge, label in zip(word[1::2], word[2::2], strict=True):
        ways = _arcs(found, reached[-1], edge)
        reached.append(np.unique(ways[found.labels[ways] == label]))
    walk = [int(reached[-1][0])]
    for before, edge in zip(reached[-2::-1], word[-2::-2], strict=True):
        back = np.intersect1d(_arcs(found, np.array([walk[-1]]), edge), before)
        fresh = np.setdiff1d(back, walk)  # rather on than to and fro
        walk.append(int((fresh if fresh.size else back)[0]))
    return tuple(vertex - int(found.starts[graph]) for vertex in walk[::-1])


def _arcs(found: CodedGraphs, vertices: IntArray, edge: int) -> IntArray:
    """Vertices that an edge with this label joins to one of these."""
    arcs = np.concatenate(
        [np.zeros(0, np.int64), *(np.arange(found.rows[v], found.rows[v + 1]) for v in vertices)]
    )
    return np.asarray(found.neighbours[arcs[found.edge_labels[arcs] == edge]], np.int64)


def _longer(found: CodedGraphs, worth: Worth, beyond: int) -> float:
    """Σ over lengths above `beyond`, one after the other on the product."""
    number, left, right = matched_vertices(found.starts, found.labels, 0, 1)
    first, heads = matched_edges(
        found.starts, found.rows, found.neighbours, found.edge_labels, 0, 1, number, left, right
    )
    A = sparse.csr_array((np.ones(heads.size), heads, first), shape=(left.size, left.size))
    start, leave, x = (each[left] * each[right] for each in (worth.start, worth.leave, worth.end))
    total = 0.0
    for length in range(1, beyond + TAIL):
        x = leave * np.asarray(A @ x, np.float64)
        if length <= beyond:
            continue
        term = float(start @ x)
        total += term
        if term <= 1e-17 * total:
            return total
    raise TooLargeError(
        f"Similarities are explained where walks of up to {TAIL:,} edges make all of it",
        "a step that weighs nearly as much as its bound allows",
        "Choose a smaller weight",
    )


# The product of two graphs as a graph, to be looked at, and its walks counted.

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
