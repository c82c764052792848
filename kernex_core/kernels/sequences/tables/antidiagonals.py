"""Blocks of string pairs laid out for NumPy, which works through their tables one antidiagonal at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import EqualByContent, IntArray
from kernex_core.kernels.sequences.tables.packed import Codes, Packed

BLOCK = 24_000
"""Letters of the first strings in a block: a handful of arrays of that size stays in the cache."""


@dataclass(frozen=True, eq=False)
class Diagonal(EqualByContent):
    """One antidiagonal of a block: the cells (i, d - i) for i in `here`.

    Attributes
    ----------
    number : int
    here : slice
        Rows i of the cells; in arrays with a row of zeros on top it selects the rows i - 1.
    below : slice
        Rows i in arrays with a row of zeros on top.
    s, t : (cells, P) int32
        Letters of the first and of the second strings at the cells.
    """

    number: int
    here: slice
    below: slice
    s: Codes
    t: Codes


def blocks(left: Packed, right: Packed, pairs: IntArray) -> Iterator[IntArray]:
    """Positions in `pairs` of pairs with similar lengths, block by block."""
    n, m = left.lengths[pairs[:, 0]], right.lengths[pairs[:, 1]]
    order = np.lexsort((m, n))
    start = 0
    while start < order.size:
        stop = start + 1
        while stop < order.size and (stop + 1 - start) * max(int(n[order[stop]]), 1) <= BLOCK:
            stop += 1
        yield order[start:stop]
        start = stop


def letter_table(packed: Packed, items: IntArray, fill: int) -> Codes:
    """(longest, P) letters of the strings `items`, one column a string, shorter ones filled up."""
    lengths = packed.lengths[items]
    table = np.full((int(lengths.max(initial=0)), items.size), fill, dtype=np.int32)
    for column, item in enumerate(items):
        table[: lengths[column], column] = packed.string(int(item))
    return table


def diagonals(s: Codes, t: Codes, meter: IntArray) -> Iterator[Diagonal]:
    """All antidiagonals of the tables of s (n, P) against t (m, P); ends early once `meter[0]` is set.

    `meter[1]` counts the cells that are done.
    """
    n, m = s.shape[0], t.shape[0]
    backwards = t[::-1]
    for d in range(n + m - 1):
        if meter[0]:
            return
        low, high = max(0, d - m + 1), min(n - 1, d)
        first = m - 1 - d + low
        yield Diagonal(
            d,
            slice(low, high + 1),
            slice(low + 1, high + 2),
            s[low : high + 1],
            backwards[first : first + high + 1 - low],
        )
        meter[1] += (high + 1 - low) * s.shape[1]
