"""Study of the page Many kernels: which items kernels have, on one scale, weighed and made one."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, check_seed, parameter
from kernex_core.completion.extrapolate import nugget_parameter
from kernex_core.completion.joint import joint_kernel, pointwise_product, weighted_sum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import Center, CosineNormalize, MeanNormalize, center
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import PAIR
from kernex_core.gram.step import Step
from kernex_core.inputs.items.align import expand
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import Candidate, NestedChoice, choosing_candidate, same_in_all
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.copies import copies_of
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.mkl.base_kernels import NORMALISATIONS
from kernex_core.learning.mkl.judging import (
    ManyJudgement,
    WeightsOfFolds,
    deciding_classes,
    judge_many_in_steps,
)
from kernex_core.learning.mkl.learn import LOSSES, MklResult, mkl
from kernex_core.learning.mkl.minimise import METHODS
from kernex_core.learning.mkl.weightings import (
    AlignmentWeights,
    ByAlignment,
    EqualWeights,
    GivenWeights,
    LearnedWeights,
    Together,
    Weighting,
    alignment_weights,
    cut_together,
)
from kernex_core.learning.protocol import Judging, Protocol

KINDS = ("weighted sum", "joint", "product")
WAYS = ("by hand", "equal", "alignment", "MKL")
NORMALISING: dict[str, tuple[Step, ...]] = {
    "none": (),
    "mean": (MeanNormalize(),),
    "cosine": (CosineNormalize(),),
    "centred": (Center(), MeanNormalize()),
}


@dataclass(frozen=True)
class ManyConfig:
    """How several kernels are made one."""

    normalize: str = parameter(
        "cosine", label="Scale", choices=tuple(NORMALISATIONS),
        help="Weights mean nothing unless kernels are on one scale: a kernel with ten times larger values has ten times the "
        "say. cosine: each item of length 1. mean: each kernel divided by its mean self-similarity. centred: its mean "
        "taken out first. none: as they came.",
    )  # fmt: skip
    kind: str = parameter(
        "weighted sum", label="Combine by", choices=KINDS,
        help="Weighted sum: features side by side. Joint: the harmonic sum of joint regularization, large only where "
        "every kernel is. Product: entry by entry, without weights.",
    )  # fmt: skip
    weigh: str = parameter(
        "by hand", label="Weights", choices=WAYS,
        help="By hand: sliders, whose sum stays 1. Equal: 1/M each. Alignment: the sum looks most like the classes. "
        "MKL: the objective of a classifier is least. The last two look at the labels of all items here; below, where "
        "they are judged, at those of training items alone.",
    )  # fmt: skip
    C: float = parameter(
        0.1, label="Cost of MKL", symbol="C", low=1e-3, high=100.0, logarithmic=True,
        help="Of training errors while weights are learned. A small C keeps noise out, a large one lets every kernel in.",
    )  # fmt: skip
    loss: str = parameter(
        "hinge",
        label="Loss",
        choices=LOSSES,
        help="hinge: of support vector machines. square: squared errors.",
    )
    method: str = parameter(
        "projected gradient",
        label="Solver",
        choices=tuple(METHODS),
        help="Both end at the same weights, up to the gap; SimpleMKL needs several times as many solves. Shown here; "
        "inside folds weights are learned by the first.",
    )
    nugget: float = nugget_parameter(help="Added to every diagonal before the inverses of the joint kernel.")

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class Coverage(ReadOnlyArrays):
    """Which items each kernel has.

    Attributes
    ----------
    names, ids : tuple of str
        Of the kernels, and of the items.
    known : (V, n) bool
    """

    names: tuple[str, ...]
    ids: tuple[str, ...]
    known: BoolArray

    @property
    def complete(self) -> bool:
        """Whether every kernel has every item."""
        return bool(self.known.all())

    @property
    def in_some(self) -> IntArray:
        """Positions of items that at least one kernel has."""
        return np.flatnonzero(self.known.any(axis=0))

    @property
    def in_all(self) -> IntArray:
        """Positions of items that every kernel has."""
        return np.flatnonzero(self.known.all(axis=0))


def coverage(kernels: Mapping[str, GramMatrix]) -> Coverage:
    """Which items each of several kernels has; all on the same ids."""
    first = next(iter(kernels.values()))
    return Coverage(tuple(kernels), first.ids, np.array([K.known for K in kernels.values()]))


def on_items(K: GramMatrix, ids: Sequence[str]) -> GramMatrix:
    """A kernel of other items on these: those that it lacks are unknown, those that are not among these are left out.

    Raises
    ------
    InvalidInputError
        No item in common, or a step that holds similarities of the old items alone.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix
    >>> from kernex_core.studies.many_kernels import on_items
    >>> on_items(GramMatrix(np.eye(2), ("b", "z")), ("a", "b")).values.tolist()
    [[nan, nan], [nan, 1.0]]
    """
    place = {name: k for k, name in enumerate(K.ids)}
    common = [place[name] for name in ids if name in place]
    if not common:
        raise InvalidInputError(f"The kernel {K.name!r} has to have items in common with these", "none")
    return expand(K.take(np.array(common)), ids)


def normalised_kernel(K: GramMatrix, how: str) -> GramMatrix:
    """A kernel on the scale of that name, with the record of it; see NORMALISATIONS."""
    try:
        for step in NORMALISING[how]:
            K = K.then(step)
    except InvalidInputError as error:  # of several kernels it has to be said which
        raise InvalidInputError(
            error.expected,
            f"{error.found} of {K.name!r}",
            "Repair it on the page Kernels and keep that, leave it out, or choose another scale",
        ) from None
    return K


@dataclass(frozen=True, eq=False)
class WeighedKernels(ReadOnlyArrays):
    """Weights of several kernels.

    Attributes
    ----------
    weights : (M,) float
        On the simplex.
    from_labels : bool
        Whether labels of all items made them.
    learned : MklResult or None
    aligned : AlignmentWeights or None
    """

    weights: FloatArray
    from_labels: bool = False
    learned: MklResult | None = None
    aligned: AlignmentWeights | None = None


def weigh(
    kernels: Sequence[GramMatrix], labels: Labels | None, config: ManyConfig, hand: Sequence[float] = ()
) -> WeighedKernels:
    """Weigh kernels that are on one scale.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        Normalised, known everywhere.
    labels : Labels, optional
        Of the same items; those without one are left out.
    config : ManyConfig
    hand : (M,)
        Weights by hand.

    Raises
    ------
    InvalidInputError
        Weights are to be learned, and there are no classes.
    """
    count = len(kernels)
    if config.weigh == "equal" or config.kind == "product":
        return WeighedKernels(np.full(count, 1.0 / count))
    if config.weigh == "by hand":
        return WeighedKernels(np.asarray(hand, dtype=np.float64))
    if labels is None:
        raise InvalidInputError(
            "Weights are learned from classes", "none", "Bring labels on the page Data, or weigh by hand"
        )
    at = np.flatnonzero(labels.labelled)
    blocks, y = [K.values[np.ix_(at, at)] for K in kernels], labels.y[at]
    if config.weigh == "alignment":
        aligned = alignment_weights(blocks, y)
        return WeighedKernels(aligned.weights, True, aligned=aligned)
    learned = mkl(blocks, y, C=config.C, loss=config.loss, method=config.method)
    return WeighedKernels(learned.weights, True, learned=learned)


def combined(
    kernels: Sequence[GramMatrix], weighed: WeighedKernels, config: ManyConfig, name: str
) -> GramMatrix:
    """One kernel of several that are on one scale, with the record of all of them."""
    if config.kind == "product":
        return pointwise_product(kernels).renamed(name)
    weights = weighed.weights
    if config.kind == "joint":
        return joint_kernel(kernels, weights, config.nugget, name, from_labels=weighed.from_labels)
    return weighted_sum(kernels, weights, from_labels=weighed.from_labels).renamed(name)


# Study of the page Many kernels: what is judged beside each other, and the choice among it made again inside the folds.

SUM = "sum"
ALONE = " alone"


def learns_nothing(name: str) -> bool:
    """Whether a way is a plain baseline: a kernel alone, or the sum in which all weigh alike.

    Examples
    --------
    >>> from kernex_core.studies.many_kernels import learns_nothing
    >>> learns_nothing("a alone"), learns_nothing("sum"), learns_nothing("MKL")
    (True, True, False)
    """
    return name == SUM or name.endswith(ALONE)


class Way(NamedTuple):
    """Kernels that are taken, by name, and how they become one inside a fold."""

    names: tuple[str, ...]
    together: Together


def ways_together(
    names: tuple[str, ...], config: ManyConfig, hand: tuple[float, ...] = (), *, choose_C: bool = False
) -> dict[str, Way]:
    """Each kernel alone, weighted sums, the joint kernel and the product, by what they are called.

    Parameters
    ----------
    names : tuple of str
    config : ManyConfig
        Scale, C and loss of learned weights, nugget; a joint kernel with weights from labels is one more.
    hand : (M,), optional
        Weights by hand: a sum of its own where they are not equal, and those of the joint kernel.
    choose_C : bool
        C of learned weights is chosen inside the folds.

    Examples
    --------
    >>> from kernex_core.studies.many_kernels import ManyConfig
    >>> from kernex_core.studies.many_kernels import ways_together
    >>> list(ways_together(("a", "b"), ManyConfig()))
    ['a alone', 'b alone', 'sum', 'alignment', 'MKL', 'joint', 'product']
    """
    equal = (1.0 / len(names),) * len(names)
    given = hand if hand and not np.allclose(hand, equal) else ()
    learned = LearnedWeights(C=config.C, loss=config.loss, choose_C=choose_C)

    def way(weighting: Weighting, kind: str = "weighted sum") -> Way:
        return Way(names, Together(weighting, config.normalize, kind=kind, nugget=config.nugget))

    made = {f"{name}{ALONE}": Way((name,), Together(EqualWeights(), config.normalize)) for name in names}
    made[SUM] = way(EqualWeights())
    if given:
        made["weights by hand"] = way(GivenWeights(given))
    made["alignment"], made["MKL"] = way(ByAlignment()), way(learned)
    made["joint"] = way(GivenWeights(given) if given else EqualWeights(), "joint")
    if config.kind == "joint" and config.weigh in ("alignment", "MKL"):
        made[f"joint, {config.weigh}"] = way(learned if config.weigh == "MKL" else ByAlignment(), "joint")
    made["product"] = way(EqualWeights(), "product")
    return made


def choosing_together(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    config: ManyConfig,
    hand: tuple[float, ...] = (),
    refused: tuple[str, ...] = (),
) -> Iterator[NestedChoice]:
    """Let every training fold choose among all that is judged; a state a way.

    Parameters
    ----------
    kernels, labels, validation, config, hand
        See `judging_together`.
    refused : tuple of str
        Ways that could not be judged, and are left out.
    """
    how = Judging.of(labels, Protocol(validation, UNSCALED), kernels=list(kernels.values()))
    deciding = deciding_classes(how, SupportVectors(validation.C), how.groups)
    ways = ways_together(tuple(kernels), config, hand, choose_C=validation.choose_C)
    ways = {name: way for name, way in ways.items() if name not in refused}

    def candidates() -> Iterator[tuple[str, Candidate]]:
        for name, way in ways.items():
            taken = [kernels[each] for each in way.names]
            cut = cut_together(taken, way.together, deciding, inductive=validation.inductive)
            yield name, same_in_all(cut)

    return choosing_candidate(candidates(), len(ways), how)


# Study of the page Many kernels: each kernel and each combination on the same folds, weights made inside them.


@dataclass(frozen=True, eq=False)
class ManyAccuracy(ReadOnlyArrays):
    """Judgements that are done, all on the same folds.

    Attributes
    ----------
    judged : dict of str to Judgement
        Kernels alone first, then combinations; the last may rest on fewer repetitions while the study runs.
    weights : dict of str to WeightsOfFolds
        Of the combinations whose weights were made inside the folds from labels.
    refused : dict of str to str
    done, total : int
        Folds, over all of them.
    seconds : float
    """

    judged: Mapping[str, Judgement] = field(default_factory=dict)
    weights: Mapping[str, WeightsOfFolds] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    done: int = 0
    total: int = 1
    seconds: float = field(default=0.0, compare=False)

    @property
    def verdict(self) -> Verdict | None:
        """Which is best of all rows: kernels alone and their equal sum are plain baselines; None before all are done."""
        if self.done < self.total or len(self.judged) < 2:
            return None
        return judged_verdict(self.judged, plain=[name for name in self.judged if learns_nothing(name)])


def judging_together(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    config: ManyConfig,
    hand: tuple[float, ...] = (),
) -> Iterator[ManyAccuracy]:
    """Judge each kernel alone, their sums, their joint kernel and their product, see `ways_together`.

    Every kernel is put on its scale by the training block of each fold; weights are made of it and of labels of training
    items, and the joint kernel is fitted on it, too. The product is made entry by entry.

    Parameters
    ----------
    kernels : dict of str to GramMatrix
        Known everywhere, as they came.
    labels : Labels
    validation : CrossValidation
        With C chosen inside the folds that of learned weights is chosen there, too.
    config : ManyConfig
        Scale, C and loss of the learned weights, nugget.
    hand : (M,), optional
        Weights by hand, judged too where they are not equal.
    """
    started = time.perf_counter()
    ways = ways_together(tuple(kernels), config, hand, choose_C=validation.choose_C)
    each = validation.folds * validation.repeats or int(labels.labelled.sum())
    state = ManyAccuracy(total=each * len(ways))
    copies = copies_of(list(kernels.values()), labels, validation)
    for place, (name, way) in enumerate(ways.items()):
        taken = {one: kernels[one] for one in way.names}
        try:
            for part in judge_many_in_steps(taken, labels, validation, way.together, copies=copies):
                state = _with(state, name, part.made, way.together.weighting.sees_labels)
                yield replace(state, done=place * each + part.done, seconds=time.perf_counter() - started)
        except KernexError as error:
            state = replace(state, refused={**state.refused, name: str(error)})
    yield replace(state, done=state.total, seconds=time.perf_counter() - started)


def _with(state: ManyAccuracy, name: str, made: ManyJudgement | None, learned: bool) -> ManyAccuracy:
    if made is None:
        return state
    assert isinstance(made.judgement, Judgement)  # classes are learned here
    weights = {**state.weights, name: made.weights} if learned else state.weights
    return replace(state, judged={**state.judged, name: made.judgement}, weights=weights)


def alignments_between(kernels: Sequence[GramMatrix]) -> FloatArray:
    """(M, M) cosines between centred kernels, 0 where one is constant."""
    rows = np.array([center(K.values).ravel() for K in kernels])
    sizes = np.linalg.norm(rows, axis=1)
    unit = np.divide(rows, sizes[:, None], out=np.zeros_like(rows), where=sizes[:, None] > 1e-12)
    return np.asarray(unit @ unit.T)


@dataclass(frozen=True, eq=False)
class DecisionParts(ReadOnlyArrays):
    """What each kernel adds to the decision on one item, by a classifier that was trained on all others.

    Attributes
    ----------
    names, classes : tuple of str
        Of the kernels, and of the decisions (one for two classes, for the second of them).
    parts : (M, k) float
        η_m Σ_i γ_ci k_m(x, x_i).
    bias : (k,) float
    weights : (M,) float
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    parts: FloatArray
    bias: FloatArray
    weights: FloatArray


