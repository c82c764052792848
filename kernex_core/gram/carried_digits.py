"""The digits that numbers were given in, carried through the steps of a Gram matrix to the entries that they make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray
from kernex_core.gram.step import Remembers, Step
from kernex_core.validation import nearest_within


def carried_errors(values: FloatArray, errors: FloatArray, steps: Sequence[Step]) -> FloatArray:
    """How far entries are off at most after a chain of steps, by the digits that the values before it are given in.

    The chain is applied once more, unless there is nothing to carry: neither values nor an operand of a step have few
    digits, or a repair made a kernel of what there was.

    Parameters
    ----------
    values : (n, n) float
        Before the first step; NaN = unknown.
    errors : (n, n) float, or of no dimension
        Of these values: see `half_units`.
    steps : sequence of Step

    Returns
    -------
    float array
        (n, n), or of no dimension where it is the same everywhere.
    """
    for place, step in enumerate(steps):
        if not errors.any() and not any(map(_brings_errors, steps[place:])):
            return np.zeros(())
        if not step.carries_digits:
            errors = np.zeros(())
            if not any(map(_brings_errors, steps[place + 1 :])):
                return errors
        fitted = step.fit(values)
        errors = fitted.errors(values, errors) if step.carries_digits else errors
        values = fitted.apply(values)
    return errors


def nearest_kernel(values: FloatArray, known: BoolArray, digits: float) -> FloatArray:
    """The same with the nearest kernel in its known block, where that is indefinite by no more than its digits explain.

    Parameters
    ----------
    values : (n, n) float
    known : (n,) bool
    digits : float
        Size up to which a negative eigenvalue of the known block comes of its digits.
    """
    at = np.ix_(known, known)
    block = values[at]
    nearest = nearest_within(block, digits)
    if nearest is block:
        return values
    made = values.copy()
    made[at] = nearest
    return made


def _brings_errors(step: Step) -> bool:
    operands = [each for each in vars(step).values() if isinstance(each, Remembers)]
    return any(bool(getattr(each, "errors", np.zeros(())).any()) for each in operands)
