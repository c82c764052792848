"""The weighted parallel sum of two matrices for every weight, from one decomposition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.parameters import check_range
from kernex_core.validation import EPS, check_psd

LIMIT = 1e-8
"""Weights closer to 0 or 1 than this count as 0 or 1: the kernel is then the limit."""


@dataclass(frozen=True, eq=False)
class JointPath(ReadOnlyArrays):
    """J(λ) = (λ A^-1 + (1 − λ) T^-1)^-1 = F diag(d(λ)) F' with d = ab / (λb + (1 − λ)a), b = 1 − a.

    For singular A or T this is the weighted parallel sum A ((1 − λ)A + λT)^+ T and its limits at 0 and 1 (the short
    of T onto the range of A, and of A onto the range of T).

    Attributes
    ----------
    F : (n, r) float
    a, b : (r,) float
        Eigenvalues of A and of T relative to A + T; those that are rounding are exactly 0.
    """

    F: FloatArray
    a: FloatArray
    b: FloatArray

    def scale(self, lam: float) -> FloatArray:
        """d(λ), (r,).

        Raises
        ------
        InvalidInputError
            Unless 0 <= λ <= 1.
        """
        lam = check_range("The weight λ", lam, 0.0, 1.0)
        lam = 0.0 if lam < LIMIT else 1.0 if lam > 1.0 - LIMIT else lam
        both = (self.a > 0.0) & (self.b > 0.0)
        d = np.zeros_like(self.a)
        np.divide(self.a * self.b, lam * self.b + (1.0 - lam) * self.a, out=d, where=both)
        return d

    def kernel(self, lam: float) -> FloatArray:
        """J(λ), (n, n), exactly symmetric."""
        half = self.F * np.sqrt(self.scale(lam))
        # NumPy computes X X' by a symmetric rank-k update: half the work, and symmetric to the bit
        return np.asarray(half @ half.T)

    def trace(self, lam: float) -> float:
        """trace J(λ), without forming it."""
        return float(self.scale(lam) @ np.einsum("ij,ij->j", self.F, self.F))

    def diagonal(self, lam: float) -> FloatArray:
        """Diagonal of J(λ), (n,), without forming it."""
        return np.asarray(self.F**2 @ self.scale(lam))

    def mapped(self, W: FloatArray) -> JointPath:
        """Path of W' J(λ) W for weights W (n, m): the joint kernel on all m items."""
        return JointPath(W.T @ self.F, self.a, self.b)


def path_of(A: FloatArray, T: FloatArray) -> JointPath:
    """`joint_path` of symmetric matrices with their nuggets inside.

    A + T = R R'; R^+ A R^+' = U diag(a) U'; F = R U. Never the generalised problem eigh(A, T), which loses all digits
    at condition 1e12.
    """
    n = A.shape[0]
    total, V = eigh(A + T, check_finite=False)
    check_psd(total, "The sum of both kernels")
    keep = total > n * EPS * float(total[-1])
    if not keep.any():
        raise InvalidInputError(
            "At least one of the kernels has to be different from zero", "two zero kernels"
        )
    root, V = np.sqrt(total[keep]), V[:, keep]
    inner = V / root
    relative = inner.T @ A @ inner
    a, U = eigh((relative + relative.T) / 2.0, check_finite=False)
    # relative eigenvalues lie in [0, 1] exactly when both kernels are positive semidefinite
    slack = 1e-6
    if a[0] < -slack or a[-1] > 1.0 + slack:
        check_psd(np.linalg.eigvalsh(A), "The first kernel")
        check_psd(np.linalg.eigvalsh(T), "The second kernel")
    floor = 10.0 * n * EPS
    b = 1.0 - a
    a, b = np.where(a <= floor, 0.0, a), np.where(b <= floor, 0.0, b)
    return JointPath((V * root) @ U, a, b)
