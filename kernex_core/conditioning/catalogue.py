"""REPAIRS: what can make an indefinite similarity a kernel. One line a repair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.flip import Flip
from kernex_core.conditioning.shift import Shift
from kernex_core.conditioning.spectral import SpectralRepair
from kernex_core.conditioning.square import Square
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.spectrum.decomposition import Decomposition
from kernex_core.gram.step import Applied
from kernex_core.magnitude import length
from kernex_core.parameters import check_choice
from kernex_core.pieces import Pieces, finished, part
from kernex_core.validation import as_symmetric, is_plainly_kernel, psd_tolerance

REPAIRS: tuple[SpectralRepair, ...] = (
    Clip(),
    Flip(),
    Shift(),
    Square(),
)

AT_ONCE = 1_000
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
) -> Pieces[GramMatrix]:
    """`repaired` in pieces of a fraction of a second."""
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
