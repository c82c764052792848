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
