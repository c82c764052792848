"""VectorKernel: what all kernels on rows of numbers share."""

from __future__ import annotations

import abc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeGuard, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.sparse_rows import (
    BLOCK_ENTRIES,
    RowsLike,
    as_sparse_rows,
    named_row,
    occurring,
    product_blocks,
    written_out,
)
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
SPARSE_BLOCK_ENTRIES = BLOCK_ENTRIES
_LOOK_UP = 40.0
"""Products that are made in the time in which the other rows of one column are found in memory."""
OUT_OF_RANGE = "Standardise the columns (mean 0, variance 1) or divide them by a common number first"


Rows = FloatArray | sparse.csr_array
"""Checked rows, in the form that a kernel computes with."""


@dataclass(frozen=True)
class VectorKernel(AbstractKernel[RowsLike]):
    """Base of kernels on rows of X (n, d); a subclass says what a block of them is.

    Sparse rows are taken as they are by kernels that say so; for the others they are written out, zeros and all, as far as
    that is little.

    Class attributes
    ----------------
    takes_sparse : bool
        Whether the kernel is made of products x'y of sparse rows: see `of_products`.
    """

    data_kind: ClassVar[str] = "vectors"
    takes_sparse: ClassVar[bool] = False

    @abc.abstractmethod
    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Similarities (n, n') of the rows of X to those of Y, all parameters being set."""

    def prepared(self, X: sparse.csr_array) -> sparse.csr_array:
        """Sparse rows as their products are taken: divided by a width or a length."""
        return X

    def of_products(self, P: FloatArray, X: sparse.csr_array, Y: sparse.csr_array) -> FloatArray:
        """Similarities (n, n') of prepared sparse rows X and Y from their products P."""
        raise NotImplementedError

    def power(self, product: float) -> float:
        """Power of ten of the largest similarity, that of the largest |x_i y_j| of two vectors being `product`; where it is
        below the range of numbers they are refused. Kernels that are no sums of products alone cannot be too small.
        """
        return 0.0

    def worth(self) -> float:
        """How many products of two numbers one column of one pair costs (measured: `benchmarks/large.py`)."""
        return 1.0

    def operations(self, samples: RowsLike) -> Operations:
        """See AbstractKernel; of sparse rows, pairs of entries in one column count."""
        n, d = np.shape(samples)
        if not (self.takes_sparse and is_sparse(samples)):
            return {"entry": float(n) ** 2, "number": self.worth() * float(n) ** 2 * d}
        indices = sparse.csr_array(samples).indices
        pairs = float((occurring(indices)[1].astype(np.float64) ** 2).sum())
        looked_up = _LOOK_UP * float(indices.size)
        # what is multiplied, what is looked up for it, and what is put into its place
        placed = self.worth() * min(pairs, float(n) ** 2)
        return {"entry": float(n) ** 2, "sparse entry": pairs + looked_up + placed}

    def check(self, samples: RowsLike, ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel."""
        self.checked(samples, ids)

    def checked(self, samples: RowsLike, ids: Sequence[str] | None = None) -> Rows:
        """Return the samples in the form that `gram` computes with, after checking that this kernel can take them."""
        if self.takes_sparse and is_sparse(samples):
            return self.sparse_rows(samples, ids)
        return self.rows(samples, ids)

    def rows(self, samples: RowsLike, ids: Sequence[str] | None = None) -> FloatArray:
        """Return the samples as X (n, d) after checking that this kernel can take them."""
        return as_rows(samples, ids, f"The {self.title} kernel needs")

    def sparse_rows(self, samples: RowsLike, ids: Sequence[str] | None = None) -> sparse.csr_array:
        """Return the samples as sparse rows after checking that this kernel can take them."""
        X = as_sparse_rows(samples, ids)
        check_item_count(X.shape[0], VECTOR_LIMIT)
        return X

    def gram(self, samples: RowsLike, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among the rows of X.

        Raises
        ------
        InvalidInputError
            Unknown or infinite entries (row and column named), or values that leave the range of float64.
        """
        X = self.checked(samples)
        K = self.resolved(X)._blocks(X, X, progress)
        return np.asarray((K + K.T) / 2.0)

    def cross(self, samples: RowsLike, others: RowsLike, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n') of the rows of X to other rows."""
        if self.takes_sparse and (is_sparse(samples) or is_sparse(others)):
            X, Y = self.sparse_rows(samples), self.sparse_rows(others)
            _check_columns(X, Y)
            return self.resolved(sparse.vstack([X, Y], format="csr"))._blocks(X, Y, progress)
        A, B = self.rows(samples), self.rows(others)
        _check_columns(A, B)
        return self.resolved(np.vstack([A, B]))._blocks(A, B, progress)

    def _blocks(self, X: Rows, Y: Rows, progress: Progress) -> FloatArray:
        product = power_of_ten(_largest(X)) + power_of_ten(_largest(Y))
        check_digits_kept(self.power(product), f"The {self.title} kernel of these vectors", OUT_OF_RANGE)
        n = X.shape[0]
        K = np.empty((n, Y.shape[0]))
        with np.errstate(over="ignore", invalid="ignore"):
            for at, values in self._each_block(X, Y):
                K[at] = values
                if not np.isfinite(values).all():
                    row = at.start + 1 + int(np.argwhere(~np.isfinite(values))[0, 0])
                    raise InvalidInputError(
                        f"The {self.title} kernel of these vectors has to fit the range of numbers (up to 1.8e308)",
                        f"a value beyond it in row {row}",
                        OUT_OF_RANGE,
                    )
                progress(min(1.0, at.stop / n))
        return K

    def _each_block(self, X: Rows, Y: Rows) -> Iterator[tuple[slice, FloatArray]]:
        """Places of rows of X, and their similarities to all of Y."""
        if isinstance(X, np.ndarray):
            assert isinstance(Y, np.ndarray)  # both are rows of one kind
            size = max(1, _BLOCK_ENTRIES // Y.shape[0])
            for begin in range(0, X.shape[0], size):
                at = slice(begin, begin + size)
                yield at, self.block(X[at], Y)
            return
        assert not isinstance(Y, np.ndarray)
        others = self.prepared(Y)
        for at, rows, P in product_blocks(self.prepared(X), others, SPARSE_BLOCK_ENTRIES):
            yield at, self.of_products(P, rows, others)


def is_sparse(rows: object) -> TypeGuard[sparse.csr_array]:
    """Whether rows are sparse."""
    return bool(sparse.issparse(rows))


def _largest(X: Rows) -> float:
    return largest_size(X if isinstance(X, np.ndarray) else X.data)


def _check_columns(X: Rows, Y: Rows) -> None:
    if X.shape[1] != Y.shape[1]:
        raise InvalidInputError(
            "Both sets of vectors have to have the same columns", f"{X.shape[1]} and {Y.shape[1]} columns"
        )


def as_rows(samples: RowsLike, ids: Sequence[str] | None = None, who: str = "This needs") -> FloatArray:
    """Return finite float64 rows X (n, d), n and d at least 1; sparse ones are written out.

    Raises
    ------
    InvalidInputError
        Wrong shape, not numbers, or an entry that is unknown or infinite (row or id and column named).
    TooLargeError
        More than VECTOR_LIMIT rows, or sparse ones of more than WRITTEN_LIMIT numbers.
    """
    written = written_out(as_sparse_rows(samples, ids), who) if is_sparse(samples) else samples
    X = as_numbers(cast("ArrayLike", written), "Vectors")
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


def remark_on_zeros(X: Rows, then: str) -> tuple[str, ...]:
    """What is said about rows that are all zero, if there are any, and what follows for their similarities."""
    zero = ~X.any(axis=1) if isinstance(X, np.ndarray) else np.diff(X.indptr) == 0
    if not zero.any():
        return ()
    rows = ", ".join(str(row + 1) for row in np.flatnonzero(zero)[:5])
    return (f"{int(zero.sum()):,} vectors are zero (row {rows}): {then}.",)
