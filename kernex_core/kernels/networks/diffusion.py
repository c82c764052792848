"""Diffusion: heat that spreads over the edges for a time τ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy import sparse

from kernex_core.frozen import FloatArray
from kernex_core.kernels.networks.chebyshev import Series, exponential_series, laplacian_series_operator
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import Operator
from kernex_core.parameters import parameter

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
