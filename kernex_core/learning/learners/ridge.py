"""Kernel ridge regression: all λ, with exact leave-one-out, from one eigendecomposition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, check_range, parameter
from kernex_core.base.validation import EPS, as_matrix, as_numbers, as_symmetric, check_kernel
from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.learners.contract import (
    LAM_GRID,
    LARGEST_LAM,
    DualFit,
    Kind,
    Learner,
    Solved,
    Targets,
    as_targets,
    by_columns,
)

_DIGITS = 1e-8
"""Rounding of K beside nλ above which coefficients of what K does not know would be told by noise."""


@dataclass(frozen=True, eq=False)
class RidgePath(ReadOnlyArrays):
    """Kernel ridge regression for one λ, or for several: then every array has one row a λ.

    Attributes
    ----------
    lam : () or (L,) float
        λ > 0.
    alpha : (n,) or (L, n) float
        f(x) = Σ_i alpha_i k(x, x_i) + intercept.
    intercept : () or (L,) float
        0 unless it was asked for.
    loo_residuals : (n,) or (L, n) float
        y_i − f(x_i) of the fit without item i, nλ kept.
    loo_error : () or (L,) float
        Their mean square.
    effective : () or (L,) float
        Trace of the map from y to the fitted values: effective number of parameters.
    objective : () or (L,) float
        1/n Σ (y_i − f(x_i))² + λ ‖f‖².
    """

    lam: FloatArray
    alpha: FloatArray
    intercept: FloatArray
    loo_residuals: FloatArray
    loo_error: FloatArray
    effective: FloatArray
    objective: FloatArray

    @property
    def best(self) -> int:
        """Place of the λ with the least leave-one-out error; of equal ones the largest λ."""
        errors = np.atleast_1d(self.loo_error)
        return int(np.lexsort((-np.atleast_1d(self.lam), errors))[0])

    def predict(self, K_cross: ArrayLike) -> FloatArray:
        """(n_new,) or (L, n_new) predictions from similarities (n_new, n) to the training items."""
        return np.asarray(self.alpha @ np.asarray(K_cross).T + self.intercept[..., None])


@dataclass(frozen=True, eq=False)
class RidgeSystem(ReadOnlyArrays):
    """(K + nλI)⁻¹ for any λ, bordered by a row of ones where there is an intercept.

    Attributes
    ----------
    s, U : (n,) and (n, n) float
        Eigenvalues and eigenvectors of K; negative ones by rounding count as 0.
    intercept : bool
    """

    s: FloatArray
    U: FloatArray
    intercept: bool

    @classmethod
    def of(cls, K: FloatArray, *, intercept: bool) -> RidgeSystem:
        """Decompose a kernel (n, n)."""
        s, U = eigh(K, check_finite=False)
        return cls(np.maximum(s, 0.0), U, intercept)

    def solve(self, T: FloatArray, lam: float) -> Solved:
        """Solve for columns of targets (n, k)."""
        (w,), (told,) = self.weights(np.array([lam])), self.told(np.array([lam]))
        used = np.where(told, w, 0.0)[:, None]
        if not self.intercept:
            return Solved(self.U @ (used * (self.U.T @ T)), np.zeros(T.shape[1]))
        ones = self._ones(w)
        b = ones @ T / ones.sum()
        return Solved(self.U @ (used * (self.U.T @ (T - b))), b)

    def weights(self, lams: FloatArray) -> FloatArray:
        """(L, n) 1 / (s + nλ); where nλ is less than the rounding of s, what is rounding alone counts as 0."""
        ridge = self.s.size * lams[:, None]
        return np.asarray(
            1.0 / (np.where((self.s <= self._rounding) & (ridge < self._rounding), 0.0, self.s) + ridge)
        )

    def told(self, lams: FloatArray) -> BoolArray:
        """(L, n) directions that belong into α: not those that K knows by rounding alone, where λ would make them large.

        In exact arithmetic K takes them to 0, and the function is the same without them.
        """
        ridge = self.s.size * lams[:, None]
        return np.asarray((self.s > self._rounding) | (EPS * self.s.max(initial=0.0) <= _DIGITS * ridge))

    @property
    def _rounding(self) -> float:
        return self.s.size * EPS * float(self.s.max(initial=0.0))

    def inverse_diagonals(self, lams: FloatArray) -> FloatArray:
        """(L, n) diagonal of the inverse, of its upper left block where it is bordered, for every λ (L,)."""
        W = self.weights(lams)
        made = W @ (self.U * self.U).T
        if self.intercept:
            ones = (W * self.U.sum(axis=0)) @ self.U.T
            made = made - ones * ones / ones.sum(axis=1, keepdims=True)
        return np.asarray(made)

    def _ones(self, w: FloatArray) -> FloatArray:
        """(K + nλI)⁻¹ 1."""
        return np.asarray(self.U @ (w * self.U.sum(axis=0)))


def kernel_ridge(
    K: GramMatrix | ArrayLike, y: ArrayLike, lam: ArrayLike, *, intercept: bool = False
) -> RidgePath:
    """Minimise 1/n Σ (y_i − f(x_i) − b)² + λ ‖f‖²: alpha = (K + nλI)⁻¹ y, b = 0 unless asked for.

    Leave-one-out residuals are exact, alpha_i / [(K + nλI)⁻¹]_ii, with the ridge nλ of all n items kept; with an intercept
    the inverse is that of the system bordered by ones (Cawley and Talbot, Neural Networks 2004).

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : (n,) float
    lam : float or (L,) float
        λ > 0; several cost hardly more than one.
    intercept : bool
        Whether a constant is free.

    Raises
    ------
    InvalidInputError
        Other shapes, λ that is not above 0, or an intercept with a single item.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import kernel_ridge
    >>> K = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])
    >>> kernel_ridge(K, [1.0, -1.0, 2.0], 0.1).loo_residuals.round(3).tolist()
    [2.002, -2.304, 2.769]
    """
    values = check_kernel(as_symmetric(K))
    n = values.shape[0]
    targets, lams = as_targets(y, n), as_numbers(lam, "λ")
    if lams.ndim > 1 or lams.size == 0:
        raise InvalidInputError("λ has to be a number or a list of numbers", f"shape {lams.shape}")
    for each in lams.ravel():
        check_range("λ", each, 0.0, LARGEST_LAM, open_low=True)
    if intercept and n < 2:
        raise InvalidInputError("An intercept needs at least two items", f"{n}")
    return _path(RidgeSystem.of(values, intercept=intercept), targets, lams)


def _path(system: RidgeSystem, y: FloatArray, lams: FloatArray) -> RidgePath:
    flat = np.atleast_1d(lams)
    W = system.weights(flat)
    alpha, b = (W * (y @ system.U)) @ system.U.T, np.zeros(flat.size)
    if system.intercept:
        ones = (W * system.U.sum(axis=0)) @ system.U.T
        b = ones @ y / ones.sum(axis=1)
        alpha = alpha - b[:, None] * ones
    inverse = system.inverse_diagonals(flat)
    loo = alpha / inverse
    told = system.told(flat)
    used = alpha if told.all() else (np.where(told, W, 0.0) * ((y - b[:, None]) @ system.U)) @ system.U.T
    made = (
        used, b, loo, (loo * loo).mean(axis=1), y.size * (1.0 - flat * inverse.sum(axis=1)), flat * (alpha @ y),
    )  # fmt: skip
    return RidgePath(lams, *(each if lams.ndim else each[0] for each in made))


@dataclass(frozen=True)
class KernelRidge(Learner):
    """Kernel ridge regression with an intercept; classes by one-vs-rest on targets of ±1."""

    title: ClassVar[str] = "Kernel ridge"
    summary: ClassVar[str] = "squared errors; every λ and leave-one-out from one decomposition"
    source: ClassVar[str] = "Saunders, Gammerman and Vovk, ICML 1998"
    learns: ClassVar[tuple[Kind, ...]] = ("classes", "numbers")
    strength: ClassVar[str] = "lam"
    grid: ClassVar[tuple[float, ...]] = LAM_GRID
    lam: float = parameter(
        1e-3, label="Smoothness", symbol=r"\lambda", low=1e-12, high=1e6, logarithmic=True,
        help="Weight of ‖f‖² against the mean squared error; C = 1/(2nλ). In units of the kernel; chosen inside "
        "the folds in units of its mean diagonal.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    def fit(self, K: FloatArray, targets: Targets) -> DualFit:
        """See Learner."""
        system = RidgeSystem.of(K, intercept=True)
        return by_columns(targets, lambda T: system.solve(T, self.lam))

    def each_fitted(self, K: FloatArray, targets: Targets) -> tuple[DualFit, ...]:
        """See Learner; one decomposition for all."""
        system = RidgeSystem.of(K, intercept=True)
        return tuple(by_columns(targets, lambda T, lam=lam: system.solve(T, lam)) for lam in self.grid)  # type: ignore[misc]


# Ridge regression on columns: every coefficient at every λ, from one singular value decomposition.


@dataclass(frozen=True, eq=False)
class RidgeCoefficients(ReadOnlyArrays):
    """Ridge regression for several λ.

    Attributes
    ----------
    lam : (L,) float
    primal : (L, d) float
        β = (X'X + nλI)⁻¹ X'y.
    dual : (L, n) float
        α = (XX' + nλI)⁻¹ y, so that β = X'α; at λ = 0 the α of least length with that property.
    """

    lam: FloatArray
    primal: FloatArray
    dual: FloatArray


def ridge_coefficients(X: ArrayLike, y: ArrayLike, lams: ArrayLike) -> RidgeCoefficients:
    """Minimise 1/n ‖y − Xβ‖² + λ ‖β‖² for every λ, without an intercept.

    Parameters
    ----------
    X : (n, d) float
    y : (n,) float
    lams : (L,) float
        At least 0; 0 only where X'X has an inverse.

    Raises
    ------
    InvalidInputError
        Other shapes, λ below 0, or λ = 0 with columns that depend on each other.

    Examples
    --------
    >>> from kernex_core.learning.learners.ridge import ridge_coefficients
    >>> ridge_coefficients([[1.0, 0.0], [0.0, 2.0]], [1.0, 2.0], [0.0, 1.0]).primal.round(3).tolist()
    [[1.0, 1.0], [0.333, 0.667]]

    References
    ----------
    Vert, Kernel methods and computational biology, slides: kernel ridge regression. Golub and Van Loan, Matrix Computations,
    section 6.1.4: by singular values.
    """
    values, targets, grid = as_matrix(X, "X"), as_numbers(y, "y"), np.atleast_1d(as_numbers(lams, "λ"))
    if targets.shape != values.shape[:1] or not np.isfinite(targets).all():
        raise InvalidInputError(
            f"There has to be one finite target a row ({values.shape[0]})", f"shape {targets.shape}"
        )
    for each in grid:
        check_range("λ", float(each), 0.0)
    U, s, Vt = np.linalg.svd(values, full_matrices=False)
    rank = int((s > s.max(initial=0.0) * max(values.shape) * np.finfo(float).eps).sum())
    if (grid == 0.0).any() and rank < values.shape[1]:
        raise InvalidInputError(
            "Without λ the columns have to be independent: else many β fit equally well",
            f"{values.shape[1]} columns of rank {rank}",
            "Take a λ above 0",
        )
    turned, ridge = U.T @ targets, targets.size * grid[:, None]
    primal = (s / (s**2 + ridge) * turned) @ Vt
    # what U does not reach is shrunk by nλ alone
    rest = targets - U @ turned
    beyond = np.divide(1.0, ridge, out=np.zeros_like(ridge), where=ridge > 0.0)
    return RidgeCoefficients(grid, primal, (turned / (s**2 + ridge)) @ U.T + beyond * rest)


# What kernel ridge regression pays for smoothness, and what for noise: exactly, where the truth is known.


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
    >>> from kernex_core.learning.learners.ridge import bias_and_variance
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
