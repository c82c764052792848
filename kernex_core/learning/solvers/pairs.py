"""Which pair of coefficients moves next in sequential minimal optimisation, compiled by Numba: passes over all items.

Passes have no branches, so that the processor does several items at a time and never guesses wrongly: `grow` is 0 where a
coefficient can grow and infinite elsewhere, `shrink` 0 where it can shrink and minus infinity elsewhere.
"""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.jit import jit, jit_numbers
from kernex_core.learning.solvers.extremes import greater, lesser

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
