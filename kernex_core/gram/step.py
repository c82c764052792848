"""Step: whatever turns one Gram matrix into another, with the record of what it looked at."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    ClassVar,
    Literal,
    Protocol,
    Self,
    TypeVar,
    cast,
    overload,
    runtime_checkable,
)

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters
from kernex_core.base.validation import as_symmetric, nearest_within
from kernex_core.gram.seen import Seen, SeenArray, marked

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


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
    brought : bool
        A number in it came from outside, and nobody knows what that saw.
    """

    rows: Literal["pair", "fitted"]
    labels: bool = False
    brought: bool = False

    def when(self, *, inductive: bool) -> Seen:
        """What the step adds to what a matrix has seen, fitted on all items or inside every training fold."""
        # what depends on a pair and on labels is a number that was made from them beforehand: it is not fitted anew
        return Seen(
            items=self.rows == "fitted" and not inductive,
            labels=self.labels and (self.rows == "pair" or not inductive),
            brought=self.brought,
        )


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

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        """How far entries of `apply` are off at most where those of K are off by up to `errors`, both of the fitted block.

        None at all by default: a step whose result is positive semidefinite by construction, or that puts other numbers in
        their place, carries nothing on.

        Parameters
        ----------
        K : (n, n) float
        errors : (n, n) float, or of no dimension
            At least 0; of no dimension where it is the same everywhere.
        """
        return np.zeros(())


class Step(abc.ABC):
    """Base of all steps: a frozen dataclass whose fields are its parameters.

    Subclasses are declared `@dataclass(frozen=True)` and describe their fields with `parameter`. Calling a step on a
    Gram matrix fits it on all items, applies it, and adds it to the matrix's provenance.
    """

    name: ClassVar[str]
    sees: ClassVar[Sees]
    carries_digits: ClassVar[bool] = True
    """False: the result is a kernel by construction, whatever digits the matrix before it was given in."""
    needs_kernel: ClassVar[bool] = False
    """It refuses what is no kernel: a known block that is one within its digits is fitted as the nearest one."""

    def __post_init__(self) -> None:
        check_parameters(cast("DataclassInstance", self))

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
    def __call__(self, K: R) -> R: ...
    @overload
    def __call__(self, K: ArrayLike) -> FloatArray: ...
    def __call__(self, K: R | ArrayLike) -> R | FloatArray:
        """Fit on all items and apply; a GramMatrix comes back as one that remembers the step.

        Raises
        ------
        InvalidInputError
            Not square, or not symmetric up to rounding.
        """
        if isinstance(K, Remembers):
            return K.then(self)
        values = as_symmetric(K, allow_nan=True, any_size=True)
        made = self.fit(values).apply(values)
        return marked(made, K.seen | self.sees.when(inductive=False)) if isinstance(K, SeenArray) else made


@runtime_checkable
class Remembers(Protocol):
    """What keeps the chain of steps that made it: a GramMatrix, which this module does not know."""

    def then(self, step: Step) -> Self:
        """Return what the step makes of it."""


R = TypeVar("R", bound=Remembers)


class Applied(FittedStep):
    """A step whose result on the fitted items is there already, because it was made in steps.

    Parameters
    ----------
    values : (n, n) float
    """

    def __init__(self, values: FloatArray) -> None:
        self.values = values

    def apply(self, K: FloatArray) -> FloatArray:
        """Return that result."""
        return self.values

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """Refuse: new items need the step fitted.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError("what was applied in steps knows the fitted items alone")


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


# The digits that numbers were given in, carried through the steps of a Gram matrix to the entries that they make.


def carried_error_bound(values: FloatArray, errors: FloatArray, steps: Sequence[Step]) -> FloatArray:
    """How far entries are off at most after a chain of steps, by the digits that the values before it are given in.

    The chain is applied once more, unless there is nothing to carry: neither values nor an operand of a step have few
    digits, or a repair made a kernel of what there was.

    Parameters
    ----------
    values : (n, n) float
        Before the first step; NaN = unknown.
    errors : (n, n) float, or of no dimension
        Of these values: see `half_units`.
    steps : sequence of Step

    Returns
    -------
    float array
        (n, n), or of no dimension where it is the same everywhere.
    """
    for place, step in enumerate(steps):
        if not errors.any() and not any(map(_brings_errors, steps[place:])):
            return np.zeros(())
        if not step.carries_digits:
            errors = np.zeros(())
            if not any(map(_brings_errors, steps[place + 1 :])):
                return errors
        fitted = step.fit(values)
        errors = fitted.error_bound(values, errors) if step.carries_digits else errors
        values = fitted.apply(values)
    return errors


def nearest_kernel(values: FloatArray, known: BoolArray, digits: float) -> FloatArray:
    """The same with the nearest kernel in its known block, where that is indefinite by no more than its digits explain.

    Parameters
    ----------
    values : (n, n) float
    known : (n,) bool
    digits : float
        Size up to which a negative eigenvalue of the known block comes of its digits.
    """
    at = np.ix_(known, known)
    block = values[at]
    nearest = nearest_within(block, digits)
    if nearest is block:
        return values
    made = values.copy()
    made[at] = nearest
    return made


def _brings_errors(step: Step) -> bool:
    operands = [each for each in vars(step).values() if isinstance(each, Remembers)]
    return any(bool(getattr(each, "error_bound", np.zeros(())).any()) for each in operands)
