"""Theorem 4 tried out: a fit to points on a line that has to be smooth by one kernel, and even by another one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.completion.constrained import ConstrainedFit, constrained_fit

POINTS = 40
NUGGET = 0.1


@dataclass(frozen=True)
class TheoremConfig:
    """Both bounds, as shares of what a fit through every point takes: at 1 a bound does not bind."""

    smooth: float = parameter(
        0.2, label="Bound of the smooth kernel", symbol="c₁", low=0.01, high=1.0, logarithmic=True,
        help="Share of the norm that a fit through every point has. Small: the fit has to change slowly.",
    )  # fmt: skip
    even: float = parameter(
        0.2, label="Bound of the even kernel", symbol="c₂", low=0.01, high=1.0, logarithmic=True,
        help="Share of the norm that a fit through every point has. Small: the fit has to be the same on both sides of "
        "the middle.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class TheoremDemo(ReadOnlyArrays):
    """Points, what they follow without noise, and the fit.

    Attributes
    ----------
    x, y, truth : (n,) float
    fit : ConstrainedFit
        Of the smooth kernel, then of the even one.
    """

    x: FloatArray
    y: FloatArray
    truth: FloatArray
    fit: ConstrainedFit

    @property
    def shares(self) -> FloatArray:
        """(2,) half squared norms over their bounds, at most 1."""
        return np.asarray(self.fit.terms / self.fit.bounds)


def theorem_demo(config: TheoremConfig) -> TheoremDemo:
    """Fit the points under both bounds."""
    rng = np.random.default_rng(0)
    x = np.linspace(-1.0, 1.0, POINTS)
    truth = np.cos(3.0 * x) + 0.4 * x
    y = truth + 0.3 * rng.normal(size=POINTS)
    kernels = demo_kernels(x)
    needed = np.array([y @ np.linalg.solve(K, y) / 2.0 for K in kernels])
    fit = constrained_fit(kernels, y, needed * [config.smooth, config.even])
    return TheoremDemo(x, y, truth, fit)


def demo_kernels(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Gaussian kernel, and a narrower one that does not tell x from -x; both with a nugget."""
    apart, across = np.subtract.outer(x, x), np.add.outer(x, x)
    smooth = np.exp(-0.5 * (apart / 0.4) ** 2)
    even = (np.exp(-0.5 * (apart / 0.08) ** 2) + np.exp(-0.5 * (across / 0.08) ** 2)) / 2.0
    ridge = NUGGET * np.eye(x.size)
    return smooth + ridge, even + ridge
