"""Kernels of the dot product: linear, polynomial, cosine, Tanimoto."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_range, parameter
from kernex_core.base.sparse_rows import RowsLike, named_row, squared_lengths
from kernex_core.base.validation import power_of_ten
from kernex_core.kernels.explanation import Arc, WorkedTables, work_out
from kernex_core.kernels.vectors.vector_kernel import VectorKernel, as_rows, remark_on_zeros

# Kernels of the dot product: linear, polynomial, cosine.

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
    takes_sparse: ClassVar[bool] = True

    def power(self, product: float) -> float:
        """See VectorKernel."""
        return product

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        return np.asarray(X @ Y.T)

    def of_products(self, P: FloatArray, X: sparse.csr_array, Y: sparse.csr_array) -> FloatArray:
        """See VectorKernel."""
        return P


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
    takes_sparse: ClassVar[bool] = True

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

    def of_products(self, P: FloatArray, X: sparse.csr_array, Y: sparse.csr_array) -> FloatArray:
        """See VectorKernel."""
        return np.asarray((P + self.constant) ** self.degree)


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
    takes_sparse: ClassVar[bool] = True

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        return np.asarray(_directions(X) @ _directions(Y).T)

    def prepared(self, X: sparse.csr_array) -> sparse.csr_array:
        """See VectorKernel."""
        return _sparse_directions(X)

    def of_products(self, P: FloatArray, X: sparse.csr_array, Y: sparse.csr_array) -> FloatArray:
        """See VectorKernel."""
        return P

    def remarks(self, samples: RowsLike) -> tuple[str, ...]:
        """See AbstractKernel: vectors of zeros."""
        return remark_on_zeros(self.checked(samples), "similarity 0 to everything, also to themselves")


def _directions(X: FloatArray) -> FloatArray:
    # by the largest entry first: squares of very large or very small entries would leave the range of float64
    largest = np.abs(X).max(axis=1, keepdims=True)
    scaled: FloatArray = np.divide(X, largest, out=np.zeros_like(X), where=largest > 0.0)
    length = np.sqrt((scaled**2).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(scaled, length, out=np.zeros_like(X), where=length > 0.0))


def _sparse_directions(X: sparse.csr_array) -> sparse.csr_array:
    counts = np.diff(X.indptr)
    largest = np.repeat(np.asarray(abs(X).max(axis=1).toarray()).ravel(), counts)
    scaled = sparse.csr_array((X.data / largest, X.indices, X.indptr), shape=X.shape)
    length = np.repeat(np.sqrt(squared_lengths(scaled)), counts)
    return sparse.csr_array((scaled.data / length, X.indices, X.indptr), shape=X.shape)


# The features of the polynomial kernel, written out: products of coordinates.

FEATURE_LIMIT = 100_000


def monomial_map(samples: ArrayLike, kernel: Polynomial) -> FloatArray:
    """Map vectors to φ(x) with φ(x)'φ(y) = (x'y + c)^p: one feature a monomial.

    The feature of the exponents j_0 + j_1 + ... + j_d = p is √(p! / (j_0! j_1! ... j_d!) c^{j_0}) Π_i x_i^{j_i}. Products of
    few coordinates come first: of two coordinates and p = 2, c = 0 the map is x ↦ (x_1², x_2², √2 x_1 x_2).

    Parameters
    ----------
    samples : (n, d) float
    kernel : Polynomial

    Returns
    -------
    (n, D) float
        D = C(d + p, p), or C(d + p − 1, p) where c = 0.

    Raises
    ------
    TooLargeError
        More than 100,000 features.

    Examples
    --------
    >>> monomial_map([[1.0, 3.0]], Polynomial(degree=2, constant=0.0)).round(3).tolist()
    [[1.0, 9.0, 4.243]]

    References
    ----------
    Vert, Kernel methods and computational biology, slides: the map of degree 2; Jordan, Examples of kernels I: degree p.
    """
    X, p = as_rows(samples), kernel.degree
    first = 1 if kernel.constant == 0.0 else 0
    wide = np.column_stack([np.full(X.shape[0], math.sqrt(kernel.constant)), X])[:, first:]
    count = math.comb(wide.shape[1] + p - 1, p)
    if count > FEATURE_LIMIT:
        raise TooLargeError(
            f"At most {FEATURE_LIMIT:,} features are written out",
            f"{count:,} monomials",
            "Use the kernel itself",
        )
    exponents = sorted(_exponents(wide.shape[1], p), key=lambda j: (sum(e > 0 for e in j), [-e for e in j]))
    columns = [math.sqrt(_orders(j)) * np.prod(wide ** np.array(j), axis=1) for j in exponents]
    return np.column_stack(columns)


def _exponents(coordinates: int, total: int) -> Iterator[tuple[int, ...]]:
    if coordinates == 1:
        yield (total,)
        return
    for own in range(total + 1):
        for rest in _exponents(coordinates - 1, total - own):
            yield (own, *rest)


def _orders(exponents: tuple[int, ...]) -> int:
    """p! / Π j!: in how many orders the factors of a monomial can be multiplied."""
    return math.factorial(sum(exponents)) // math.prod(map(math.factorial, exponents))


# Kernels whose features are products over subsets of the coordinates: all subsets, and ANOVA of given degrees.


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


# Tanimoto kernel of vectors of 0 and 1: fingerprints of molecules, and sets of any kind.


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
