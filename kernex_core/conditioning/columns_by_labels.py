"""The linear kernel of few columns that tell classes apart best, as a step: the first one that looks at labels.

Fitted on all items it is a leak, for the columns have then seen the classes of items that are tested later; fitted inside
every training fold it is an honest choice of features (Ambroise and McLachlan, PNAS 2002).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import units_of_columns
from kernex_core.conditioning.impute import nothing_known
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.inputs.samples import Labels, Vectors


@dataclass(frozen=True)
class ColumnsByLabels(Step):
    """k(x, x') = Σ_{j chosen} x_j x'_j / m over the m columns with the largest share of variance between classes.

    It holds vectors and labels, so it stands first, on a matrix that is unknown everywhere (see `columns_by_labels`).
    """

    name: ClassVar[str] = "columns chosen by labels"
    sees: ClassVar[Sees] = Sees("fitted", labels=True)
    vectors: Vectors
    labels: Labels
    count: int = parameter(20, label="Columns", symbol="m", help="How many are kept.", low=1, step=1)

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedColumns:
        """See Step.

        Raises
        ------
        InvalidInputError
            Another number of items than vectors, unknown entries, or fitted items of one class only.
        """
        at = np.arange(K_train.shape[0]) if items is None else np.asarray(items)
        if items is None and at.size != self.vectors.n:
            raise InvalidInputError(
                f"The matrix has to be about the {self.vectors.n} vectors of this step", f"{at.size} items"
            )
        share = variance_between(self.vectors.X[at], self.labels.y[at])
        # of equal columns the first
        return FittedColumns(self.vectors.X, at, np.sort(np.argsort(-share, kind="stable")[: self.count]))

    def take(self, items: IntArray) -> ColumnsByLabels:
        """See Step: vectors and labels follow their items."""
        return replace(self, vectors=self.vectors.take(items), labels=self.labels.take(items))


class FittedColumns(FittedStep):
    """The columns that the fitted items chose.

    Attributes
    ----------
    X : (n_all, d) float
        All items.
    fitted : (n,) int
    columns : (m,) int
        In their order.
    """

    def __init__(self, X: FloatArray, fitted: IntArray, columns: IntArray) -> None:
        self.X, self.fitted, self.columns = X[:, columns], fitted, columns

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        part = self.X[self.fitted]
        return np.asarray(part @ part.T / self.columns.size)

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """See FittedStep; the positions of the new items are needed to find their vectors."""
        if items is None:
            raise InvalidInputError(
                "New items of a kernel of chosen columns have to be items of its data set", "no positions"
            )
        new = self.X[np.asarray(items)]
        values = new @ self.X[self.fitted].T / self.columns.size
        return CrossBlock(values, (new * new).sum(axis=1) / self.columns.size)


def variance_between(X: FloatArray, y: NDArray[np.str_]) -> FloatArray:
    """(d,) share of each column's variance that lies between the classes, 0 to 1; of two classes the squared correlation.

    Parameters
    ----------
    X : (n, d) float
    y : (n,) str
        "" = unlabelled, not counted.

    Raises
    ------
    InvalidInputError
        Unknown entries, or fewer than two classes.
    """
    names, codes = np.unique(y[y != ""], return_inverse=True)
    if names.size < 2:
        raise InvalidInputError("Columns are chosen by labels of at least two classes", f"{names.size}")
    seen = X[y != ""]
    if not np.isfinite(seen).all():
        raise InvalidInputError(
            "Columns that are chosen by labels have to be known everywhere",
            "an unknown entry",
            "Fill it first",
        )
    seen = seen / units_of_columns(seen)  # a share: the unit does not matter
    centred = seen - seen.mean(axis=0)
    member = (codes[:, None] == np.arange(names.size)).astype(np.float64)
    sums = member.T @ centred
    between = (sums * sums / member.sum(axis=0)[:, None]).sum(axis=0)
    total = (centred * centred).sum(axis=0)
    varies = total > 1e-24 * (seen * seen).sum(axis=0)
    return np.asarray(np.where(varies, between / np.where(varies, total, 1.0), 0.0))


def columns_by_labels(vectors: Vectors, labels: Labels, count: int = 20, *, name: str = "") -> GramMatrix:
    """Kernel of the columns that tell the classes apart best: a leak, unless it is fitted inside the folds.

    Parameters
    ----------
    vectors : Vectors
        Known everywhere.
    labels : Labels
        Of the same items in the same order; "" = unlabelled, not looked at.
    count : int
        How many columns are kept.
    name : str

    Returns
    -------
    GramMatrix
        Of all items, with `ColumnsByLabels` as its first step.

    Raises
    ------
    InvalidInputError
        Labels of other items, unknown entries, or fewer than two classes.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Labels, Vectors
    >>> from kernex_core.learning.leakage import evaluation_mode
    >>> ids = ("s", "t", "u", "v")
    >>> vectors = Vectors(ids, np.array([[1.0, 5.0], [1.0, -5.0], [-1.0, 5.0], [-1.0, -5.0]]))
    >>> K = columns_by_labels(vectors, Labels(ids, np.array(["a", "a", "b", "b"])), 1)
    >>> K.values[0].tolist(), evaluation_mode(K, inductive=False), evaluation_mode(K, inductive=True)
    ([1.0, 1.0, -1.0, -1.0], 'leak', 'inductive')
    """
    if labels.ids != vectors.ids:
        raise InvalidInputError(
            "Labels and vectors have to be about the same items in the same order",
            f"{len(labels.ids)} labels and {vectors.n} vectors"
            if len(labels.ids) != vectors.n
            else "other ids",
            "Align them by their ids: align(...)",
        )
    title = name or f"{count} columns chosen by labels"
    return nothing_known(vectors.ids, title).then(ColumnsByLabels(vectors, labels, count))
