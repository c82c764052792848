"""Noise around a sine, fitted again and again: bias, variance, and what leave-one-out picks without knowing the sine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from kernex_core.frozen import EqualByContent, FloatArray, ReadOnlyArrays, owned
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.learning.learners.bias_variance import BiasVariance, bias_and_variance
from kernex_core.learning.learners.ridge import RidgeSystem, kernel_ridge
from kernex_core.parameters import check_range

PLACES = owned((np.arange(20) + 0.5) / 20.0)
TRUTH = owned(np.sin(2.0 * np.pi * PLACES))
NOISE, WIDTH, SEEDS = 0.3, 0.1, 200
GRID = owned(np.linspace(0.0, 1.0, 101))
SINE = owned(np.sin(2.0 * np.pi * GRID))
LEAVE_ONE_OUT_GRID = owned(10.0 ** np.linspace(-5.0, 0.0, 51))
_KERNEL = Gaussian(sigma=WIDTH)
_K = owned(_KERNEL.gram(PLACES[:, None]))
_K_GRID = owned(_KERNEL.cross(GRID[:, None], PLACES[:, None]))


def draw(seed: int) -> FloatArray:
    """The 20 noisy values of a seed, 0 to 199.

    Examples
    --------
    >>> draw(0)[:2].round(3).tolist()
    [0.194, 0.414]
    """
    check_range("The seed", seed, 0, SEEDS - 1)
    return np.asarray(TRUTH + NOISE * np.random.default_rng(seed).standard_normal(PLACES.size))


@dataclass(frozen=True, eq=False)
class NoisyCurve(ReadOnlyArrays):
    """Kernel ridge regression on one draw.

    Attributes
    ----------
    y : (20,) float
    fit : (101,) float
        On `GRID`.
    chosen : float
        λ of least leave-one-out error, of 51 from 1e-5 to 1.
    left_out : (51,) float
        Leave-one-out error at `LEAVE_ONE_OUT_GRID`.
    """

    y: FloatArray
    fit: FloatArray
    chosen: float
    left_out: FloatArray


def noisy_curve(lam: float, seed: int) -> NoisyCurve:
    """Fit one draw at λ, and let leave-one-out choose.

    Examples
    --------
    >>> round(noisy_curve(0.1, 0).chosen, 5)
    0.00316
    """
    y = draw(seed)
    tried = kernel_ridge(_K, y, LEAVE_ONE_OUT_GRID)
    fit = kernel_ridge(_K, y, lam).predict(_K_GRID)
    return NoisyCurve(y, fit, float(LEAVE_ONE_OUT_GRID[tried.best]), tried.loo_error)


@dataclass(frozen=True, eq=False)
class ManyCurves(ReadOnlyArrays):
    """The fits of many draws at one λ, and what is exactly so of all that could be drawn.

    Attributes
    ----------
    fits : (m, 101) float
    mean, sd : (101,) float
        Expected fit and its standard deviation.
    squared_bias, variance, effective : float
        At the 20 places.
    """

    fits: FloatArray
    mean: FloatArray
    sd: FloatArray
    squared_bias: float
    variance: float
    effective: float


def many_curves(lam: float, count: int = SEEDS) -> ManyCurves:
    """Fit the draws of the seeds 0 to `count` − 1.

    Examples
    --------
    >>> made = many_curves(0.1, 2)
    >>> round(made.squared_bias, 4), round(made.variance, 5), round(made.effective, 2)
    (0.0534, 0.00989, 4.1)
    """
    smoother = _K_GRID @ RidgeSystem.of(_K, intercept=False).solve(np.eye(PLACES.size), lam).coefficients
    fits = np.stack([smoother @ draw(seed) for seed in range(count)])
    exact = decomposition(np.array([lam]))
    return ManyCurves(
        fits, smoother @ TRUTH, NOISE * np.sqrt((smoother**2).sum(axis=1)), float(exact.squared_bias[0]),
        float(exact.variance[0]), float(exact.effective[0]),
    )  # fmt: skip


def decomposition(lams: FloatArray) -> BiasVariance:
    """Exact squared bias and variance at the 20 places."""
    return bias_and_variance(_K, TRUTH, lams, noise=NOISE)


@dataclass(frozen=True, eq=False)
class BestStrength(EqualByContent):
    """Where bias and variance together are least, and where they are equal: not the same λ.

    Attributes
    ----------
    lam, error : float
    equal_at : float
    """

    lam: float
    error: float
    equal_at: float


def best_strength() -> BestStrength:
    """Find λ with the least exact error.

    Examples
    --------
    >>> made = best_strength()
    >>> round(made.lam, 4), round(made.error, 5), round(made.equal_at, 4)
    (0.0224, 0.02843, 0.0453)
    """
    ends = float(np.log(1e-4)), float(np.log(1.0))

    def at(t: float) -> BiasVariance:
        return decomposition(np.array([np.exp(t)]))

    found = minimize_scalar(
        lambda t: float(at(t).error[0]), bounds=ends, method="bounded", options={"xatol": 1e-9}
    )
    equal = brentq(lambda t: float(at(t).squared_bias[0] - at(t).variance[0]), *ends, xtol=1e-12)
    return BestStrength(float(np.exp(found.x)), float(found.fun), float(np.exp(equal)))


def left_out_choices() -> FloatArray:
    """(200,) λ that leave-one-out picks for each seed."""
    return np.array(
        [LEAVE_ONE_OUT_GRID[kernel_ridge(_K, draw(seed), LEAVE_ONE_OUT_GRID).best] for seed in range(SEEDS)]
    )
