from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from kernex_core.base.frozen import EqualByContent, FloatArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_range
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.learning.learners.losses import MARGIN_LOSSES, RESIDUAL_LOSSES, Loss, least_on_a_line
from kernex_core.learning.learners.ridge import (
    BiasVariance,
    RidgeCoefficients,
    RidgeSystem,
    bias_and_variance,
    kernel_ridge,
    ridge_coefficients,
)
from kernex_core.learning.machine import FINE_TOLERANCE, HARD_MARGIN, fit_one_vs_rest
from kernex_core.studies.lessons.catalogue import Check

# Ridge regression on three columns, two of them nearly the same: what λ does to each coefficient.

_X1 = np.array([-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0])
X = owned(
    np.stack(
        [_X1, _X1 + np.array([1, -1, 0, 0, 0, 0, -1, 1]), [1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0]],
        axis=1,
    )
)
"""(8, 3) columns; the first two have a correlation of .968."""
Y = owned(np.array([-5.0, -1.0, -3.0, 0.0, 0.0, 2.0, 5.0, 3.0]))
LEAST, MOST = 1e-4, 100.0
"""Range of λ."""
NEAR_ZERO = 0.0075
"""|β2| up to here counts as 0: λ then is right to 0.02."""
PATH = owned(np.geomspace(LEAST, MOST, 121))


def coefficients_at(lam: float) -> FloatArray:
    """β at one λ, in the limit λ → 0 the least squares fit.

    Examples
    --------
    >>> coefficients_at(10.0).round(3).tolist()
    [0.326, 0.239, 0.034]
    """
    check_range("λ", lam, 0.0)
    return np.asarray(ridge_coefficients(X, Y, [lam]).primal[0])


@dataclass(frozen=True, eq=False)
class CoefficientPaths(ReadOnlyArrays):
    """All coefficients over λ, and what the second one does.

    Attributes
    ----------
    path : RidgeCoefficients
        At `PATH`.
    unpenalised : (3,) float
        λ = 0.
    correlation : float
        Of the first two columns.
    crosses_at, peaks_at, peak : float
        λ at which β2 is 0; λ at which it is largest, and how large.
    """

    path: RidgeCoefficients
    unpenalised: FloatArray
    correlation: float
    crosses_at: float
    peaks_at: float
    peak: float


def coefficient_paths() -> CoefficientPaths:
    """Compute the paths of the lesson.

    Examples
    --------
    >>> made = coefficient_paths()
    >>> round(made.crosses_at, 4), round(made.peaks_at, 3), round(made.peak, 4)
    (0.8333, 5.0, 0.2647)
    """
    crosses = float(
        scipy.optimize.brentq(lambda lam: float(coefficients_at(lam)[1]), LEAST, MOST, xtol=1e-12)
    )
    found = scipy.optimize.minimize_scalar(
        lambda t: -float(coefficients_at(float(np.exp(t)))[1]),
        bounds=(np.log(LEAST), np.log(MOST)),
        method="bounded",
        options={"xatol": 1e-9},
    )
    peaks = float(np.exp(found.x))
    return CoefficientPaths(
        ridge_coefficients(X, Y, PATH), coefficients_at(0.0), float(np.corrcoef(X[:, 0], X[:, 1])[0, 1]), crosses, peaks,
        float(coefficients_at(peaks)[1]),
    )  # fmt: skip


BETS = {
    "rises": "That assumes that every coefficient shrinks. Only the length ‖β‖ has to.",
    "crosses": "x1 and x2 are nearly the same: λ shares their common pull between them, and only then shrinks both.",
    "proportion": "That would be so if the columns were uncorrelated and of equal length. These are not.",
}


def check_bet(bet: str) -> Check:
    """Judge what β2 = −1.5 does as λ grows: "rises" to 0 from below, "crosses" 0, or shrinks in "proportion"."""
    beta = ridge_coefficients(X, Y, PATH).primal[:, 1]
    crosses = bool(beta[0] < 0.0 < beta.max() and beta[-1] < beta.max())
    return Check(bet == "crosses" and crosses, float(beta.max()), BETS[bet])


def check_challenge(lam: float) -> Check:
    """β2 = 0."""
    beta = float(coefficients_at(lam)[1])
    if abs(beta) <= NEAR_ZERO:
        return Check(
            True,
            beta,
            f"β2 = {beta:.4f} at λ = {lam:.3g}: here x2 counts for nothing, and soon for something.",
        )
    side = "below 0: take a larger λ" if beta < 0.0 else "above 0: take a smaller λ"
    return Check(False, beta, f"β2 = {beta:.3f} is {side}.")


