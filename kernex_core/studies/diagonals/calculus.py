"""φ of the entries of a kernel beside φ of its eigenvalues: what the page Power p draws on the spectrum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.conditioning.power import ElementMap
from kernex_core.conditioning.spectral_map import SpectralMap
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.diagnostics import Diagnosis, diagnose
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.spectrum.decomposition import decompose
from kernex_core.inputs.samples import Labels
from kernex_core.studies.diagonals.shrink import in_units


@dataclass(frozen=True, eq=False)
class Calculus(ReadOnlyArrays):
    """One map φ used in two ways, of the known block in the units of `in_units`.

    Attributes
    ----------
    before : Diagnosis
        K.
    entries : Diagnosis
        φ of every entry: other eigenvectors, and in general negative eigenvalues.
    eigenvalues : Diagnosis
        U φ(λ) U': the same eigenvectors, in the same order.
    """

    before: Diagnosis
    entries: Diagnosis
    eigenvalues: Diagnosis

    @property
    def graph(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(k,) eigenvalues of K above rounding, ascending; φ of them; eigenvalues of φ of the entries by rank."""
        before = self.before.eigenvalues
        kept = before > before.size * np.finfo(np.float64).eps * np.abs(before).max()
        return (
            before[kept][::-1],
            self.eigenvalues.eigenvalues[kept][::-1],
            self.entries.eigenvalues[kept][::-1],
        )


def functional_calculus(phi: ElementMap, K: GramMatrix, labels: Labels | None = None) -> Calculus:
    """Apply φ to the entries and to the eigenvalues of the same kernel.

    Parameters
    ----------
    phi : ElementMap
        It does not fall, so that eigenvalues keep their order.
    K : GramMatrix
        Unknown items are left out.

    Raises
    ------
    InvalidInputError
        Nothing known.
    NotPositiveSemidefiniteError
        A similarity that is no kernel; the message names the repair.
    """
    known = np.flatnonzero(K.known)
    if known.size == 0:
        raise InvalidInputError("At least one item has to be known", "none")
    block, _ = in_units(K.values[np.ix_(known, known)])
    y = None if labels is None else labels.y[known]
    made = decompose(block)
    spectral = SpectralMap(phi).fitted(np.ones(known.size, dtype=np.bool_), made)
    return Calculus(
        diagnose(block, y, eigenvalues=made.eigenvalues),
        diagnose(phi.fit(block).apply(block), y),
        diagnose(spectral.apply(block), y, eigenvalues=spectral.repaired),
    )
