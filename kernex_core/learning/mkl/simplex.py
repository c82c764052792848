"""Weights on the simplex: the nearest ones, and projected gradients with Barzilai-Borwein steps.

Birgin, Martínez and Raydan, Nonmonotone spectral projected gradient methods on convex sets, SIAM J. Optim. 2000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.validation import EPS

MEMORY = 10
"""Values of the objective among which the largest has to be undercut: it may rise for a while."""
_STEPS = (1e-12, 1e12)
"""Ends of a step in units of 1 / the largest slope, so that none overflows."""
_HALVINGS = 40


@dataclass(frozen=True, eq=False)
class At(ReadOnlyArrays):
    """What is known of weights.

    Attributes
    ----------
    value : float
        Of the convex objective that is minimised.
    gradient : (M,) float
    gap : float
        How far the value is above the minimum at most, in units of the value: from a dual.
    dual : (n,) float
        The dual variables that it comes from.
    """

    value: float
    gradient: FloatArray
    gap: float
    dual: FloatArray


@dataclass(frozen=True, eq=False)
class Iterate(ReadOnlyArrays):
    """Weights (M,) on the simplex, what is known of them, and how many times an objective was computed for it."""

    weights: FloatArray
    at: At
    evaluations: int


def onto_simplex(v: FloatArray) -> FloatArray:
    """Nearest weights to v (M,) that are at least 0 and sum to 1; exact zeros.

    Duchi, Shalev-Shwartz, Singer and Chandra, ICML 2008.
    """
    falling = np.sort(v)[::-1]
    above = falling - (np.cumsum(falling) - 1.0) / np.arange(1, v.size + 1)
    last = int(np.flatnonzero(above > 0.0)[-1])
    return np.asarray(np.maximum(v - (falling[last] - above[last]), 0.0))


def descending(look: Callable[[FloatArray], At], start: FloatArray) -> Iterator[Iterate]:
    """Iterates of the projected gradient, from `start` on, without an end: the caller stops at the gap that it wants.

    Parameters
    ----------
    look : callable
        Value, gradient and gap of a convex objective at weights on the simplex.
    start : (M,)
        Is put on the simplex.
    """
    weights = onto_simplex(np.asarray(start, dtype=np.float64))
    here, evaluations = look(weights), 1
    values = [here.value]
    step = 1.0 / max(float(np.abs(here.gradient).max()), EPS)
    while True:
        yield Iterate(weights, here, evaluations)
        way = onto_simplex(weights - step * here.gradient) - weights
        slope, ceiling = float(here.gradient @ way), max(values[-MEMORY:])
        share, rounding = 1.0, 4.0 * EPS * abs(here.value)
        for _ in range(_HALVINGS):
            new = weights + share * way
            there = look(new)
            evaluations += 1
            if there.value <= ceiling + 1e-4 * share * slope + rounding:
                break
            share /= 2.0
        step = _next_step(new - weights, there.gradient - here.gradient, here.gradient, step)
        weights, here = new, there
        values.append(here.value)


def _next_step(moved: FloatArray, changed: FloatArray, gradient: FloatArray, before: float) -> float:
    """Barzilai-Borwein: the step that the curvature along the last way asks for."""
    curvature = float(moved @ changed)
    unit = 1.0 / max(float(np.abs(gradient).max()), EPS)
    if curvature <= 0.0:  # straight, or no way at all: a longer step
        return min(2.0 * before, _STEPS[1] * unit)
    return float(np.clip(float(moved @ moved) / curvature, _STEPS[0] * unit, _STEPS[1] * unit))
