"""Repairs that act on the eigenvalues of the known block: the common part; one file each holds its own map."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.linalg import eigh

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.gram.unknown import unknown_entries
from kernex_core.validation import psd_tolerance


@dataclass(frozen=True)
class SpectralRepair(Step):
    """Base of the repairs: K = U diag(λ) U' becomes U diag(f(λ)) U'.

    Unknown entries stay unknown and only the known block is repaired (remove first, repair after: a repair of the
    whole matrix would carry what is hidden into what is known). A block that is positive semidefinite up to rounding
    is left exactly as it is by every repair but `square`.
    """

    sees: ClassVar[Sees] = Sees("fitted")
    method: ClassVar[str]
    formula: ClassVar[str]
    summary: ClassVar[str]
    changes_kernels: ClassVar[bool] = False

    @abc.abstractmethod
    def spectrum(self, eigenvalues: FloatArray) -> FloatArray:
        """Return f(λ) for the eigenvalues of the block, ascending."""

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedRepair:
        """See Step.

        Raises
        ------
        InvalidInputError
            If no item is known.
        """
        known = unknown_entries(K_train).known
        if not known.any():
            raise InvalidInputError("A repair needs at least one item with known similarities", "none")
        eigenvalues, vectors = eigh(K_train[np.ix_(known, known)], check_finite=False)
        return FittedRepair(self, known, eigenvalues, vectors)


class FittedRepair(FittedStep):
    """A repair that knows the decomposition of its block.

    Attributes
    ----------
    known : (n,) bool
    eigenvalues, repaired : (k,) float
        λ ascending, and f(λ).
    vectors : (k, k) float
    """

    def __init__(
        self, step: SpectralRepair, known: BoolArray, eigenvalues: FloatArray, vectors: FloatArray
    ) -> None:
        self.step, self.known = step, known
        self.eigenvalues, self.vectors = eigenvalues, vectors
        self.tolerance = psd_tolerance(eigenvalues.size, float(np.abs(eigenvalues).max()))
        self.needed = bool(eigenvalues[0] < -self.tolerance) or step.changes_kernels
        self.repaired = step.spectrum(eigenvalues) if self.needed else eigenvalues

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        if not self.needed and self.known.all():
            return K
        block = K[np.ix_(self.known, self.known)]
        if self.needed:
            scaled = self.vectors * self.repaired
            block = scaled @ self.vectors.T
            block = (block + block.T) / 2.0
        out = np.full_like(K, np.nan)
        out[np.ix_(self.known, self.known)] = block
        return out

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """Apply the same spectral map to new items.

        With c = U' k(X, x) the row becomes U diag(f(λ)/λ) c and the self-similarity k(x, x) + Σ (f_i − λ_i) u_i(x)²,
        u_i(x) = c_i/λ_i being the Nystroem extension of eigenvector i. Eigenvalues that are rounding count as zero.
        No component of a unit eigenvector exceeds 1, so u_i(x)² is held at 1: for λ_i near 0 the extension is noise
        and would make self-similarities several times too large.
        """
        out = np.full_like(K_cross, np.nan)
        rows = K_cross[:, self.known]
        if not self.needed:
            out[:, self.known] = rows
            return CrossBlock(out, diag)
        c = rows @ self.vectors
        safe = np.abs(self.eigenvalues) > self.tolerance
        ratio = np.zeros_like(self.eigenvalues)
        np.divide(self.repaired, self.eigenvalues, out=ratio, where=safe)
        out[:, self.known] = (c * ratio) @ self.vectors.T
        extended = (c[:, safe] / self.eigenvalues[safe]) ** 2
        gain = self.repaired[safe] - self.eigenvalues[safe]
        return CrossBlock(out, diag + np.minimum(extended, 1.0) @ gain)
