"""REPAIRS: what can make an indefinite similarity a kernel. One line a repair."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import (
    LARGEST_POWER,
    as_symmetric,
    check_digits_kept,
    is_plainly_kernel,
    length,
    power_of_ten,
    psd_tolerance,
)
from kernex_core.gram.matrix import GramMatrix, unknown_entries
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.spectrum import ROWS, Decomposition, decomposing
from kernex_core.gram.step import Applied, CrossBlock, FittedStep, Sees, Step
from kernex_core.runtime.progress import Steps, finished, part

# Repairs that act on the eigenvalues of the known block: the common part; one file each holds its own map.


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
    ) -> Steps[FittedRepair]:
        """`fit` in steps, with the mask (n,) of the known block, and its decomposition where there is one.

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

    def applying(self, K: FloatArray) -> Steps[FloatArray]:
        """`apply` in steps."""
        if not self.needed and self.known.all():
            return K
        at = np.ix_(self.known, self.known)
        block = (yield from self.block(K[at])) if self.needed else K[at]
        if self.known.all():
            return block
        out = np.full_like(K, np.nan)
        out[at] = block
        return out

    def block(self, K: FloatArray) -> Steps[FloatArray]:
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


# Clip: negative eigenvalues become zero.


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


# Flip: negative eigenvalues change sign.


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


# Shift: a multiple of the identity lifts the smallest eigenvalue to zero.


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

    def block(self, K: FloatArray) -> Steps[FloatArray]:
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


# Square: rows of similarities become features.

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
    def block(self, K: FloatArray) -> Steps[FloatArray]:
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


REPAIRS: tuple[SpectralRepair, ...] = (
    Clip(),
    Flip(),
    Shift(),
    Square(),
)

AT_ONCE = 4_000
"""Items up to which a kernel is first looked at whether it is one: a tenth of the time of its eigenvalues, in one piece."""


def repair_step(method: str) -> SpectralRepair:
    """Repair of that name.

    Raises
    ------
    InvalidInputError
        Listing the names that there are.
    """
    check_choice("The repair", method, [repair.method for repair in REPAIRS])
    return next(repair for repair in REPAIRS if repair.method == method)


def repaired(
    K: GramMatrix,
    method: str,
    *,
    indefinite: bool | None = None,
    known_block_only: bool = False,
    decomposition: Decomposition | None = None,
    keeps_digits: bool = False,
) -> GramMatrix:
    """Repair a kernel; a repair that is not needed is no step, so that nothing counts as fitted on all rows.

    Parameters
    ----------
    K : GramMatrix
        (n, n); unknown entries stay unknown.
    method : {"clip", "flip", "shift", "square"}
    indefinite : bool, optional
        Whether an eigenvalue of the known block is materially negative, where somebody has found out already: then
        nothing is decomposed to learn that no repair is needed.
    known_block_only : bool
        The step stands also where a partly known kernel needs no repair: it takes away pairs outside the known block.
    decomposition : Decomposition, optional
        Of the known block, where it is there already.
    keeps_digits : bool
        Eigenvalues that the digits of the numbers explain are left: what comes after knows these digits.

    Returns
    -------
    GramMatrix
        K itself where there is nothing to do.

    Raises
    ------
    InvalidInputError
        Unknown method, or no known item.
    """
    return finished(
        repairing(
            K,
            method,
            indefinite=indefinite,
            known_block_only=known_block_only,
            decomposition=decomposition,
            keeps_digits=keeps_digits,
        )
    )


def repairing(
    K: GramMatrix,
    method: str,
    *,
    indefinite: bool | None = None,
    known_block_only: bool = False,
    decomposition: Decomposition | None = None,
    keeps_digits: bool = False,
) -> Steps[GramMatrix]:
    """`repaired` in steps of a fraction of a second."""
    step = repair_step(method)
    keeps_all = not known_block_only or bool(K.known.all())
    if indefinite is False and not step.changes_kernels and keeps_all:
        return K
    at = np.ix_(K.known, K.known)
    unasked = indefinite is None and decomposition is None and not step.changes_kernels
    if unasked and 0 < np.count_nonzero(K.known) <= AT_ONCE and is_plainly_kernel(K.values[at]):
        if keeps_all:
            return K
        values = np.full_like(K.values, np.nan)
        values[at] = K.values[at]
        return K.then(step, Applied(values))
    fitted = yield from part(step.fitting(K.values, K.known, decomposition), 0.0, 0.5)
    if keeps_digits and keeps_all and not step.changes_kernels and fitted.eigenvalues[0] >= -K.digits:
        return K
    if fitted.needed or indefinite or not keeps_all:
        values = yield from part(fitted.applying(K.values), 0.5, 1.0)
        return K.then(step, Applied(values))
    return K


