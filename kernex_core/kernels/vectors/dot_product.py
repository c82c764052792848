"""Kernels of the dot product: linear, polynomial, cosine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.frozen import FloatArray
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.magnitude import power_of_ten
from kernex_core.parameters import parameter

_NOTES = "Jordan, Examples of kernels I, lecture notes"
_PRODUCT_COST = "n² d multiplications"


@dataclass(frozen=True)
class Linear(VectorKernel):
    """Linear kernel, k(x, y) = x'y.

    Notes
    -----
    Vert, Kernel methods and computational biology, slides.

    Examples
    --------
    >>> from kernex_core import Linear
    >>> Linear().gram([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[5.0, 11.0], [11.0, 25.0]]
    """

    title: ClassVar[str] = "Linear"
    formula: ClassVar[str] = r"k(x,y)=x^\top y"
    source: ClassVar[str] = "Vert, Kernel methods and computational biology, slides"
    cost: ClassVar[str] = _PRODUCT_COST

    def power(self, product: float) -> float:
        """See VectorKernel."""
        return product

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        return np.asarray(X @ Y.T)


@dataclass(frozen=True)
class Polynomial(VectorKernel):
    """Polynomial kernel, k(x, y) = (x'y + c)^p.

    Parameters
    ----------
    degree : int
        p, 1 to 50.
    constant : float
        c, at least 0; with c = 0 only monomials of degree p count.

    Notes
    -----
    Jordan, Examples of kernels I. Its features are the monomials of degree j_1 + ... + j_d = j up to p, scaled by
    the square root of multinomial coefficients, which the notes leave out:
    k(x, y) = Σ_j C(p, j) c^(p − j) Σ_{j_1 + ... + j_d = j} j! / (j_1! ... j_d!) Π_i (x_i y_i)^{j_i}.

    Examples
    --------
    >>> from kernex_core import Polynomial
    >>> Polynomial(degree=2, constant=1.0).gram([[1.0], [2.0]]).tolist()
    [[4.0, 9.0], [9.0, 25.0]]
    """

    title: ClassVar[str] = "Polynomial"
    formula: ClassVar[str] = r"k(x,y)=(x^\top y+c)^{p}"
    source: ClassVar[str] = _NOTES
    cost: ClassVar[str] = _PRODUCT_COST

    degree: int = parameter(
        3,
        help="Degree of the polynomial: how many features are multiplied.",
        symbol="p",
        low=1,
        high=50,
        step=1,
    )
    constant: float = parameter(
        1.0, help="Weight of the lower degrees; at 0 only the full degree counts.", symbol="c", low=0.0
    )

    def power(self, product: float) -> float:
        """See VectorKernel."""
        return self.degree * max(product, power_of_ten(self.constant))

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        return np.asarray((X @ Y.T + self.constant) ** self.degree)


@dataclass(frozen=True)
class Cosine(VectorKernel):
    """Cosine kernel, k(x, y) = x'y / (‖x‖ ‖y‖); a vector of zeros has no direction and gets 0 with everything.

    Notes
    -----
    Shawe-Taylor and Cristianini (2004), Kernel Methods for Pattern Analysis, section 5.1: the normalised linear kernel.

    Examples
    --------
    >>> from kernex_core import Cosine
    >>> Cosine().gram([[3.0, 4.0], [4.0, 3.0]]).round(3).tolist()
    [[1.0, 0.96], [0.96, 1.0]]
    """

    title: ClassVar[str] = "Cosine"
    formula: ClassVar[str] = r"k(x,y)=\frac{x^\top y}{\lVert x\rVert\,\lVert y\rVert}"
    source: ClassVar[str] = (
        "Shawe-Taylor and Cristianini, Kernel Methods for Pattern Analysis, 2004, section 5.1"
    )
    cost: ClassVar[str] = _PRODUCT_COST

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        return np.asarray(_directions(X) @ _directions(Y).T)

    def remarks(self, samples: ArrayLike) -> tuple[str, ...]:
        """See AbstractKernel: vectors of zeros."""
        zero = ~self.rows(samples).any(axis=1)
        if not zero.any():
            return ()
        rows = ", ".join(str(row + 1) for row in np.flatnonzero(zero)[:5])
        return (
            f"{int(zero.sum()):,} vectors are zero (row {rows}): similarity 0 to everything, also to themselves.",
        )


def _directions(X: FloatArray) -> FloatArray:
    # by the largest entry first: squares of very large or very small entries would leave the range of float64
    largest = np.abs(X).max(axis=1, keepdims=True)
    scaled: FloatArray = np.divide(X, largest, out=np.zeros_like(X), where=largest > 0.0)
    length = np.sqrt((scaled**2).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(scaled, length, out=np.zeros_like(X), where=length > 0.0))
