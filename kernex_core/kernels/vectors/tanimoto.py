"""Tanimoto kernel of vectors of 0 and 1: fingerprints of molecules, and sets of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.sparse_rows import RowsLike, named_row, squared_lengths
from kernex_core.kernels.vectors.vector_kernel import VectorKernel, remark_on_zeros


@dataclass(frozen=True)
class Tanimoto(VectorKernel):
    """Tanimoto kernel of 0 and 1, k(x, y) = x'y / (x'x + y'y − x'y): features of both over features of either.

    Of sets it is the coefficient of Jaccard. Two vectors of zeros, of which the formula says nothing, count as equal: 1.

    Notes
    -----
    Ralaivola, Swamidass, Saigo and Baldi (2005), Graph kernels for chemical informatics, Neural Networks 18: the kernel
    of fingerprints of molecules, with a proof that it is positive semidefinite. Numbers other than 0 and 1 are refused.

    Examples
    --------
    >>> from kernex_core import Tanimoto
    >>> Tanimoto().gram([[1, 1, 0, 1], [1, 0, 0, 1], [0, 0, 1, 0]]).round(3).tolist()
    [[1.0, 0.667, 0.0], [0.667, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """

    title: ClassVar[str] = "Tanimoto"
    formula: ClassVar[str] = r"k(x,y)=\frac{x^\top y}{x^\top x+y^\top y-x^\top y}"
    source: ClassVar[str] = (
        "Ralaivola, Swamidass, Saigo and Baldi, Graph kernels for chemical informatics, Neural Networks 18, 2005"
    )
    cost: ClassVar[str] = "n² d multiplications"
    takes_sparse: ClassVar[bool] = True

    def rows(self, samples: RowsLike, ids: Sequence[str] | None = None) -> FloatArray:
        """See VectorKernel; entries have to be 0 or 1."""
        X = super().rows(samples, ids)
        other = np.argwhere((X != 0.0) & (X != 1.0))
        if other.size:
            row, column = (int(at) for at in other[0])
            raise _no_bits(float(X[row, column]), row, column, len(other), ids)
        return X

    def sparse_rows(self, samples: RowsLike, ids: Sequence[str] | None = None) -> sparse.csr_array:
        """See VectorKernel; entries have to be 0 or 1."""
        X = super().sparse_rows(samples, ids)
        other = np.flatnonzero(X.data != 1.0)
        if other.size:
            row = int(np.searchsorted(X.indptr, other[0], side="right")) - 1
            raise _no_bits(float(X.data[other[0]]), row, int(X.indices[other[0]]), other.size, ids)
        return X

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        return _shared(np.asarray(X @ Y.T), X.sum(axis=1), Y.sum(axis=1))

    def of_products(self, P: FloatArray, X: sparse.csr_array, Y: sparse.csr_array) -> FloatArray:
        """See VectorKernel."""
        return _shared(P, squared_lengths(X), squared_lengths(Y))

    def remarks(self, samples: RowsLike) -> tuple[str, ...]:
        """See AbstractKernel: vectors of zeros."""
        return remark_on_zeros(self.checked(samples), "similarity 1 to each other, 0 to everything else")


def _shared(both: FloatArray, own: FloatArray, others: FloatArray) -> FloatArray:
    """Counts of what two have in common over counts of what either has; 1 where neither has anything."""
    either = own[:, None] + others - both
    return np.divide(both, either, out=np.ones_like(both), where=either > 0.0)


def _no_bits(value: float, row: int, column: int, count: int, ids: Sequence[str] | None) -> InvalidInputError:
    return InvalidInputError(
        "The Tanimoto kernel needs entries of 0 or 1: an item has a feature or not",
        f"{value:.6g} in {named_row(row, ids)}, column {column + 1} ({count:,} such entries)",
        "Write 1 for what an item has and 0 for the rest, or choose the cosine kernel, which takes counts",
    )
