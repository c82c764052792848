"""Fisher-score maps of exponential families, features of measured items: section 4.2 of "Kernel extrapolation"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import (
    EPS,
    as_matrix,
    check_digits_kept,
    check_size,
    power_of_ten,
    units_of_columns,
)


@dataclass(frozen=True)
class Family:
    """An exponential family of distributions of one row of measurements.

    Attributes
    ----------
    name, title : str
    wanted : str
        What entries it can describe.
    allows : callable
        X -> (n, d) bool, which entries it can describe.
    statistic : callable
        X -> t (n, p), the sufficient statistic.
    given_total : bool
        E[t] is a share of the row's total, instead of the same for all rows.
    """

    name: str
    title: str
    wanted: str
    allows: Callable[[FloatArray], np.ndarray]
    statistic: Callable[[FloatArray], FloatArray]
    given_total: bool = False


def _any(X: FloatArray) -> np.ndarray:
    return np.ones(X.shape, dtype=bool)


def _counts(X: FloatArray) -> np.ndarray:
    return np.asarray((X >= 0.0) & (np.floor(X) == X))


def _with_squares(X: FloatArray) -> FloatArray:
    for largest in np.abs(X).max(axis=0, initial=0.0).tolist():
        check_digits_kept(2.0 * power_of_ten(largest), "A squared column", "Standardise the columns first")
    return np.hstack([X, X**2])


FAMILIES: Final = (
    Family("gaussian", "Gaussian", "real numbers", _any, lambda X: X),
    Family("gaussian2", "Gaussian, with squares", "real numbers", _any, _with_squares),
    Family("bernoulli", "Bernoulli", "zeros and ones", lambda X: (X == 0.0) | (X == 1.0), lambda X: X),
    Family("poisson", "Poisson", "whole numbers of at least 0", _counts, lambda X: X),
    Family("multinomial", "Multinomial", "whole numbers of at least 0", _counts, lambda X: X, True),
)
"""The families that there are, in the order in which they are offered."""


def families_for(X: ArrayLike) -> tuple[str, ...]:
    """Families that can describe all entries of X (n, d), the one that suits best first.

    Zeros and ones are Bernoulli, whole numbers of at least 0 Poisson, or multinomial where all rows have the same total;
    anything else is Gaussian.

    Raises
    ------
    InvalidInputError
        Unknown entries.

    Examples
    --------
    >>> from kernex_core.completion.fisher_scores import families_for
    >>> families_for([[0, 1], [1, 1]])[0], families_for([[3, 1], [0, 2]])[0], families_for([[3, 1], [2, 2]])[0]
    ('bernoulli', 'poisson', 'multinomial')
    """
    rows = as_matrix(X)
    able = [each.name for each in FAMILIES if each.allows(rows).all()]
    totals = rows.sum(axis=1)
    if "bernoulli" in able:
        best = "bernoulli"
    elif "poisson" in able:
        same = rows.shape[1] > 1 and bool((totals == totals[:1]).all())
        best = "multinomial" if same else "poisson"
    else:
        best = "gaussian"
    return (best, *(name for name in able if name != best))


@dataclass(frozen=True, eq=False)
class FisherMap(ReadOnlyArrays):
    """Fisher scores φ(x) = −(t(x) − E[t]) / sd, with mean and standard deviation of the items that it was fitted to.

    Attributes
    ----------
    family : str
    columns : int
        Columns of X.
    mean : (p,) float
        E[t]; of a multinomial: the share of each column in all counts, so that E[t] = total of the row × share.
    sd : (p,) float
        Standard deviation of t − E[t] over the fitted items; 0 where it does not vary.
    bias : bool
        Whether a row of ones is appended: centred features know no constant.
    notes : tuple of str
    """

    family: str
    columns: int
    mean: FloatArray
    sd: FloatArray
    bias: bool
    notes: tuple[str, ...] = ()

    def apply(self, X: ArrayLike) -> FloatArray:
        """(p, m) features of items, one column an item; a feature that did not vary where it was fitted is 0.

        Raises
        ------
        InvalidInputError
            Other columns, unknown entries, or entries that the family cannot describe.
        """
        rows, family = _rows(X, self.family), _family(self.family)
        if rows.shape[1] != self.columns:
            raise InvalidInputError(
                f"The map was fitted to {self.columns} columns", f"{rows.shape[1]} columns"
            )
        varies = self.sd > 0.0
        score = _gaps(rows, family, self.mean)
        phi = np.where(varies, -score / np.where(varies, self.sd, 1.0), 0.0).T
        return np.vstack([phi, np.ones(rows.shape[0])]) if self.bias else phi


def fisher_map(X: ArrayLike, family: str = "gaussian", *, bias: bool = True) -> FisherMap:
    """Fit the Fisher-score map of a family to items (Kernel extrapolation, section 4.2).

    For p(x; θ) = exp(<t(x), θ> − g(θ)) the score is the gradient of −log p, u(x) = −(t(x) − E[t]); it is scaled to unit
    variance, which is the diagonal of the Fisher information.

    Parameters
    ----------
    X : (n, d)
        Training items alone: mean and deviation are theirs. Known everywhere.
    family : {"gaussian", "gaussian2", "bernoulli", "poisson", "multinomial"}
        t = x; t = (x, x²); x of zeros and ones; counts; counts of a row of given total (k-mers of a sequence).
    bias : bool
        Append a row of ones. Without it no combination of features is constant over the items, and a kernel with a mean is
        badly approximated.

    Raises
    ------
    InvalidInputError
        Unknown entries, entries that the family cannot describe (row and column named), or an unknown family.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import fisher_map
    >>> fitted = fisher_map(np.array([[1.0], [3.0]]))
    >>> fitted.apply(np.array([[1.0], [5.0]])).tolist()
    [[1.0, -3.0], [1.0, 1.0]]
    """
    rows, described = _rows(X, family), _family(family)
    t = described.statistic(rows)
    total = float(t.sum())
    if described.given_total:
        mean = t.sum(axis=0) / total if total > 0.0 else np.zeros(t.shape[1])
    else:
        mean = t.mean(axis=0)
    gaps = _gaps(rows, described, mean)
    units = units_of_columns(gaps)
    sd = units * (gaps / units).std(axis=0)
    # what rounding leaves of a constant column is no variance
    still = sd <= 10.0 * rows.shape[0] * EPS * np.abs(t).max(axis=0, initial=0.0)
    sd = np.where(still, 0.0, sd)
    notes: tuple[str, ...] = ()
    if still.any():
        notes += (
            f"{int(still.sum())} of {sd.size} features do not vary over the {rows.shape[0]} fitted items: "
            "they are 0 for every item.",
        )
    return FisherMap(family, rows.shape[1], mean, sd, bias, notes)


def _gaps(rows: FloatArray, family: Family, mean: FloatArray) -> FloatArray:
    """t − E[t]."""
    t = family.statistic(rows)
    expected = rows.sum(axis=1, keepdims=True) * mean if family.given_total else mean
    return np.asarray(t - expected)


def _family(name: str) -> Family:
    check_choice("The family", name, tuple(each.name for each in FAMILIES))
    return next(each for each in FAMILIES if each.name == name)


def _rows(X: ArrayLike, family: str) -> FloatArray:
    described = _family(family)
    rows = check_size(as_matrix(X), "X")
    if rows.size == 0:
        raise InvalidInputError("Features need at least one item and one column", f"{rows.shape}")
    bad = ~described.allows(rows)
    if bad.any():
        row, column = (int(at) for at in np.argwhere(bad)[0])
        raise InvalidInputError(
            f"{described.title} measurements have to be {described.wanted}",
            f"{rows[row, column]:g} in row {row + 1}, column {column + 1}",
            "Choose another family",
        )
    return rows
