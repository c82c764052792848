"""Sequential minimal optimisation of the C-SVM dual, compiled by Numba; svm.py imports it where it is needed.

In signed coefficients beta_i = y_i a_i the dual is: minimise 1/2 beta'(K + D) beta - sum_i y_i beta_i with
sum_i beta_i = 0 and beta_i between 0 and y_i C. With F = (K + D) beta - y a pair (i, j) violates optimality when
F_j > F_i, i can still grow and j can still shrink. The pair is chosen by second-order information
(Fan, Chen, Lin, "Working set selection using second order information", 2005, WSS 2).
"""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit
from kernex_core.learning.solvers.pairs import flat_curvature, gains_of, growing, moved, partner_of
from kernex_core.learning.solvers.small_costs import CONSTANT
from kernex_core.validation import EPS

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
    n = y.size
    diagonal = np.diag(K) + ridge
    flat = flat_curvature(diagonal)
    high = np.where(y > 0.0, C, 0.0)
    low = np.where(y > 0.0, 0.0, -C_others)
    grow, shrink = np.where(beta < high, 0.0, np.inf), np.where(beta > low, 0.0, -np.inf)
    gains = np.empty(n)
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
        report[row] = solve(K, y, ridge, C, C, tolerance, max_iter, beta[row], F)
