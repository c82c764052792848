"""Weights by sequential quadratic programming: for objectives that bend so sharply that gradients alone zigzag.

Support vector machines of a small cost have nearly all coefficients at the cost: J is then almost piecewise linear in the
weights, and what bends it is learned from gradients (Kraft, 1988; SciPy's SLSQP).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from scipy.optimize import minimize

from kernex_core.frozen import FloatArray
from kernex_core.learning.mkl.simplex import At, Iterate, onto_simplex

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
    solver: Any = minimize  # declared more narrowly than it is
    with suppress(_Enough):
        solver(
            scaled, start, jac=True, method="SLSQP", bounds=[(0.0, 1.0)] * start.size, constraints=inside,
            options={"maxiter": most, "ftol": _CHANGE},
        )  # fmt: skip
    return visited