@dataclass(frozen=True, eq=False)
class PsdRepair(ReadOnlyArrays):
    """A repaired matrix and what the repair did.

    Attributes
    ----------
    gram : (n, n), the kind of matrix that was given
    method : str
    min_eigenvalue : float
        Smallest eigenvalue of the known block before the repair.
    negative_mass : float
        Σ|λ < 0| / Σ|λ| before the repair, 0 to 1.
    distance : float
        Frobenius norm of the change.
    relative_distance : float
        The same over the Frobenius norm before.
    rank : int
        Eigenvalues above rounding after the repair.
    negative : int
        Eigenvalues materially below zero before the repair.
    """

    gram: GramMatrix | FloatArray
    method: str
    min_eigenvalue: float
    negative_mass: float
    distance: float
    relative_distance: float
    rank: int
    negative: int


def repair_psd(K: GramMatrix | FloatArray, method: str = "clip") -> PsdRepair:
    """Make a similarity positive semidefinite, with a report.

    Parameters
    ----------
    K : (n, n)
        Unknown entries stay unknown; the known block is repaired.
    method : {"clip", "flip", "shift", "square"}

    Raises
    ------
    InvalidInputError
        Unknown method, asymmetric or empty matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import repair_psd
    >>> made = repair_psd(np.array([[1.0, 2.0], [2.0, 1.0]]), "clip")
    >>> made.gram.round(6).tolist(), round(made.min_eigenvalue, 6)
    ([[1.5, 1.5], [1.5, 1.5]], -1.0)
    """
    step = repair_step(method)
    values = as_symmetric(K, allow_nan=True)
    fitted = step.fit(values)
    made: GramMatrix | FloatArray
    made = K.then(step, fitted) if isinstance(K, GramMatrix) else fitted.apply(values).copy()
    block = np.ix_(fitted.known, fitted.known)
    before, after = values[block], np.asarray(made)[block]
    eigenvalues, repaired = fitted.eigenvalues, fitted.repaired
    mass, norm = float(np.abs(eigenvalues).sum()), length(before)
    distance = length(after - before)
    return PsdRepair(
        gram=made,
        method=method,
        min_eigenvalue=float(eigenvalues[0]),
        negative_mass=float(-eigenvalues[eigenvalues < 0.0].sum()) / mass if mass else 0.0,
        distance=distance,
        relative_distance=distance / norm if norm else 0.0,
        rank=int((repaired > psd_tolerance(repaired.size, float(np.abs(repaired).max()))).sum()),
        negative=int((eigenvalues < -fitted.tolerance).sum()),
    )


# A kernel as studies take it: repaired and normalised, with the steps that did it.

REPAIR_CHOICES = (*(repair.method for repair in REPAIRS if not repair.changes_kernels), "none")


class Conditioning(Protocol):
    """What every study's configuration says about a kernel before anything is done with it."""

    @property
    def repair(self) -> str:
        """Name of a repair, or "none"."""

    @property
    def normalize(self) -> bool:
        """Whether to cosine-normalise after it."""


def conditioned(config: Conditioning, K: GramMatrix, *, keeps_digits: bool = False) -> GramMatrix:
    """Repair and normalise a kernel as the configuration says; the same for every kernel of a study.

    A kernel that is known everywhere and positive semidefinite already gets no step of repair (`catalogue.repaired`). Of
    a partly known one the repair also takes away pairs outside the known block. With `keeps_digits` one that is so within
    the digits of its numbers gets none either.
    """
    return finished(conditioning(config, K, keeps_digits=keeps_digits))


def conditioning(config: Conditioning, K: GramMatrix, *, keeps_digits: bool = False) -> Steps[GramMatrix]:
    """`conditioned` in steps of a fraction of a second."""
    if config.repair != "none":
        K = yield from repairing(K, config.repair, known_block_only=True, keeps_digits=keeps_digits)
    return K.then(CosineNormalize()) if config.normalize else K
