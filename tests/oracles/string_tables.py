"""Subsequence and local alignment kernels of many pairs with NumPy alone, one antidiagonal at a time or with logarithms.

They share no recursion with the compiled loops: an oracle for strings that are too long to enumerate alignments of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray
from kernex_core.kernels.sequences.explain import log_rows
from kernex_core.kernels.sequences.letters import Codes, Costs, Packed

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


_START = 2.0**-664


def alignment_pairs(
    left: Packed, right: Packed, pairs: IntArray, costs: Costs, out: FloatArray, meter: IntArray
) -> None:
    """Fill `out` (P,) with log K of each pair; arguments as in `local_alignment_numba.alignment_pairs`.

    Both scaled forms of Numba are one here: linear where float64 holds it, else log space.
    """
    scores, opening, extending = costs.scores, costs.opening, costs.extending
    out[:] = 0.0
    q = scores.shape[0]
    weights = np.zeros((q + 1, q + 1))
    weights[:q, :q] = np.exp(np.minimum(scores, 700.0))
    for block in blocks(left, right, pairs):
        out[block] = np.inf
        if costs.form == 0:
            s, t = letter_table(left, pairs[block, 0], q), letter_table(right, pairs[block, 1], q)
            out[block] = linear(s, t, weights, math.exp(-opening), math.exp(-extending), meter)
        for at in block[~np.isfinite(out[block])]:
            if meter[0]:
                return
            s, t = left.string(int(pairs[at, 0])), right.string(int(pairs[at, 1]))
            out[at] = log_space(s, t, scores, opening, extending, meter)
            meter[1] += s.size * t.size if costs.form else 0


def linear(
    s: Codes, t: Codes, weights: FloatArray, opening: float, extending: float, meter: IntArray
) -> FloatArray:
    """(P,) log K of the columns of s (n, P) and t (m, P), by antidiagonals; not finite where float64 overflows.

    Letters beyond the end have weight 0.
    """
    n, width = s.shape
    M, X, T = np.zeros((3, 2, n + 1, width))
    Y, term, totals = np.zeros((n, width)), np.empty((n, width)), np.zeros(width)
    table = weights.ravel()
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for diagonal in diagonals(s, t, meter):
            here, below, even = diagonal.here, diagonal.below, diagonal.number % 2
            work = term[: diagonal.s.shape[0]]
            match = table[diagonal.s * weights.shape[0] + diagonal.t]
            match *= np.add(T[even, here], _START, out=work)
            y = Y[here]
            y *= extending
            y += np.multiply(np.add(M[1 - even, below], X[1 - even, below], out=work), opening, out=work)
            x = X[even, below]
            np.multiply(X[1 - even, here], extending, out=x)
            x += np.multiply(M[1 - even, here], opening, out=work)
            M[even, below] = match
            np.add(np.add(match, x, out=work), y, out=T[even, below])
            totals += match.sum(axis=0)
        small = np.log1p(np.minimum(totals, 1.0) / _START)
        return np.where(totals < 1.0, small, np.log(np.maximum(totals, 1.0)) + 664.0 * math.log(2.0))


def log_space(
    s: Codes, t: Codes, scores: FloatArray, opening: float, extending: float, meter: IntArray
) -> float:
    """Return log K of one pair with logarithms, row by row; ends early once `meter[0]` is set."""
    total = 0.0
    for row in log_rows(s, t, scores, opening, extending):
        if meter[0]:
            break
        total = float(np.logaddexp(total, np.logaddexp.reduce(row)))
    return total
