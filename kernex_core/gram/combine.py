"""Kernels made one: weighted sums, products, and the parallel sum for every weight from one decomposition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from kernex_core.base import lapack
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_range, parameter
from kernex_core.base.validation import EPS, check_digits_kept, check_psd, largest_size, power_of_ten
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import Split, split_inductively
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.runtime.progress import Steps, finished

# Plain combinations of kernels on the same items: weighted sum and pointwise product, as steps with an operand.

PRODUCT, SCALE = "A product of two kernels", "Divide both by their mean diagonal first"


@dataclass(frozen=True)
class WeightedSum(Step):
    """(1 − w) K + w K_other: both kernels' features side by side.

    Attributes
    ----------
    other : GramMatrix
    weight : float
        0 to 1.
    """

    name: ClassVar[str] = "weighted sum"
    sees: ClassVar[Sees] = Sees("pair")
    other: GramMatrix = parameter(help="The kernel that is added.", hidden=True)
    weight: float = parameter(0.5, help="Weight of the other kernel.", low=0.0, high=1.0, step=0.05)

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        return _Summed(self.other, _operand(self.other, K_train, items), items, self.weight)

    def take(self, items: IntArray) -> Self:
        """See Step."""
        return type(self)(self.other.take(items), self.weight)


@dataclass(frozen=True)
class LearnedSum(WeightedSum):
    """A weighted sum whose weight was made from the labels of all items: no fold can undo that."""

    name: ClassVar[str] = "weighted sum, weights from labels"
    sees: ClassVar[Sees] = Sees("pair", labels=True)


@dataclass(frozen=True)
class BroughtSum(WeightedSum):
    """A weighted sum whose weight came from outside: nobody knows whether labels made it."""

    name: ClassVar[str] = "weighted sum, weights as brought"
    sees: ClassVar[Sees] = Sees("pair", brought=True)


@dataclass(frozen=True)
class Product(Step):
    """K_ij K_other_ij: items are similar if both kernels say so (Schur product; positive semidefinite)."""

    name: ClassVar[str] = "pointwise product"
    sees: ClassVar[Sees] = Sees("pair")
    other: GramMatrix = parameter(help="The kernel that multiplies.", hidden=True)

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        return _Multiplied(self.other, _operand(self.other, K_train, items), items)

    def take(self, items: IntArray) -> Self:
        """See Step."""
        return type(self)(self.other.take(items))


def _operand(other: GramMatrix, K_train: FloatArray, items: IntArray | None) -> FloatArray:
    block = other.values if items is None else split_inductively(other, items, items[:0]).K_train
    if block.shape != K_train.shape:
        raise InvalidInputError(
            f"Both kernels have to be about the same items ({K_train.shape[0]})",
            f"{block.shape[0]} in the other",
        )
    return block


class _WithOperand(FittedStep):
    def __init__(self, other: GramMatrix, block: FloatArray, items: IntArray | None) -> None:
        self.other, self.block = other, block
        self.whole = np.arange(other.n) if items is None else items

    def crossed(self, items: IntArray | None) -> Split:
        if items is None:
            raise InvalidInputError(
                "A combination needs the positions of new items in the other kernel", "none"
            )
        return split_inductively(self.other, self.whole, items)

    def other_errors(self) -> FloatArray:
        """How far the entries of the operand's block are off at most."""
        errors = self.other.error_bound
        return errors if errors.ndim == 0 else errors[np.ix_(self.whole, self.whole)]


class _Summed(_WithOperand):
    def __init__(self, other: GramMatrix, block: FloatArray, items: IntArray | None, weight: float) -> None:
        super().__init__(other, block, items)
        self.weight = weight

    def apply(self, K: FloatArray) -> FloatArray:
        return np.asarray((1.0 - self.weight) * K + self.weight * self.block)

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        return np.asarray((1.0 - self.weight) * errors + self.weight * self.other_errors())

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        made, w = self.crossed(items), self.weight
        return CrossBlock((1.0 - w) * K_cross + w * made.K_cross, (1.0 - w) * diag + w * made.diag_test)


