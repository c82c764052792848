"""Study of the page Kernels: what a kernel sees, and whether it is one; what each repair would cost, and what it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import check_size, length, psd_tolerance
from kernex_core.conditioning.impute import FILLS, FillUnknown
from kernex_core.conditioning.power import Log1p, SignedPower
from kernex_core.conditioning.repairs import REPAIRS, Clip, repair_step, repairing
from kernex_core.gram.diagnostics import Diagnosis, diagnose, diagnosing
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import Center, CosineNormalize
from kernex_core.gram.seen import Seen
from kernex_core.gram.spectrum import Decomposition, decomposing, kernel_pca
from kernex_core.gram.step import Applied, Step
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import Paired, paired
from kernex_core.learning.copies import copies_of
from kernex_core.learning.evaluate import JudgingProgress, judge_in_steps
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement, Score
from kernex_core.learning.leakage import State, state_of
from kernex_core.runtime.progress import Steps, part

SPECTRUM = 0.85
"""Share of an inspection of many items that its eigenvalues take; neighbours, alignment and map take the rest."""


@dataclass(frozen=True)
class InspectionConfig:
    """What is done to a kernel before it is looked at: an elementwise map, then a normalisation."""

    elements: str = parameter(
        "power",
        label="Map of entries",
        help="Map of every entry: sgn(x) |x|^p, where p = 1 changes nothing, or sgn(x) log(1 + |x|). "
        "Both shrink large diagonals; the result may be indefinite.",
        choices=("power", "log1p"),
    )
    p: float = parameter(
        1.0,
        label="Power",
        symbol="p",
        help="Every entry becomes sgn(x) |x|^p; 1 changes nothing.",
        low=0.0,
        high=1.0,
        open_low=True,
        step=0.05,
    )
    normalize: str = parameter(
        "none",
        label="Normalise",
        help="cosine: every item gets self-similarity 1. centre: the origin moves to the mean of the items, which "
        "looks at all of them.",
        choices=("none", "cosine", "centre"),
    )

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class Inspection(ReadOnlyArrays):
    """A conditioned kernel and what it is like.

    Attributes
    ----------
    gram : GramMatrix
        Conditioned, not repaired; unknown entries are NaN.
    diagnosis : Diagnosis
        Of its known block.
    coordinates : (n, 2) float
        Kernel principal components of the known block; NaN for items outside it. An indefinite similarity has a map
        of its positive part only.
    share : (2,) float
        Eigenvalue of each over the sum of absolute eigenvalues (centred), 0 to 1.
    decomposition : Decomposition
        Of the known block: diagnosis, map and every repair rest on this one.
    """

    config: InspectionConfig
    gram: GramMatrix
    diagnosis: Diagnosis
    coordinates: FloatArray
    share: FloatArray
    decomposition: Decomposition = field(repr=False)


def condition(config: InspectionConfig, K: GramMatrix) -> GramMatrix:
    """Apply the elementwise map and the normalisation; each becomes a recorded step.

    Raises
    ------
    InvalidInputError
        Cosine normalisation of a negative self-similarity, or centring with unknown entries.
    """
    if config.elements == "log1p":
        K = K.then(Log1p())
    elif config.p != 1.0:
        K = K.then(SignedPower(float(config.p)))
    if config.normalize == "cosine":
        return K.then(CosineNormalize())
    if config.normalize == "none":
        return K
    if not K.unknown.complete:
        raise InvalidInputError(
            "Centring needs the mean of all similarities",
            f"{K.unknown.unknown_pairs:,} unknown pairs",
            "Choose cosine or none, or complete the kernel first on the page Complete",
        )
    return K.then(Center())


def inspecting(config: InspectionConfig, gram: GramMatrix, labels: Labels | None = None) -> Steps[Inspection]:
    """Describe a conditioned kernel, in steps of a fraction of a second.

    Everything is about the block of items whose pairs are all known.

    Parameters
    ----------
    config : InspectionConfig
        What the kernel was conditioned by.
    gram : GramMatrix
        Made by `condition`; unknown entries are NaN.
    labels : Labels, optional
        For alignment and the nearest neighbour.

    Raises
    ------
    InvalidInputError
        Nothing known.
    """
    known = np.flatnonzero(gram.known)
    made = yield from part(decomposing(known_block(gram)), 0.0, SPECTRUM)
    # what follows the last eigenvalue takes its time too
    yield SPECTRUM
    diagnosis = diagnose(gram, None if labels is None else labels.y, eigenvalues=made.eigenvalues)
    yield (1.0 + SPECTRUM) / 2.0
    coordinates = np.full((gram.n, 2), np.nan)
    q = min(2, known.size)
    components = kernel_pca(gram, q, decomposition=made)
    # one item has one component: the other coordinate is 0
    coordinates[known] = np.pad(components.coordinates, ((0, 0), (0, 2 - q)))
    return Inspection(config, gram, diagnosis, coordinates, np.pad(components.share, (0, 2 - q)), made)


def known_block(K: GramMatrix) -> FloatArray:
    """Similarities (k, k) of the items whose pairs are all known.

    Raises
    ------
    InvalidInputError
        There is none, or an entry is too large to be squared.
    """
    if not K.known.any():
        raise InvalidInputError("At least one item has to be known", "none")
    check_size(K.values, K.name)
    return K.values if K.known.all() else K.values[np.ix_(K.known, K.known)]


# Repairs of a kernel side by side: how far each moves it, and what that does to accuracy.

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

    @property
    def eigenvalues(self) -> FloatArray:
        """(k,) of the known block, descending."""
        return self.diagnosis.eigenvalues

    @property
    def rank(self) -> int:
        """Eigenvalues materially other than zero."""
        return self.diagnosis.rank


@dataclass(frozen=True, eq=False)
class Outlook(ReadOnlyArrays):
    """What a repair would do, told without doing it: all that follows from the eigenvalues before it.

    Attributes
    ----------
    method : str
        One of TREATMENTS.
    gram : GramMatrix
        Before the repair.
    added : tuple of Step
        What is done to it; nothing where the repair leaves a kernel as it is.
    eigenvalues : (k,) float
        Of the repaired known block, descending; empty where a normalisation follows, whose result alone has them.
    relative_distance : float
        As of a Treatment; NaN where it does not follow.
    rank : int
        Eigenvalues materially other than zero.
    can_be_judged : bool
    """

    method: str
    gram: GramMatrix
    added: tuple[Step, ...]
    eigenvalues: FloatArray
    relative_distance: float
    rank: int
    can_be_judged: bool

    @property
    def changed(self) -> bool:
        """Whether the repair does anything."""
        return bool(self.added)

    @property
    def same_as(self) -> str:
        """Whose accuracy the repaired kernel has: that of no repair where this one leaves the kernel as it is."""
        return self.method if self.changed else NO_REPAIR

    @property
    def steps(self) -> tuple[Step, ...]:
        """All that the repaired kernel will have been through."""
        return (*self.gram.steps, *self.added)

    @property
    def follows(self) -> bool:
        """Whether its numbers follow; else they are those of the repaired kernel, which has to be made."""
        return bool(self.eigenvalues.size)

    def state(self, *, inductive: bool) -> State:
        """What an accuracy of the repaired kernel will have seen."""
        seen = (step.sees.when(inductive=inductive) for step in self.added)
        return state_of(reduce(Seen.__or__, seen, self.gram.has_seen(inductive=inductive)))


def foreseen(inspection: Inspection, method: str) -> Outlook:
    """Tell what a repair would do, in O(k) from the eigenvalues that are there.

    Parameters
    ----------
    inspection : Inspection
    method : str
        One of TREATMENTS.

    Raises
    ------
    InvalidInputError
        Unknown method, or squares that leave the range of numbers.
    """
    before = inspection.diagnosis
    step = None if method == NO_REPAIR else repair_step(method)
    if step is None or not (before.indefinite or step.changes_kernels):
        return Outlook(
            method, inspection.gram, (), before.eigenvalues, 0.0, before.rank, not before.indefinite
        )
    fitted = step.fitted(
        inspection.gram.known, inspection.decomposition
    )  # which refuses what cannot be squared
    if inspection.config.normalize == "cosine":
        added = step, CosineNormalize()
        return Outlook(method, inspection.gram, added, np.zeros(0), float("nan"), 0, True)
    values, after = fitted.eigenvalues, fitted.repaired
    # both matrices have the same eigenvectors: their distance is that of their eigenvalues
    norm, size = length(values), np.abs(after)
    rank = int((size > psd_tolerance(size.size, float(size.max()))).sum())
    distance = length(after - values) / norm if norm else 0.0
    return Outlook(method, inspection.gram, (step,), np.sort(after)[::-1], distance, rank, True)


def treating(inspection: Inspection, method: str, labels: Labels | None = None) -> Steps[Treatment]:
    """Repair a conditioned kernel, in steps of a fraction of a second.

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
    """Cross-validate a repaired kernel on the items that are known, in steps of one fold a thread.

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
    yield from judge_in_steps(treatment.subject, judged, validation, only_last=True, copies=copies)


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


# Ways to fill what a search tool did not report, side by side: what each does to definiteness and to accuracy.


@dataclass(frozen=True, eq=False)
class Filled(ReadOnlyArrays):
    """One way to fill.

    Attributes
    ----------
    method : str
        One of FILLS.
    gram : GramMatrix
        Filled, cosine-normalised, not repaired.
    min_eigenvalue, negative_mass : float
        Of that matrix.
    judgement : Judgement or None
        After clipping; None without labels of two classes.
    """

    method: str
    gram: GramMatrix
    min_eigenvalue: float
    negative_mass: float
    judgement: Judgement | None


@dataclass(frozen=True, eq=False)
class FillingProgress(ReadOnlyArrays):
    """State of a running comparison: percent done, of 100, and the ways that are done.

    Attributes
    ----------
    done, total : int
    rows : tuple of Filled
    """

    done: int
    total: int
    rows: tuple[Filled, ...]


def filling(
    K: GramMatrix,
    labels: Labels | None,
    validation: CrossValidation,
    *,
    done: FillingProgress | None = None,
) -> Iterator[FillingProgress]:
    """Fill a partly unknown similarity in every way there is, in steps of a fraction of a second.

    Parameters
    ----------
    K : GramMatrix
        With unknown pairs.
    labels : Labels or None
    validation : CrossValidation
        The same folds for every way.
    done : FillingProgress, optional
        The ways that are done already; the others follow.

    Raises
    ------
    InvalidInputError
        If nothing is unknown.
    """
    if K.unknown.complete:
        raise InvalidInputError("Filling is for a kernel with unknown pairs", f"none in {K.name!r}")
    judged = labels if labels is not None and labels.judgeable else None
    rows = () if done is None else done.rows
    for at in range(len(rows), len(FILLS)):
        steps = _filled(K, list(FILLS)[at], judged, validation)
        while True:
            try:
                share = next(steps)
            except StopIteration as end:
                rows = (*rows, end.value)
                break
            yield FillingProgress(int(100 * (at + share) / len(FILLS)), 100, rows)
        yield FillingProgress(100 * len(rows) // len(FILLS), 100, rows)


def _filled(K: GramMatrix, method: str, judged: Labels | None, validation: CrossValidation) -> Steps[Filled]:
    made = K.then(FillUnknown(method)).then(CosineNormalize())
    yield 0.0
    decomposition = yield from part(decomposing(made.values), 0.0, 0.2)
    state = diagnose(made, eigenvalues=decomposition.eigenvalues)
    if judged is None:
        return Filled(method, made, state.min_eigenvalue, state.negative_mass, None)
    clip = Clip()
    fitted = clip.fitted(made.known, decomposition)
    values = yield from part(fitted.applying(made.values), 0.2, 0.5)
    judgement = None
    # every way has the same folds: copies are looked for in the similarity as it came, not in what fills it
    copies = copies_of([K], judged, validation)
    for progress in judge_in_steps(made.then(clip, Applied(values)), judged, validation, copies=copies):
        judgement = progress.judgement
        yield 0.5 + 0.5 * progress.done / progress.total
    return Filled(method, made, state.min_eigenvalue, state.negative_mass, judgement)
