"""Counts of parts as sparse features: (n, n_parts) matrices, and their products without a sparse (n, n) matrix."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.kernels.base import Progress, no_progress

_TABLE_CODES = 2**20
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
