"""Gaussian process regression: numbers with an interval each, its noise by the marginal likelihood of the training items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import scipy.special

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.learning.learners.contract import DualFit, Fitted, Kind, Learner, Targets, mean_diagonal
from kernex_core.learning.learners.ridge import RidgeSystem

WITHIN: Final = 0.9
"""Share of new numbers that an interval is to hold."""
NOISES: Final = owned(np.logspace(-8.0, 4.0, 49))
"""Noise that is tried, in units of the process; then twice as many steps around the best, three times."""
ROUNDS: Final = 3


@dataclass(frozen=True, eq=False)
class ProcessFit(ReadOnlyArrays):
    """y = b + f(x) + ε with f ~ GP(0, s² k / u), ε ~ N(0, s² r) and any constant b, after its training items.

    H = K / u + r I, u the mean self-similarity.

    Attributes
    ----------
    mean : DualFit
        b + Σ_i a_i k(x, x_i).
    unit, noise : float
        u and r.
    scale : float
        s², at its most likely: (y − b)' H⁻¹ (y − b) / (n − 1).
    evidence : float
        Logarithm of the restricted likelihood of the training numbers, b integrated out:
        −½ ((n − 1) (log 2π s² + 1) + log |H| + log 1'H⁻¹1).
    system : RidgeSystem
    w : (n,) float
        1 / (eigenvalue + r).
    """

    mean: DualFit
    unit: float
    noise: float
    scale: float
    evidence: float
    system: RidgeSystem
    w: FloatArray
    not_converged: int = 0
    at_bound: int = 0

    def decide(self, K_cross: FloatArray) -> FloatArray:
        """See Fitted."""
        return self.mean.decide(K_cross)

    def variance(self, K_cross: FloatArray, diag: FloatArray) -> FloatArray:
        """(n_new,) variance of new numbers, noise included.

        s² (k** − k'H⁻¹k + (1 − k'H⁻¹1)² / 1'H⁻¹1 + r); Rasmussen and Williams (2006), (2.26) and (2.42).

        Parameters
        ----------
        K_cross : (n_new, n) float
        diag : (n_new,) float
        """
        U, w = self.system.U, self.w
        Z, o = (K_cross / self.unit) @ U, U.sum(axis=0)
        left = 1.0 - Z @ (w * o)
        of_f = diag / self.unit - (Z * Z) @ w + left * left / float(w @ (o * o))
        return np.asarray(self.scale * (np.maximum(of_f, 0.0) + self.noise))


@dataclass(frozen=True)
class GaussianProcess(Learner):
    """Gaussian process regression with a constant: ridge regression that says how sure it is.

    Notes
    -----
    Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, sections 2.2 and 2.7 (a constant under a flat
    prior). The variance of the process is at its most likely, noise too unless it is given.
    """

    title: ClassVar[str] = "Gaussian process"
    summary: ClassVar[str] = (
        "a number with an interval; noise by the marginal likelihood of the training items"
    )
    source: ClassVar[str] = "Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006"
    learns: ClassVar[tuple[Kind, ...]] = ("numbers",)
    noise: float | None = parameter(
        None, label="Noise", low=1e-10, high=1e6, logarithmic=True, optional=True,
        auto="by the marginal likelihood",
        help="Variance of the noise, in units of that of the process at the mean self-similarity: n λ of kernel ridge.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    def fit(self, K: FloatArray, targets: Targets) -> ProcessFit:
        """See Learner."""
        unit = mean_diagonal(K)
        system = RidgeSystem.of(K / unit, intercept=True)
        y = targets.columns[:, 0]
        size = float(np.abs(y).max(initial=0.0)) or 1.0
        noise = self._likeliest(system, y / size) if self.noise is None else float(self.noise)
        solved = system.solve(y[:, None], noise / y.size)
        scale, evidence, w = _evidence(system, y / size, noise)
        return ProcessFit(
            DualFit(solved.coefficients.T / unit, solved.bias), unit, noise, scale * size * size,
            evidence - (y.size - 1) * float(np.log(size)), system, w,
        )  # fmt: skip

    def fit_in_units(self, K: FloatArray, targets: Targets) -> Fitted:
        """See Learner; noise is in units of the training block already."""
        return self.fit(K, targets)

    def half_widths(self, fitted: Fitted, K_cross: FloatArray, diag: FloatArray) -> FloatArray | None:
        """See Learner: Student's quantile, for the scale is estimated with n − 1 degrees of freedom."""
        assert isinstance(fitted, ProcessFit)
        n = fitted.w.size
        quantile = float(scipy.special.stdtrit(max(n - 1, 1), (1.0 + WITHIN) / 2.0))
        return np.asarray(quantile * np.sqrt(fitted.variance(K_cross, diag)))

    @staticmethod
    def _likeliest(system: RidgeSystem, y: FloatArray) -> float:
        noises = NOISES
        best = noises[0]
        for _ in range(ROUNDS + 1):
            found = [_evidence(system, y, float(noise))[1] for noise in noises]
            at = int(np.argmax(found))
            best = noises[at]
            ends = noises[max(at - 1, 0)], noises[min(at + 1, noises.size - 1)]
            noises = np.geomspace(*ends, 9)
        return float(best)


def _evidence(system: RidgeSystem, y: FloatArray, noise: float) -> tuple[float, float, FloatArray]:
    """s², the logarithm of the restricted likelihood, and 1 / (eigenvalue + noise), at a noise."""
    n = y.size
    (w,) = system.weights(np.array([noise / n]))
    a, o = system.U.T @ y, system.U.sum(axis=0)
    total = float(w @ (o * o))
    rest = a - float(w @ (o * a)) / total * o
    scale = max(float(w @ (rest * rest)) / max(n - 1, 1), np.finfo(float).tiny)
    determinant = -float(np.log(w).sum())
    made = (n - 1) * (np.log(2.0 * np.pi * scale) + 1.0) + determinant + np.log(total)
    return scale, -0.5 * float(made), w
