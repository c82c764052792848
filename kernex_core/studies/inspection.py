"""Study of the page Kernels: what a kernel sees, whether it is one, and what each repair would cost.

`inspect` answers a move of p or of the normalisation; `treat` adds one repair, `examining` judges it in pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from kernex_core.conditioning.catalogue import REPAIRS, repair_step, repairing
from kernex_core.conditioning.power import Log1p, SignedPower
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.center import Center
from kernex_core.gram.components import kernel_pca
from kernex_core.gram.decomposition import Decomposition, decomposing
from kernex_core.gram.diagnostics import Diagnosis, diagnose, diagnosing
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import JudgingProgress, judging
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement, Score
from kernex_core.parameters import check_parameters, parameter
from kernex_core.pieces import Pieces, finished, part
from kernex_core.validation import check_size

NO_REPAIR = "none"
TREATMENTS: tuple[str, ...] = (NO_REPAIR, *(repair.method for repair in REPAIRS))
"""Rows of the PSD doctor: nothing done, then every repair of the catalogue."""


@dataclass(frozen=True)
class InspectionConfig:
    """What is done to a kernel before it is looked at: an elementwise map, then a normalisation."""

    elements: str = parameter(
        "power",
        label="Elements",
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
    """

    method: str
    gram: GramMatrix
    changed: bool
    relative_distance: float
    diagnosis: Diagnosis
    known: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def can_be_judged(self) -> bool:
        """Whether a support vector machine is defined on it: no eigenvalue is materially negative."""
        return not self.diagnosis.indefinite

    @property
    def subject(self) -> GramMatrix:
        """What is judged: the items whose pairs are all known."""
        return self.gram if self.known.size == self.gram.n else self.gram.take(self.known)


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


def inspect(config: InspectionConfig, K: GramMatrix, labels: Labels | None = None) -> Inspection:
    """Condition a kernel and describe it; everything is about the block of items whose pairs are all known.

    Parameters
    ----------
    config : InspectionConfig
    K : GramMatrix
        Unknown entries are NaN.
    labels : Labels, optional
        For alignment and the nearest neighbour.

    Raises
    ------
    InvalidInputError
        As `condition`, or nothing known.
    """
    return finished(inspecting(config, condition(config, K), labels))


def inspecting(
    config: InspectionConfig, gram: GramMatrix, labels: Labels | None = None
) -> Pieces[Inspection]:
    """`inspect` in pieces of a fraction of a second, for a kernel that is conditioned already."""
    known = np.flatnonzero(gram.known)
    made = yield from decomposing(known_block(gram))
    diagnosis = diagnose(gram, None if labels is None else labels.y, eigenvalues=made.eigenvalues)
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


def treat(inspection: Inspection, method: str, labels: Labels | None = None) -> Treatment:
    """Repair a conditioned kernel.

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
    return finished(treating(inspection, method, labels))


def treating(inspection: Inspection, method: str, labels: Labels | None = None) -> Pieces[Treatment]:
    """`treat` in pieces of a fraction of a second."""
    gram, before = inspection.gram, inspection.diagnosis
    known = np.flatnonzero(gram.known)
    made = gram
    if method != NO_REPAIR:
        repair = repairing(gram, method, indefinite=before.indefinite, decomposition=inspection.decomposition)
        made = yield from part(repair, 0.0, 0.6)
    if made is gram:
        return Treatment(method, gram, False, 0.0, before, known)
    # the eigenvalues after a repair are what it makes of those before; those of a normalised matrix are others
    eigenvalues = repair_step(method).spectrum(inspection.decomposition.eigenvalues)
    again = inspection.config.normalize == "cosine"
    if again:
        made = made.then(CosineNormalize())
    block, after = known_block(gram), known_block(made)
    norm, distance = float(np.linalg.norm(block)), float(np.linalg.norm(after - block))
    diagnosis = yield from part(
        diagnosing(made, None if labels is None else labels.y, eigenvalues=None if again else eigenvalues),
        0.6,
        1.0,
    )
    return Treatment(method, made, True, distance / norm if norm else 0.0, diagnosis, known)


def examining(treatment: Treatment, labels: Labels, validation: CrossValidation) -> Iterator[JudgingProgress]:
    """Cross-validate a repaired kernel on the items that are known, in pieces of one fold a thread.

    Every treatment of a kernel is judged on the same folds: they depend on labels and protocol only.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, folds that do not fit.
    NotPositiveSemidefiniteError
        An indefinite matrix: a support vector machine is not defined on it.
    """
    whole = treatment.known.size == treatment.gram.n
    yield from judging(treatment.subject, labels if whole else labels.take(treatment.known), validation)


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
