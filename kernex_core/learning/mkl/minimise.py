"""One loop for every loss and every way down: from weights to weights, until the duality gap is small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.learning.mkl.quasi_newton import MOST_KERNELS, quasi_newton
from kernex_core.learning.mkl.reduced_gradient import reducing
from kernex_core.learning.mkl.simplex import At, Iterate, descending

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
