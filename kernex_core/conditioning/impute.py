"""Vectors with unknown entries: named imputations, fitted on some rows and applied to any.

An imputation learns from the rows that it is fitted on; what it fills in other rows depends on those and on the row.
`imputed_kernel` makes it part of a Gram matrix, so that an inductive run never looks at the test rows.
"""

from __future__ import annotations

import abc
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.gram.recipe import call
from kernex_core.inputs.samples import Note, Vectors
from kernex_core.parameters import check_parameters, parameter


class FittedImputation(abc.ABC):
    """An imputation that has seen its rows.

    Attributes
    ----------
    empty : int
        Columns that none of the fitted rows knows; they become 0 in every row.
    """

    empty: int

    @abc.abstractmethod
    def apply(self, X: FloatArray) -> FloatArray:
        """X (n, d) with every NaN filled; known entries stay as they are, and no row is looked at for another."""


class Imputation(abc.ABC):
    """Base of all imputations: a frozen dataclass whose fields are its parameters."""

    title: ClassVar[str]

    def __post_init__(self) -> None:
        check_parameters(self)

    @abc.abstractmethod
    def fit(self, X: ArrayLike) -> FittedImputation:
        """Learn from rows X (n, d), NaN = unknown.

        Raises
        ------
        InvalidInputError
            No rows and columns of numbers, or infinite entries.
        """


@dataclass(frozen=True)
class ColumnMean(Imputation):
    """An unknown entry becomes the mean of its column (of its gene) over the fitted rows that know it."""

    title: ClassVar[str] = "column mean"

    def fit(self, X: ArrayLike) -> FittedImputation:
        """See Imputation."""
        return _FittedMean(_rows(X))


class _FittedMean(FittedImputation):
    def __init__(self, X: FloatArray) -> None:
        known = ~np.isnan(X)
        counts = known.sum(axis=0)
        self.empty = int((counts == 0).sum())
        self.means = np.where(known, X, 0.0).sum(axis=0) / np.maximum(counts, 1)

    def apply(self, X: FloatArray) -> FloatArray:
        _check_width(X, self.means.size)
        return np.where(np.isnan(X), self.means, X)


@dataclass(frozen=True)
class NearestRows(Imputation):
    """An unknown entry becomes the mean of its column over the k nearest fitted rows that know it.

    Distances are Euclidean over the columns that both rows know, scaled up for those that they do not (as scikit-learn's
    KNNImputer; Troyanskaya et al., Bioinformatics 2001).
    """

    title: ClassVar[str] = "k nearest rows"
    k: int = parameter(
        10, label="Rows that are averaged", symbol="k", help="Nearest rows that know the entry.", low=1, high=100,
        step=1,
    )  # fmt: skip

    def fit(self, X: ArrayLike) -> FittedImputation:
        """See Imputation."""
        return _FittedNearest(_rows(X), self.k)


class _FittedNearest(FittedImputation):
    """Rows are sorted by distance once, for all their columns: a hundred times faster than column by column."""

    def __init__(self, X: FloatArray, k: int) -> None:
        self.X, self.k = X, k
        self.mean = _FittedMean(X)
        self.empty = self.mean.empty

    def apply(self, X: FloatArray) -> FloatArray:
        _check_width(X, self.X.shape[1])
        filled = np.array(X, dtype=np.float64)
        rows = np.flatnonzero(np.isnan(filled).any(axis=1))
        for row, distances in zip(rows, _distances(filled[rows], self.X), strict=True):
            unknown = np.flatnonzero(np.isnan(filled[row]))
            # rows that share no known column with this one are nobody's neighbours
            order = np.argsort(distances, kind="stable")[: int(np.isfinite(distances).sum())]
            near = self.X[np.ix_(order, unknown)]
            knows = ~np.isnan(near)
            chosen = knows & (np.cumsum(knows, axis=0) <= self.k)
            counts = chosen.sum(axis=0)
            means = np.where(chosen, near, 0.0).sum(axis=0) / np.maximum(counts, 1)
            filled[row, unknown] = np.where(counts > 0, means, self.mean.means[unknown])
        return filled


def _distances(X: FloatArray, fitted: FloatArray) -> FloatArray:
    """Squared distances (n, n_fitted) over columns that both know, per such column; inf where there is none.

    scikit-learn multiplies by the number of all columns, which is the same for every pair and changes no order.
    """
    ours, theirs = (~np.isnan(each) for each in (X, fitted))
    centre = np.where(theirs.any(axis=0), _FittedMean(fitted).means, 0.0)  # so that large means do not cancel
    A, B = (np.where(known, each - centre, 0.0) for known, each in ((ours, X), (theirs, fitted)))
    one, two = ours.astype(np.float64), theirs.astype(np.float64)
    squares = A**2 @ two.T - 2.0 * (A @ B.T) + one @ (B**2).T
    shared = one @ two.T
    return np.where(shared > 0.0, np.maximum(squares, 0.0) / np.maximum(shared, 1.0), np.inf)


IMPUTATIONS: tuple[Imputation, ...] = (ColumnMean(), NearestRows())
"""What can stand for unknown entries of vectors. One line an imputation."""


def imputation_named(title: str) -> Imputation:
    """Imputation of that title.

    Raises
    ------
    InvalidInputError
        Listing the titles that there are.
    """
    for imputation in IMPUTATIONS:
        if imputation.title == title:
            return imputation
    raise InvalidInputError(
        f"An imputation is one of {', '.join(each.title for each in IMPUTATIONS)}", repr(title)
    )


def impute(vectors: Vectors, imputation: Imputation | None = None) -> Vectors:
    """Fill the unknown entries of vectors once, from all rows: transductive in any evaluation that follows.

    Parameters
    ----------
    vectors : Vectors
    imputation : Imputation, optional
        The column mean by default.

    Returns
    -------
    Vectors
        With a note that says what was filled by what.
    """
    chosen = ColumnMean() if imputation is None else imputation
    missing = int(np.isnan(vectors.X).sum())
    if not missing:
        return vectors
    fitted = chosen.fit(vectors.X)
    share = 100.0 * missing / vectors.X.size
    note = Note(
        f"{missing:,} unknown entries ({share:.2g} %) were filled by the {chosen.title} of all rows",
        f"{fitted.empty:,} columns that nobody knows became 0" if fitted.empty else "",
    )
    source = (f"from {__name__} import impute",)
    recipe = call("filled", "impute", vectors, chosen, imports=source) if vectors.recipe else None
    return replace(vectors, X=fitted.apply(vectors.X), notes=(*vectors.notes, note), recipe=recipe)


def _rows(X: ArrayLike) -> FloatArray:
    values = np.asarray(X, dtype=np.float64)
    if values.ndim != 2 or values.size == 0:
        raise InvalidInputError("An imputation needs rows and columns of numbers", f"shape {values.shape}")
    if np.isinf(values).any():
        row, column = (int(at) for at in np.argwhere(np.isinf(values))[0])
        raise InvalidInputError(
            "Entries have to be finite or unknown", f"an infinite one in row {row + 1}, column {column + 1}"
        )
    return values


def _check_width(X: FloatArray, width: int) -> None:
    if X.ndim != 2 or X.shape[1] != width:
        raise InvalidInputError(
            f"Rows have to have the {width} columns of the fitted ones", f"shape {X.shape}"
        )
