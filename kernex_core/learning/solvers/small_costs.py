"""C so small that the solution of the C-SVM is proportional to it.

Sum_i beta_i = 0, so that two decision values differ by at most 2 d C n for d = max K_ii. Where that is below the
distance of 2 between the targets, all items of the smaller class stand at C whatever the kernel, and what is left to
minimise is beta'K beta: the solution is C times one that does not depend on C. Solved at its own C it would be lost
beside the targets: a gap of 1e-3 of the margin, or their 16 digits, are then more than all that decides.
"""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.symmetry import largest_size
from kernex_core.validation import EPS

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
