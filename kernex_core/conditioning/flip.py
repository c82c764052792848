"""Flip: negative eigenvalues change sign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.conditioning.spectral import SpectralRepair
from kernex_core.frozen import FloatArray


@dataclass(frozen=True)
class Flip(SpectralRepair):
    """Σ |λ_i| u_i u_i' (Graepel et al. 1999; Chen et al. 2009)."""

    name: ClassVar[str] = "flip negative eigenvalues"
    method: ClassVar[str] = "flip"
    formula: ClassVar[str] = r"\sum_i |\lambda_i|\, u_i u_i^\top"
    summary: ClassVar[str] = "keeps the negative part, with its sign changed"

    def spectrum(self, eigenvalues: FloatArray) -> FloatArray:
        """See SpectralRepair."""
        return np.abs(eigenvalues)
