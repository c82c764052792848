"""Product graphs of pairs, one at a time and never as a dense matrix: compiled loops over the edges of both graphs.

All that is compiled and calls each other stands in this file: Numba takes what it compiled before as long as the file of the
caller is the same, whatever became of other files.

A vertex of the product is a pair of vertices with equal labels, an edge a pair of edges with equal labels between such
pairs. Its edges are listed twice, row by row, as in `CodedGraphs`.

Source of the iteration: Hestenes and Stiefel 1952; of the value along the way, Strakoš and Tichý, On error estimation in the
conjugate gradient method, ETNA 2002, formula (3.3).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit

Places = NDArray[np.int32]

TOLERANCE = 1e-13
"""Largest error of a sum, relative to it, at which the iteration ends."""


@jit
def matched_vertices(starts: IntArray, labels: IntArray, i: int, j: int) -> tuple[Places, IntArray, IntArray]:
    """Number the vertices of the product of graphs i and j.

    Returns
    -------
    (n n',) number of each pair or −1, and (V,) both vertices of each number, counted through all graphs.
    """
    n, m = starts[i + 1] - starts[i], starts[j + 1] - starts[j]
    number = np.empty(n * m, np.int32)
    left, right = np.empty(n * m, np.int64), np.empty(n * m, np.int64)
    count = 0
    for u in range(n):
        for v in range(m):
            left[count], right[count] = starts[i] + u, starts[j] + v
            match = labels[starts[i] + u] == labels[starts[j] + v]
            number[u * m + v] = count if match else -1
            count += match
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
                # written in any case and kept where it counts: a processor cannot foresee which ones match
                to = number[row + neighbours[b]]
                heads[count] = to
                count += (to >= 0) & (edge_labels[a] == edge_labels[b])
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


@jit
def walk_sums(
    starts: IntArray, rows: IntArray, neighbours: IntArray, labels: IntArray, edge_labels: IntArray,
    pairs: IntArray, weights: IntArray, scale: FloatArray, start: FloatArray, end: FloatArray, c: float,
    radii: FloatArray, alike: bool, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """Fill `out` (P,) with start' (I − c S)^(−1) end of each pair (see `resolvent.Walks`); NaN: no convergence.

    `weights` and `meter` as in `walk_counts`.
    """
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        number, left, right = matched_vertices(starts, labels, i, j)
        first, heads = matched_edges(starts, rows, neighbours, edge_labels, i, j, number, left, right)
        D, a, b = np.empty(left.size), np.empty(left.size), np.empty(left.size)
        for p in range(left.size):
            u, v = left[p], right[p]
            D[p], a[p], b[p] = scale[u] * scale[v], start[u] * start[v], end[u] * end[v]
        gap = 1.0 - math.sqrt(radii[i] * radii[j])
        out[k] = conjugate_gradients(first, heads, D, a, b, c, gap, alike, meter)
        meter[1] += weights[i] * weights[j]
        if meter[0] != 0:
            return


@jit
def conjugate_gradients(
    first: IntArray, heads: Places, D: FloatArray, a: FloatArray, b: FloatArray, c: float, gap: float,
    alike: bool, meter: IntArray,
) -> float:  # fmt: skip
    """a' (I − c D A D)^(−1) b, whose smallest eigenvalue is at least `gap`.

    With a = b the value after k steps is the sum of α r'r, and its error e'(I − c S)e ≤ r'r / gap; else it is a'x, and
    its error at most |a| |r| / gap.
    """
    r, p, x, z, q = b.copy(), b.copy(), np.zeros(b.size), D * b, np.empty(b.size)
    rr, size, value = float(np.sum(b * b)), math.sqrt(np.sum(a * a)), 0.0
    for _ in range(int(100.0 + 30.0 * math.sqrt(2.0 / gap))):
        error = rr if alike else size * math.sqrt(rr)
        if error <= TOLERANCE * gap * value or rr == 0.0:
            return value
        if meter[0] != 0:
            return 0.0
        pq = 0.0
        for v in range(b.size):
            total = 0.0
            for at in range(first[v], first[v + 1]):
                total += z[heads[at]]
            q[v] = p[v] - c * D[v] * total
            pq += p[v] * q[v]
        alpha = rr / pq
        new = 0.0
        for v in range(b.size):
            r[v] -= alpha * q[v]
            new += r[v] * r[v]
        if alike:
            value += alpha * rr
        else:
            value = 0.0
            for v in range(b.size):
                x[v] += alpha * p[v]
                value += a[v] * x[v]
        beta = new / rr
        for v in range(b.size):
            p[v] = r[v] + beta * p[v]
            z[v] = D[v] * p[v]
        rr = new
    return math.nan
