"""What stands for what is unknown: entries of vectors, by named imputations; pairs that a search tool did not report."""

from __future__ import annotations

import abc
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import unit_of
from kernex_core.gram.matrix import GramMatrix, Matrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS, PAIR
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.inputs.samples import Note, Vectors
from kernex_core.kernels.base import AnyKernel

# Vectors with unknown entries: named imputations, fitted on some rows and applied to any.
#
# An imputation learns from the rows that it is fitted on; what it fills in other rows depends on those and on the row.
# `imputed_kernel` makes it part of a Gram matrix, so that an inductive run never looks at the test rows.


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


@dataclass(frozen=True)
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

    Distances are Euclidean over the columns that both rows know, scaled up for those that they do not (scikit-learn's
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
    def __init__(self, X: FloatArray, k: int) -> None:
        from sklearn.impute import KNNImputer  # slow to import

        self.width = X.shape[1]
        self.empty = int(np.isnan(X).all(axis=0).sum())
        self.unit = unit_of(X)
        self.imputer: Any = KNNImputer(n_neighbors=k, keep_empty_features=True).fit(X / self.unit)

    def apply(self, X: FloatArray) -> FloatArray:
        _check_width(X, self.width)
        if not np.isnan(X).any():
            return np.asarray(X, dtype=np.float64)
        return np.asarray(self.unit * self.imputer.transform(X / self.unit), dtype=np.float64)


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

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import ColumnMean, Vectors, impute
    >>> vectors = Vectors(("a", "b", "c"), np.array([[1.0, 2.0], [3.0, np.nan], [5.0, 4.0]]))
    >>> impute(vectors, ColumnMean()).X.tolist()
    [[1.0, 2.0], [3.0, 3.0], [5.0, 4.0]]
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
    recipe = call("filled", "impute", vectors, chosen) if vectors.recipe else None
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


# Kernel of vectors with unknown entries, as a step: filled anew from the training rows of every fold.


@dataclass(frozen=True)
class ImputedKernel(Step):
    """Kernel of vectors whose unknown entries are filled from the rows that the step is fitted on.

    It holds the vectors, so what comes before it does not matter: it stands first, on a matrix that is unknown
    everywhere (see `imputed_similarities`). Fitted inside a fold, neither the fill nor a data-dependent parameter of the
    kernel looks at test rows.
    """

    name: ClassVar[str] = "kernel of imputed vectors"
    sees: ClassVar[Sees] = Sees("fitted")
    vectors: Vectors
    kernel: AnyKernel
    imputation: Imputation = ColumnMean()

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedImputedKernel:
        """See Step.

        Raises
        ------
        InvalidInputError
            Another number of items than vectors, or a kernel that cannot take the filled vectors.
        """
        at = np.arange(K_train.shape[0]) if items is None else np.asarray(items)
        if items is None and at.size != self.vectors.n:
            raise InvalidInputError(
                f"The matrix has to be about the {self.vectors.n} vectors of this step", f"{at.size} items"
            )
        fitted = self.imputation.fit(self.vectors.X[at])
        filled = fitted.apply(self.vectors.X[at])
        self.kernel.check(filled, [self.vectors.ids[i] for i in at])
        return FittedImputedKernel(self, fitted, self.kernel.resolved(filled), filled)

    def take(self, items: IntArray) -> ImputedKernel:
        """See Step: the vectors follow their items."""
        return replace(self, vectors=self.vectors.take(items))


class FittedImputedKernel(FittedStep):
    """The filled vectors of the fitted items, and how others are filled.

    Attributes
    ----------
    imputation : FittedImputation
    kernel : AbstractKernel
        With every data-dependent parameter set from the fitted items.
    filled : (n, d) float
    """

    def __init__(
        self,
        step: ImputedKernel,
        imputation: FittedImputation,
        kernel: AnyKernel,
        filled: FloatArray,
    ) -> None:
        self.step, self.imputation, self.kernel, self.filled = step, imputation, kernel, filled

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        return self.kernel.gram(self.filled)

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """See FittedStep; the positions of the new items are needed to find their vectors."""
        if items is None:
            raise InvalidInputError(
                "New items of a kernel of imputed vectors have to be items of its data set", "no positions"
            )
        new = self.imputation.apply(self.step.vectors.X[np.asarray(items)])
        return CrossBlock(self.kernel.cross(new, self.filled), np.diag(self.kernel.gram(new)).copy())


def imputed_similarities(
    kernel: AnyKernel, vectors: Vectors, imputation: Imputation | None = None, *, name: str = ""
) -> GramMatrix:
    """Kernel of vectors with unknown entries, filled anew inside every training fold of an inductive evaluation.

    Parameters
    ----------
    kernel : AbstractKernel
        On vectors.
    vectors : Vectors
        NaN = unknown.
    imputation : Imputation, optional
        The column mean by default.
    name : str

    Returns
    -------
    GramMatrix
        Of all items, with `ImputedKernel` as its first step.

    Raises
    ------
    InvalidInputError
        A kernel on something else than vectors, or one that cannot take the filled vectors.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Linear, Vectors, imputed_similarities
    >>> vectors = Vectors(("a", "b"), np.array([[1.0, 2.0], [3.0, np.nan]]))
    >>> imputed_similarities(Linear(), vectors).values.tolist()
    [[5.0, 7.0], [7.0, 13.0]]
    """
    if kernel.data_kind != "vectors":
        raise InvalidInputError("Only vectors can be imputed", f"a kernel on {kernel.data_kind}")
    step = ImputedKernel(vectors, kernel, ColumnMean() if imputation is None else imputation)
    return nothing_known(vectors.ids, name or kernel.title.lower()).then(step)


def nothing_known(ids: tuple[str, ...], name: str = "gram", *, set_by_items: bool = False) -> GramMatrix:
    """Matrix of which no entry is known: where a step that brings its own data starts.

    With `set_by_items` those data were chosen by a look at all items.

    Examples
    --------
    >>> from kernex_core import nothing_known
    >>> nothing_known(("a", "b")).known.tolist()
    [False, False]
    """
    said = {"set_by_items": True} if set_by_items else {}
    return GramMatrix(
        np.full((len(ids), len(ids)), np.nan),
        ids,
        name,
        call(name, "nothing_known", tuple(ids), **said),
        seen=ITEMS if set_by_items else PAIR,
    )


# What stands for a pair that a search tool did not report.

FILLS: dict[str, Callable[[FloatArray], float]] = {
    "zero": lambda reported: 0.0,
    "half the lowest": lambda reported: float(reported.min()) / 2.0,
    "lowest": lambda reported: float(reported.min()),
    "mean": lambda reported: float(reported.mean()),
}
"""Value of an unreported pair, from the reported ones."""


@dataclass(frozen=True)
class FillUnknown(Step):
    """Unknown pairs get one value, taken from the pairs that are known.

    A search tool leaves out pairs that score low, so absence is informative: zero or half the lowest reported score
    keeps that information, the mean of the reported scores denies it and ruins classification. Every constant
    can make the matrix indefinite: a repair goes after it. An unknown self-similarity is never absent because it was
    low; it becomes the mean of the known self-similarities.

    Parameters
    ----------
    method : {"zero", "half the lowest", "lowest", "mean"}
        0, min/2, min or mean of the known similarities between two different items.
    """

    name: ClassVar[str] = "filling of unknown pairs"
    sees: ClassVar[Sees] = Sees("fitted")
    method: str = parameter(
        "zero",
        label="Unknown pairs become",
        help="What stands for a pair that was not reported; the values are taken from the reported pairs.",
        choices=tuple(FILLS),
    )

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step.

        Raises
        ------
        InvalidInputError
            No pair is known where one is needed; no self-similarity is known; half the lowest of negative scores.
        """
        known = ~np.isnan(K_train)
        np.fill_diagonal(known, False)
        return FittedFill(self._value(K_train[known]), _mean_diagonal(np.diag(K_train)))

    def _value(self, reported: FloatArray) -> float:
        if self.method == "zero":
            return 0.0
        if reported.size == 0:
            raise InvalidInputError(
                f"The fill {self.method!r} needs at least one known pair of two items",
                "none",
                "Fill with zero, or bring more similarities",
            )
        if self.method == "half the lowest" and reported.min() < 0.0:
            raise InvalidInputError(
                "Half the lowest similarity is below the lowest only where none is negative",
                f"{reported.min():.6g}",
                "Fill with the lowest",
            )
        return FILLS[self.method](reported)


class FittedFill(FittedStep):
    """A fill that knows its values.

    Attributes
    ----------
    value : float
        Of a pair of different items.
    own : float
        Of an item with itself; NaN if none is known and none was needed.
    """

    def __init__(self, value: float, own: float) -> None:
        self.value, self.own = value, own

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        filled = np.where(np.isnan(K), self.value, K)
        np.fill_diagonal(filled, self._self_similarities(np.diag(K)))
        return filled

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        """See FittedStep: a fill is one of the values, or a mean or half of them, and off by no more than the worst."""
        return errors if errors.ndim == 0 else np.where(np.isnan(K), errors.max(), errors)

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """See FittedStep."""
        return CrossBlock(np.where(np.isnan(K_cross), self.value, K_cross), self._self_similarities(diag))

    def _self_similarities(self, diag: FloatArray) -> FloatArray:
        unknown = np.isnan(diag)
        if unknown.any() and np.isnan(self.own):
            raise InvalidInputError(
                "At least one item needs a known similarity to itself",
                "an unknown diagonal",
                "Read the table with another rule for the diagonal, for example the largest score of the row",
            )
        return np.where(unknown, self.own, diag)


def _mean_diagonal(diag: FloatArray) -> float:
    known: BoolArray = ~np.isnan(diag)
    return float(diag[known].mean()) if known.any() else float("nan")


def fill_unknown(K: Matrix, method: str = "zero") -> Matrix:
    """Give every unknown pair one value; see FillUnknown.

    Parameters
    ----------
    K : (n, n)
        NaN = unknown.
    method : {"zero", "half the lowest", "lowest", "mean"}

    Raises
    ------
    InvalidInputError
        Unknown method, or nothing known that the value could be taken from.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import fill_unknown
    >>> fill_unknown(np.array([[1.0, np.nan], [np.nan, 1.0]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return FillUnknown(method)(K)
