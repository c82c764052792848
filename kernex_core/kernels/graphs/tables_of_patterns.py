"""Tree patterns that two graphs share: a table of pairs of vertices, one level of the trees after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit

Bytes = NDArray[np.uint8]


@jit
def pattern_sums(
    starts: IntArray, rows: IntArray, neighbours: IntArray, labels: IntArray, edge_labels: IntArray,
    pairs: IntArray, weights: IntArray, powers: FloatArray, sizes: Bytes, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """Write the sum over pairs of vertices of what trees of all levels give, for some pairs of graphs.

    Parameters
    ----------
    pairs : (P, 2)
    weights : (n,) product of two is what the meter counts a pair of graphs for
    powers : (levels − 1,) factor of a second, third, ... branch at each level
    sizes : (2^12,) number of bits of each number
    out : (P,)
    meter : [stop, done]
    """
    for p in range(pairs.shape[0]):
        i, j = pairs[p]
        table = pattern_table(
            starts, rows, neighbours, labels, edge_labels, i, j, powers, sizes, meter
        )  # fmt: skip
        if meter[0]:
            return
        out[p] = table.sum()
        meter[1] += weights[i] * weights[j]


@jit
def pattern_table(
    starts: IntArray, rows: IntArray, neighbours: IntArray, labels: IntArray, edge_labels: IntArray,
    i: int, j: int, powers: FloatArray, sizes: Bytes, meter: IntArray,
) -> FloatArray:  # fmt: skip
    """k_h(u, v) of the vertices of graph i and those of graph j (n, n'); see `pattern_sums`."""
    sums, products = np.empty(sizes.size), np.empty((12, 12))
    before = np.zeros((starts[i + 1] - starts[i], starts[j + 1] - starts[j]))
    for u in range(before.shape[0]):
        for v in range(before.shape[1]):
            if labels[starts[i] + u] == labels[starts[j] + v]:
                before[u, v] = 1.0
    for level in range(powers.size):
        after = np.zeros_like(before)
        for u in range(before.shape[0]):
            if meter[0]:
                return before
            for v in range(before.shape[1]):
                x, y = starts[i] + u, starts[j] + v
                if labels[x] != labels[y]:
                    continue
                n, m = rows[x + 1] - rows[x], rows[y + 1] - rows[y]
                for a in range(n):
                    for b in range(m):
                        p, q = rows[x] + a, rows[y] + b
                        value = before[neighbours[p] - starts[i], neighbours[q] - starts[j]]
                        value = value if edge_labels[p] == edge_labels[q] else 0.0
                        if n >= m:
                            products[a, b] = value
                        else:
                            products[b, a] = value
                after[u, v] = matchings(products, max(n, m), min(n, m), powers[level], sizes, sums)
        before = after
    return before


@jit
def matchings(products: FloatArray, n: int, m: int, power: float, sizes: Bytes, sums: FloatArray) -> float:
    """Sum over the non-empty matchings R of n rows and m <= n columns of power^(|R| − 1) times their products.

    sums[S] is the sum over matchings of the rows so far that use just the columns S. The empty one is left out, not
    taken off afterwards: it would drown small sums. `products` is overwritten.
    """
    if m <= 1 or power == 0.0:
        total = 0.0
        for a in range(n):
            for b in range(m):
                total += products[a, b]
        return total
    kept = 0
    for b in range(m):  # columns without anything double the number of sets for nothing
        any_there = False
        for a in range(n):
            any_there = any_there or products[a, b] != 0.0
        if any_there:
            for a in range(n):
                products[a, kept] = products[a, b]
            kept += 1
    m = kept
    sums[: 1 << m] = 0.0
    sums[0] = 1.0
    for a in range(n):
        idle = True
        for b in range(m):
            idle = idle and products[a, b] == 0.0
        if idle:
            continue
        # from the largest set down: what is added to has not been taken from yet
        for used in range((1 << m) - 1, 0, -1):
            more = 0.0
            for b in range(m):
                if used >> b & 1:
                    more += sums[used ^ (1 << b)] * products[a, b]
            sums[used] += more
    total = 0.0
    for used in range(1, 1 << m):
        total += sums[used] * power ** (sizes[used] - 1)
    return total
