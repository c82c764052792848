"""Product graphs of pairs, one at a time and never as a dense matrix: compiled loops over the edges of both graphs.

A vertex of the product is a pair of vertices with equal labels, an edge a pair of edges with equal labels between such
pairs. Its edges are listed twice, row by row, as in `CodedGraphs`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit

Places = NDArray[np.int32]


@jit
def matched_vertices(starts: IntArray, labels: IntArray, i: int, j: int) -> tuple[Places, IntArray, IntArray]:
    """Number the vertices of the product of graphs i and j.

    Returns
    -------
    (n n',) number of each pair or −1, and (V,) both vertices of each number, counted through all graphs.
    """
    n, m = starts[i + 1] - starts[i], starts[j + 1] - starts[j]
    number = np.full(n * m, -1, np.int32)
    left, right = np.empty(n * m, np.int64), np.empty(n * m, np.int64)
    count = 0
    for u in range(n):
        for v in range(m):
            if labels[starts[i] + u] == labels[starts[j] + v]:
                number[u * m + v] = count
                left[count], right[count] = starts[i] + u, starts[j] + v
                count += 1
    return number, left[:count], right[:count]


@jit
def matched_edges(
    starts: IntArray, rows: IntArray, neighbours: IntArray, edge_labels: IntArray, i: int, j: int,
    number: Places, left: IntArray, right: IntArray,
) -> tuple[IntArray, Places]:  # fmt: skip
    """List the edges of the product of graphs i and j: (V + 1,) first place of each vertex, and its neighbours."""
    m = starts[j + 1] - starts[j]
    most = 0
    for p in range(left.size):
        u, v = left[p], right[p]
        most += (rows[u + 1] - rows[u]) * (rows[v + 1] - rows[v])
    first, heads = np.zeros(left.size + 1, np.int64), np.empty(most, np.int32)
    count = 0
    for p in range(left.size):
        u, v = left[p], right[p]
        for a in range(rows[u], rows[u + 1]):
            row = (neighbours[a] - starts[i]) * m - starts[j]
            for b in range(rows[v], rows[v + 1]):
                if edge_labels[a] == edge_labels[b]:
                    to = number[row + neighbours[b]]
                    if to >= 0:
                        heads[count] = to
                        count += 1
        first[p + 1] = count
    return first, heads[:count]


@jit
def step(first: IntArray, heads: Places, x: FloatArray, out: FloatArray) -> None:
    """Write A x into `out`."""
    for p in range(x.size):
        total = 0.0
        for at in range(first[p], first[p + 1]):
            total += x[heads[at]]
        out[p] = total


@jit
def walk_counts(
    starts: IntArray, rows: IntArray, neighbours: IntArray, labels: IntArray, edge_labels: IntArray,
    pairs: IntArray, weights: IntArray, order: int, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """Fill `out` (P,) with 1' A^order 1 of the product graph of each pair (rows of `pairs`).

    `weights` (n,) of the graphs: their product is counted into `meter[1]`; a nonzero `meter[0]` ends the work.
    """
    for p in range(pairs.shape[0]):
        i, j = pairs[p, 0], pairs[p, 1]
        number, left, right = matched_vertices(starts, labels, i, j)
        if order == 0:
            out[p] = left.size
        else:
            first, heads = matched_edges(starts, rows, neighbours, edge_labels, i, j, number, left, right)
            # A is symmetric: walks are joined in their middle
            x, y = np.ones(left.size), np.empty(left.size)
            for _ in range(order // 2):
                if meter[0] != 0:
                    return
                step(first, heads, x, y)
                x, y = y, x
            if order % 2 == 1:
                step(first, heads, x, y)
                out[p] = np.sum(x * y)
            else:
                out[p] = np.sum(x * x)
        meter[1] += weights[i] * weights[j]
        if meter[0] != 0:
            return
