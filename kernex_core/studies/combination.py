"""Study of the page Combine: two kernels joined harmonically, added and multiplied, on the same folds."""

from __future__ import annotations

import time
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_parameters, check_range, parameter
from kernex_core.completion.complete import Complete
from kernex_core.completion.extrapolate import nugget_parameter
from kernex_core.conditioning.repairs import REPAIR_CHOICES, conditioning
from kernex_core.gram.combine import JointPath, Product, WeightedSum, making_path
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.gram.split import cut_blocks
from kernex_core.gram.step import Step
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import CellScores, cell_interval, cell_verdict, scores_of
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.tried import Candidate as Tried
from kernex_core.learning.chance.tried import Measure, NestedChoice, choosing_candidate, same_in_all
from kernex_core.learning.chance.verdict import Candidate, Verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import State, state_of
from kernex_core.learning.machine import UNSCALED, Coded
from kernex_core.learning.mkl.learn import MklConfig, mkl_path
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.scores import chance_level, majority_floor
from kernex_core.runtime.progress import Steps, finished, part

LAMS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


@dataclass(frozen=True)
class CombinationConfig:
    """How both kernels are conditioned before they are combined."""

    nugget: float = nugget_parameter(
        help="Added to both diagonals after normalisation, inside the joint kernel only: sums and products need none."
    )
    repair: str = parameter(
        "clip",
        label="Repair",
        help="What is done with negative eigenvalues; kernels without any are left as they are.",
        choices=REPAIR_CHOICES,
    )
    normalize: bool = parameter(
        True,
        label="Cosine normalisation",
        help="Without it the kernel with larger values decides a sum alone.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class Combination(ReadOnlyArrays):
    """Two conditioned kernels and the λ path between them.

    Attributes
    ----------
    first, second : GramMatrix
        λ weights the inverse of the first, and the first in the weighted sum.
    path : JointPath
    """

    config: CombinationConfig
    first: GramMatrix
    second: GramMatrix
    path: JointPath

    def values(self, kind: str, lam: float) -> FloatArray:
        """(n, n) combination: what `kernel` returns, without its record.

        joint: (λ (K₁ + ρI)⁻¹ + (1 − λ) (K₂ + ρI)⁻¹)⁻¹; weighted sum: λ K₁ + (1 − λ) K₂; product: entry by entry,
        without λ.
        """
        check_choice("A combination", kind, KINDS)
        return COMBINATIONS[kind].values(self, check_range("The weight λ", lam, 0.0, 1.0))

    def state(self, kind: str) -> State:
        """What a combination has seen of tested items; "first" and "second" are those kernels alone."""
        alone = {"first": (self.first,), "second": (self.second,)}
        seen = seen_of(*alone.get(kind, (self.first, self.second)))
        return state_of(seen | ITEMS if kind == "joint" else seen)

    def kernel(self, kind: str, lam: float) -> GramMatrix:
        """Return the combination with the record of its steps."""
        check_choice("A combination", kind, KINDS)
        return self.second.then(COMBINATIONS[kind].step(self, lam))


@dataclass(frozen=True)
class CombinationKind:
    """One way to make one kernel of two: its values at λ, and the step on the second kernel that records it."""

    values: Callable[[Combination, float], FloatArray]
    step: Callable[[Combination, float], Step]


COMBINATIONS: Mapping[str, CombinationKind] = {
    "joint": CombinationKind(
        lambda both, lam: both.path.kernel(lam),
        lambda both, lam: Complete(both.first, lam=lam, nugget=both.config.nugget),
    ),
    "weighted sum": CombinationKind(
        lambda both, lam: np.asarray(lam * both.first.values + (1.0 - lam) * both.second.values),
        lambda both, lam: WeightedSum(both.first, lam),
    ),
    "product": CombinationKind(
        lambda both, lam: np.asarray(both.first.values * both.second.values),
        lambda both, lam: Product(both.first),
    ),
}
KINDS = tuple(COMBINATIONS)
ALONE = ("first", "second")
"""Each kernel without the other: what a combination has to beat to have earned its place."""


@dataclass(frozen=True, eq=False)
class CombinationScores(ReadOnlyArrays):
    """Accuracies of all combinations over repetitions, on the same folds.

    Attributes
    ----------
    lams : tuple of float
    scores : dict of (kind, λ) to tuple of CellScores
        One a repetition; kinds without λ, "first", "second" and "product", stand at λ = 0.
    n_items, repeats : int
    floor : dict of str to float
    done, total : int
    seconds : float
    """

    lams: tuple[float, ...]
    scores: dict[tuple[str, float], tuple[CellScores, ...]]
    n_items: int
    repeats: int
    floor: dict[str, float]
    done: int
    total: int
    seconds: float = field(compare=False)

    def values(self, kind: str, lam: float, measure: str) -> FloatArray:
        """(n_repeats,) accuracies; empty where nothing is done yet."""
        return np.array([getattr(s, measure) for s in self.scores.get((kind, lam), ())])

    def interval(self, kind: str, lam: float, measure: str) -> Interval | None:
        """Interval of the mean over items; None where nothing is done yet."""
        found = self.scores.get((kind, lam), ())
        return cell_interval(found, measure) if found else None


def combination_verdict(
    found: CombinationScores, *, first: str = "first", second: str = "second", measure: str = "multi_class"
) -> Verdict:
    """Which of all combinations and of both kernels alone is best, and who is told apart from it.

    Every λ of both curves is a candidate, for the best of them is what a reader sees: p is corrected for all pairs.

    Parameters
    ----------
    found : CombinationScores
    first, second : str
        Names of both kernels; alone they are the plain baselines.
    measure : {"multi_class", "one_vs_rest"}
    """
    names = combination_names(found, first, second)
    plain = [names[key] for key in names if key[0] in ALONE]
    return cell_verdict({name: found.scores[key] for key, name in names.items()}, measure, plain=plain)


def combination_names(found: CombinationScores, first: str, second: str) -> dict[tuple[str, float], str]:
    """What every combination that was judged is called, of equals first what is said first: each kernel alone."""
    return names_of(found.scores, first, second)


def names_of(jobs: Iterable[tuple[str, float]], first: str, second: str) -> dict[tuple[str, float], str]:
    """What each (kind, λ) is called."""
    own = {"first": f"{first} alone", "second": f"{second} alone", "product": "product"}
    return {(kind, lam): own.get(kind, name_at(kind, lam)) for kind, lam in jobs}


def jobs_of(lams: tuple[float, ...]) -> list[tuple[str, float]]:
    """All that is judged, as (kind, λ): each kernel alone, the product, and the joint kernel and the sum at every λ."""
    jobs: list[tuple[str, float]] = [*((kind, 0.0) for kind in ALONE), ("product", 0.0)]
    return jobs + [(kind, lam) for lam in lams for kind in ("joint", "weighted sum")]


def name_at(kind: str, lam: float) -> str:
    """What a combination is called at one λ."""
    return f"{kind} (λ = {lam:g})"


def of_each_curve(found: Verdict, scores: CombinationScores, first: str, second: str) -> Verdict:
    """The best of each curve, as it was corrected among all: neighbours on one curve are nearly the same kernel."""
    kinds = {name: kind for (kind, _), name in combination_names(scores, first, second).items()}
    best: dict[str, Candidate] = {}
    for each in found.candidates:
        best.setdefault(kinds[each.name], each)
    return Verdict(tuple(best.values()))


def prepare_combination(config: CombinationConfig, first: GramMatrix, second: GramMatrix) -> Combination:
    """Condition both kernels and decompose once.

    Raises
    ------
    InvalidInputError
        Other items, or unknown entries.
    """
    return finished(preparing_pair(config, first, second))


def preparing_pair(config: CombinationConfig, first: GramMatrix, second: GramMatrix) -> Steps[Combination]:
    """`prepare_combination` in steps: two repairs and two decompositions of the same size."""
    if first.ids != second.ids:
        raise InvalidInputError(
            "Both kernels have to be about the same items", "other ids", "Align them by id"
        )
    for K in (first, second):
        if not K.unknown.complete:
            raise InvalidInputError(
                "Both kernels have to be known for every pair to be combined",
                f"{K.unknown.unknown_pairs:,} unknown pairs in {K.name!r}",
                "Complete it first, on the page Complete, and keep the result",
            )
    one = yield from part(conditioning(config, first), 0.0, 0.2)
    other = yield from part(conditioning(config, second), 0.2, 0.4)
    ridge = config.nugget * np.eye(first.n)
    path = yield from part(making_path(one.values + ridge, other.values + ridge), 0.4, 1.0)
    return Combination(config, one, other, path)


def combining(
    made: Combination, labels: Labels, validation: CrossValidation, *, lams: tuple[float, ...] = LAMS
) -> Iterator[CombinationScores]:
    """Judge each kernel alone, the product, and sum and joint kernel at every λ; one kernel a step.

    Parameters
    ----------
    made : Combination
    labels : Labels
    validation : CrossValidation
        Folds, repetitions, C and seed, the same for every kernel.
    lams : tuple of float

    Raises
    ------
    InvalidInputError
        Fewer than two classes.
    """
    started = time.perf_counter()
    how = Judging.of(labels, Protocol(validation, UNSCALED), kernels=(made.first, made.second))
    repetitions = how.repetitions
    jobs = jobs_of(lams)
    scores: dict[tuple[str, float], tuple[CellScores, ...]] = {}
    state = _empty(how.coded, len(repetitions), lams, len(jobs))
    for done, (kind, lam) in enumerate(jobs, start=1):
        K = judged_values(made, kind, lam)
        scores[kind, lam] = tuple(scores_of(K, repetition) for repetition in repetitions)
        state = replace(state, scores=dict(scores), done=done, seconds=time.perf_counter() - started)
        yield state


def judged_values(made: Combination, kind: str, lam: float) -> FloatArray:
    """(n, n) what is judged of a kind at λ: a combination, or "first" or "second" alone."""
    alone = {"first": made.first, "second": made.second}.get(kind)
    return made.values(kind, lam) if alone is None else alone.values


def choosing_combination(
    made: Combination,
    labels: Labels,
    validation: CrossValidation,
    *,
    measure: Measure = "multi_class",
    lams: tuple[float, ...] = LAMS,
) -> Iterator[NestedChoice]:
    """Let every training fold choose between joint kernel and weighted sum at every λ, and the product; one kernel a step.

    Parameters
    ----------
    made : Combination
    labels : Labels
    validation : CrossValidation
    measure : {"multi_class", "one_vs_rest", "balanced"}
        What is chosen by.
    lams : tuple of float
    """

    def candidates() -> Iterator[tuple[str, Tried]]:
        for kind in KINDS[:2]:
            for lam in lams:
                cut = partial(cut_blocks, made.values(kind, lam))
                yield name_at(kind, lam), same_in_all(cut)
        # the highest that a page reads off may be the product, so it is a candidate too
        yield "product", same_in_all(partial(cut_blocks, made.values("product", 0.0)))

    how = Judging.of(labels, Protocol(validation, UNSCALED), kernels=(made.first, made.second))
    return choosing_candidate(candidates(), 2 * len(lams) + 1, how, measure=measure)


def _empty(coded: Coded, repeats: int, lams: tuple[float, ...], total: int) -> CombinationScores:
    truth, c = coded.labelled, len(coded.classes)
    floor = {"multi_class": majority_floor(truth, c), "one_vs_rest": chance_level(truth, c)}
    return CombinationScores(lams, {}, int(truth.size), repeats, floor, 0, total, 0.0)


# What the partial results of every long study have in common.


class Partial(typing.Protocol):
    """Frozen partial result of a study."""

    @property
    def done(self) -> int:
        """Steps done."""

    @property
    def total(self) -> int:
        """Steps in all."""


# Study of the page Many kernels: learned weights against the cost C.

COSTS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


@dataclass(frozen=True, eq=False)
class WeightPath(ReadOnlyArrays):
    """Weights for the costs that are done.

    Attributes
    ----------
    names : tuple of str
    costs : (k,) float
    weights : (k, M) float
    gaps : (k,) float
    done, total : int
    """

    names: tuple[str, ...]
    costs: FloatArray
    weights: FloatArray
    gaps: FloatArray
    done: int
    total: int


def weight_path(kernels: Sequence[GramMatrix], labels: Labels, loss: str = "hinge") -> Iterator[WeightPath]:
    """Learn weights for every cost from the smallest on; a state a cost.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        On one scale, known everywhere.
    labels : Labels
        Items without one are left out.
    loss : {"hinge", "square"}
    """
    at = np.flatnonzero(labels.labelled)
    blocks = [K.values[np.ix_(at, at)] for K in kernels]
    names, found = tuple(K.name for K in kernels), []
    for made in mkl_path(blocks, labels.y[at], COSTS, MklConfig(loss=loss)):
        found.append(made)
        yield WeightPath(
            names, np.array(COSTS[: len(found)]), np.array([one.weights for one in found]),
            np.array([one.gap for one in found]), len(found), len(COSTS),
        )  # fmt: skip
