"""Functional calculus: φ acts on the eigenvalues of a kernel instead of on its entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.conditioning.power import ElementMap, SignedPower, check_map
from kernex_core.conditioning.spectral import FittedRepair, SpectralRepair
from kernex_core.frozen import BoolArray, FloatArray
from kernex_core.gram.matrix import Matrix
from kernex_core.gram.spectrum.decomposition import Decomposition
from kernex_core.parameters import parameter
from kernex_core.validation import check_psd

ROUNDING = 1e-12
"""Eigenvalues below this share of the largest count as 0: a small power would make a direction out of them."""


@dataclass(frozen=True)
class SpectralMap(SpectralRepair):
    """φ(K) = U diag(φ(λ)) U' of K = U diag(λ) U' (Schoelkopf et al. 2002, section 3; φ = √ is the matrix root).

    It shares eigenvectors and their order with K, and is positive semidefinite again, because φ is 0 at 0 and does
    not fall. The scale of SignedLog is over the mean diagonal, as for entries.

    Parameters
    ----------
    phi : ElementMap
    """

    name: ClassVar[str] = "spectral map"
    method: ClassVar[str] = "spectral map"
    formula: ClassVar[str] = r"\sum_i \varphi(\lambda_i)\, u_i u_i^\top"
    summary: ClassVar[str] = "keeps the eigenvectors, maps the eigenvalues"
    changes_kernels: ClassVar[bool] = True
    phi: ElementMap = parameter(SignedPower(0.5), help="Map of every eigenvalue.", hidden=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_map(self.phi)

    def fitted(self, known: BoolArray, decomposition: Decomposition) -> FittedRepair:
        """See SpectralRepair.

        Raises
        ------
        NotPositiveSemidefiniteError
            A materially negative eigenvalue; the message names the repair.
        """
        check_psd(decomposition.eigenvalues)
        return super().fitted(known, decomposition)

    def spectrum(self, eigenvalues: FloatArray) -> FloatArray:
        """See SpectralRepair."""
        floor = ROUNDING * float(np.abs(eigenvalues).max())
        kept = np.where(eigenvalues < floor, 0.0, eigenvalues)
        # Σ λ is the trace, so that a matrix with the eigenvalues on its diagonal has the mean diagonal of K
        return self.phi.fit(np.diag(eigenvalues)).phi(kept)


def spectral_map(K: Matrix, p: float = 0.5, *, phi: ElementMap | None = None) -> Matrix:
    """U diag(λ^p) U'; see SpectralMap.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite; NaN = unknown.
    p : float
        Above 0, at most 1.
    phi : ElementMap, optional
        In place of the power.

    Raises
    ------
    InvalidInputError
        p out of range.
    NotPositiveSemidefiniteError
        A similarity that is no kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import spectral_map
    >>> spectral_map(np.diag([4.0, 9.0]), p=0.5).diagonal().round(6).tolist()
    [2.0, 3.0]
    """
    return SpectralMap(SignedPower(p) if phi is None else phi)(K)
