"""Shift: a multiple of the identity lifts the smallest eigenvalue to zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.conditioning.spectral import FittedRepair, SpectralRepair
from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.gram.spectrum.decomposition import Decomposition
from kernex_core.gram.step import CrossBlock
from kernex_core.pieces import Pieces


@dataclass(frozen=True)
class Shift(SpectralRepair):
    """K + |λ_min| I: only self-similarities change (Roth et al. 2003)."""

    name: ClassVar[str] = "shift by the smallest eigenvalue"
    method: ClassVar[str] = "shift"
    formula: ClassVar[str] = r"K + |\lambda_{\min}|\, I"
    summary: ClassVar[str] = "raises every self-similarity; similarities between items stay"

    def spectrum(self, eigenvalues: FloatArray) -> FloatArray:
        """See SpectralRepair."""
        return np.maximum(eigenvalues - min(float(eigenvalues[0]), 0.0), 0.0)

    def fitted(self, known: BoolArray, decomposition: Decomposition) -> FittedRepair:
        """See SpectralRepair."""
        return _FittedShift(self, known, decomposition)


class _FittedShift(FittedRepair):
    @property
    def amount(self) -> float:
        return -float(self.eigenvalues[0]) if self.needed else 0.0

    def block(self, K: FloatArray) -> Pieces[FloatArray]:
        """K + amount I: no eigenvector is needed."""
        made = K.copy()
        made[np.diag_indices_from(made)] += self.amount
        yield 1.0
        return made

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        out = np.where(self.known[None, :], K_cross, np.nan)
        return CrossBlock(out, diag + self.amount)

    def between_new(self, K_new: FloatArray, K_cross: FloatArray) -> FloatArray:
        """See FittedRepair: only self-similarities change."""
        return np.asarray(K_new + self.amount * np.eye(K_new.shape[0]))
