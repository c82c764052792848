"""Step: whatever turns one Gram matrix into another, with the record of what it looked at."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.parameters import check_parameters
from kernex_core.validation import as_square


@dataclass(frozen=True)
class Sees:
    """What a step looks at when it is fitted.

    Attributes
    ----------
    rows : {"pair", "fitted"}
        "pair": each new entry depends only on the old entry of that pair and on the two items' own diagonals;
        fitting it on all items or inside a fold gives the same numbers.
        "fitted": it depends on all rows that it was fitted on.
    labels : bool
        It looks at the labels of the items that it was fitted on.
    """

    rows: Literal["pair", "fitted"]
    labels: bool = False


@dataclass(frozen=True, eq=False)
class CrossBlock(ReadOnlyArrays):
    """Similarities of new items to the fitted ones.

    Attributes
    ----------
    values : (n_new, n) float
    diag : (n_new,) float
        Similarity of each new item to itself.
    """

    values: FloatArray
    diag: FloatArray


class FittedStep(abc.ABC):
    """A step that has seen its training block."""

    @abc.abstractmethod
    def apply(self, K: FloatArray) -> FloatArray:
        """New values of the block (n, n) that the step was fitted on."""

    @abc.abstractmethod
    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """New values for items outside the fitted block.

        Parameters
        ----------
        K_cross : (n_new, n) float
        diag : (n_new,) float
        items : (n_new,) int, optional
            Positions of the new items in the whole data set, for steps that hold something about every item.
        """


class Step(abc.ABC):
    """Base of all steps: a frozen dataclass whose fields are its parameters.

    Subclasses are declared `@dataclass(frozen=True)` and describe their fields with `parameter`. Calling a step on a
    Gram matrix fits it on all items, applies it, and adds it to the matrix's provenance.
    """

    name: ClassVar[str]
    sees: ClassVar[Sees]

    def __post_init__(self) -> None:
        check_parameters(self)

    @abc.abstractmethod
    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """Look at a block of similarities (n, n) and return what will be applied.

        Parameters
        ----------
        K_train : (n, n) float
        items : (n,) int, optional
            Positions of the block's items in the whole data set; None means all of them, in order.
        """

    def take(self, items: IntArray) -> Self:
        """Return the same step on a selection of the items; steps that hold something about every item override it."""
        return self

    @overload
    def __call__(self, K: GramMatrix) -> GramMatrix: ...
    @overload
    def __call__(self, K: ArrayLike) -> FloatArray: ...
    def __call__(self, K: GramMatrix | ArrayLike) -> GramMatrix | FloatArray:
        """Fit on all items and apply; a GramMatrix comes back as one that remembers the step."""
        if isinstance(K, GramMatrix):
            return K.then(self)
        values = as_square(K, allow_nan=True)
        return self.fit(values).apply(values)


Matrix = TypeVar("Matrix", GramMatrix, NDArray[Any])


class PairwiseFit(FittedStep):
    """A fitted step of the "pair" kind: a function of an entry and of the two diagonals.

    Parameters
    ----------
    diag_train : (n,) float
        Diagonal of the fitted block.
    """

    def __init__(self, diag_train: FloatArray) -> None:
        self.diag_train = diag_train

    @abc.abstractmethod
    def entries(self, values: FloatArray, diag_rows: FloatArray, diag_columns: FloatArray) -> FloatArray:
        """New values (a, b) from old ones and the diagonals of the row items (a,) and of the column items (b,)."""

    @abc.abstractmethod
    def diagonal(self, diag: FloatArray) -> FloatArray:
        """New self-similarities (a,) from the old ones."""

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        return self.entries(K, self.diag_train, self.diag_train)

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """See FittedStep."""
        return CrossBlock(self.entries(K_cross, diag, self.diag_train), self.diagonal(diag))


@dataclass(frozen=True, eq=False)
class Split(ReadOnlyArrays):
    """Blocks of one Gram matrix after a chain of steps.

    Attributes
    ----------
    K_train : (n_train, n_train) float
    K_cross : (n_test, n_train) float
    diag_test : (n_test,) float
    """

    K_train: FloatArray
    K_cross: FloatArray
    diag_test: FloatArray


def split_inductively(
    K: GramMatrix, train: IntArray, test: IntArray, *, further: Sequence[Step] = ()
) -> Split:
    """Fit the whole chain of steps of `K`, and `further` ones, on the training rows alone and apply it to the test rows.

    The entries among test items are never looked at (only their diagonal).
    """
    base = K.base.values
    block, cross = base[np.ix_(train, train)], base[np.ix_(test, train)]
    return carried((*K.steps, *further), block, cross, np.diag(base)[test], items=train, new=test)


def carried(
    steps: Sequence[Step],
    block: FloatArray,
    cross: FloatArray,
    diag: FloatArray,
    *,
    items: IntArray | None = None,
    new: IntArray | None = None,
) -> Split:
    """Fit a chain of steps on a block and carry the similarities of other items through it, one step after another.

    Parameters
    ----------
    steps : sequence of Step
    block : (n, n)
        Before the first step.
    cross : (n_new, n), diag : (n_new,)
        Similarities of the other items to those of the block, and to themselves.
    items, new : int arrays, optional
        Positions of both in the whole data set, for steps that hold something about every item.

    Raises
    ------
    InvalidInputError
        A step that has no value for items outside the block.
    """
    for step in steps:
        fitted = step.fit(block, items=items)
        crossed = fitted.apply_cross(cross, diag, items=new)
        block, cross, diag = fitted.apply(block), crossed.values, crossed.diag
    return Split(block, cross, diag)


def split_transductively(K: GramMatrix, train: IntArray, test: IntArray) -> Split:
    """Cut the blocks out of the finished matrix, whose steps saw all items."""
    values = K.values
    return Split(values[np.ix_(train, train)], values[np.ix_(test, train)], np.diag(values)[test])
