"""Sequential minimal optimisation of the C-SVM dual, compiled by Numba; svm.py imports it where it is needed.

In signed coefficients beta_i = y_i a_i the dual is: minimise 1/2 beta'(K + D) beta - sum_i y_i beta_i with
sum_i beta_i = 0 and beta_i between 0 and y_i C. With F = (K + D) beta - y a pair (i, j) violates optimality when
F_j > F_i, i can still grow and j can still shrink. The pair is chosen by second-order information
(Fan, Chen, Lin, "Working set selection using second order information", 2005, WSS 2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.jit import instruction, jit, jit_numbers
from kernex_core.base.validation import EPS, largest_size


@dataclass(frozen=True, eq=False)
class OneVsRestProblem(EqualByContent):
    """One two-class dual a class, or a single one for two classes, on a precomputed kernel.

    Attributes
    ----------
    K : (n, n) float
        Writable and contiguous: the compiled loop knows one kind of array only.
    codes : (n,) int
        Class of each item.
    problems : int
        Number of classes; 1 for two: the problem of the second one, so that its sign is that of the larger label.
    C, asymmetry : float
        Box of the coefficients, and what is added to the diagonal by the share of the own class.
    tolerance : float
    max_iter : int
        Of each problem.
    """

    K: FloatArray
    codes: IntArray
    problems: int
    C: float
    asymmetry: float
    tolerance: float
    max_iter: int


# Extremes for compiled loops, of several items at a time.
#
#     smallest = lesser(smallest, F[k])       in a loop of a function under `jit_numbers`
#
# Python's own min and max have to say what becomes of NaN, so that a compiler takes one number after the other; these are
# the processor's instructions. Of numbers the smallest is the same in whatever order they are looked at.

Extreme = Callable[[float, float], float]
lesser: Final[Extreme] = instruction("llvm.minnum.f64", min)
greater: Final[Extreme] = instruction("llvm.maxnum.f64", max)


# Which pair of coefficients moves next in sequential minimal optimisation, compiled by Numba: passes over all items.
#
# Passes have no branches, so that the processor does several items at a time and never guesses wrongly: `grow` is 0
# where a coefficient can grow and infinite elsewhere, `shrink` 0 where it can shrink and minus infinity elsewhere.

CLOSE = 1.0 - 1e-14
"""Gains from this share of the largest on are the same up to rounding."""
TINY = float(np.finfo(np.float64).tiny)


@jit
def flat_curvature(diagonal: FloatArray) -> float:
    """Curvature below which a pair counts as flat."""
    largest = 0.0
    for k in range(diagonal.size):
        largest = max(largest, abs(diagonal[k]))
    return max(1e-12 * largest, TINY) if largest > 0.0 else 1e-12


@jit_numbers
def moved(
    F: FloatArray, step: float, gained: FloatArray, lost: FloatArray, grow: FloatArray, shrink: FloatArray
) -> tuple[float, float]:
    """Move F along a step; its smallest among the coefficients that can grow, its largest among those that can shrink."""
    smallest, largest = np.inf, -np.inf
    for k in range(F.size):
        F[k] += step * (gained[k] - lost[k])
        smallest = lesser(smallest, F[k] + grow[k])
        largest = greater(largest, F[k] + shrink[k])
    return smallest, largest


@jit
def growing(F: FloatArray, grow: FloatArray, smallest: float) -> int:
    """Position of the smallest F among the coefficients that can grow, the first of equal ones."""
    n = F.size
    i = n
    for k in range(n):
        here = k if F[k] + grow[k] == smallest else n
        i = min(i, here)
    return i if i < n else 0


@jit_numbers
def gains_of(
    F: FloatArray, shrink: FloatArray, smallest: float, own: float, diagonal: FloatArray, row: FloatArray, flat: float,
    gains: FloatArray,
) -> float:  # fmt: skip
    """What a step of each coefficient with that of `row` gains, 0 where there is no step; returns the largest."""
    most = 0.0
    for k in range(F.size):
        rise = greater(F[k] + shrink[k] - smallest, 0.0)
        gains[k] = rise * rise / greater(own + diagonal[k] - 2.0 * row[k], flat)
        most = greater(most, gains[k])
    return most


@jit
def partner_of(
    F: FloatArray, smallest: float, own: float, diagonal: FloatArray, row: FloatArray, flat: float,
    gains: FloatArray, most: float,
) -> int:  # fmt: skip
    """Position of the coefficient that gains most; -1 if none does.

    Of those that gain the same up to rounding the first, unless a later one's gain is larger before it is rounded.
    """
    n = gains.size
    j, close, found = n, CLOSE * most, 0
    for k in range(n):
        here = k if gains[k] >= close else n
        found += 1 if gains[k] >= close else 0
        j = min(j, here)
    if most <= 0.0 or found == 0:
        return -1
    if found == 1:
        return j
    best = 0.0
    for k in range(j, n):
        if gains[k] >= close:
            rise = F[k] - smallest
            curvature = max(own + diagonal[k] - 2.0 * row[k], flat)
            if rise * rise > best * curvature:
                j, best = k, rise * rise / curvature
    return j


# C so small that the solution of the C-SVM is proportional to it.
#
# Sum_i beta_i = 0, so that two decision values differ by at most 2 d C n for d = max K_ii. Where that is below the
# distance of 2 between the targets, all items of the smaller class stand at C whatever the kernel, and what is left to
# minimise is beta'K beta: the solution is C times one that does not depend on C. Solved at its own C it would be lost
# beside the targets: a gap of 1e-3 of the margin, or their 16 digits, are then more than all that decides.

LARGEST_POWER = 1_000
CONSTANT = 1e-7
"""Decision values that spread by less, in units of the margin or of what the kernel could do, are the same."""


def halvings(K: FloatArray, C: float, asymmetry: float) -> int:
    """How often a C that solves the problem as well can be halved to get this one; 0 unless C is small."""
    if C * _reach(K, float(np.abs(np.diag(K)).max()) + asymmetry) > 0.5:
        return 0
    # of a matrix that is no kernel the diagonal is not the largest
    size = _reach(K, largest_size(K) + asymmetry)
    if size <= 0.0 or C * size > 0.5:
        return 0
    return min(int(-np.log2(C) - np.log2(size)), LARGEST_POWER)


def _reach(K: FloatArray, largest: float) -> float:
    """Largest difference of two decision values at C = 1."""
    return float(2.0 * K.shape[0] * largest)


def solutions_of_small_costs(
    beta: FloatArray, report: FloatArray, codes: IntArray, halved: int
) -> tuple[FloatArray, FloatArray]:
    """Coefficients and report (bias, iterations, gap, unit) at the C that was asked for.

    A solution that decides the same everywhere has coefficients of 0, so that it does so to the last digit.
    """
    made, flat = report.copy(), report[:, 3] == 0.0
    if not halved and not flat.any():  # nearly always
        made[:, 2] = np.maximum(report[:, 2], EPS / report[:, 3])
        return beta, made
    target = _targets(codes, beta.shape[0])
    made[:, 0] = np.where(
        flat, target, target + (report[:, 0] - target) * 2.0**-halved if halved else report[:, 0]
    )
    # beside a bias of 1 decision values of less than its last digit are lost
    digits = EPS / np.ldexp(np.where(flat, np.inf, report[:, 3]), -halved)
    made[:, 2] = np.maximum(report[:, 2], digits)
    return np.where(flat[:, None], 0.0, np.ldexp(beta, -halved)), made


def _targets(codes: IntArray, problems: int) -> FloatArray:
    """What the larger class of each problem should be decided as, −1 or 1, where its free items lie; 0 for a tie."""
    of = np.array([1]) if problems == 1 else np.arange(problems)
    members = (codes[:, None] == of).sum(axis=0)
    return np.asarray(np.sign(2 * members - codes.size), dtype=np.float64)


REFRESH = 1_000
"""After this many iterations F has gathered rounding and is computed anew before the solution is accepted."""


@jit
def _refresh(K: FloatArray, y: FloatArray, ridge: FloatArray, beta: FloatArray, F: FloatArray) -> None:
    n = y.size
    for i in range(n):
        F[i] = ridge[i] * beta[i] - y[i]
    for j in range(n):
        if beta[j] != 0.0:
            for i in range(n):
                F[i] += K[j, i] * beta[j]


@jit
def _unit(
    y: FloatArray, diagonal: FloatArray, widest: float, beta: FloatArray, F: FloatArray
) -> tuple[float, float]:
    """Unit of the gap, 0 for a solution that decides the same everywhere, and the rounding of decision values.

    Where decision values spread by less than the margin their spread is the unit: all solutions would be within 1e-3
    of the margin. What counts is the lesser spread of the training items with and without the terms of the diagonal,
    which new items do not have.
    """
    lowest, highest, mass, largest = np.inf, -np.inf, 0.0, 0.0
    lowest_other, highest_other = np.inf, -np.inf
    for k in range(y.size):
        value, own = F[k] + y[k], diagonal[k] * beta[k]
        lowest, highest = min(lowest, value), max(highest, value)
        lowest_other, highest_other = min(lowest_other, value - own), max(highest_other, value - own)
        mass += abs(beta[k])
        largest = max(largest, abs(diagonal[k]))
    rounding = 8.0 * EPS * (1.0 + mass * largest)
    spread, other = highest - lowest, highest_other - lowest_other
    if spread <= max(CONSTANT * min(1.0, mass * widest), rounding):
        return 0.0, rounding
    # a kernel that says nothing about other items has no spread there but rounding
    return min(1.0, spread, other if other > rounding else 1.0), rounding


@jit
def solve(
    K: FloatArray,
    y: FloatArray,
    ridge: FloatArray,
    C: float,
    C_others: float,
    tolerance: float,
    max_iter: int,
    beta: FloatArray,
    F: FloatArray,
) -> tuple[float, float, float, float]:
    """Solve one binary problem in place; `beta` comes in feasible and leaves as the solution.

    Parameters
    ----------
    K : (n, n) float
    y : (n,) float
        -1 or 1, both present.
    ridge : (n,) float
        Added to the diagonal of K.
    C, C_others : float
        Cost of an item whose y is 1, and -1.
    beta, F : (n,) float
        Coefficients (in and out) and workspace.

    Returns
    -------
    bias, iterations, gap, unit : float
        gap = max F over those that can shrink - min F over those that can grow, in units of the margin or of the
        spread of the decision values, whichever is less; converged when below tolerance. `unit` is that unit, 0 for a
        solution that decides the same everywhere.
    """
    # a loop, because what NumPy does at once takes Numba seconds to compile
    n = y.size
    diagonal, high, low = np.empty(n), np.empty(n), np.empty(n)
    grow, shrink, gains = np.empty(n), np.empty(n), np.empty(n)
    for k in range(n):
        diagonal[k] = K[k, k] + ridge[k]
        high[k] = C if y[k] > 0.0 else 0.0
        low[k] = 0.0 if y[k] > 0.0 else -C_others
        grow[k] = 0.0 if beta[k] < high[k] else np.inf
        shrink[k] = 0.0 if beta[k] > low[k] else -np.inf
    flat = flat_curvature(diagonal)
    _refresh(K, y, ridge, beta, F)
    smallest, largest = moved(F, 0.0, K[0], K[0], grow, shrink)
    iterations, since_refresh, accepted, unit, widest = 0, 0, tolerance, 1.0, 0.0
    while True:
        i = growing(F, grow, smallest)
        most = gains_of(F, shrink, smallest, diagonal[i], diagonal, K[i], flat, gains)
        j = partner_of(F, smallest, diagonal[i], diagonal, K[i], flat, gains, most)
        done = j < 0 or largest - smallest < accepted
        if done and since_refresh > REFRESH:
            _refresh(K, y, ridge, beta, F)
            smallest, largest = moved(F, 0.0, K[0], K[0], grow, shrink)
            since_refresh = 0
            continue
        if done:
            unit, rounding = _unit(y, diagonal, widest, beta, F)
            accepted = max(tolerance * (unit if unit > 0.0 else 1.0), rounding)
            done = j < 0 or largest - smallest < accepted
        if done or iterations >= max_iter:
            break
        room_i, room_j = high[i] - beta[i], beta[j] - low[j]
        curvature = max(diagonal[i] + diagonal[j] - 2.0 * K[i, j], flat)
        widest = max(widest, curvature)
        step = (F[j] - smallest) / curvature
        step = min(step, room_i, room_j)
        # bounds are met exactly, so that the tests above need no tolerance
        beta[i] = high[i] if step == room_i else beta[i] + step
        beta[j] = low[j] if step == room_j else beta[j] - step
        for k in (i, j):
            grow[k] = 0.0 if beta[k] < high[k] else np.inf
            shrink[k] = 0.0 if beta[k] > low[k] else -np.inf
        F[i] += step * ridge[i]
        F[j] -= step * ridge[j]
        smallest, largest = moved(F, step, K[i], K[j], grow, shrink)
        iterations += 1
        since_refresh += 1
    free, total = 0, 0.0
    for k in range(n):
        if beta[k] > low[k] and beta[k] < high[k]:
            free += 1
            total += F[k]
    bias = -total / free if free else -(smallest + largest) / 2.0
    return bias, float(iterations), (largest - smallest) / (unit if unit > 0.0 else 1.0), unit


@jit
def solve_one_vs_rest(
    K: FloatArray,
    codes: IntArray,
    first: int,
    n_problems: int,
    C: float,
    asymmetry: float,
    tolerance: float,
    max_iter: int,
    beta: FloatArray,
    report: FloatArray,
) -> None:
    """Solve "class c against the rest" for n_problems classes from `first` on, if it has members and non-members.

    Parameters
    ----------
    K : (n, n) float
    codes : (n,) int
        Class of each item.
    asymmetry : float
        c of the asymmetric margin, K_ii + c n_{y_i} / n with the counts of the binary problem.
    beta : (n_problems, n) float
        Feasible start in, solution out.
    report : (n_problems, 4) float
        Out: bias, iterations, gap, unit.
    """
    n = codes.size
    y, ridge, F = np.empty(n), np.empty(n), np.empty(n)
    for row in range(n_problems):
        c = first + row
        members = 0
        for k in range(n):
            members += 1 if codes[k] == c else 0
        if members == 0 or members == n:
            continue
        for k in range(n):
            y[k] = 1.0 if codes[k] == c else -1.0
            ridge[k] = asymmetry * (members if codes[k] == c else n - members) / n
        bias, iterations, gap, unit = solve(K, y, ridge, C, C, tolerance, max_iter, beta[row], F)
        report[row, 0], report[row, 1], report[row, 2], report[row, 3] = bias, iterations, gap, unit
