"""Subsequence kernel of many pairs with NumPy alone: the fallback of `subsequence_numba`, and a check on it."""

from __future__ import annotations

import math

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.kernels.sequences.tables.antidiagonals import blocks, diagonals, letter_table
from kernex_core.kernels.sequences.tables.packed import Codes, Packed


def subsequence_pairs(
    left: Packed, right: Packed, pairs: IntArray, length: int, decay: float, out: FloatArray, meter: IntArray
) -> None:
    """Fill `out` (P, 2) with mantissa and exponent: the sum of decay ** gaps is out[0] * 2 ** (256 out[1]).

    `meter` is [stop, cells done].
    """
    out[:] = 0.0
    n, m = left.lengths[pairs[:, 0]], right.lengths[pairs[:, 1]]
    long_enough = np.flatnonzero((n >= length) & (m >= length))
    for block in blocks(left, right, pairs[long_enough]):
        chosen = long_enough[block]
        s, t = letter_table(left, pairs[chosen, 0], -1), letter_table(right, pairs[chosen, 1], -2)
        totals = plain_sums(s, t, length, decay, meter)
        safe = trusted(totals, n[chosen], m[chosen], length, decay)
        out[chosen, 0] = totals
        for at in chosen[~safe]:
            s, t = left.string(int(pairs[at, 0])), right.string(int(pairs[at, 1]))
            exact = log_sum(s, t, length, decay, meter)
            if meter[0]:
                return
            out[at] = _mantissa_and_exponent(exact)


def trusted(totals: FloatArray, n: IntArray, m: IntArray, length: int, decay: float) -> BoolArray:
    """(P,) mask of sums that nothing lost to underflow or overflow can change; see `subsequence_numba.trusted`."""
    finite = np.isfinite(totals)
    if decay == 1.0:
        return finite
    cells = np.log(n) + np.log(m)
    growth = np.minimum(cells, -2.0 * math.log1p(-decay))
    lost = cells + math.log(length) + (length - 1) * growth - 708.0
    with np.errstate(divide="ignore"):
        large = np.log(totals) > lost + 37.0
    return np.asarray(finite & ((-(n + m) * math.log(decay) < 690.0) | large))


def plain_sums(s: Codes, t: Codes, length: int, decay: float, meter: IntArray) -> FloatArray:
    """(P,) sums of decay ** gaps for the columns of s (n, P) and t (m, P), by antidiagonals in place.

    B[p, d % 2] holds the decayed sums of matches of length p + 1 on antidiagonal d, R[p] the part that ends in
    the row itself. Only positive terms are added, so nothing cancels.
    """
    n, width = s.shape
    B = np.zeros((max(length - 1, 1), 2, n + 1, width))
    R = np.zeros((max(length - 1, 1), n, width))
    term, totals = np.empty((n, width)), np.zeros(width)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for diagonal in diagonals(s, t, meter):
            match = diagonal.s == diagonal.t
            here, below, size = diagonal.here, diagonal.below, match.shape[0]
            two_ago, one_ago = B[:, diagonal.number % 2], B[:, (diagonal.number + 1) % 2]
            if length == 1:
                totals += match.sum(axis=0)
                continue
            totals += np.multiply(two_ago[length - 2, here], match, out=term[:size]).sum(axis=0)
            for p in range(length - 2, -1, -1):
                row = R[p, here]
                row *= decay
                row += np.multiply(two_ago[p - 1, here], match, out=term[:size]) if p else match
                np.multiply(one_ago[p, here], decay, out=term[:size])
                np.add(term[:size], row, out=two_ago[p, below])
    return totals


def log_sum(s: Codes, t: Codes, length: int, decay: float, meter: IntArray) -> float:
    """Logarithm of the sum of decay ** gaps of one pair, row by row; -inf if there is no common subsequence.

    Ends early once `meter[0]` is set.
    """
    fading = math.log(decay)
    drift = fading * np.arange(t.size)
    B = np.full((max(length - 1, 1), t.size + 1), -np.inf)
    total = -math.inf
    for letter in s:
        if meter[0]:
            break
        match = t == letter
        if length == 1:
            total = float(np.logaddexp.reduce(np.append(np.zeros(int(match.sum())), total)))
            continue
        total = float(np.logaddexp.reduce(np.append(B[length - 2, :-1][match], total)))
        for p in range(length - 2, -1, -1):
            found = np.where(match, B[p - 1, :-1] if p else 0.0, -np.inf)
            R = np.logaddexp.accumulate(found - drift) + drift
            B[p, 1:] = np.logaddexp(R, B[p, 1:] + fading)
    return total


def _mantissa_and_exponent(logarithm: float) -> tuple[float, float]:
    if logarithm == -math.inf:
        return 0.0, 0.0
    exponent = math.floor(logarithm / (256.0 * math.log(2.0)))
    return math.exp(logarithm - exponent * 256.0 * math.log(2.0)), float(exponent)
