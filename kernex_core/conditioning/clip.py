"""Clip: negative eigenvalues become zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.conditioning.spectral import SpectralRepair
from kernex_core.frozen import FloatArray


@dataclass(frozen=True)
class Clip(SpectralRepair):
    """Σ over λ_i > 0 of λ_i u_i u_i': the positive semidefinite matrix nearest in Frobenius norm (Higham 1988)."""

    name: ClassVar[str] = "clip negative eigenvalues"
    method: ClassVar[str] = "clip"
    formula: ClassVar[str] = r"\sum_{\lambda_i > 0} \lambda_i u_i u_i^\top"
    summary: ClassVar[str] = "drops the negative part; the nearest kernel in Frobenius norm"

    def spectrum(self, eigenvalues: FloatArray) -> FloatArray:
        """See SpectralRepair."""
        return np.maximum(eigenvalues, 0.0)
