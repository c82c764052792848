"""Kernels whose features are products over subsets of the coordinates: all subsets, and ANOVA of given degrees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.kernels.worked import Arc, WorkedTables, work_out
from kernex_core.magnitude import power_of_ten
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

    def power(self, product: float) -> float:
        """See VectorKernel."""
        weights = [0.0] * self.degree + [1.0] if self.weights is None else self.weights
        return max(power_of_ten(w) + (s * product if s else 0.0) for s, w in enumerate(weights))

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


def subset_lattice(
    x: ArrayLike, y: ArrayLike, degree: int | None = None, *, printed: bool = False
) -> WorkedTables:
    """The table that the ANOVA kernel fills: K[s, r], subsets of s of the first r coordinates; the total is that of all s.

    K[s, r] = z_r K[s−1, r−1] + K[s, r−1] with z = x y, K[0, r] = 1, and K[s, r] = 0 for s > r. A route from K[0, 0] into
    K[s, d] is one subset of s coordinates, and its product of factors that subset's feature, of x times of y.

    Parameters
    ----------
    x, y : (d,)
    degree : int, optional
        Largest s; d by default, whose total is the all-subsets kernel.
    printed : bool
        With K[r+1, r] = 1, as the lecture notes print it: a misprint, to be looked at.

    Raises
    ------
    InvalidInputError
        Vectors of different lengths, a value that is not finite, or a degree below 0.

    Notes
    -----
    Jordan, Examples of kernels I, lecture notes.

    Examples
    --------
    >>> made = subset_lattice([1, 2, 3], [2, 1, 1])
    >>> made.values[0].tolist()[2:], made.total
    ([[0.0, 0.0, 4.0, 16.0], [0.0, 0.0, 0.0, 12.0]], 36.0)
    """
    z = _products(x, y)
    d = z.size
    most = int(check_range("The degree", float(d if degree is None else degree), 0.0))
    start = np.zeros((1, most + 1, d + 1))
    start[0, 0, 0] = 1.0
    arcs: list[Arc] = [((0, 0, r), (0, 0, r - 1), 1.0) for r in range(1, d + 1)]
    for s in range(1, min(most, d) + 1):
        start[0, s, s] = float(printed)
        for r in range(s, d + 1):
            arcs.append(((0, s, r), (0, s - 1, r - 1), float(z[r - 1])))
            if r > s:
                arcs.append(((0, s, r), (0, s, r - 1), 1.0))
    made = work_out(("K",), start, arcs)
    return replace(made, total=float(made.values[0, :, d].sum()))


def _products(x: ArrayLike, y: ArrayLike) -> FloatArray:
    a, b = np.array(x, dtype=np.float64), np.array(y, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise InvalidInputError(
            "Two vectors have to be as long as each other", f"shapes {a.shape} and {b.shape}"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        z = np.asarray(a * b)
    if not np.isfinite(z).all():
        raise InvalidInputError("Products of coordinates have to be finite", "one that is not")
    return z
