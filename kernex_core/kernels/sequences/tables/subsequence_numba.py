"""Subsequence kernel of many pairs by row dynamic programming, compiled by Numba.

Both forms compute the sum over common subsequences of `decay ** gaps`, so that the common factor
`decay ** (2 length)` can neither underflow nor hide an overflow; the caller multiplies it in.
"""

from __future__ import annotations

import math

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit
from kernex_core.kernels.sequences.tables.packed import Codes, Packed

_UP = 2.0**256
_DOWN = 2.0**-256
_HIGH = 2.0**128
_LOW = 2.0**-128


def subsequence_pairs(
    left: Packed, right: Packed, pairs: IntArray, length: int, decay: float, out: FloatArray, meter: IntArray
) -> None:
    """Fill `out` (P, 2) with mantissa and exponent of each pair: the sum is out[0] * 2 ** (256 out[1]).

    `meter` is [stop, cells done]: a nonzero first entry ends the work, the second one grows with it.
    """
    compiled_pairs(left.codes, left.starts, right.codes, right.starts, pairs, length, decay, out, meter)


@jit
def compiled_pairs(
    a: Codes, a_starts: IntArray, b: Codes, b_starts: IntArray, pairs: IntArray,
    length: int, decay: float, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """The loop of `subsequence_pairs` over arrays, which is all that Numba takes."""
    for p in range(pairs.shape[0]):
        s = a[a_starts[pairs[p, 0]] : a_starts[pairs[p, 0] + 1]]
        t = b[b_starts[pairs[p, 1]] : b_starts[pairs[p, 1] + 1]]
        total, exponent = 0.0, 0
        if s.size >= length and t.size >= length:
            total = plain_sum(s, t, length, decay, meter)
            if not trusted(total, s.size, t.size, length, decay):
                total, exponent = scaled_sum(s, t, length, decay, meter)
        if meter[0] != 0:
            return
        out[p, 0] = total
        out[p, 1] = exponent


@jit
def trusted(total: float, n: int, m: int, length: int, decay: float) -> bool:
    """Whether no term that float64 lost on the way can matter to `total` by more than rounding does.

    A lost value is below 2.3e-308 and grows by at most min(n m, (1 - decay)^-2) in each later layer.
    """
    if not math.isfinite(total):
        return False
    if decay == 1.0 or -(n + m) * math.log(decay) < 690.0:
        return True
    if total <= 0.0:
        return False
    growth = min(math.log(n * m), -2.0 * math.log1p(-decay))
    lost = math.log(n * m * length) + (length - 1) * growth - 708.0
    return math.log(total) > lost + 37.0


@jit
def plain_sum(s: Codes, t: Codes, length: int, decay: float, meter: IntArray) -> float:
    """Sum of decay ** gaps in float64.

    Row p of `B` holds, for the last row i of the table and each prefix of t, the sum over matches of length
    p + 1 that end at or before it, decayed to this cell; R is the part of it that ends in row i.
    """
    m = t.size
    B = np.zeros((max(length - 1, 1), m + 1))
    total = 0.0
    for i in range(s.size):
        if meter[0] != 0:
            return 0.0
        letter, p = s[i], length - 2
        if length == 1:
            for j in range(m):
                total += 1.0 if t[j] == letter else 0.0
        # layers from the longest down, because each reads the row before of the layer below
        while p >= 1:
            top = two_layers(B, p, t, letter, decay)
            total += top if p == length - 2 else 0.0
            p -= 2
        if p == 0:
            top = lowest_layer(B, t, letter, decay)
            total += top if length == 2 else 0.0
        meter[1] += m
    return total


@jit
def two_layers(B: FloatArray, p: int, t: Codes, letter: int, decay: float) -> float:
    """Take layers p and p − 1 to the next row in one pass, whose chains of sums overlap in time.

    Returns the sum of what layer p held before the letters that match: matches one longer than its own.
    """
    upper, lower, lowest = B[p], B[p - 1], B[max(p - 2, 0)]
    at_bottom = p == 1
    R_upper, R_lower, above, below, total = 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(t.size):
        hit = t[j] == letter
        total += above if hit else 0.0
        R_upper = R_upper * decay + (below if hit else 0.0)
        R_lower = R_lower * decay + ((1.0 if at_bottom else lowest[j]) if hit else 0.0)
        # what the row before held here is what the next letter continues
        above, below = upper[j + 1], lower[j + 1]
        upper[j + 1] = R_upper + decay * above
        lower[j + 1] = R_lower + decay * below
    return total


@jit
def lowest_layer(B: FloatArray, t: Codes, letter: int, decay: float) -> float:
    """Take layer 0 to the next row; returns the sum of what it held before the letters that match."""
    row = B[0]
    R, before, total = 0.0, 0.0, 0.0
    for j in range(t.size):
        hit = t[j] == letter
        total += before if hit else 0.0
        R = R * decay + (1.0 if hit else 0.0)
        before = row[j + 1]
        row[j + 1] = R + decay * before
    return total


@jit
def add(v: float, e: int, w: float, f: int) -> tuple[float, int]:
    """v 2^(256 e) + w 2^(256 f), normalised to a mantissa between 2^-128 and 2^128; terms 2^-256 smaller vanish."""
    if w == 0.0:
        f = e
    elif v == 0.0:
        e = f
    if e > f:
        v, e = v + (w * _DOWN if e == f + 1 else 0.0), e
    elif f > e:
        v, e = w + (v * _DOWN if f == e + 1 else 0.0), f
    else:
        v += w
    if v >= _HIGH:
        return v * _DOWN, e + 1
    while 0.0 < v < _LOW:
        v, e = v * _UP, e - 1
    return v, e


@jit
def scaled_sum(s: Codes, t: Codes, length: int, decay: float, meter: IntArray) -> tuple[float, int]:
    """As `plain_sum`, with one exponent a cell: exact to rounding whatever the size; zero only if it is zero."""
    m = t.size
    B = np.zeros((max(length - 1, 1), m + 1))
    E = np.zeros((max(length - 1, 1), m + 1), dtype=np.int64)
    total, exponent = 0.0, 0
    for i in range(s.size):
        if meter[0] != 0:
            return 0.0, 0
        letter = s[i]
        for j in range(m):
            if t[j] == letter:
                if length == 1:
                    total, exponent = add(total, exponent, 1.0, 0)
                else:
                    total, exponent = add(total, exponent, B[length - 2, j], E[length - 2, j])
        for p in range(length - 2, -1, -1):
            R, e = 0.0, 0
            for j in range(m):
                R, e = add(R * decay, e, 0.0, e)
                if t[j] == letter:
                    if p == 0:
                        R, e = add(R, e, 1.0, 0)
                    else:
                        R, e = add(R, e, B[p - 1, j], E[p - 1, j])
                B[p, j + 1], E[p, j + 1] = add(R, e, decay * B[p, j + 1], E[p, j + 1])
    return total, exponent
