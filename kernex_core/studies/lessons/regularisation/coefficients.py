"""Ridge regression on three columns, two of them nearly the same: what λ does to each coefficient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from kernex_core.frozen import FloatArray, ReadOnlyArrays, owned
from kernex_core.learning.learners.ridge_coefficients import RidgeCoefficients, ridge_coefficients
from kernex_core.parameters import check_range
from kernex_core.studies.lessons.check import Check

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
    crosses = float(brentq(lambda lam: float(coefficients_at(lam)[1]), LEAST, MOST, xtol=1e-12))
    found = minimize_scalar(
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
