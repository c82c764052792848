"""VectorKernel: what all kernels on rows of numbers share."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.validation import (
    as_numbers,
    check_digits_kept,
    check_item_count,
    largest_size,
    power_of_ten,
)
from kernex_core.kernels.base import AbstractKernel, Operations, Progress, no_progress

VECTOR_LIMIT = 10_000
"""Largest number of rows that are compared with each other."""
_BLOCK_ENTRIES = 1_000_000
OUT_OF_RANGE = "Standardise the columns (mean 0, variance 1) or divide them by a common number first"


@dataclass(frozen=True)
class VectorKernel(AbstractKernel[ArrayLike]):
    """Base of kernels on rows of X (n, d); a subclass says what a block of them is."""

    data_kind: ClassVar[str] = "vectors"

    @abc.abstractmethod
    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Similarities (n, n') of the rows of X to those of Y, all parameters being set."""

    def power(self, product: float) -> float:
        """Power of ten of the largest similarity, that of the largest |x_i y_j| of two vectors being `product`; where it is
        below the range of numbers they are refused. Kernels that are no sums of products alone cannot be too small.
        """
        return 0.0

    def worth(self) -> float:
        """How many products of two numbers one column of one pair costs (measured: `benchmarks/large.py`)."""
        return 1.0

    def operations(self, samples: ArrayLike) -> Operations:
        """See AbstractKernel."""
        n, d = np.shape(samples)
        return {"entry": float(n) ** 2, "number": self.worth() * float(n) ** 2 * d}

    def check(self, samples: ArrayLike, ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel."""
        self.rows(samples, ids)

    def rows(self, samples: ArrayLike, ids: Sequence[str] | None = None) -> FloatArray:
        """Return the samples as X (n, d) after checking that this kernel can take them."""
        return as_rows(samples, ids)

    def gram(self, samples: ArrayLike, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among the rows of X.

        Raises
        ------
        InvalidInputError
            Unknown or infinite entries (row and column named), or values that leave the range of float64.
        """
        X = self.rows(samples)
        K = self.resolved(X)._blocks(X, X, progress)
        return np.asarray((K + K.T) / 2.0)

    def cross(self, samples: ArrayLike, others: ArrayLike, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n') of the rows of X to other rows."""
        X, Y = self.rows(samples), self.rows(others)
        if X.shape[1] != Y.shape[1]:
            raise InvalidInputError(
                "Both sets of vectors have to have the same columns", f"{X.shape[1]} and {Y.shape[1]} columns"
            )
        return self.resolved(np.vstack([X, Y]))._blocks(X, Y, progress)

    def _blocks(self, X: FloatArray, Y: FloatArray, progress: Progress) -> FloatArray:
        product = power_of_ten(largest_size(X)) + power_of_ten(largest_size(Y))
        check_digits_kept(self.power(product), f"The {self.title} kernel of these vectors", OUT_OF_RANGE)
        K = np.empty((X.shape[0], Y.shape[0]))
        size = max(1, _BLOCK_ENTRIES // Y.shape[0])
        for begin in range(0, X.shape[0], size):
            with np.errstate(over="ignore", invalid="ignore"):
                K[begin : begin + size] = self.block(X[begin : begin + size], Y)
            if not np.isfinite(K[begin : begin + size]).all():
                raise InvalidInputError(
                    f"The {self.title} kernel of these vectors has to fit the range of numbers (up to 1.8e308)",
                    f"a value beyond it in row {begin + 1 + int(np.argwhere(~np.isfinite(K[begin:begin+size]))[0, 0])}",
                    OUT_OF_RANGE,
                )  # fmt: skip
            progress(min(1.0, (begin + size) / X.shape[0]))
        return K


def as_rows(samples: ArrayLike, ids: Sequence[str] | None = None) -> FloatArray:
    """Return finite float64 rows X (n, d), n and d at least 1.

    Raises
    ------
    InvalidInputError
        Wrong shape, not numbers, or an entry that is unknown or infinite (row or id and column named).
    TooLargeError
        More than VECTOR_LIMIT rows.
    """
    X = as_numbers(samples, "Vectors")
    if X.ndim != 2 or X.size == 0:
        raise InvalidInputError(
            "Vectors have to be rows and columns of numbers", f"an array of shape {X.shape}"
        )
    check_item_count(X.shape[0], VECTOR_LIMIT)
    bad = ~np.isfinite(X)
    if bad.any():
        row, column = (int(at) for at in np.argwhere(bad)[0])
        what = "an unknown entry" if np.isnan(X[row, column]) else "an infinite entry"
        raise InvalidInputError(
            "A kernel on vectors needs every entry to be known and finite",
            f"{what} in {named_row(row, ids)}, column {column + 1} ({int(bad.sum()):,} such entries)",
            "Leave out these rows or columns, or fill the entries first, for example by the column's mean",
        )
    return X


def named_row(row: int, ids: Sequence[str] | None) -> str:
    """How messages call a row: by id where there are ids, else by position from 1."""
    return f"row {row + 1}" if ids is None else f"row {ids[row]!r}"