class _Multiplied(_WithOperand):
    def apply(self, K: FloatArray) -> FloatArray:
        exponent = power_of_ten(largest_size(K)) + power_of_ten(largest_size(self.block))
        check_digits_kept(exponent, PRODUCT, SCALE)
        with np.errstate(over="ignore"):
            made = np.asarray(K * self.block)
        if np.isinf(made).any():
            raise InvalidInputError(
                f"{PRODUCT} has to fit the range of numbers (up to 1.8e308)", "a larger one", SCALE
            )
        return made

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        others = self.other_errors()
        size, own = np.abs(np.nan_to_num(self.block)), np.abs(np.nan_to_num(K))
        return np.asarray(errors * (size + others) + own * others)

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        made = self.crossed(items)
        return CrossBlock(K_cross * made.K_cross, diag * made.diag_test)


# The weighted parallel sum of two matrices for every weight, from one decomposition.

LIMIT = 1e-8
"""Weights closer to 0 or 1 than this count as 0 or 1: the kernel is then the limit."""
TINY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, eq=False)
class JointPath(ReadOnlyArrays):
    """J(λ) = (λ A^-1 + (1 − λ) T^-1)^-1 = F diag(d(λ)) F' with d = ab / (λ/s_A b + (1 − λ)/s_T a), b = 1 − a.

    For singular A or T this is the weighted parallel sum A ((1 − λ)A + λT)^+ T and its limits at 0 and 1 (the short
    of T onto the range of A, and of A onto the range of T).

    Attributes
    ----------
    F : (n, r) float
    a, b : (r,) float
        Eigenvalues of A/s_A and of T/s_T relative to their sum; those that are rounding are exactly 0.
    size_A, size_T : float
        s_A and s_T, by which the kernels were divided: see `size_of`.
    """

    F: FloatArray
    a: FloatArray
    b: FloatArray
    size_A: float = 1.0
    size_T: float = 1.0

    def scale(self, lam: float) -> FloatArray:
        """d(λ), (r,).

        A λ within LIMIT of 0 or 1 is the limit, unless the kernels differ so much in size that its kernel still
        counts.

        Raises
        ------
        InvalidInputError
            Unless 0 <= λ <= 1.
        """
        lam = check_range("The weight λ", lam, 0.0, 1.0)
        share = lam / self.size_A / (lam / self.size_A + (1.0 - lam) / self.size_T)
        if max(lam, share) < LIMIT:
            lam = 0.0
        elif min(lam, share) > 1.0 - LIMIT:
            lam = 1.0
        return self._weighted(lam, 1.0 - lam)

    def _weighted(self, first: float, second: float) -> FloatArray:
        both = (self.a > 0.0) & (self.b > 0.0)
        d = np.zeros_like(self.a)
        weights = first / self.size_A * self.b + second / self.size_T * self.a
        np.divide(self.a * self.b, weights, out=d, where=both)
        return d

    def kernel(self, lam: float) -> FloatArray:
        """J(λ), (n, n), exactly symmetric."""
        return self._with(self.scale(lam))

    def parallel(self, first: float, second: float) -> FloatArray:
        """(first A^-1 + second T^-1)^-1 for two weights above 0 of any size, (n, n), exactly symmetric."""
        return self._with(self._weighted(first, second))

    def _with(self, d: FloatArray) -> FloatArray:
        half = self.F * np.sqrt(d)
        # NumPy computes X X' by a symmetric rank-k update: half the work, and symmetric to the bit
        return np.asarray(half @ half.T)

    def trace(self, lam: float) -> float:
        """trace J(λ), without forming it."""
        return float(self.scale(lam) @ np.einsum("ij,ij->j", self.F, self.F))

    def diagonal(self, lam: float) -> FloatArray:
        """Diagonal of J(λ), (n,), without forming it."""
        return np.asarray(self.F**2 @ self.scale(lam))

    def eigenvalues(self, lam: float) -> FloatArray:
        """Eigenvalues of J(λ), descending, (n,): those that F, which has fewer columns than rows, leaves are exactly 0.

        F d F' and √d F'F √d have the same ones but for zeros, and the second has a row a column of F alone.
        """
        n, r = self.F.shape
        if r >= n:
            return lapack.eigvalsh(self.kernel(lam))[::-1]
        root = np.sqrt(self.scale(lam))
        found = np.zeros(n)
        found[:r] = lapack.eigvalsh(root[:, None] * self._between * root)[::-1]
        # the smallest of a kernel may be negative by rounding, and then come after zeros
        return np.sort(found)[::-1] if found[r - 1] < 0.0 else found

    @cached_property
    def _between(self) -> FloatArray:
        """F'F, (r, r): made once for all λ."""
        return owned(self.F.T @ self.F)

    def mapped(self, W: FloatArray) -> JointPath:
        """Path of W' J(λ) W for weights W (n, m): the joint kernel on all m items."""
        return replace(self, F=owned(W.T @ self.F))


