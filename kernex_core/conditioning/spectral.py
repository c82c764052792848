"""Repairs that act on the eigenvalues of the known block: the common part; one file each holds its own map."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.gram.spectrum.decomposition import Decomposition, decomposing
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.gram.unknown import unknown_entries
from kernex_core.pieces import Pieces, finished
from kernex_core.validation import psd_tolerance


@dataclass(frozen=True)
class SpectralRepair(Step):
    """Base of the repairs: K = U diag(λ) U' becomes U diag(f(λ)) U'.

    Unknown entries stay unknown and only the known block is repaired (remove first, repair after: a repair of the
    whole matrix would carry what is hidden into what is known). A block that is positive semidefinite up to rounding
    is left exactly as it is by every repair but `square`.
    """

    sees: ClassVar[Sees] = Sees("fitted")
    carries_digits: ClassVar[bool] = False
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
        return finished(self.fitting(K_train, unknown_entries(K_train).known))

    def fitting(
        self, K_train: FloatArray, known: BoolArray, decomposition: Decomposition | None = None
    ) -> Pieces[FittedRepair]:
        """`fit` in pieces, with the mask (n,) of the known block, and its decomposition where there is one.

        Raises
        ------
        InvalidInputError
            If no item is known.
        """
        if not known.any():
            raise InvalidInputError(
                "A repair needs at least one item with known similarities",
                "none",
                "Bring similarities of more items, or hide fewer",
            )
        if decomposition is None:
            decomposition = yield from decomposing(K_train[np.ix_(known, known)])
        return self.fitted(known, decomposition)

    def fitted(self, known: BoolArray, decomposition: Decomposition) -> FittedRepair:
        """Return the repair of a block (k, k) of known items (n,) from its decomposition."""
        return FittedRepair(self, known, decomposition)


class FittedRepair(FittedStep):
    """A repair that knows the decomposition of its block.

    Attributes
    ----------
    known : (n,) bool
    decomposition : Decomposition
        Of the block.
    eigenvalues, repaired : (k,) float
        λ ascending, and f(λ).
    """

    def __init__(self, step: SpectralRepair, known: BoolArray, decomposition: Decomposition) -> None:
        self.step, self.known, self.decomposition = step, known, decomposition
        eigenvalues = self.eigenvalues = decomposition.eigenvalues
        self.tolerance = psd_tolerance(eigenvalues.size, float(np.abs(eigenvalues).max()))
        self.needed = bool(eigenvalues[0] < -self.tolerance) or step.changes_kernels
        self.repaired = step.spectrum(eigenvalues) if self.needed else eigenvalues

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        return finished(self.applying(K))

    def applying(self, K: FloatArray) -> Pieces[FloatArray]:
        """`apply` in pieces."""
        if not self.needed and self.known.all():
            return K
        at = np.ix_(self.known, self.known)
        block = (yield from self.block(K[at])) if self.needed else K[at]
        if self.known.all():
            return block
        out = np.full_like(K, np.nan)
        out[at] = block
        return out

    def block(self, K: FloatArray) -> Pieces[FloatArray]:
        """The repaired block (k, k) of the fitted one, where a repair is needed."""
        return (yield from self.decomposition.with_spectrum(self.repaired))

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
        vectors = self.decomposition.vectors
        c = rows @ vectors
        safe = np.abs(self.eigenvalues) > self.tolerance
        ratio = np.zeros_like(self.eigenvalues)
        np.divide(self.repaired, self.eigenvalues, out=ratio, where=safe)
        out[:, self.known] = (c * ratio) @ vectors.T
        extended = (c[:, safe] / self.eigenvalues[safe]) ** 2
        gain = self.repaired[safe] - self.eigenvalues[safe]
        return CrossBlock(out, diag + np.minimum(extended, 1.0) @ gain)

    def between_new(self, K_new: FloatArray, K_cross: FloatArray) -> FloatArray:
        """Apply the same map to similarities (m, m) of new items; `K_cross` (m, n) are theirs to the fitted ones.

        k(x, x') + Σ (f_i − λ_i) u_i(x) u_i(x'), extended and bounded as in `apply_cross`.
        """
        if not self.needed:
            return K_new
        safe = np.abs(self.eigenvalues) > self.tolerance
        lam = self.eigenvalues[safe]
        u = np.clip(K_cross[:, self.known] @ self.decomposition.vectors[:, safe] / lam, -1.0, 1.0)
        return np.asarray(K_new + (u * (self.repaired[safe] - lam)) @ u.T)
