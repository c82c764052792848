"""Kernels whose features are products over subsets of the coordinates: all subsets, and ANOVA of given degrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.parameters import check_range, parameter


@dataclass(frozen=True)
class AllSubsets(VectorKernel):
    """All-subsets kernel, k(x, y) = Π_i (1 + x_i y_i): one feature Π_{i in A} x_i for every subset A of coordinates.

    Notes
    -----
    Jordan, Examples of kernels I. Equals the ANOVA kernel summed over all degrees 0 to d. Grows with the number of
    columns: the error on overflow asks for standardised inputs.

    Examples
    --------
    >>> from kernex_core import AllSubsets
    >>> AllSubsets().gram([[1.0, 2.0], [3.0, 0.5]]).tolist()
    [[10.0, 8.0], [8.0, 12.5]]
    """

    title: ClassVar[str] = "All subsets"
    formula: ClassVar[str] = r"k(x,y)=\prod_i(1+x_iy_i)"
    source: ClassVar[str] = "Jordan, Examples of kernels I, lecture notes"
    cost: ClassVar[str] = "n² d"

    def worth(self) -> float:
        """See VectorKernel."""
        return 25.0

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        K = np.ones((X.shape[0], Y.shape[0]))
        for x, y in zip(X.T, Y.T, strict=True):
            K *= 1.0 + np.multiply.outer(x, y)
        return K


@dataclass(frozen=True)
class Anova(VectorKernel):
    """ANOVA kernel of degree s, k_s(x, y) = Σ_{i_1 < ... < i_s} Π_j x_{i_j} y_{i_j}.

    Parameters
    ----------
    degree : int
        s, 0 to 50; above the number of columns there is no such subset and the kernel is 0.
    weights : tuple of degree + 1 floats, optional
        α_0, ..., α_s at least 0: the kernel is then Σ_j α_j k_j. None: k_s alone.

    Notes
    -----
    Jordan, Examples of kernels I. K[j, r] = x_r y_r K[j−1, r−1] + K[j, r−1], K[0, r] = 1 and K[j, r] = 0 for j > r
    (the notes print 1 for K[r+1, r], a misprint).

    Examples
    --------
    >>> from kernex_core import Anova
    >>> Anova(degree=2).gram([[1.0, 2.0, 3.0], [1.0, 0.0, 1.0]]).tolist()
    [[49.0, 3.0], [3.0, 1.0]]
    """

    title: ClassVar[str] = "ANOVA"
    formula: ClassVar[str] = r"k_s(x,y)=\sum_{i_1<\dots<i_s}\ \prod_{j=1}^{s}x_{i_j}y_{i_j}"
    source: ClassVar[str] = "Jordan, Examples of kernels I, lecture notes"
    cost: ClassVar[str] = "n² d s"

    degree: int = parameter(
        2, help="How many different features are multiplied.", symbol="s", low=0, high=50, step=1
    )
    weights: tuple[float, ...] | None = parameter(
        None,
        help="Weights of the degrees 0 to s, at least 0; without them only degree s counts.",
        symbol=r"\alpha",
        optional=True,
        auto="degree s alone",
        hidden=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights is None:
            return
        weights = tuple(check_range("A weight of a degree", weight, 0.0) for weight in self.weights)
        if len(weights) != self.degree + 1:
            raise InvalidInputError(
                f"There has to be one weight for each degree from 0 to {self.degree}",
                f"{len(weights)} weights",
            )
        object.__setattr__(self, "weights", weights)

    def worth(self) -> float:
        """See VectorKernel."""
        return 20.0 * self.degree

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        K = np.zeros((self.degree + 1, X.shape[0], Y.shape[0]))
        K[0] = 1.0
        for x, y in zip(X.T, Y.T, strict=True):
            product = np.multiply.outer(x, y)
            # from the highest degree down, so that K[s - 1] is still that of the columns before
            for s in range(self.degree, 0, -1):
                K[s] += product * K[s - 1]
        if self.weights is None:
            return np.asarray(K[self.degree])
        return np.asarray(np.tensordot(np.array(self.weights), K, axes=1))