def size_of(K: FloatArray) -> float:
    """Trace of a kernel to the nearest power of 4, by which it is divided before kernels are added.

    The digits of a kernel that is 1e16 times smaller than the other would be lost in their sum. A power of 4 and its
    root are exact, so that dividing by it rounds nothing. 1 for a kernel without a trace.
    """
    trace = float(np.trace(K))
    return 4.0 ** round(np.log2(trace) / 2.0) if trace > TINY else 1.0


def path_of(A: FloatArray, T: FloatArray) -> JointPath:
    """`joint_path` of symmetric matrices with their nuggets inside.

    Both are divided by their size. A + T = R R'; R^+ A R^+' = U diag(a) U'; F = R U. R is triangular where A + T is
    definite, which spares one of two decompositions, and made of eigenvectors elsewhere. Never the generalised problem
    eigh(A, T), which loses all digits at condition 1e12.
    """
    return finished(making_path(A, T))


def making_path(A: FloatArray, T: FloatArray) -> Steps[JointPath]:
    """`path_of` in steps: a decomposition each."""
    n = A.shape[0]
    size_A, size_T = size_of(A), size_of(T)
    first, total = A / size_A, T / size_T
    total += first
    root, relative = _by_triangle(total, first) or _by_eigenvectors(total, first)
    del first, total  # of thousands of items each takes a hundred megabytes
    yield 0.5
    relative = relative + relative.T
    relative /= 2.0
    a, U = lapack.eigh(relative, spent=True)
    # relative eigenvalues lie in [0, 1] exactly when both kernels are positive semidefinite
    slack = 1e-6
    if a[0] < -slack or a[-1] > 1.0 + slack:
        check_psd(np.linalg.eigvalsh(A / size_A), "The first kernel")
        check_psd(np.linalg.eigvalsh(T / size_T), "The second kernel")
    floor = 10.0 * n * EPS
    b = 1.0 - a
    a, b = np.where(a <= floor, 0.0, a), np.where(b <= floor, 0.0, b)
    return JointPath(owned(root @ U), a, b, size_A, size_T)


def _by_triangle(total: FloatArray, first: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """R and R^+ A R^+' by Cholesky's factor of A + T; None where A + T is singular or indefinite.

    Cholesky's factor is stable backwards: it keeps as many digits of the joint kernel as eigenvectors do, at every
    condition at which it is found.
    """
    R = lapack.factor(total)
    return None if R is None else (R, lapack.forward(R, lapack.forward(R, first).T))


def _by_eigenvectors(total: FloatArray, first: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same on the range of A + T, whatever its condition."""
    eigenvalues, V = lapack.eigh(total)
    check_psd(eigenvalues, "The sum of both kernels")
    keep = eigenvalues > len(total) * EPS * float(eigenvalues[-1])
    if not keep.any():
        raise InvalidInputError(
            "At least one of the kernels has to be different from zero", "two zero kernels"
        )
    root, V = np.sqrt(eigenvalues[keep]), V[:, keep]
    inner = V / root
    return V * root, inner.T @ first @ inner
