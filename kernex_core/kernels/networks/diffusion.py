"""Diffusion: heat that spreads over the edges for a time τ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import psd_tolerance
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import (
    NetworkSpectrum,
    Operator,
    Series,
    exponential_series,
    laplacian_series_operator,
    resolvent_series,
)

Laplacian = Literal["normalized", "unnormalized"]


def laplacian_parameter(default: Laplacian) -> Laplacian:
    """Field of a kernel of the Laplacian that says which one it is."""
    made: Laplacian = parameter(
        default,
        help="Whether every node counts alike (normalised), or well-connected ones spread faster.",
        label="Laplacian",
        choices=("normalized", "unnormalized"),
        names=("normalised", "not normalised"),
    )
    return made


@dataclass(frozen=True)
class Diffusion(NetworkKernel):
    """Diffusion (heat) kernel, K = exp(−τ L).

    Parameters
    ----------
    tau : float
        τ ≥ 0: how long heat spreads. At 0 every node is similar to itself alone.
    laplacian : {"normalized", "unnormalized"}
        L = diag(1[d > 0]) − D^(−1/2) B D^(−1/2), or L = D − B.

    Notes
    -----
    Kondor and Lafferty, Diffusion kernels on graphs and other discrete input spaces, ICML 2002. An isolated node has
    L_ii = 0, so that k = 1 with itself. The kernel exp(−2tL) of Vert's slides has τ = 2t.

    Examples
    --------
    >>> from kernex_core import Diffusion
    >>> Diffusion(tau=1.0).gram([[0.0, 1.0], [1.0, 0.0]]).round(4).tolist()
    [[0.5677, 0.4323], [0.4323, 0.5677]]
    """

    title: ClassVar[str] = "Diffusion"
    formula: ClassVar[str] = r"K=\exp(-\tau L)"
    source: ClassVar[str] = (
        "Kondor and Lafferty, Diffusion kernels on graphs and other discrete input spaces, ICML 2002"
    )
    cost: ClassVar[str] = "n³ once a network, then one product a τ"

    tau: float = parameter(
        1.0,
        help="How long heat spreads over the edges.",
        label="Time",
        symbol=r"\tau",
        low=0.0,
        logarithmic=True,
    )
    laplacian: Laplacian = laplacian_parameter("normalized")

    @property
    def operator(self) -> Operator:
        """See NetworkKernel."""
        return self.laplacian

    def weights(self, eigenvalues: FloatArray) -> FloatArray:
        """See NetworkKernel."""
        with np.errstate(under="ignore"):
            return np.asarray(np.exp(-self.tau * eigenvalues))

    def series(self, B: sparse.csr_array, tolerance: float) -> Series:
        """exp(−τ L) = e^(−τ s) exp(τ s M), M = I − L / s."""
        M, s = laplacian_series_operator(B, self.laplacian)
        return exponential_series(M, self.tau * s, 1.0, tolerance)


@dataclass(frozen=True)
class RegularizedLaplacian(NetworkKernel):
    """Regularised Laplacian, K = (c I + L)^(−1).

    Parameters
    ----------
    c : float
        c > 0: the larger, the less far similarity reaches.
    laplacian : {"normalized", "unnormalized"}
        L = diag(1[d > 0]) − D^(−1/2) B D^(−1/2), or L = D − B.

    Notes
    -----
    Smola and Kondor, Kernels and regularization on graphs, COLT 2003. An isolated node has k = 1/c with itself.

    Examples
    --------
    >>> from kernex_core import RegularizedLaplacian
    >>> RegularizedLaplacian(c=1.0).gram([[0.0, 1.0], [1.0, 0.0]]).round(4).tolist()
    [[0.6667, 0.3333], [0.3333, 0.6667]]
    """

    title: ClassVar[str] = "Regularised Laplacian"
    formula: ClassVar[str] = r"K=(c\,I+L)^{-1}"
    source: ClassVar[str] = "Smola and Kondor, Kernels and regularization on graphs, COLT 2003"
    cost: ClassVar[str] = "n³ once a network, then one product a c"

    c: float = parameter(
        1.0,
        help="How soon similarity ends: the larger, the nearer.",
        label="Regularisation",
        symbol="c",
        low=0.0,
        open_low=True,
        logarithmic=True,
    )
    laplacian: Laplacian = laplacian_parameter("unnormalized")

    @property
    def operator(self) -> Operator:
        """See NetworkKernel."""
        return self.laplacian

    def weights(self, eigenvalues: FloatArray) -> FloatArray:
        """See NetworkKernel."""
        return np.asarray(1.0 / (self.c + eigenvalues))

    def series(self, B: sparse.csr_array, tolerance: float) -> Series:
        """(c I + L)^(−1) = 1/s · (1 + c/s − M)^(−1), M = I − L / s."""
        M, s = laplacian_series_operator(B, self.laplacian)
        return resolvent_series(M, 1.0 + self.c / s, 1.0 / s, tolerance)


@dataclass(frozen=True)
class LaplacianPseudoinverse(NetworkKernel):
    """Pseudo-inverse of the Laplacian, K = L⁺, taken in every connected component by itself.

    Parameters
    ----------
    laplacian : {"normalized", "unnormalized"}
        L = diag(1[d > 0]) − D^(−1/2) B D^(−1/2), or L = D − B.

    Notes
    -----
    Fouss, Pirotte, Renders and Saerens, Random-walk computation of similarities between nodes of a graph, IEEE TKDE
    2007: k_ii + k_jj − 2 k_ij is the resistance between two nodes if edges are conductors. An isolated node has 0.

    Examples
    --------
    >>> from kernex_core import LaplacianPseudoinverse
    >>> LaplacianPseudoinverse().gram([[0.0, 1.0], [1.0, 0.0]]).round(4).tolist()
    [[0.25, -0.25], [-0.25, 0.25]]
    """

    title: ClassVar[str] = "Laplacian pseudo-inverse"
    formula: ClassVar[str] = r"K=L^{+}"
    source: ClassVar[str] = (
        "Fouss, Pirotte, Renders and Saerens, Random-walk computation of similarities between nodes of a graph, "
        "IEEE TKDE 2007"
    )
    cost: ClassVar[str] = "n³"

    laplacian: Laplacian = laplacian_parameter("unnormalized")

    @property
    def operator(self) -> Operator:
        """See NetworkKernel."""
        return self.laplacian

    def resolved_on(self, spectrum: NetworkSpectrum) -> Self:
        """See NetworkKernel; refuses components that hang together by next to nothing."""
        for block in spectrum.blocks:
            smallest, norm = float(block.eigenvalues[1]), float(block.eigenvalues[-1])
            if smallest <= psd_tolerance(block.nodes.size, norm):
                raise InvalidInputError(
                    "The pseudo-inverse needs components that hang together",
                    f"one of {block.nodes.size:,} nodes whose second eigenvalue is {smallest:.3g}, which is rounding",
                    "Leave out edges of next to no weight, or choose the regularised Laplacian",
                )
        return self

    def weights(self, eigenvalues: FloatArray) -> FloatArray:
        """See NetworkKernel."""
        inside = eigenvalues > 0.0
        return np.divide(1.0, eigenvalues, out=np.zeros_like(eigenvalues), where=inside)
