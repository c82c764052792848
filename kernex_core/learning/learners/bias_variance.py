"""What kernel ridge regression pays for smoothness, and what for noise: exactly, where the truth is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.learning.learners.cost import LARGEST_LAM
from kernex_core.learning.learners.ridge import RidgeSystem
from kernex_core.parameters import check_range
from kernex_core.validation import as_numbers, as_symmetric, check_kernel


@dataclass(frozen=True, eq=False)
class BiasVariance(ReadOnlyArrays):
    """Mean squared error of the fitted values against the truth, for several λ, as a sum of two.

    Attributes
    ----------
    lam : (L,) float
    squared_bias : (L,) float
        1/n ‖Sf − f‖²: what the fit of noiseless values misses.
    variance : (L,) float
        s² tr(SS') / n: what noise alone makes of it.
    effective : (L,) float
        tr S, the effective number of parameters.
    """

    lam: FloatArray
    squared_bias: FloatArray
    variance: FloatArray
    effective: FloatArray

    @property
    def error(self) -> FloatArray:
        """(L,) squared bias and variance together."""
        return np.asarray(self.squared_bias + self.variance)


def bias_and_variance(K: ArrayLike, f: ArrayLike, lams: ArrayLike, *, noise: float) -> BiasVariance:
    """Expected error of ŷ = Sy, S = K (K + nλI)⁻¹, for y = f + noise, without drawing any.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite.
    f : (n,) float
        The true values.
    lams : (L,) float
        Above 0.
    noise : float
        Standard deviation s of independent noise.

    Raises
    ------
    InvalidInputError
        Other shapes or ranges.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> from kernex_core.learning.learners.bias_variance import bias_and_variance
    >>> made = bias_and_variance([[1.0, 0.0], [0.0, 1.0]], [1.0, 1.0], [0.5], noise=1.0)
    >>> made.squared_bias.tolist(), made.variance.tolist(), made.effective.tolist()
    ([0.25], [0.25], [1.0])

    References
    ----------
    Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2009, section 7.3, for linear smoothers.
    """
    values, truth = check_kernel(as_symmetric(K)), as_numbers(f, "f")
    grid = np.atleast_1d(as_numbers(lams, "λ"))
    if truth.shape != values.shape[:1] or not np.isfinite(truth).all():
        raise InvalidInputError(
            f"There has to be one finite value an item ({values.shape[0]})", f"shape {truth.shape}"
        )
    for each in grid:
        check_range("λ", float(each), 0.0, LARGEST_LAM, open_low=True)
    check_range("The noise", noise, 0.0)
    system, n = RidgeSystem.of(values, intercept=False), truth.size
    ridge = n * grid[:, None]
    kept, missed = system.s / (system.s + ridge), ridge / (system.s + ridge)
    squared_bias = ((missed * (system.U.T @ truth)) ** 2).sum(axis=1) / n
    return BiasVariance(grid, squared_bias, noise**2 * (kept**2).sum(axis=1) / n, kept.sum(axis=1))