def decision_parts(
    kernels: Sequence[GramMatrix], labels: Labels, config: ManyConfig, item: int
) -> DecisionParts:
    """Learn weights and classifier without an item, and take the decision on it apart.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        On one scale, known everywhere.
    labels : Labels
    config : ManyConfig
        C and loss.
    item : int
        Position.
    """
    at = np.flatnonzero(labels.labelled & (np.arange(len(labels.y)) != item))
    blocks = [K.values[np.ix_(at, at)] for K in kernels]
    made = mkl(blocks, labels.y[at], C=config.C, loss=config.loss)
    parts = made.parts([K.values[item, at][None, :] for K in kernels])[:, 0, :]
    classes = made.classes if parts.shape[1] > 1 else made.classes[-1:]
    return DecisionParts(tuple(K.name for K in kernels), classes, parts, made.bias, made.weights)


def noise_kernel(ids: Sequence[str], seed: int = 0) -> GramMatrix:
    """A Gaussian kernel of six standard normal features that have nothing to do with the items.

    Examples
    --------
    >>> from kernex_core.studies.many_kernels import noise_kernel
    >>> noise_kernel(("a", "b")).values.shape
    (2, 2)
    """
    names = tuple(map(str, ids))
    X = np.random.default_rng(np.random.SeedSequence([check_seed(seed), 2004])).normal(size=(len(names), 6))
    D = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    origin = call("noise", "noise_kernel", names, seed)
    return GramMatrix(np.exp(-D / 12.0), names, f"noise {seed}", origin, PAIR)
