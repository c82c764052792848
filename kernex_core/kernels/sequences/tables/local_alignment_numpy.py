"""Local alignment kernel of many pairs with NumPy alone: the fallback of `local_alignment_numba`, and a check on it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.kernels.sequences.tables.antidiagonals import blocks, diagonals, letter_table
from kernex_core.kernels.sequences.tables.costs import Costs
from kernex_core.kernels.sequences.tables.packed import Codes, Packed

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


def log_matches(
    s: Codes, t: Codes, scores: FloatArray, opening: float, extending: float, add: np.ufunc = np.logaddexp
) -> FloatArray:
    """(n, m) table of the rows of `log_rows`."""
    rows = list(log_rows(s, t, scores, opening, extending, add))
    return np.array(rows).reshape(s.size, t.size)


def log_rows(
    s: Codes, t: Codes, scores: FloatArray, opening: float, extending: float, add: np.ufunc = np.logaddexp
) -> Iterator[FloatArray]:
    """For each letter i of s, the logarithms of M[i, :]: the sums over all alignments whose last pair is (i, j).

    With `add` = np.maximum: the scores of the best alignments whose last pair is (i, j).
    """
    m = t.size
    M, X, Y = (np.full(m + 1, -np.inf) for _ in range(3))
    drift = extending * np.arange(m)
    for letter in s:
        before, M = (M, X, Y), np.full(m + 1, -np.inf)
        M[1:] = scores[letter][t] + add(0.0, add(add(*before[:2]), Y)[:-1])
        X = add(before[0] - opening, X - extending)
        # Y[j] sums over all earlier columns, each charged for the columns in between
        reach = add.accumulate(add(M, X)[1:] + drift)
        Y[2:] = (reach - drift - opening)[:-1]
        yield M[1:]
