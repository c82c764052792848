"""Connected subgraphs of k vertices: each once, or at random where there are too many."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.jit import jit
from kernex_core.gram.graph import Graph
from kernex_core.kernels.counts import tallied
from kernex_core.kernels.graphs.graph_kernel import CodedGraphs, Graphs
from kernex_core.runtime.progress import Steps

# Small graphs up to isomorphism: subgraphs of k vertices are told apart whatever the order of their vertices.
#
# A subgraph is one number: for each vertex in turn one bit for each earlier one (set where an edge joins them), then
# the label of each vertex in LABEL_BITS bits.

LABEL_BITS = 14
"""Labels are below 2^14: four of them and six edges fit a number of 64 bits."""

NAMES = {
    (2, 1, 1): "path",
    (2, 2, 2): "triangle",
    (3, 1, 1, 1): "star",
    (2, 2, 1, 1): "path",
    (3, 2, 2, 1): "triangle with a tail",
    (2, 2, 2, 2): "square",
    (3, 3, 2, 2): "square with a diagonal",
    (3, 3, 3, 3): "all joined",
    (4, 1, 1, 1, 1): "star",
    (2, 2, 2, 1, 1): "path",
    (2, 2, 2, 2, 2): "pentagon",
    (4, 4, 4, 4, 4): "all joined",
}
"""By degrees, largest first, of connected subgraphs that have a name."""


def bits(k: int) -> int:
    """Number of pairs of k vertices."""
    return k * (k - 1) // 2


def place(i: int, j: int) -> int:
    """Bit of the edge between vertices i < j."""
    return bits(j) + i


def canonical(codes: IntArray, k: int) -> IntArray:
    """Give isomorphic subgraphs the same number: the least that any order of their vertices gives."""
    least = codes.copy()
    for order in permutations(range(k)):
        made = np.zeros_like(codes)
        for i, j in combinations(range(k), 2):
            low, high = sorted((order[i], order[j]))
            made |= ((codes >> place(low, high)) & 1) << place(i, j)
        for i in range(k):
            made |= label(codes, k, order[i]) << (bits(k) + LABEL_BITS * i)
        np.minimum(least, made, out=least)
    return least


def label(codes: IntArray, k: int, vertex: int) -> IntArray:
    """Label of a vertex of each subgraph; there are none for k = 5."""
    if k > 4:
        return np.zeros_like(codes)
    found: IntArray = (codes >> (bits(k) + LABEL_BITS * vertex)) & (2**LABEL_BITS - 1)
    return found


def edges_of(code: int, k: int) -> tuple[tuple[int, int], ...]:
    """Edges of a subgraph."""
    return tuple((i, j) for j in range(k) for i in range(j) if code >> place(i, j) & 1)


def name_of(edges: tuple[tuple[int, int], ...], k: int) -> str:
    """What it is called, in words."""
    degrees = np.bincount(np.array(edges).ravel(), minlength=k)
    found = NAMES.get(tuple(sorted(degrees.tolist(), reverse=True)), f"{len(edges)} edges")
    return f"{found} of {k}"


_BITS = LABEL_BITS


@jit
def _entered(
    rows: IntArray,
    neighbours: IntArray,
    offset: int,
    vertex: int,
    depth: int,
    state: IntArray,
    waiting: IntArray,
) -> None:
    """Add a vertex to the subgraph as its depth-th one, from 0: what it newly reaches waits.

    state[0, x]: depth + 1 at which x was reached, 0 if not yet; state[1, x]: bits of the members that x is joined to.
    waiting[depth + 1, 0] is how many wait, then they follow.
    """
    size = waiting[depth + 1, 0]
    for p in range(rows[vertex], rows[vertex + 1]):
        x = neighbours[p] - offset
        state[1, x] |= 1 << depth
        if state[0, x] == 0 and x > state[2, 0]:
            state[0, x] = depth + 1
            size += 1
            waiting[depth + 1, size] = x
    waiting[depth + 1, 0] = size


@jit
def _left(
    rows: IntArray, neighbours: IntArray, offset: int, vertex: int, depth: int, state: IntArray
) -> None:
    for p in range(rows[vertex], rows[vertex + 1]):
        x = neighbours[p] - offset
        state[1, x] &= ~(1 << depth)
        if state[0, x] == depth + 1:
            state[0, x] = 0


@jit
def connected(
    rows: IntArray, neighbours: IntArray, labels: IntArray, first: int, last: int, k: int, codes: IntArray
) -> int:
    """Write the code (see `shapes`) of every connected induced subgraph of one graph; −1 where they do not fit.

    Each is met once: from its first vertex, members are added of those that are reached and come later (Wernicke 2006,
    algorithm ESU).
    """
    n, count, pairs = last - first, 0, k * (k - 1) // 2
    state, waiting = np.zeros((3, max(n, 1)), np.int64), np.zeros((k + 1, n + 1), np.int64)
    member, made = np.zeros(k + 1, np.int64), np.zeros(k + 1, np.int64)
    # a 0 that stands here would be a type of its own to Numba, for which others are compiled anew
    none: int = member[0]
    for root in range(n):
        state[2, 0], state[0, root] = root, k + 1
        member[0], waiting[1, 0] = root, 0
        made[1] = labels[first + root] << pairs
        _entered(rows, neighbours, first, first + root, none, state, waiting)
        depth = none + 1
        while depth > 0:
            # nobody is left to add at this depth: take the last member out again
            if waiting[depth, 0] == 0 or depth == k:
                depth -= 1
                _left(rows, neighbours, first, first + member[depth], depth, state)
                continue
            x = waiting[depth, waiting[depth, 0]]
            waiting[depth, 0] -= 1
            # the edges of x to the members, a bit each, and its label
            code = made[depth] | state[1, x] << (depth * (depth - 1) // 2)
            code |= labels[first + x] << (pairs + _BITS * depth)
            if depth == k - 1:
                if count == codes.size:
                    return -1
                codes[count] = code
                count += 1
                continue
            member[depth], made[depth + 1] = x, code
            for at in range(waiting[depth, 0] + 1):
                waiting[depth + 1, at] = waiting[depth, at]
            _entered(rows, neighbours, first, first + x, depth, state, waiting)
            depth += 1
        state[0, root] = 0
    return count


@jit
def descended(
    rows: IntArray, neighbours: IntArray, labels: IntArray, first: int, last: int, k: int,
    uniform: FloatArray, codes: IntArray, weights: FloatArray,
) -> None:  # fmt: skip
    """Write one connected subgraph a row of `uniform` (S, k), met at random in the search of `connected`, and one over
    its probability, or 0 where the search had come to an end: weights add up to S times the number on average
    (Knuth 1975).
    """
    n, pairs = last - first, k * (k - 1) // 2
    state, waiting = np.zeros((3, max(n, 1)), np.int64), np.zeros((k + 1, n + 1), np.int64)
    member = np.zeros(k + 1, np.int64)
    for s in range(codes.size):
        x, weight, code, depth = int(uniform[s, 0] * n), float(n), 0, 0
        state[2, 0], state[0, x], waiting[0, 0] = x, k + 1, 0
        root = x
        while True:
            code |= state[1, x] << (depth * (depth - 1) // 2)
            code |= labels[first + x] << (pairs + _BITS * depth)
            if depth == k - 1:
                break
            member[depth] = x
            waiting[depth + 1, : waiting[depth, 0] + 1] = waiting[depth, : waiting[depth, 0] + 1]
            _entered(rows, neighbours, first, first + x, depth, state, waiting)
            depth += 1
            size = waiting[depth, 0]
            if size == 0:
                weight = 0.0
                break
            # those behind the chosen one have had their turn: they are no longer waiting
            at = int(uniform[s, depth] * size) + 1
            x, weight = waiting[depth, at], weight * size
            waiting[depth, 0] = at - 1
        for d in range(depth - 1, -1, -1):
            _left(rows, neighbours, first, first + member[d], d, state)
        state[0, root] = 0
        codes[s], weights[s] = code, weight


# Kinds of connected subgraphs, graph by graph: all are visited, or some are drawn where there are too many.

MOST_SUBGRAPHS = 1_000_000
"""Connected subgraphs of one graph up to which each is visited (some hundredths of a second); more are sampled."""
DESCENTS = 200_000
"""Subgraphs that are drawn from a graph with more."""
_BLOCK = 300_000


@dataclass(frozen=True, eq=False)
class Entries(ReadOnlyArrays):
    """How often a graph holds a kind of subgraph; (owner, kind) may come more than once and add up.

    Attributes
    ----------
    owner : (E,) int array
        Graph.
    kind : (E,) int array
        See `shapes`.
    count : (E,) float array
    """

    owner: IntArray
    kind: IntArray
    count: FloatArray


@dataclass(frozen=True, eq=False)
class Visited(ReadOnlyArrays):
    """What was counted.

    Attributes
    ----------
    entries : Entries
        Kinds up to isomorphism.
    errors : (number of sampled graphs,) float array
        Standard error of the vector of counts, relative to its length.
    """

    entries: Entries
    errors: FloatArray


def visiting(graphs: Graphs, made: CodedGraphs, k: int, seed: int) -> Steps[Visited]:
    """Count the kinds of connected subgraphs of k vertices.

    Parameters
    ----------
    graphs, made
        The graphs, and as numbers.
    """
    codes = np.empty(MOST_SUBGRAPHS, np.int64)
    whole, waiting = [Entries(codes[:0], codes[:0], np.empty(0))], list[Entries]()
    errors: list[float] = []
    done = 0
    for i, graph in enumerate(graphs):
        first, last = int(made.starts[i]), int(made.starts[i + 1])
        number = connected(made.rows, made.neighbours, made.labels, first, last, k, codes)
        if number >= 0:
            kinds, times = tallied(codes[:number], _limit(made, k))
            counts = times.astype(np.float64)
        else:
            kinds, counts, error = _drawn(graph, made, i, k, seed)
            errors.append(error)
        waiting.append(Entries(np.full(kinds.size, i), kinds, counts))
        done += number if number >= 0 else MOST_SUBGRAPHS
        if done >= _BLOCK or i + 1 == len(graphs):
            whole.append(_isomorphic(_joined(waiting), k))
            waiting, done = [], 0
            yield (i + 1) / len(graphs)
    return Visited(_joined(whole), np.array(errors))


def _joined(parts: list[Entries]) -> Entries:
    return Entries(
        np.concatenate([part.owner for part in parts]),
        np.concatenate([part.kind for part in parts]),
        np.concatenate([part.count for part in parts]),
    )


def _isomorphic(entries: Entries, k: int) -> Entries:
    """Give kinds that differ in the order of their vertices the same number."""
    kinds, place = np.unique(entries.kind, return_inverse=True)
    return Entries(entries.owner, canonical(kinds, k)[place], entries.count)


def _limit(made: CodedGraphs, k: int) -> int:
    """Codes are below."""
    return 1 << (bits(k) if made.n_labels == 1 else bits(k) + LABEL_BITS * k)


def _drawn(graph: Graph, made: CodedGraphs, i: int, k: int, seed: int) -> tuple[IntArray, FloatArray, float]:
    """Kinds, estimated counts, and their relative standard error."""
    rng = np.random.default_rng([seed, int(graph.digest[:12], 16)])
    codes, weights = np.zeros(DESCENTS, np.int64), np.zeros(DESCENTS)
    first, last = int(made.starts[i]), int(made.starts[i + 1])
    descended(
        made.rows, made.neighbours, made.labels, first, last, k, rng.random((DESCENTS, k)), codes, weights
    )
    codes, weights = codes[weights > 0.0], weights[weights > 0.0]
    kinds, place = np.unique(codes, return_inverse=True)
    kinds, of = np.unique(canonical(kinds, k), return_inverse=True)
    place = of[place]
    means = np.bincount(place, weights) / DESCENTS
    squares = np.bincount(place, weights**2) / DESCENTS
    variance = float((squares - means**2).sum()) / DESCENTS
    return kinds, means, float(np.sqrt(max(variance, 0.0) / (means**2).sum()))


# Connected induced subgraphs of three and four vertices, counted by formulas from degrees and common neighbours.

SHAPES = {3: (3, 7), 4: (11, 13, 15, 30, 31, 63)}
"""Kinds (see `shapes`) of the columns of `induced`."""


@jit
def found(rows: IntArray, neighbours: IntArray, first: int, last: int) -> IntArray:
    """Count what is there in one graph, induced or not.

    Returns
    -------
    (8,) paths of 3, triangles; of 4 vertices: stars, paths, triangles with a tail, squares, squares with a diagonal,
    all joined.
    """
    total = np.zeros(8, np.int64)
    n, none = last - first, int(total[0])
    marked, shared = np.zeros(n, np.int64), np.zeros(n, np.int64)
    common = np.empty(n, np.int64)
    for u in range(first, last):
        # two neighbours of u make a path of 3, three a star
        degree = rows[u + 1] - rows[u]
        total[0] += degree * (degree - 1) // 2
        total[2] += degree * (degree - 1) * (degree - 2) // 6
        for a in range(rows[u], rows[u + 1]):
            marked[neighbours[a] - first] = 1
        corners = 0
        for a in range(rows[u], rows[u + 1]):
            # common neighbours of u and v are triangles over the edge; `shared` counts the ways of length two to later w
            v = neighbours[a]
            count = none
            for b in range(rows[v], rows[v + 1]):
                w = neighbours[b]
                if w > u:
                    shared[w - first] += 1
                if marked[w - first]:
                    common[count] = w
                    count += 1
            corners += count
            # each edge once: a path of 4 goes on at both ends, two common neighbours make a square with this diagonal
            if v > u:
                total[1] += count
                total[3] += (degree - 1) * (rows[v + 1] - rows[v] - 1)
                total[6] += count * (count - 1) // 2
                total[7] += _counts_joined(rows, neighbours, common, count, v)
        # every triangle at u was met from two neighbours, and any other neighbour of u is a tail
        total[4] += corners // 2 * (degree - 2)
        for a in range(rows[u], rows[u + 1]):
            marked[neighbours[a] - first] = 0
            for b in range(rows[neighbours[a]], rows[neighbours[a] + 1]):
                # two ways of length two from u to w make a square; w is cleared where it is met first
                w = neighbours[b] - first
                total[5] += shared[w] * (shared[w] - 1) // 2
                shared[w] = 0
    total[1] //= 3
    total[3] -= 3 * total[1]
    total[5] //= 2
    return total


@jit
def _counts_joined(rows: IntArray, neighbours: IntArray, common: IntArray, count: int, v: int) -> int:
    """Edges among common neighbours beyond v, which are in rising order."""
    number = 0
    for i in range(count):
        w = common[i]
        if w < v:
            continue
        j = i + 1
        for p in range(rows[w], rows[w + 1]):
            while j < count and common[j] < neighbours[p]:
                j += 1
            if j < count and common[j] == neighbours[p]:
                number += 1
    return number


def induced(total: IntArray, k: int) -> IntArray:
    """Counts (n, 2 or 6) of induced subgraphs from those of `found` (n, 8), in the order of SHAPES.

    What holds more edges is taken off: a square with a diagonal holds one square, four triangles with a tail, six paths
    and two stars; all joined holds six of the former.
    """
    path3, triangle, star, path, tail, square, diagonal, joined = total.T
    if k == 3:
        return np.stack([path3 - 3 * triangle, triangle], axis=1)
    diagonal = diagonal - 6 * joined
    square = square - diagonal - 3 * joined
    tail = tail - 4 * diagonal - 12 * joined
    path = path - 2 * tail - 4 * square - 6 * diagonal - 12 * joined
    star = star - tail - 2 * diagonal - 4 * joined
    return np.stack([star, path, tail, square, diagonal, joined], axis=1)
