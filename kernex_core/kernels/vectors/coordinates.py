"""Kernels that compare vectors coordinate by coordinate: minimum and sinc."""

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
from kernex_core.kernels.vectors.vector_kernel import VectorKernel

_SLIDES = "Vert, Kernel methods and computational biology, slides"
_LOG_RANGE = 690.0
"""exp(±690) still has its full precision in float64."""


@dataclass(frozen=True)
class Minimum(VectorKernel):
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
    cost: ClassVar[str] = "n² d"

    def rows(self, samples: RowsLike, ids: Sequence[str] | None = None) -> FloatArray:
        """See VectorKernel; entries have to be at least 0."""
        X = super().rows(samples, ids)
        if (X < 0.0).any():
            row, column = (int(at) for at in np.argwhere(X < 0.0)[0])
            raise InvalidInputError(
                "The minimum kernel needs entries of at least 0, such as counts",
                f"{X[row, column]:.6g} in {named_row(row, ids)}, column {column + 1}",
                "Subtract each column's smallest value, or choose another kernel",
            )
        return X

    def worth(self) -> float:
        """See VectorKernel."""
        return 20.0

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        K = np.zeros((X.shape[0], Y.shape[0]))
        for x, y in zip(X.T, Y.T, strict=True):
            K += np.minimum.outer(x, y)
        return K


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
