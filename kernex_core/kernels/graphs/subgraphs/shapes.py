"""Small graphs up to isomorphism: subgraphs of k vertices are told apart whatever the order of their vertices.

A subgraph is one number: for each vertex in turn one bit for each earlier one (set where an edge joins them), then the label
of each vertex in LABEL_BITS bits.
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np

from kernex_core.frozen import IntArray

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
