"""A Gram matrix cut into training and test blocks, its steps fitted on all items or on the training block alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from kernex_core.base.digits import digits_tolerance
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.validation import as_symmetric, check_kernel
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.step import CrossBlock, FittedStep, Step


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
    _digits: Callable[[], float] | None = field(default=None, compare=False, repr=False)

    @property
    def digits(self) -> float:
        """Size up to which a negative eigenvalue of `K_train` comes of the digits of its numbers alone."""
        return digits_tolerance(self.K_train) if self._digits is None else self._digits()

    def checked(self) -> Split:
        """Return the same with a training block that is a kernel, see `check_kernel`.

        Raises
        ------
        NotPositiveSemidefiniteError
        """
        block = as_symmetric(self.K_train)
        return replace(self, K_train=check_kernel(block, given=self))


def split_inductively(
    K: GramMatrix, train: IntArray, test: IntArray, *, further: Sequence[Step] = ()
) -> Split:
    """Fit the whole chain of steps of `K`, and `further` ones, on the training rows alone and apply it to the test rows.

    The entries among test items are never looked at (only their diagonal).
    """
    base = K.base.values
    block, cross = base[np.ix_(train, train)], base[np.ix_(test, train)]
    steps = (*K.steps, *further)
    nearest = nearest_before(K.base, train, steps)
    made = carried(steps, block, cross, np.diag(base)[test], items=train, new=test, nearest=nearest)
    return replace(made, _digits=partial(_digits_within, K, train, further))


def nearest_before(
    base: GramMatrix, train: IntArray, steps: Sequence[Step]
) -> Callable[[int], FloatArray] | None:
    """What `FittedChain.of` asks where a step needs a kernel and the numbers of the base have few digits; else None."""
    few = any(step.needs_kernel for step in steps) and bool(base.units.any())
    return partial(_nearest, base, train, steps) if few else None


def _nearest(base: GramMatrix, train: IntArray, steps: Sequence[Step], place: int) -> FloatArray:
    """Training block before the step of that place, see `GramMatrix.nearest`."""
    cut = base.take(train)
    for step in steps[:place]:
        cut = cut.then(step.take(train))
    return cut.nearest


def _digits_within(K: GramMatrix, train: IntArray, further: Sequence[Step]) -> float:
    """`digits` of a training block, whose steps are fitted on it."""
    cut = K.take(train)
    for step in further:
        cut = cut.then(step.take(train))
    return cut.digits


@dataclass(frozen=True, eq=False)
class FittedChain(ReadOnlyArrays):
    """Steps that were fitted one after another, each on what those before it made of a block.

    Attributes
    ----------
    fitted : tuple of FittedStep
    block : (n, n) float
        After the last step.
    """

    fitted: tuple[FittedStep, ...]
    block: FloatArray

    @classmethod
    def of(
        cls,
        steps: Sequence[Step],
        block: FloatArray,
        *,
        items: IntArray | None = None,
        nearest: Callable[[int], FloatArray] | None = None,
    ) -> FittedChain:
        """Fit the steps; see `carried`."""
        fitted: list[FittedStep] = []
        for place, step in enumerate(steps):
            seen = block if nearest is None or not step.needs_kernel else nearest(place)
            fitted.append(step.fit(seen, items=items))
            block = fitted[-1].apply(block)
        return cls(tuple(fitted), block)

    def cross(self, cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None) -> CrossBlock:
        """Carry similarities (n_new, n) of other items, and to themselves (n_new,), through the steps."""
        for step in self.fitted:
            crossed = step.apply_cross(cross, diag, items=items)
            cross, diag = crossed.values, crossed.diag
        return CrossBlock(cross, diag)


def carried(
    steps: Sequence[Step],
    block: FloatArray,
    cross: FloatArray,
    diag: FloatArray,
    *,
    items: IntArray | None = None,
    new: IntArray | None = None,
    nearest: Callable[[int], FloatArray] | None = None,
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
    nearest : function, optional
        From the place of a step that needs a kernel to the block to fit it on, where numbers have few digits.

    Raises
    ------
    InvalidInputError
        A step that has no value for items outside the block.
    """
    chain = FittedChain.of(steps, block, items=items, nearest=nearest)
    crossed = chain.cross(cross, diag, items=new)
    return Split(chain.block, crossed.values, crossed.diag)


def split_transductively(K: GramMatrix, train: IntArray, test: IntArray) -> Split:
    """Cut the blocks out of the finished matrix, whose steps saw all items."""
    return cut_blocks(K.values, train, test)


def cut_blocks(values: FloatArray, train: IntArray, test: IntArray) -> Split:
    """Cut the blocks out of a matrix (n, n)."""
    # rows, then columns: a quarter of the time that both at once take
    block, cross = (owned(values.take(rows, axis=0).take(train, axis=1)) for rows in (train, test))
    return Split(block, cross, owned(np.diag(values)[test]))
