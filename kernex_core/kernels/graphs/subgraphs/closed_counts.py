"""Connected induced subgraphs of three and four vertices, counted by formulas from degrees and common neighbours."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import IntArray
from kernex_core.jit import jit

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
    n = last - first
    marked, shared = np.zeros(n, np.int64), np.zeros(n, np.int64)
    common = np.empty(n, np.int64)
    for u in range(first, last):
        degree = rows[u + 1] - rows[u]
        total[0] += degree * (degree - 1) // 2
        total[2] += degree * (degree - 1) * (degree - 2) // 6
        for a in range(rows[u], rows[u + 1]):
            marked[neighbours[a] - first] = 1
        corners = 0
        for a in range(rows[u], rows[u + 1]):
            v = neighbours[a]
            count = 0
            for b in range(rows[v], rows[v + 1]):
                w = neighbours[b]
                if w > u:
                    shared[w - first] += 1
                if marked[w - first]:
                    common[count] = w
                    count += 1
            corners += count
            if v > u:
                total[1] += count
                total[3] += (degree - 1) * (rows[v + 1] - rows[v] - 1)
                total[6] += count * (count - 1) // 2
                total[7] += _joined(rows, neighbours, common, count, v)
        total[4] += corners // 2 * (degree - 2)
        for a in range(rows[u], rows[u + 1]):
            marked[neighbours[a] - first] = 0
            for b in range(rows[neighbours[a]], rows[neighbours[a] + 1]):
                w = neighbours[b] - first
                total[5] += shared[w] * (shared[w] - 1) // 2
                shared[w] = 0
    total[1] //= 3
    total[3] -= 3 * total[1]
    total[5] //= 2
    return total


@jit
def _joined(rows: IntArray, neighbours: IntArray, common: IntArray, count: int, v: int) -> int:
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
