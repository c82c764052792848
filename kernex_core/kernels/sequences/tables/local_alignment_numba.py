"""Local alignment kernel of many pairs, compiled by Numba: linear, scaled and log-space forms of one recursion.

    M[i,j] = exp(beta S(x_i, y_j)) (1 + M + X + Y at [i-1,j-1])
    X[i,j] = exp(-beta open) M[i-1,j] + exp(-beta extend) X[i-1,j]
    Y[i,j] = exp(-beta open) (M + X at [i,j-1]) + exp(-beta extend) Y[i,j-1]
    K = 1 + sum over i,j of M[i,j]

X must not follow Y: sets of pairs with gaps in both strings would be counted twice.
"""

from __future__ import annotations

import math

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit
from kernex_core.kernels.sequences.tables.costs import Costs
from kernex_core.kernels.sequences.tables.packed import Codes, Packed

_UP = 2.0**256
_DOWN = 2.0**-256
_HIGH = 2.0**128
_LOW = 2.0**-128
_START = 2.0**-664
"""Weight of the empty start in the linear form: it leaves room for K up to 2^1687, log K = 1169."""
_LOG_2 = math.log(2.0)
_LINEAR, _SCALED, _LOG = 0, 1, 2


def alignment_pairs(
    left: Packed, right: Packed, pairs: IntArray, costs: Costs, out: FloatArray, meter: IntArray
) -> None:
    """Fill `out` (P,) with log K of each pair; `meter` is [stop, cells done]."""
    compiled_pairs(
        left.codes, left.starts, right.codes, right.starts, pairs,
        costs.scores, costs.opening, costs.extending, costs.form, out, meter,
    )  # fmt: skip


@jit
def compiled_pairs(
    a: Codes, a_starts: IntArray, b: Codes, b_starts: IntArray, pairs: IntArray,
    scores: FloatArray, opening: float, extending: float, form: int, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """The loop of `alignment_pairs` over arrays, which is all that Numba takes."""
    weights = np.exp(scores)
    for p in range(pairs.shape[0]):
        s = a[a_starts[pairs[p, 0]] : a_starts[pairs[p, 0] + 1]]
        t = b[b_starts[pairs[p, 1]] : b_starts[pairs[p, 1] + 1]]
        if form == _LOG:
            out[p] = log_space(s, t, scores, opening, extending, meter)
        else:
            value = math.inf
            if form == _LINEAR:
                value = linear(s, t, weights, math.exp(-opening), math.exp(-extending), meter)
            if not math.isfinite(value):
                value = scaled(s, t, weights, math.exp(-opening), math.exp(-extending), meter)
            out[p] = value
        if meter[0] != 0:
            return


@jit
def linear(
    s: Codes, t: Codes, weights: FloatArray, opening: float, extending: float, meter: IntArray
) -> float:
    """Return log K by plain float64 sums from a small start weight; inf where they overflow.

    What underflows is below 1e-108 of the start, which has every continuation that it has.
    """
    m = t.size
    M, X, T = np.zeros(m + 1), np.zeros(m + 1), np.zeros(m + 1)
    total = 0.0
    for i in range(s.size):
        if meter[0] != 0 or not math.isfinite(total):
            return math.inf
        row = weights[s[i]]
        diagonal, left, y, row_sum = 0.0, 0.0, 0.0, 0.0
        for j in range(1, m + 1):
            x = opening * M[j] + extending * X[j]
            y = opening * left + extending * y
            match = row[t[j - 1]] * (_START + diagonal)
            diagonal = T[j]
            left = match + x
            M[j], X[j], T[j] = match, x, left + y
            row_sum += match
        total += row_sum
        meter[1] += m
    if total < 1.0:
        return math.log1p(total / _START)
    return math.log(total) + 664.0 * _LOG_2


@jit
def scaled(
    s: Codes, t: Codes, weights: FloatArray, opening: float, extending: float, meter: IntArray
) -> float:
    """Return log K with one exponent a cell, in units of 2^256, shared by M, X and Y of the cell.

    The parts of a cell differ by no more than weights of 2^245 (LINEAR_LIMIT) allow, so that a shift by up to three
    exponents keeps what matters. One exponent a row would be wrong: rows hold alignments of unequal size.
    """
    m = t.size
    M, X, T = np.zeros(m + 1), np.zeros(m + 1), np.zeros(m + 1)
    E = np.zeros(m + 1, dtype=np.int64)
    total, exponent = 0.0, 0
    for i in range(s.size):
        if meter[0] != 0:
            return math.inf
        row = weights[s[i]]
        diagonal, diagonal_e = 0.0, 0
        left, y, left_e = 0.0, 0.0, 0
        for j in range(1, m + 1):
            up_e = E[j]
            e = max(diagonal_e, max(up_e, left_e))
            match = (
                row[t[j - 1]] * ((1.0 if diagonal_e == 0 else 0.0) + diagonal) * scaled_down(e - diagonal_e)
            )
            x = (opening * M[j] + extending * X[j]) * scaled_down(e - up_e)
            y = (opening * left + extending * y) * scaled_down(e - left_e)
            diagonal, diagonal_e = T[j], up_e
            top = match + x + y
            while top >= _HIGH:
                match, x, y, top, e = match * _DOWN, x * _DOWN, y * _DOWN, top * _DOWN, e + 1
            while top < _LOW and e > 0:
                match, x, y, top, e = match * _UP, x * _UP, y * _UP, top * _UP, e - 1
            left, left_e = match + x, e
            M[j], X[j], T[j], E[j] = match, x, left + y, e
            if e > exponent:
                total, exponent = total * scaled_down(e - exponent) + match, e
            else:
                total += match * scaled_down(exponent - e)
            if total >= _HIGH:
                total, exponent = total * _DOWN, exponent + 1
        meter[1] += m
    if exponent == 0:
        return math.log1p(total)
    return math.log(total) + 256.0 * exponent * _LOG_2


@jit
def scaled_down(steps: int) -> float:
    """2^(-256 steps) for steps >= 0; four steps and more are nothing."""
    if steps == 0:
        return 1.0
    if steps == 1:
        return _DOWN
    if steps == 2:
        return _DOWN * _DOWN
    return _DOWN * _DOWN * _DOWN if steps == 3 else 0.0


@jit
def log_add(x: float, y: float) -> float:
    """log(exp(x) + exp(y))."""
    if x < y:
        x, y = y, x
    if y == -math.inf:
        return x
    return x + math.log1p(math.exp(y - x))


@jit
def log_space(
    s: Codes, t: Codes, scores: FloatArray, opening: float, extending: float, meter: IntArray
) -> float:
    """Return log K with logarithms in every cell: valid for any beta, and slow."""
    m = t.size
    M, X, T = np.full(m + 1, -np.inf), np.full(m + 1, -np.inf), np.full(m + 1, -np.inf)
    total = 0.0
    for i in range(s.size):
        if meter[0] != 0:
            return math.inf
        row = scores[s[i]]
        diagonal, left, y = -math.inf, -math.inf, -math.inf
        for j in range(1, m + 1):
            match = row[t[j - 1]] + log_add(0.0, diagonal)
            x = log_add(M[j] - opening, X[j] - extending)
            y = log_add(left - opening, y - extending)
            diagonal = T[j]
            left = log_add(match, x)
            M[j], X[j], T[j] = match, x, log_add(left, y)
            total = log_add(total, match)
        meter[1] += m
    return total
