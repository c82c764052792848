"""Repairs of a kernel side by side: how far each moves it, and what that does to accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kernex_core.conditioning.catalogue import REPAIRS, repair_step, repairing
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import IntArray, ReadOnlyArrays
from kernex_core.gram.diagnostics import Diagnosis, diagnosing
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.step import Applied
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import Paired, paired
from kernex_core.learning.copies import copies_of
from kernex_core.learning.evaluate import JudgingProgress, judge_in_pieces
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement, Score
from kernex_core.magnitude import length
from kernex_core.pieces import Pieces, part
from kernex_core.studies.inspection import Inspection

NO_REPAIR = "none"
TREATMENTS: tuple[str, ...] = (NO_REPAIR, *(repair.method for repair in REPAIRS))
"""Rows of the PSD doctor: nothing done, then every repair of the catalogue."""


@dataclass(frozen=True, eq=False)
class Treatment(ReadOnlyArrays):
    """A conditioned kernel after one repair.

    Attributes
    ----------
    method : str
        One of TREATMENTS.
    gram : GramMatrix
        Repaired, and cosine-normalised again where the conditioning was.
    changed : bool
        Whether the repair did anything: a kernel is left as it is by all but `square`.
    relative_distance : float
        Frobenius norm of the change over the norm before, on the known block.
    diagnosis : Diagnosis
        Of the repaired known block.
    subject : GramMatrix
        What is judged: the k items whose pairs are all known.
    known : (k,) int
        Their positions.
    before : GramMatrix, optional
        The known block before the repair, in which copies are looked for: folds are the same for every repair.
    """

    method: str
    gram: GramMatrix
    changed: bool
    relative_distance: float
    diagnosis: Diagnosis
    subject: GramMatrix
    known: IntArray
    before: GramMatrix | None = None

    @property
    def can_be_judged(self) -> bool:
        """Whether a support vector machine is defined on it: no eigenvalue is materially negative."""
        return not self.diagnosis.indefinite


def treating(inspection: Inspection, method: str, labels: Labels | None = None) -> Pieces[Treatment]:
    """Repair a conditioned kernel, in pieces of a fraction of a second.

    Parameters
    ----------
    inspection : Inspection
    method : str
        One of TREATMENTS.

    Raises
    ------
    InvalidInputError
        Unknown method.
    """
    gram, before = inspection.gram, inspection.diagnosis
    known = np.flatnonzero(gram.known)
    whole = known.size == gram.n
    block = gram if whole else gram.take(known)
    made = block
    if method != NO_REPAIR:
        made = yield from part(
            repairing(block, method, indefinite=before.indefinite, decomposition=inspection.decomposition),
            0.0,
            0.6,
        )
    if made is block:
        return Treatment(method, gram, False, 0.0, before, block, known, block)
    # of a repair the eigenvalues follow from those before; a normalisation after it makes others
    eigenvalues = repair_step(method).spectrum(inspection.decomposition.eigenvalues)
    repaired = made if whole else _on_all_items(gram, made, known)
    if again := inspection.config.normalize == "cosine":
        made = made.then(CosineNormalize())
        repaired = made if whole else repaired.then(CosineNormalize())
    y = None if labels is None else labels.y[known]
    diagnosis = yield from part(diagnosing(made, y, eigenvalues=None if again else eigenvalues), 0.6, 1.0)
    norm, distance = length(block.values), length(made.values - block.values)
    return Treatment(
        method,
        repaired,
        True,
        distance / norm if norm else 0.0,
        replace(diagnosis, n=gram.n),
        made,
        known,
        block,
    )


def _on_all_items(gram: GramMatrix, made: GramMatrix, known: IntArray) -> GramMatrix:
    """The last step of the known block as a step of the whole matrix, whose other pairs stay unknown."""
    values = np.full_like(gram.values, np.nan)
    values[np.ix_(known, known)] = made.values
    return gram.then(made.steps[-1], Applied(values))


def examining(treatment: Treatment, labels: Labels, validation: CrossValidation) -> Iterator[JudgingProgress]:
    """Cross-validate a repaired kernel on the items that are known, in pieces of one fold a thread.

    The last state has the judgement. Every treatment of a kernel is judged on the same folds: they depend on labels and
    protocol only.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, folds that do not fit.
    NotPositiveSemidefiniteError
        An indefinite matrix: a support vector machine is not defined on it.
    """
    whole = treatment.known.size == treatment.gram.n
    judged = labels if whole else labels.take(treatment.known)
    before = treatment.subject if treatment.before is None else treatment.before
    copies = copies_of([before], judged, validation)
    yield from judge_in_pieces(treatment.subject, judged, validation, only_last=True, copies=copies)


def change(made: Judgement, reference: Judgement) -> Score:
    """Difference of two multi-class accuracies on the same folds: mean, and standard deviation over repetitions.

    Raises
    ------
    InvalidInputError
        Other items or another number of repetitions.
    """
    if made.correct.shape != reference.correct.shape:
        raise InvalidInputError(
            "Two accuracies are compared on the same items and repetitions",
            f"{made.correct.shape} and {reference.correct.shape}",
        )
    at = made.labelled
    gain = made.correct[:, at].mean(axis=1) - reference.correct[:, at].mean(axis=1)
    sd = float(gain.std(ddof=1)) if gain.size > 1 else float("nan")
    return Score("Change of multi-class accuracy", mean=float(gain.mean()), sd_repeats=sd)


def change_paired(made: Judgement, reference: Judgement) -> Paired:
    """The same compared item by item, with its interval and p, see `paired`.

    Raises
    ------
    InvalidInputError
        Other items or another number of repetitions.
    """
    return paired(made.by_item(), reference.by_item(), made.passes, groups=made.units)
