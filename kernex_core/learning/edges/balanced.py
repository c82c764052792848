"""A support vector machine in which edges and pairs without one weigh the same, however few edges there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, ReadOnlyArrays
from kernex_core.learning.solvers.smo import solve

ITERATIONS: Final = 100_000
"""Of each machine: on a kernel with many equal rows the solver need not end."""
TOLERANCE: Final = 1e-4
"""Largest violation of the optimality conditions, in units of the margin."""
_AT_BOUND: Final = 1e-8
"""Share of the cost of an item within which its coefficient is at a bound."""


@dataclass(frozen=True, eq=False)
class BalancedMachine(ReadOnlyArrays):
    """A decision function f(x) = Σ_i beta_i k(x, x_i) + offset.

    Attributes
    ----------
    beta : (m,) float
        Above 0 for edges, below 0 for pairs without one.
    offset : float
        The middle of its interval where no support vector is free.
    """

    beta: FloatArray
    offset: float


def balanced_machine(K: FloatArray, joined: BoolArray, C: float) -> BalancedMachine:
    """Fit a C-SVM on K (m, m) with class weights m / (2 m_c); `joined` (m,) has both values."""
    edges, size = int(joined.sum()), joined.size
    edge, other = C * size / (2.0 * edges), C * size / (2.0 * (size - edges))
    beta, offset = _solved(K, joined, edge, other)
    middle = _middle(K, joined, beta, np.abs(beta) / np.where(joined, edge, other))
    return BalancedMachine(beta, offset if middle is None else middle)


def _solved(K: FloatArray, joined: BoolArray, edge: float, other: float) -> tuple[FloatArray, float]:
    """Coefficients and offset with these costs; thousands of small machines, of which LIBSVM's checks take most."""
    y, beta, work = np.where(joined, 1.0, -1.0), np.zeros(joined.size), np.empty(joined.size)
    values, ridge = np.require(K, requirements=["C", "W"]), np.zeros(joined.size)
    offset, *_ = solve(values, y, ridge, edge, other, TOLERANCE, ITERATIONS, beta, work)
    return beta, float(offset)


def _middle(K: FloatArray, joined: BoolArray, beta: FloatArray, share: FloatArray) -> float | None:
    """Return the middle of the offsets that are as good as each other, or None where a support vector is free.

    With a small cost all coefficients are at a bound: those of both classes add up to the same. LIBSVM then takes one that
    misses its bound by rounding for free, and the offset from it: which one depends on the order of the items.
    """
    used = share >= 1.0 - _AT_BOUND
    if (~used & (share > _AT_BOUND)).any():
        return None
    margins = np.where(joined, 1.0, -1.0) - K @ beta
    above = margins[used != joined]  # the offset is at least these, and at most the others
    below = margins[used == joined]
    return float(above.max() + below.min()) / 2.0
