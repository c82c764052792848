"""Connected subgraphs of k vertices: each once, or at random where there are too many."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit
from kernex_core.kernels.graphs.subgraphs.shapes import LABEL_BITS

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
    for root in range(n):
        state[2, 0], state[0, root] = root, k + 1
        member[0], waiting[1, 0] = root, 0
        made[1] = labels[first + root] << pairs
        _entered(rows, neighbours, first, first + root, 0, state, waiting)
        depth = 1
        while depth > 0:
            if waiting[depth, 0] == 0 or depth == k:
                depth -= 1
                _left(rows, neighbours, first, first + member[depth], depth, state)
                continue
            x = waiting[depth, waiting[depth, 0]]
            waiting[depth, 0] -= 1
            code = made[depth] | state[1, x] << (depth * (depth - 1) // 2)
            code |= labels[first + x] << (pairs + _BITS * depth)
            if depth == k - 1:
                if count == codes.size:
                    return -1
                codes[count] = code
                count += 1
                continue
            member[depth], made[depth + 1] = x, code
            waiting[depth + 1, : waiting[depth, 0] + 1] = waiting[depth, : waiting[depth, 0] + 1]
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
