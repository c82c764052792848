"""Square: rows of similarities become features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.conditioning.spectral import FittedRepair, SpectralRepair
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.step import CrossBlock


@dataclass(frozen=True)
class Square(SpectralRepair):
    """K K' = Σ λ_i² u_i u_i': every item is described by its similarities to the fitted ones (empirical kernel map)."""

    name: ClassVar[str] = "square"
    method: ClassVar[str] = "square"
    formula: ClassVar[str] = r"K K^\top"
    summary: ClassVar[str] = "uses rows of similarities as features; changes kernels too"
    changes_kernels: ClassVar[bool] = True

    def spectrum(self, eigenvalues: FloatArray) -> FloatArray:
        """See SpectralRepair."""
        return eigenvalues**2

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedRepair:
        """See Step."""
        made = super().fit(K_train, items=items)
        return _FittedSquare(self, made.known, made.eigenvalues, made.vectors)


class _FittedSquare(FittedRepair):
    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        rows = K_cross[:, self.known]
        out = np.full_like(K_cross, np.nan)
        out[:, self.known] = ((rows @ self.vectors) * self.eigenvalues) @ self.vectors.T
        # the features of a new item are its similarities to the fitted items
        return CrossBlock(out, np.einsum("ij,ij->i", rows, rows))
