"""What stands for a pair that a search tool did not report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.gram.matrix import Matrix
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step

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
