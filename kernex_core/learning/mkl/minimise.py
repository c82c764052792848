"""One loop for every loss and every way down: from weights to weights, until the duality gap is small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import scipy

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.validation import EPS

# Weights on the simplex: the nearest ones, and projected gradients with Barzilai-Borwein steps.
#
# Birgin, Martínez and Raydan, Nonmonotone spectral projected gradient methods on convex sets, SIAM J. Optim. 2000.

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
        # halved until the objective falls below the largest of the last MEMORY values: it may rise for a while
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


# Weights by sequential quadratic programming: for objectives that bend so sharply that gradients alone zigzag.
#
# Support vector machines of a small cost have nearly all coefficients at the cost: J is then almost piecewise linear in
# the weights, and what bends it is learned from gradients (Kraft, 1988; SciPy's SLSQP).

MOST_KERNELS = 300
"""Its quadratic programmes take M³."""
_CHANGE = 1e-10


class _Enough(Exception):
    """The gap is reached."""


def quasi_newton(
    look: Callable[[FloatArray], At], start: FloatArray, *, tolerance: float, most: int
) -> list[Iterate]:
    """Points that were looked at, until the gap is at most `tolerance` or `most` are; numbered from 1."""
    visited: list[Iterate] = []
    unit = 1.0

    def scaled(d: FloatArray) -> tuple[float, FloatArray]:
        nonlocal unit
        weights = onto_simplex(d)
        here = look(weights)
        visited.append(Iterate(weights, here, len(visited) + 1))
        if here.gap <= tolerance or len(visited) >= most:
            raise _Enough
        if len(visited) == 1:
            unit = abs(here.value) or 1.0
        return here.value / unit, np.array(here.gradient) / unit

    ones = np.ones(start.size)
    inside = {"type": "eq", "fun": lambda d: d.sum() - 1.0, "jac": lambda d: ones}
    solver: Any = scipy.optimize.minimize  # declared more narrowly than it is
    with suppress(_Enough):
        solver(
            scaled, start, jac=True, method="SLSQP", bounds=[(0.0, 1.0)] * start.size, constraints=inside,
            options={"maxiter": most, "ftol": _CHANGE},
        )  # fmt: skip
    return visited


# SimpleMKL's way down the simplex: reduced gradients with a golden search, for comparison and teaching.
#
# Rakotomamonjy, Bach, Canu and Grandvalet, SimpleMKL, JMLR 2008, Algorithm 1. Every point of the search costs the
# objective once, which is why it needs many more of them than projected gradients do.

_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
_BRACKET = 1e-1
"""Share of the first bracket at which a golden search ends, as in the authors' toolbox; made finer where a step gains
nothing."""
_FINEST = 1e-8
_NOTHING = 1e-8
"""Weights below are 0: they would leave no way to go."""


def reducing(look: Callable[[FloatArray], At], start: FloatArray) -> Iterator[Iterate]:
    """Iterates of the reduced gradient from `start` on, without an end: the caller stops at the gap that it wants.

    Parameters
    ----------
    look : callable
        Value, gradient and gap of a convex objective at weights on the simplex.
    start : (M,)
        Is put on the simplex.
    """
    search = _Search(look)
    weights = onto_simplex(np.asarray(start, dtype=np.float64))
    here = search.at(weights)
    while True:
        yield Iterate(weights, here, search.evaluations)
        before = here.value
        weights, here = search.step(weights, here)
        if here.value >= before:
            search.bracket = max(search.bracket / 10.0, _FINEST)


class _Search:
    """One step after another, counting how often the objective was computed."""

    def __init__(self, look: Callable[[FloatArray], At]) -> None:
        self.look, self.evaluations, self.bracket = look, 0, _BRACKET

    def at(self, weights: FloatArray) -> At:
        self.evaluations += 1
        return self.look(weights)

    def step(self, weights: FloatArray, here: At) -> tuple[FloatArray, At]:
        """To the edge of the simplex while the objective falls, then a golden search."""
        weights = np.where(weights < _NOTHING, 0.0, weights)
        weights /= weights.sum()
        pivot = int(weights.argmax())
        way = _direction(weights, here.gradient, pivot)
        end = _longest(weights, way)
        while end > 0.0:
            edge = np.maximum(weights + end * way, 0.0)
            edge /= edge.sum()
            there = self.at(edge)
            if there.value >= here.value:
                break
            weights, here = edge, there
            way = _kept(way, weights, pivot)
            end = _longest(weights, way)
        return self._golden(weights, here, way, end) if end > 0.0 else (weights, here)

    def _golden(self, weights: FloatArray, here: At, way: FloatArray, end: float) -> tuple[FloatArray, At]:
        low, high = 0.0, end
        best = weights, here
        points = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
        found = [self.at(weights + share * way) for share in points]
        while True:
            better = 0 if found[0].value <= found[1].value else 1
            if found[better].value < best[1].value:
                best = weights + points[better] * way, found[better]
            if high - low <= self.bracket * end:
                return best
            if better == 0:
                high, points[1], found[1] = points[1], points[0], found[0]
                points[0] = high - _GOLDEN * (high - low)
            else:
                low, points[0], found[0] = points[0], points[1], found[1]
                points[1] = low + _GOLDEN * (high - low)
            found[better] = self.at(weights + points[better] * way)


def _direction(weights: FloatArray, gradient: FloatArray, pivot: int) -> FloatArray:
    """Downhill, with the sum of the weights kept by the largest one."""
    way = gradient[pivot] - gradient
    way[(weights <= 0.0) & (way < 0.0)] = 0.0
    way[pivot] = 0.0
    way[pivot] = -way.sum()
    return np.asarray(way)


def _kept(way: FloatArray, weights: FloatArray, pivot: int) -> FloatArray:
    """The same direction without the weights that have come to 0."""
    made = np.where((weights > 0.0) | (way > 0.0), way, 0.0)
    made[pivot] = 0.0
    made[pivot] = -made.sum()
    return np.asarray(made)


def _longest(weights: FloatArray, way: FloatArray) -> float:
    """Longest step that stays on the simplex; 0 where there is no way."""
    falling = way < 0.0
    return float((weights[falling] / -way[falling]).min()) if falling.any() else 0.0


GAP = 1e-3
"""Relative duality gap at which weights are good enough to be shown, with the gap beside them."""
MOST_STEPS = 5_000
PATIENCE = 10
"""Projected gradients after which an objective counts as one that bends sharply."""
_STILL = 5
"""Steps without a move after which nothing better can be told apart."""

METHODS: Final = {"projected gradient": descending, "SimpleMKL": reducing}
"""Ways down the simplex, by name."""


@dataclass(frozen=True, eq=False)
class Descent(ReadOnlyArrays):
    """Where a way down the simplex ended, and its whole course.

    Attributes
    ----------
    last : Iterate
        The best one.
    course : tuple of Iterate
    converged : bool
    """

    last: Iterate
    course: tuple[Iterate, ...]
    converged: bool

    @property
    def path(self) -> FloatArray:
        """(steps + 1, 2) objective and relative gap after every step."""
        return np.array([(one.at.value, one.at.gap) for one in self.course])

    @property
    def weights(self) -> FloatArray:
        """(steps + 1, M)."""
        return np.array([one.weights for one in self.course])

    @property
    def steps(self) -> int:
        """Number of steps."""
        return len(self.course) - 1


def minimise(
    look: Callable[[FloatArray], At],
    start: FloatArray,
    *,
    tolerance: float = GAP,
    most_steps: int = MOST_STEPS,
    method: str = "projected gradient",
) -> Descent:
    """Go down until the relative gap is at most `tolerance`, weights stand still, or `most_steps` are done."""
    course: list[Iterate] = []
    still = 0
    for now in METHODS[method](look, start):
        still = still + 1 if course and np.array_equal(course[-1].weights, now.weights) else 0
        course.append(now)
        if now.at.gap <= tolerance or len(course) > most_steps or still >= _STILL:
            break
    return _descent(course, now, tolerance)


def minimise_sharply(
    look: Callable[[FloatArray], At],
    start: FloatArray,
    *,
    tolerance: float = GAP,
    most_steps: int = MOST_STEPS,
) -> Descent:
    """The same for an objective that may bend sharply: what is not done after `PATIENCE` steps goes on by quasi-Newton
    steps, and where these end too early by projected gradients again. `evaluations` counts all.
    """
    first = minimise(look, start, tolerance=tolerance, most_steps=min(PATIENCE, most_steps))
    if first.converged or most_steps <= PATIENCE or start.size > MOST_KERNELS:
        return first
    found = quasi_newton(look, first.last.weights, tolerance=tolerance, most=most_steps)
    lowest = min(found, key=lambda one: (one.at.gap > tolerance, one.at.value))
    course = [*first.course, *(_later(one, first.last.evaluations) for one in found)]
    best = _later(lowest, first.last.evaluations)
    if lowest.at.gap > tolerance and len(course) < most_steps:
        rest = minimise(look, best.weights, tolerance=tolerance, most_steps=most_steps - len(course))
        count = course[-1].evaluations
        course += [_later(one, count) for one in rest.course]
        best = course[-1]
    return _descent(course, replace(best, evaluations=course[-1].evaluations), tolerance)


def _later(now: Iterate, evaluations: int) -> Iterate:
    return replace(now, evaluations=now.evaluations + evaluations)


def _descent(course: list[Iterate], last: Iterate, tolerance: float) -> Descent:
    return Descent(last, tuple(course), last.at.gap <= tolerance)
