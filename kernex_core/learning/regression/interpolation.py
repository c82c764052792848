"""The function of least norm through given values, and how far others that fit as well could be from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import as_matrix, as_numbers, as_symmetric, check_kernel
from kernex_core.gram.order import kernel_distances
from kernex_core.learning.learners.contract import as_targets

WORST_CONDITION = 1e12
"""Largest eigenvalue over the smallest, beyond which values are met but for a nugget."""
NUGGET = 1e-6
"""In units of the largest eigenvalue: alpha then has at least ten right digits."""


@dataclass(frozen=True, eq=False)
class Interpolant(ReadOnlyArrays):
    """f(x) = Σ_i alpha_i k(x, x_i).

    Attributes
    ----------
    alpha : (n,) float
    inverse : (n, n) float
        (K + nugget I)⁻¹.
    squared_norm : float
        ‖f‖² = alpha'K alpha.
    condition : float
        Largest eigenvalue of K over the smallest; infinite where that is not above rounding.
    nugget : float
        Added to the diagonal; with 0 the values are met exactly.
    """

    alpha: FloatArray
    inverse: FloatArray
    squared_norm: float
    condition: float
    nugget: float

    def mean(self, K_cross: ArrayLike) -> FloatArray:
        """(n_new,) f from similarities (n_new, n) to the given items."""
        return np.asarray(as_matrix(K_cross, "K_cross") @ self.alpha)

    def variance(self, K_cross: ArrayLike, diag: ArrayLike) -> FloatArray:
        """(n_new,) k(x, x) − k_x'(K + nugget I)⁻¹ k_x: variance given the values, if f is drawn with covariance k.

        Parameters
        ----------
        K_cross : (n_new, n) float
        diag : (n_new,) float
            k(x, x) of the new items.
        """
        crossed = as_matrix(K_cross, "K_cross")
        explained = ((crossed @ self.inverse) * crossed).sum(axis=1)
        return np.asarray(np.maximum(as_numbers(diag, "The diagonal") - explained, 0.0))


def interpolate(K: ArrayLike, y: ArrayLike, *, nugget: float | None = None) -> Interpolant:
    """Return the function of least norm with f(x_i) = y_i: alpha = K⁻¹y, ‖f‖² = y'K⁻¹y.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : (n,) float
    nugget : float, optional
        Added to the diagonal. None: 0 unless the condition of K exceeds 1e12, then 1e-6 times its largest eigenvalue.

    Raises
    ------
    InvalidInputError
        Other shapes, a nugget below 0, or a nugget of 0 with a kernel without inverse.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> from kernex_core.learning.regression.interpolation import interpolate
    >>> made = interpolate([[0.2, 0.2], [0.2, 0.5]], [0.5, 0.2])
    >>> round(made.squared_norm, 3), made.mean([[0.2, 0.35]]).round(3).tolist()
    (1.55, [0.35])

    References
    ----------
    Vert, Kernel methods and computational biology, slides: representer theorem. Rasmussen and Williams, Gaussian Processes
    for Machine Learning, 2006, equations 2.23 and 2.24.
    """
    values = check_kernel(as_symmetric(K))
    targets = as_targets(y, values.shape[0])
    s, U = eigh(values)
    s = np.where(s > 1e-15 * s[-1], s, 0.0)
    condition = float(s[-1] / s[0]) if s[0] > 0.0 else float("inf")
    if nugget is None:
        nugget = NUGGET * (float(s[-1]) or 1.0) if condition > WORST_CONDITION else 0.0
    check_range("The nugget", nugget, 0.0)
    if nugget == 0.0 and s[0] == 0.0:
        raise InvalidInputError(
            "Values can be met exactly only by a kernel with an inverse",
            "an eigenvalue of 0",
            "Add a nugget to the diagonal",
        )
    w = 1.0 / (s + nugget)
    turned = U.T @ targets
    return Interpolant(
        U @ (w * turned), (U * w) @ U.T, float((s * (w * turned) ** 2).sum()), condition, float(nugget)
    )


@dataclass(frozen=True, eq=False)
class BoundPair(EqualByContent):
    """The two items at which |f(x) − f(x')| comes nearest to its bound ‖f‖ d_K(x, x').

    Attributes
    ----------
    first, second : int
        Places of the items.
    ratio : float
        Difference over bound, 0 to 1.
    """

    first: int
    second: int
    ratio: float


def nearest_to_bound(f: ArrayLike, K: ArrayLike, squared_norm: float) -> BoundPair | None:
    """Return the pair with the largest |f(x) − f(x')| / (‖f‖ d_K(x, x')), d_K² = k(x,x) − 2k(x,x') + k(x',x').

    By the inequality of Cauchy and Schwarz the ratio is at most 1. Of equal pairs (to 9 digits) the first.

    Parameters
    ----------
    f : (m,) float
        Values of the function.
    K : (m, m) float
        Kernel of the items.
    squared_norm : float
        ‖f‖²; at 0 the ratio is not defined, and None is returned.

    Examples
    --------
    >>> from kernex_core.learning.regression.interpolation import nearest_to_bound
    >>> made = nearest_to_bound([0.0, 0.5, 0.5], [[0.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.5, 1.0]], 0.5)
    >>> made.first, made.second, round(made.ratio, 3)
    (0, 1, 1.0)

    References
    ----------
    Vert, Kernel methods and computational biology, slides: smoothness of functions in an RKHS.
    """
    values, distance = as_numbers(f, "f"), kernel_distances(as_symmetric(K))
    if not squared_norm > 0.0 or values.size < 2:
        return None
    apart = np.abs(np.subtract.outer(values, values))
    # distances below this are rounding of the diagonal
    told = distance > 1e-7 * float(np.sqrt(np.diag(as_symmetric(K)).max()))
    ratio = np.divide(apart, distance * np.sqrt(squared_norm), out=np.zeros_like(apart), where=told)
    best = float(ratio.max())
    place = int(np.flatnonzero(ratio.ravel() >= best * (1.0 - 1e-9))[0])
    first, second = divmod(place, values.size)
    return BoundPair(first, second, best)