# Noise around a sine, fitted again and again: bias, variance, and what leave-one-out picks without knowing the sine.

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

    found = scipy.optimize.minimize_scalar(
        lambda t: float(at(t).error[0]), bounds=ends, method="bounded", options={"xatol": 1e-9}
    )
    equal = scipy.optimize.brentq(
        lambda t: float(at(t).squared_bias[0] - at(t).variance[0]), *ends, xtol=1e-12
    )
    return BestStrength(float(np.exp(found.x)), float(found.fun), float(np.exp(equal)))


def left_out_choices() -> FloatArray:
    """(200,) λ that leave-one-out picks for each seed."""
    return np.array(
        [LEAVE_ONE_OUT_GRID[kernel_ridge(_K, draw(seed), LEAVE_ONE_OUT_GRID).best] for seed in range(SEEDS)]
    )


# What losses make of the same data: one slope for six margins, one level for five numbers, and the hard margin.

MARGINS = owned(np.array([0.5, 1.0, 1.5, 2.0, -1.0, 8.0]))
"""y_i x_i of six items; the last is far on the right side."""
RIDGE = 0.05
NUMBERS = owned(np.array([0.0, 1.0, 2.0, 4.0, 14.0]))
LINE, SIDES = owned(np.array([-3.0, -1.0, 1.0, 2.0])), owned(np.array([0, 0, 1, 1]))


@dataclass(frozen=True, eq=False)
class SlopeOf(EqualByContent):
    """The slope that a loss of margins chooses, with all six items and without the one that is too right.

    Attributes
    ----------
    loss : Loss
    slope, without_far : float
    """

    loss: Loss
    slope: float
    without_far: float


def slopes() -> tuple[SlopeOf, ...]:
    """Minimise 1/m Σ φ(m_i w) + .05 w² for each loss of margins.

    Examples
    --------
    >>> [(each.loss.name, round(each.slope, 3), round(each.without_far, 3)) for each in slopes()][:2]
    [('Square', 0.165, 0.457), ('Hinge', 0.833, 1.0)]
    """
    return tuple(
        SlopeOf(loss, *(least_on_a_line(loss, m, lam=RIDGE)[0] for m in (MARGINS, MARGINS[:-1])))
        for loss in MARGIN_LOSSES
    )


def levels() -> tuple[tuple[Loss, float, float], ...]:
    """The numbers t that minimise Σ loss(y_i − t): both ends, which differ where the loss does not tell them apart.

    Examples
    --------
    >>> [(loss.name, round(low, 3), round(high, 3)) for loss, low, high in levels()][:2]
    [('Square', 4.2, 4.2), ('Absolute', 2.0, 2.0)]
    """
    return tuple((loss, *least_on_a_line(loss, -1.0, NUMBERS)) for loss in RESIDUAL_LOSSES)


@dataclass(frozen=True, eq=False)
class HardMargin(ReadOnlyArrays):
    """f(x) = w x + b of a support vector machine on four points of a line, over C.

    Attributes
    ----------
    C, w, b : (m,) float
    from_C : float
        Least C at which no stem is cut: from here on the margin is hard.
    lam : float
        The same as λ = 1 / (2nC).
    """

    C: FloatArray
    w: FloatArray
    b: FloatArray
    from_C: float
    lam: float


def hard_margin(costs: FloatArray) -> HardMargin:
    """Train at each C.

    Examples
    --------
    >>> made = hard_margin(np.array([0.1, 0.5, 100.0]))
    >>> made.w.round(4).tolist(), round(made.from_C, 4)
    ([0.4, 1.0, 1.0], 0.5)
    """
    K = np.outer(LINE, LINE)
    fits = [fit_one_vs_rest(K, SIDES, 2, C=float(C), tolerance=FINE_TOLERANCE) for C in (*costs, HARD_MARGIN)]
    w = np.array([float(each.coefficients[1] @ LINE) for each in fits])
    b = np.array([float(each.bias[1]) for each in fits])
    largest = float(np.abs(fits[-1].coefficients[1]).max())
    return HardMargin(np.asarray(costs), w[:-1], b[:-1], largest, 1.0 / (2.0 * LINE.size * largest))
