"""Kernels that compare vectors coordinate by coordinate: minimum, the same over the maximum, and sinc."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.sparse_rows import RowsLike, named_row
from kernex_core.base.validation import unit_of
from kernex_core.kernels.vectors.vector_kernel import VectorKernel, remark_on_zeros

_SLIDES = "Vert, Kernel methods and computational biology, slides"
_LOG_RANGE = 690.0
"""exp(±690) still has its full precision in float64."""


@dataclass(frozen=True)
class _OfMinima(VectorKernel):
    """Kernels of Σ_i min(x_i, y_i), for entries of at least 0."""

    cost: ClassVar[str] = "n² d"

    def rows(self, samples: RowsLike, ids: Sequence[str] | None = None) -> FloatArray:
        """See VectorKernel; entries have to be at least 0."""
        X = super().rows(samples, ids)
        if (X < 0.0).any():
            row, column = (int(at) for at in np.argwhere(X < 0.0)[0])
            raise InvalidInputError(
                f"The {self.title} kernel needs entries of at least 0, such as counts",
                f"{X[row, column]:.6g} in {named_row(row, ids)}, column {column + 1}",
                "Subtract each column's smallest value, or choose another kernel",
            )
        return X

    def worth(self) -> float:
        """See VectorKernel."""
        return 20.0


def _shared(X: FloatArray, Y: FloatArray) -> FloatArray:
    """Σ_i min(x_i, y_i) of all pairs."""
    K = np.zeros((X.shape[0], Y.shape[0]))
    for x, y in zip(X.T, Y.T, strict=True):
        K += np.minimum.outer(x, y)
    return K


@dataclass(frozen=True)
class Minimum(_OfMinima):
    """Minimum kernel (histogram intersection), k(x, y) = Σ_i min(x_i, y_i), for entries of at least 0.

    Notes
    -----
    Vert, Kernel methods and computational biology, slides, on the half-line; here the sum over the coordinates (histogram
    intersection). Negative entries are refused: the kernel is positive semidefinite only without.

    Examples
    --------
    >>> from kernex_core import Minimum
    >>> Minimum().gram([[1.0, 2.0], [3.0, 1.0]]).tolist()
    [[3.0, 2.0], [2.0, 4.0]]
    """

    title: ClassVar[str] = "Minimum"
    formula: ClassVar[str] = r"k(x,y)=\sum_i\min(x_i,y_i)"
    source: ClassVar[str] = _SLIDES

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        return _shared(X, Y)


@dataclass(frozen=True)
class MinMax(_OfMinima):
    """MinMax kernel, k(x, y) = Σ_i min(x_i, y_i) / Σ_i max(x_i, y_i), for entries of at least 0: Tanimoto of counts.

    Of 0 and 1 it is the Tanimoto kernel, of weighted sets the coefficient of Ruzicka. Two vectors of zeros, of which the
    formula says nothing, count as equal: 1.

    Notes
    -----
    Ralaivola, Swamidass, Saigo and Baldi (2005), Graph kernels for chemical informatics, Neural Networks 18, with a proof
    that it is positive semidefinite for counts. Σ max = Σ x + Σ y − Σ min.

    Examples
    --------
    >>> from kernex_core import MinMax
    >>> MinMax().gram([[1.0, 2.0], [3.0, 1.0]]).tolist()
    [[1.0, 0.4], [0.4, 1.0]]
    """

    title: ClassVar[str] = "MinMax"
    formula: ClassVar[str] = r"k(x,y)=\frac{\sum_i\min(x_i,y_i)}{\sum_i\max(x_i,y_i)}"
    source: ClassVar[str] = (
        "Ralaivola, Swamidass, Saigo and Baldi, Graph kernels for chemical informatics, Neural Networks 18, 2005"
    )

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        unit = unit_of(X, Y)
        X, Y = X / unit, Y / unit  # so that no sum leaves the range of numbers
        shared = _shared(X, Y)
        either = X.sum(axis=1)[:, None] + Y.sum(axis=1) - shared
        return np.asarray(np.divide(shared, either, out=np.ones_like(shared), where=either > 0.0))

    def remarks(self, samples: RowsLike) -> tuple[str, ...]:
        """See AbstractKernel: vectors of zeros."""
        return remark_on_zeros(self.checked(samples), "similarity 1 to each other, 0 to everything else")


@dataclass(frozen=True)
class Sinc(VectorKernel):
    """Sinc kernel, k(x, y) = Π_i sin(Ω (x_i − y_i)) / (π (x_i − y_i)), each factor Ω / π where x_i = y_i.

    Parameters
    ----------
    omega : float
        Ω > 0, the band limit: functions of this kernel hold no higher frequency.

    Notes
    -----
    Vert, Kernel methods and computational biology, slides, on the line: its functions are band-limited to
    [−Ω, Ω] (the norm printed there is 2π too large). Here the product over the coordinates.

    Examples
    --------
    >>> from kernex_core import Sinc
    >>> Sinc(omega=1.0).gram([[0.0], [1.0]]).round(3).tolist()
    [[0.318, 0.268], [0.268, 0.318]]
    """

    title: ClassVar[str] = "Sinc"
    formula: ClassVar[str] = r"k(x,y)=\prod_i\frac{\sin\Omega(x_i-y_i)}{\pi(x_i-y_i)}"
    source: ClassVar[str] = _SLIDES
    cost: ClassVar[str] = "n² d"

    omega: float = parameter(
        1.0,
        help="Band limit: the highest frequency that functions of this kernel hold.",
        label="Band limit",
        symbol=r"\Omega",
        low=0.0,
        open_low=True,
        logarithmic=True,
    )

    def rows(self, samples: RowsLike, ids: Sequence[str] | None = None) -> FloatArray:
        """See VectorKernel; (Ω / π)^d, the similarity of an item to itself, has to be a number within range."""
        X = super().rows(samples, ids)
        exponent = X.shape[1] * math.log(self.omega / math.pi)
        if abs(exponent) > _LOG_RANGE:
            raise InvalidInputError(
                "(Ω / π) to the power of the number of columns has to fit the range of numbers",
                f"e to the power {exponent:.0f} for {X.shape[1]} columns at Ω = {self.omega:g}",
                "Choose Ω nearer to π = 3.14, or fewer columns",
            )
        return X

    def worth(self) -> float:
        """See VectorKernel."""
        return 200.0

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        K = np.ones((X.shape[0], Y.shape[0]))
        ratio = self.omega / math.pi
        for x, y in zip(X.T, Y.T, strict=True):
            K *= ratio * np.sinc(ratio * np.subtract.outer(x, y))
        return K
