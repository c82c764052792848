"""Square: rows of similarities become features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.conditioning.spectral import FittedRepair, SpectralRepair
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.gram.spectrum.decomposition import ROWS, Decomposition
from kernex_core.gram.step import CrossBlock
from kernex_core.magnitude import LARGEST_POWER, check_digits_kept, power_of_ten
from kernex_core.pieces import Pieces

SCALE = "Divide it by its mean diagonal first"


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

    def fitted(self, known: BoolArray, decomposition: Decomposition) -> FittedRepair:
        """See SpectralRepair.

        Raises
        ------
        InvalidInputError
            Similarities whose squares leave the range of numbers.
        """
        exponent = 2.0 * power_of_ten(float(np.abs(decomposition.eigenvalues).max()))
        check_digits_kept(exponent, "The square of a matrix", SCALE)
        if exponent > LARGEST_POWER:
            raise InvalidInputError(
                "The square of a matrix has to fit the range of numbers (up to 1.8e308)",
                f"about 1e{exponent:+.0f}",
                SCALE,
            )
        return _FittedSquare(self, known, decomposition)


class _FittedSquare(FittedRepair):
    def block(self, K: FloatArray) -> Pieces[FloatArray]:
        """K K', for which no eigenvector is needed."""
        made = np.empty_like(K)
        for at in range(0, K.shape[0], ROWS):
            made[at : at + ROWS] = K[at : at + ROWS] @ K
            yield at / K.shape[0]
        return (made + made.T) / 2.0

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        rows, vectors = K_cross[:, self.known], self.decomposition.vectors
        out = np.full_like(K_cross, np.nan)
        out[:, self.known] = ((rows @ vectors) * self.eigenvalues) @ vectors.T
        # the features of a new item are its similarities to the fitted items
        return CrossBlock(out, np.einsum("ij,ij->i", rows, rows))

    def between_new(self, K_new: FloatArray, K_cross: FloatArray) -> FloatArray:
        """See FittedRepair: features of an item are its similarities to the fitted items."""
        rows = K_cross[:, self.known]
        return np.asarray(rows @ rows.T)
