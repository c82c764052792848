"""Ridge regression on columns: every coefficient at every λ, from one singular value decomposition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.parameters import check_range
from kernex_core.validation import as_matrix, as_numbers


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
    >>> from kernex_core.learning.learners.ridge_coefficients import ridge_coefficients
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
