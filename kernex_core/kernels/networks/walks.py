"""Kernels that sum over walks from node to node: exponential and von Neumann."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import EPS, LARGEST_ENTRY
from kernex_core.kernels.networks.network_kernel import NetworkKernel, Nodes
from kernex_core.kernels.networks.spectrum import (
    NetworkSpectrum,
    Operator,
    Series,
    exponential_series,
    resolvent_series,
    spectral_radius,
)

OVERFLOW = 709.0
"""exp of more than this leaves float64."""


@dataclass(frozen=True)
class Exponential(NetworkKernel):
    """Exponential kernel, K = exp(λ B) = Σ_k λ^k B^k / k!: walks of all lengths, longer ones counting less.

    Parameters
    ----------
    lam : float
        λ ≥ 0. Beyond 709 / λ_max(B) the kernel leaves the range of numbers and is refused.

    Notes
    -----
    Kandola, Shawe-Taylor and Cristianini, Learning semantic similarity, NIPS 2003. It is positive definite also with
    negative weights.

    Examples
    --------
    >>> from kernex_core import Exponential
    >>> Exponential(lam=1.0).gram([[0.0, 1.0], [1.0, 0.0]]).round(4).tolist()
    [[1.5431, 1.1752], [1.1752, 1.5431]]
    """

    title: ClassVar[str] = "Exponential"
    formula: ClassVar[str] = r"K=\exp(\lambda B)"
    source: ClassVar[str] = "Kandola, Shawe-Taylor and Cristianini, Learning semantic similarity, NIPS 2003"
    cost: ClassVar[str] = "n³ once a network, then one product a λ"

    lam: float = parameter(
        1.0, help="How much a step along an edge counts.", label="Weight", symbol=r"\lambda", low=0.0, logarithmic=True
    )  # fmt: skip

    @property
    def operator(self) -> Operator:
        """See NetworkKernel."""
        return "adjacency"

    def weights(self, eigenvalues: FloatArray) -> FloatArray:
        """See NetworkKernel."""
        with np.errstate(under="ignore"):
            return np.asarray(np.exp(self.lam * eigenvalues))

    def bound_on(self, spectrum: NetworkSpectrum) -> float:
        """Largest λ with which no entry is beyond LARGEST_ENTRY."""
        largest = float(spectrum.eigenvalues[-1])
        return float(np.log(LARGEST_ENTRY)) / largest if largest > 0.0 else np.inf

    def resolved_on(self, spectrum: NetworkSpectrum) -> Self:
        """See NetworkKernel."""
        self._check(float(spectrum.eigenvalues[-1]))
        return self

    def series(self, B: sparse.csr_array, tolerance: float) -> Series:
        """exp(λ B) = exp(λ b M), M = B / b; the tolerance is in units of exp(λ b)."""
        b = _outer_radius(B)
        self._check(b)
        return exponential_series(
            sparse.csr_array(B / b), self.lam * b, float(np.exp(self.lam * b)), tolerance
        )

    def _check(self, largest: float) -> None:
        if self.lam * largest > OVERFLOW:
            raise InvalidInputError(
                f"The exponential kernel of this network fits the range of numbers up to λ = {OVERFLOW / largest:.6g}, "
                f"{OVERFLOW:g} over the largest eigenvalue ({largest:.6g})",
                f"λ = {self.lam:g}",
                "Choose a smaller λ",
            )


@dataclass(frozen=True)
class VonNeumann(NetworkKernel):
    """Von Neumann kernel, K = (I − λ B)^(−1) = Σ_k λ^k B^k: walks of all lengths, weighted by a geometric series.

    Parameters
    ----------
    lam : float, optional
        0 ≤ λ < 1/ρ(B), ρ being the largest size of an eigenvalue: only there does the series converge. None: half of that.

    Notes
    -----
    Kandola, Shawe-Taylor and Cristianini, Learning semantic similarity, NIPS 2003. Beyond the bound a linear solve would
    still return numbers, which mean nothing; at the bound itself the matrix is singular.

    Examples
    --------
    >>> from kernex_core import VonNeumann
    >>> VonNeumann(lam=0.5).gram([[0.0, 1.0], [1.0, 0.0]]).round(4).tolist()
    [[1.3333, 0.6667], [0.6667, 1.3333]]
    """

    title: ClassVar[str] = "Von Neumann"
    formula: ClassVar[str] = r"K=(I-\lambda B)^{-1},\quad 0\le\lambda<1/\rho(B)"
    source: ClassVar[str] = "Kandola, Shawe-Taylor and Cristianini, Learning semantic similarity, NIPS 2003"
    cost: ClassVar[str] = "n³ once a network, then one product a λ"
    set_by_items: ClassVar[tuple[str, ...]] = ("lam",)

    lam: float | None = parameter(
        None,
        help="How much a step along an edge counts; has to stay below one over the largest eigenvalue.",
        label="Weight",
        symbol=r"\lambda",
        low=0.0,
        optional=True,
        auto="half of its bound, 1 over the largest eigenvalue",
        logarithmic=True,
    )

    @property
    def operator(self) -> Operator:
        """See NetworkKernel."""
        return "adjacency"

    def weights(self, eigenvalues: FloatArray) -> FloatArray:
        """See NetworkKernel."""
        assert self.lam is not None  # resolved
        return np.asarray(1.0 / (1.0 - self.lam * eigenvalues))

    def bound_on(self, spectrum: NetworkSpectrum) -> float:
        """1/ρ, which λ has to stay below."""
        return 1.0 / spectrum.radius if spectrum.radius > 0.0 else np.inf

    def resolved(self, samples: Nodes) -> Self:
        """Return the kernel with λ set to half of its bound, if it was open."""
        if self.lam is not None:
            return self
        if isinstance(samples, NetworkSpectrum):
            return self._half(samples.radius)
        return self._half(spectral_radius(self.adjacency(samples)))

    def resolved_on(self, spectrum: NetworkSpectrum) -> Self:
        """See NetworkKernel."""
        kernel = self if self.lam is not None else self._half(spectrum.radius)
        kernel._check(spectrum.radius, spectrum.n)
        return kernel

    def series(self, B: sparse.csr_array, tolerance: float) -> Series:
        """(I − λ B)^(−1) = 1/(λ b) · (1/(λ b) − M)^(−1), M = B / b."""
        b = _outer_radius(B)
        kernel = self if self.lam is not None else self._half(b)
        kernel._check(b, B.shape[0])
        step = (kernel.lam or 0.0) * b
        if step < EPS**2:  # a step counts less than rounding
            return Series(B, np.ones(1), 2.0 * step)
        a = 1.0 / step
        return resolvent_series(sparse.csr_array(B / b), a, a, tolerance)

    def _half(self, radius: float) -> Self:
        """Rounded to six digits, so that the order of the nodes does not matter."""
        return replace(self, lam=float(f"{0.5 / radius:.6g}") if radius > 0.0 else 0.5)

    def _check(self, radius: float, n: int) -> None:
        assert self.lam is not None  # resolved
        if self.lam * radius >= 1.0 - 10.0 * n * EPS:
            raise InvalidInputError(
                f"λ of the von Neumann kernel has to stay below {1.0 / radius:.6g}, 1 over the largest eigenvalue of this "
                "network, for its series to converge",
                f"λ = {self.lam:g}",
                "Choose a smaller λ",
            )


def _outer_radius(B: sparse.csr_array) -> float:
    """A number not below ρ(B), and hardly above it."""
    bound = float(abs(B).sum(axis=1).max()) if B.nnz else 1.0
    return min(bound, spectral_radius(B) * (1.0 + 1e-9) or 1.0)
