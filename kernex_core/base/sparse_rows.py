"""Sparse rows in one form: by rows (CSR), columns rising, nothing listed twice, no zeros listed, every number finite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, first_of
from kernex_core.base.validation import as_numbers

RowsLike: TypeAlias = ArrayLike | sparse.csr_array
"""What kernels on vectors take: rows of numbers, or rows of which only what is not 0 is listed."""
MOST_COLUMNS: Final = 10_000_000
"""Of sparse rows."""
MOST_ENTRIES: Final = 20_000_000
"""Entries of sparse rows that are not 0: 12 bytes each, and some three times that while they are put in order."""
WRITTEN_LIMIT: Final = 5_000_000
"""Numbers up to which sparse rows are written out, zeros and all, where something needs that: 40 MB."""


def named_row(row: int, ids: Sequence[str] | None) -> str:
    """How messages call a row: by id where there are ids, else by position from 1."""
    return f"row {row + 1}" if ids is None else f"row {ids[row]!r}"


def as_sparse_rows(values: RowsLike, ids: Sequence[str] | None = None) -> sparse.csr_array:
    """Return finite float64 rows (n, d) in the one form, n and d at least 1; rows that have it are not copied.

    Raises
    ------
    InvalidInputError
        Not two dimensions, no real numbers, or an entry that is unknown or infinite (row or id and column named).
    TooLargeError
        More columns or entries than the limits.
    """
    if not sparse.issparse(values):
        values = as_numbers(values, "Vectors")
    shape = values.shape
    if len(shape) != 2 or 0 in shape:
        raise InvalidInputError(
            "Vectors have to be rows and columns of numbers", f"an array of shape {shape}"
        )
    rows = sparse.csr_array(values)
    check_sparse_size(rows.shape[1], rows.nnz)
    rows = sparse.csr_array((as_numbers(rows.data, "Vectors"), rows.indices, rows.indptr), shape=rows.shape)
    if not rows.has_canonical_format or not rows.data.all():
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    bad = np.flatnonzero(~np.isfinite(rows.data))
    if bad.size:
        row = int(np.searchsorted(rows.indptr, bad[0], side="right")) - 1
        what = "an unknown entry" if np.isnan(rows.data[bad[0]]) else "an infinite entry"
        raise InvalidInputError(
            "Sparse vectors need every entry that is listed to be known and finite",
            f"{what} in {named_row(row, ids)}, column {int(rows.indices[bad[0]]) + 1} ({bad.size:,} such entries)",
            "Leave out these rows or entries, or write what they are",
        )
    return rows


def check_sparse_size(columns: int, entries: int, title: str = "sparse vectors") -> None:
    """Refuse more columns or entries than the limits.

    Raises
    ------
    TooLargeError
    """
    if columns > MOST_COLUMNS or entries > MOST_ENTRIES:
        raise TooLargeError(
            f"Sparse vectors may have {MOST_COLUMNS:,} columns and {MOST_ENTRIES:,} entries that are not 0",
            f"{columns:,} columns and {entries:,} entries in {title}",
            "Select fewer rows or columns, or number the columns that occur from 1 on",
        )


def equal_sparse_rows(rows: sparse.csr_array) -> IntArray:
    """(n,) place of the first row that each one equals."""
    ends = zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True)
    return first_of([(rows.indices[a:b].tobytes(), rows.data[a:b].tobytes()) for a, b in ends])


def written_out(rows: sparse.csr_array, who: str = "This needs") -> FloatArray:
    """Sparse rows with every zero written, where these are not too many.

    Raises
    ------
    TooLargeError
        More than WRITTEN_LIMIT numbers.
    """
    n, d = rows.shape
    if n * d > WRITTEN_LIMIT:
        raise TooLargeError(
            f"{who} vectors with every zero written out, up to {WRITTEN_LIMIT:,} numbers",
            f"{n:,} sparse rows of {d:,} columns",
            "Choose linear, polynomial, Gaussian, cosine or Tanimoto, which take them as they are, or fewer rows or columns",
        )
    return np.asarray(rows.toarray(), dtype=np.float64)


# What kernels need of sparse rows: products, and distances.

BLOCK_ENTRIES: Final = 4_000_000
"""Products that are held at once, as entries of 12 bytes and as numbers."""
_CLOSE: Final = 1e-3
"""Squared distance, as a share of both squared lengths, below which it is computed from the difference: x'x − 2x'y + y'y
would have lost three digits or more."""
_DIFFERENCES: Final = 1 << 20
"""Entries of differences that are held at once, or so."""


def product_blocks(
    X: sparse.csr_array, Y: sparse.csr_array, entries: int = BLOCK_ENTRIES
) -> Iterator[tuple[slice, sparse.csr_array, FloatArray]]:
    """Yield places of rows of X, these rows, and their products (b, n') with the rows of Y, which are turned once."""
    first, second = without_empty_columns(X, Y)
    turned = sparse.csr_array(second.T)
    size = max(1, entries // Y.shape[0])
    for begin in range(0, X.shape[0], size):
        at = slice(begin, begin + size)
        yield at, X[at], np.asarray((first[at] @ turned).toarray(), dtype=np.float64)


def squared_lengths(X: sparse.csr_array) -> FloatArray:
    """(n,) of x'x."""
    return np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64)


def squared_distances(P: FloatArray, X: sparse.csr_array, Y: sparse.csr_array) -> FloatArray:
    """(n, n') of ‖x − y‖² from the products x'y, those of near rows to the last digits, too."""
    both = squared_lengths(X)[:, None] + squared_lengths(Y)
    squares = both - 2.0 * P
    rows, columns = np.nonzero(squares < _CLOSE * both)
    first = equal_sparse_rows(sparse.csr_array(sparse.vstack([X, Y])))
    equal = first[rows] == first[X.shape[0] + columns]
    squares[rows[equal], columns[equal]] = 0.0
    rows, columns = rows[~equal], columns[~equal]
    size = max(1, _DIFFERENCES * Y.shape[0] // max(Y.nnz, Y.shape[0]))
    for begin in range(0, rows.size, size):
        i, j = rows[begin : begin + size], columns[begin : begin + size]
        squares[i, j] = squared_lengths(sparse.csr_array(X[i] - Y[j]))
    return squares


def distances_of_pairs(X: sparse.csr_array) -> FloatArray:
    """(n (n − 1) / 2,) Euclidean distances of all pairs of rows."""
    n = X.shape[0]
    found, end = np.empty(n * (n - 1) // 2), 0
    for at, rows, P in product_blocks(X, X):
        squares = squared_distances(P, rows, X)
        above = np.sqrt(squares[np.arange(n) > np.arange(n)[at, None]])
        found[end : end + above.size] = above
        end += above.size
    return found


def occurring(numbers: NDArray[np.integer]) -> tuple[IntArray, IntArray]:
    """Numbers that occur, ascending, and how often each does; by sorting, for a table of all that could would be larger."""
    ordered = np.sort(numbers)
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[begins].astype(np.int64), np.diff(begins, append=ordered.size)


def without_empty_columns(
    X: sparse.csr_array, Y: sparse.csr_array
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Both without the columns that neither of them has an entry in, where these are most: products take time for each."""
    if X.shape[1] <= X.nnz + Y.nnz:
        return X, Y
    used = occurring(np.concatenate([X.indices, Y.indices]))[0]
    width = max(used.size, 1)
    first, second = (
        sparse.csr_array(
            (each.data, np.searchsorted(used, each.indices), each.indptr), shape=(each.shape[0], width)
        )
        for each in (X, Y)
    )
    return first, second
