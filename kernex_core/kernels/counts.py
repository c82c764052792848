"""Counts of parts as sparse features: (n, n_parts) matrices, and their products without a sparse (n, n) matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.kernels.base import Progress, no_progress

DENSE_SHARE = 8
"""A part that more than one in so many items hold is multiplied as a dense column, which is then faster."""
_DENSE_ENTRIES = 2**25
_TABLE_CODES = 2**20
_EXACT = 2.0**53
_ROWS = 256


def count_matrix(owner: IntArray, column: IntArray, n: int, n_columns: int) -> sparse.csr_array:
    """Sparse (n, n_columns) matrix of how often each (owner, column) occurs; owners in rising order."""
    # parts come item by item, so the rows are already in order
    begins = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=n))])
    counts = sparse.csr_array((np.ones(owner.size), column, begins), shape=(n, n_columns))
    counts.sum_duplicates()
    return counts


def renumbered(codes: IntArray, n_codes: int) -> tuple[IntArray, int]:
    """Numbers 0, 1, ... of the codes that occur, and how many there are."""
    if n_codes > _TABLE_CODES:
        found, numbers = np.unique(codes, return_inverse=True)
        return numbers, int(found.size)
    present = np.bincount(codes, minlength=1) > 0
    return (np.cumsum(present) - 1)[codes], int(present.sum())


def multiplied(
    rows: sparse.csr_array, columns: sparse.csr_array, progress: Progress = no_progress
) -> FloatArray:
    """Dense product of two sparse matrices, in blocks of rows so that no sparse (n, n) matrix is held."""
    product = np.empty((rows.shape[0], columns.shape[1]))
    for begin in range(0, rows.shape[0], _ROWS):
        product[begin : begin + _ROWS] = (rows[begin : begin + _ROWS] @ columns).toarray()
        progress(min(1.0, (begin + _ROWS) / rows.shape[0]))
    return product


def tallied(codes: IntArray, n_codes: int) -> tuple[IntArray, IntArray]:
    """Codes that occur, in rising order, and how often."""
    if n_codes > max(_TABLE_CODES, 4 * codes.size):
        found, numbers = np.unique(codes, return_counts=True)
        return found, numbers
    table = np.bincount(codes, minlength=1)
    found = np.flatnonzero(table)
    return found, table[found]


def common(counts: sparse.csr_array) -> NDArray[np.bool_]:
    """(n_parts,) whether a part is held by so many items that it is multiplied as a dense column."""
    held = np.bincount(counts.indices, minlength=counts.shape[1])
    dense = held * DENSE_SHARE > counts.shape[0]
    most = _DENSE_ENTRIES // max(counts.shape[0], 1)
    if dense.sum() > most:
        dense &= held > np.sort(held)[-most - 1]
    return np.asarray(dense)


def products(counts: sparse.csr_array, n_rows: int, progress: Progress = no_progress) -> FloatArray:
    """Products of counts: rows are the first `n_rows` items, columns the others (all of them if n_rows = n).

    Exactly symmetric, and exact as long as products stay below 2^53.
    """
    dense = common(counts)
    first = 0 if n_rows == counts.shape[0] else n_rows
    few, many = counts[:, np.flatnonzero(~dense)], counts[:, np.flatnonzero(dense)].toarray()
    product = multiplied(few[:n_rows], few[first:].T.tocsr(), lambda share: progress(0.5 * share))
    for begin in range(0, n_rows, _ROWS):
        product[begin : begin + _ROWS] += many[begin : min(begin + _ROWS, n_rows)] @ many[first:].T
        progress(min(1.0, 0.5 + 0.5 * (begin + _ROWS) / n_rows))
    if first == 0 and product.max(initial=0.0) > _EXACT:  # rounded, by row and column not alike
        return np.tril(product) + np.tril(product, -1).T
    return product
