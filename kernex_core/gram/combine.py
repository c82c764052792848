"""Plain combinations of kernels on the same items: weighted sum and pointwise product, as steps with an operand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_digits_kept, largest_size, power_of_ten
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import Split, split_inductively
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step

PRODUCT, SCALE = "A product of two kernels", "Divide both by their mean diagonal first"


@dataclass(frozen=True)
class WeightedSum(Step):
    """(1 − w) K + w K_other: both kernels' features side by side.

    Attributes
    ----------
    other : GramMatrix
    weight : float
        0 to 1.
    """

    name: ClassVar[str] = "weighted sum"
    sees: ClassVar[Sees] = Sees("pair")
    other: GramMatrix = parameter(help="The kernel that is added.", hidden=True)
    weight: float = parameter(0.5, help="Weight of the other kernel.", low=0.0, high=1.0, step=0.05)

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        return _Summed(self.other, _operand(self.other, K_train, items), items, self.weight)

    def take(self, items: IntArray) -> Self:
        """See Step."""
        return type(self)(self.other.take(items), self.weight)


@dataclass(frozen=True)
class LearnedSum(WeightedSum):
    """A weighted sum whose weight was made from the labels of all items: no fold can undo that."""

    name: ClassVar[str] = "weighted sum, weights from labels"
    sees: ClassVar[Sees] = Sees("pair", labels=True)


@dataclass(frozen=True)
class BroughtSum(WeightedSum):
    """A weighted sum whose weight came from outside: nobody knows whether labels made it."""

    name: ClassVar[str] = "weighted sum, weights as brought"
    sees: ClassVar[Sees] = Sees("pair", brought=True)


@dataclass(frozen=True)
class Product(Step):
    """K_ij K_other_ij: items are similar if both kernels say so (Schur product; positive semidefinite)."""

    name: ClassVar[str] = "pointwise product"
    sees: ClassVar[Sees] = Sees("pair")
    other: GramMatrix = parameter(help="The kernel that multiplies.", hidden=True)

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        return _Multiplied(self.other, _operand(self.other, K_train, items), items)

    def take(self, items: IntArray) -> Self:
        """See Step."""
        return type(self)(self.other.take(items))


def _operand(other: GramMatrix, K_train: FloatArray, items: IntArray | None) -> FloatArray:
    block = other.values if items is None else split_inductively(other, items, items[:0]).K_train
    if block.shape != K_train.shape:
        raise InvalidInputError(
            f"Both kernels have to be about the same items ({K_train.shape[0]})",
            f"{block.shape[0]} in the other",
        )
    return block


class _WithOperand(FittedStep):
    def __init__(self, other: GramMatrix, block: FloatArray, items: IntArray | None) -> None:
        self.other, self.block = other, block
        self.whole = np.arange(other.n) if items is None else items

    def crossed(self, items: IntArray | None) -> Split:
        if items is None:
            raise InvalidInputError(
                "A combination needs the positions of new items in the other kernel", "none"
            )
        return split_inductively(self.other, self.whole, items)

    def other_errors(self) -> FloatArray:
        """How far the entries of the operand's block are off at most."""
        errors = self.other.error_bound
        return errors if errors.ndim == 0 else errors[np.ix_(self.whole, self.whole)]


class _Summed(_WithOperand):
    def __init__(self, other: GramMatrix, block: FloatArray, items: IntArray | None, weight: float) -> None:
        super().__init__(other, block, items)
        self.weight = weight

    def apply(self, K: FloatArray) -> FloatArray:
        return np.asarray((1.0 - self.weight) * K + self.weight * self.block)

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        return np.asarray((1.0 - self.weight) * errors + self.weight * self.other_errors())

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        made, w = self.crossed(items), self.weight
        return CrossBlock((1.0 - w) * K_cross + w * made.K_cross, (1.0 - w) * diag + w * made.diag_test)


class _Multiplied(_WithOperand):
    def apply(self, K: FloatArray) -> FloatArray:
        exponent = power_of_ten(largest_size(K)) + power_of_ten(largest_size(self.block))
        check_digits_kept(exponent, PRODUCT, SCALE)
        with np.errstate(over="ignore"):
            made = np.asarray(K * self.block)
        if np.isinf(made).any():
            raise InvalidInputError(
                f"{PRODUCT} has to fit the range of numbers (up to 1.8e308)", "a larger one", SCALE
            )
        return made

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        others = self.other_errors()
        size, own = np.abs(np.nan_to_num(self.block)), np.abs(np.nan_to_num(K))
        return np.asarray(errors * (size + others) + own * others)

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        made = self.crossed(items)
        return CrossBlock(K_cross * made.K_cross, diag * made.diag_test)
