"""Theorem 4 tried out: a fit to points on a line that has to be smooth by one kernel, and even by another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import BoolArray, FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import EPS, as_numbers, as_symmetric, check_kernel
from kernex_core.completion.joint import several
from kernex_core.gram.matrix import GramMatrix

# A fit under bounds on several norms, and the multipliers that they imply (Joint regularization, Theorem 4).

STEPS = 500
TOLERANCE = 1e-10
"""Of each constraint, as a share of its bound."""


@dataclass(frozen=True, eq=False)
class ConstrainedFit(ReadOnlyArrays):
    """The fit, and what Theorem 4 says of it.

    Attributes
    ----------
    f : (n,) float
        Values of the fit at the points.
    beta : (l,) float
        Multipliers of the constraints, at least 0; 0 where a bound does not bind.
    terms, bounds : (l,) float
        Half the squared norm of f in each space, and what bounds it.
    loss : float
        Half the squared distance to y.
    gap : float
        Loss less the value of the dual problem: how far the loss is from the least one at most.
    """

    f: FloatArray
    beta: FloatArray
    terms: FloatArray
    bounds: FloatArray
    loss: float
    gap: float

    @property
    def binding(self) -> BoolArray:
        """(l,) bounds that the fit reaches."""
        return np.asarray(self.beta > 0.0)

    @property
    def total(self) -> float:
        """Sum of the multipliers: the ridge of the joint kernel whose ridge regression is this fit."""
        return float(self.beta.sum())

    @property
    def weights(self) -> FloatArray:
        """(l,) multipliers over their sum: the weights of that joint kernel; NaN where no bound binds."""
        return np.asarray(self.beta / self.total) if self.total else np.full(self.beta.size, np.nan)


def constrained_fit(
    kernels: Sequence[GramMatrix | ArrayLike], y: ArrayLike, bounds: ArrayLike
) -> ConstrainedFit:
    """Minimise |f - y|²/2 under f' K_i^-1 f / 2 <= c_i for every kernel.

    By Theorem 4 the fit is that of ridge regression with one joint kernel, Σ β_i K_i^-1 inverted. The multipliers maximise
    the dual problem, y'y/2 - y' (I + Σ β_i K_i^-1)^-1 y / 2 - Σ β_i c_i, here by projected Newton steps. They are unique as
    long as the bounds that bind are independent of each other; the fit always is, for the loss is strictly convex.

    Parameters
    ----------
    kernels : sequence of (n, n)
        Positive definite: with a nugget inside.
    y : (n,)
    bounds : (l,)
        c_i > 0.

    Raises
    ------
    InvalidInputError
        Other numbers of points or bounds, a bound that is not above 0, a singular kernel.
    KernexError
        If the dual problem is not solved in STEPS steps.

    Examples
    --------
    >>> made = constrained_fit([[[1.0]], [[2.0]]], [2.0], [0.5, 5.0])  # f²/2 <= .5 binds, f²/4 <= 5 does not
    >>> made.f.round(6).tolist(), made.beta.round(6).tolist()
    ([1.0], [1.0, 0.0])
    """
    target, c = as_numbers(y, "y"), as_numbers(bounds, "The bounds")
    inverses = [_inverse(K, k + 1, target.size) for k, K in enumerate(several(kernels))]
    if c.shape != (len(inverses),) or not (np.isfinite(c).all() and (c > 0.0).all()):
        raise InvalidInputError(
            f"There has to be one bound above 0 a kernel ({len(inverses)})", str(c.tolist())
        )
    beta = np.zeros(c.size)
    here = _dual(inverses, target, c, beta)
    for _ in range(STEPS):
        if _solved(here, beta, c):
            loss = float(np.sum((here.f - target) ** 2)) / 2.0
            return ConstrainedFit(here.f, beta, here.terms, c, loss, loss - here.value)
        beta, here = _newton(inverses, target, c, beta, here)
    raise KernexError(
        "The multipliers have to be found", f"not in {STEPS} steps", "Take bounds that are not so small"
    )


@dataclass(frozen=True, eq=False)
class _Dual(ReadOnlyArrays):
    """Value of the dual problem, the fit, its terms, gradient and the negative Hessian at some multipliers."""

    value: float
    f: FloatArray
    terms: FloatArray
    gradient: FloatArray
    curvature: FloatArray


def _inverse(K: GramMatrix | ArrayLike, number: int, n: int) -> FloatArray:
    values = check_kernel(as_symmetric(K, f"Kernel {number}"), f"Kernel {number}", given=K)
    if values.shape[0] != n:
        raise InvalidInputError(
            f"Kernels are about the same {n} points as y", f"kernel {number} of {values.shape[0]}"
        )
    try:
        made = cho_solve(cho_factor(values), np.eye(n))
    except np.linalg.LinAlgError:
        raise InvalidInputError(
            "Kernels have to be positive definite", f"kernel {number}, which is singular", "Add a nugget"
        ) from None
    return np.asarray((made + made.T) / 2.0)


def _dual(inverses: Sequence[FloatArray], y: FloatArray, c: FloatArray, beta: FloatArray) -> _Dual:
    M = np.eye(y.size) + np.einsum("i,ijk->jk", beta, np.array(inverses))
    factor = cho_factor(M)
    f = np.asarray(cho_solve(factor, y))
    pulled = np.array([Q @ f for Q in inverses])
    terms = pulled @ f / 2.0
    value = float(y @ y - y @ f) / 2.0 - float(beta @ c)
    return _Dual(value, f, terms, terms - c, pulled @ cho_solve(factor, pulled.T))


def _solved(here: _Dual, beta: FloatArray, c: FloatArray) -> bool:
    off = np.where(beta > 0.0, np.abs(here.gradient), np.maximum(here.gradient, 0.0))
    return bool((off <= TOLERANCE * c).all())


def _newton(
    inverses: Sequence[FloatArray], y: FloatArray, c: FloatArray, beta: FloatArray, here: _Dual
) -> tuple[FloatArray, _Dual]:
    """A step that stops where a multiplier gets 0, halved until the dual problem gains."""
    step = _direction(beta, here)
    falls = step < 0.0
    reach = np.where(falls, beta / np.where(falls, -step, 1.0), np.inf)
    size = min(1.0, float(reach.min()))
    rounding = 16.0 * EPS * (float(y @ y) + float(beta @ c))
    while True:
        moved = np.maximum(beta + size * step, 0.0)
        moved[reach <= size] = 0.0
        there = _dual(inverses, y, c, moved)
        gain = float(here.gradient @ (moved - beta))
        if there.value >= here.value + 1e-4 * gain - rounding or size < 1e-12:
            return moved, there
        size /= 2.0


def _direction(beta: FloatArray, here: _Dual) -> FloatArray:
    """Newton's step on the multipliers that are above 0, and on those at 0 that it would raise."""
    free = (beta > 0.0) | (here.gradient > 0.0)
    while True:
        curvature = here.curvature[np.ix_(free, free)]
        # two kernels that are one have no curvature between them
        ridge = 1e-12 * float(np.trace(curvature)) * np.eye(int(free.sum()))
        step = np.zeros_like(beta)
        step[free] = np.linalg.solve(curvature + ridge, here.gradient[free])
        held = free & (beta == 0.0) & (step < 0.0)
        if not held.any():
            return step
        free &= ~held


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
