"""Which walks two graphs share: label sequences, how often each graph has them, and what they contribute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernex_core.errors import TooLargeError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.kernels.explanation import Explanation, SharedWalk
from kernex_core.kernels.graphs.coded import CodedGraphs
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
