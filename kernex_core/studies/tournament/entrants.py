"""Who takes part in a tournament: a line of `ENTRANTS` each, from the simplest to the most elaborate.

To add one, write a function that yields its entries and add a line: ladder, page, report and script follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import ClassVar, Final, Literal, NamedTuple

import numpy as np

from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import parameter
from kernex_core.completion.extrapolate import nugget_parameter
from kernex_core.completion.joint import joint_kernel, pointwise_product, weighted_sum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import Split
from kernex_core.learning.folds import Fold
from kernex_core.learning.leakage import State, evaluation_state
from kernex_core.learning.learners.contract import Fitted, Kind, Learner, Targets, goodness_inside
from kernex_core.learning.learners.logistic import KernelLogistic
from kernex_core.learning.learners.neighbours import NearestNeighbours
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.learners.support_vectors import SupportVectorRegression, SupportVectors
from kernex_core.learning.machine import Coded, Cut, Margin, WeighedSplit, cut_of
from kernex_core.learning.mkl.learn import mkl
from kernex_core.learning.mkl.weightings import (
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
from kernex_core.runtime.executors import in_order
from kernex_core.studies.completion.candidates import LAMS
from kernex_core.studies.completion.share_sweep import TWO_MACHINES, finished, two_machines
from kernex_core.studies.completion.study import Completion, CompletionConfig, prepare, prepare_source
from kernex_core.studies.evaluation import EvaluationConfig
from kernex_core.studies.tournament.contest import Contest

EVERY: Final = "all"
LEARNERS_OF: Final[Mapping[Kind, tuple[type[Learner], ...]]] = {
    "classes": (SupportVectors, KernelRidge, KernelLogistic, NearestNeighbours),
    "numbers": (KernelRidge, SupportVectorRegression, NearestNeighbours),
}
"""What learns from each kernel, the strength of each chosen inside the folds; the first gives a kernel its name."""


@dataclass(frozen=True)
class TournamentConfig(EvaluationConfig):
    """What is done to every kernel before the tournament, and who takes part."""

    learners: str = parameter(
        "the first", label="Learners", choices=("the first", EVERY),
        help="Every kernel with the support vector machine (of numbers kernel ridge), or with ridge, logistic regression "
        "and neighbours too. More entrants take longer, and make it harder to tell them apart.",
    )  # fmt: skip
    nugget: float = nugget_parameter(help="Of joint and completed kernels.")


@dataclass(frozen=True)
class Usual(Learner):
    """Knows nothing of the items: the largest class of the training items, or their mean."""

    title: ClassVar[str] = "Majority"
    summary: ClassVar[str] = "the largest class of the training items, or their mean"
    source: ClassVar[str] = ""
    learns: ClassVar[tuple[Kind, ...]] = ("classes", "numbers")

    def fit(self, K: FloatArray, targets: Targets) -> SaysTheSame:
        """See Learner."""
        if not targets.n_classes:
            return SaysTheSame(np.array([float(targets.values.mean())]))
        return SaysTheSame(
            np.bincount(targets.values.astype(np.int64), minlength=targets.n_classes) / len(targets.values)
        )


@dataclass(frozen=True, eq=False)
class SaysTheSame(ReadOnlyArrays):
    """One decision for every item."""

    decision: FloatArray
    not_converged: int = 0
    at_bound: int = 0

    def decide(self, K_cross: FloatArray) -> FloatArray:
        """See Fitted."""
        return np.tile(self.decision, (len(K_cross), 1))


@dataclass(frozen=True)
class Nearest(Learner):
    """What the one nearest training item is: nothing is chosen."""

    title: ClassVar[str] = "Nearest neighbour"
    summary: ClassVar[str] = "what the nearest training item is"
    source: ClassVar[str] = NearestNeighbours.source
    learns: ClassVar[tuple[Kind, ...]] = ("classes", "numbers")

    def fit(self, K: FloatArray, targets: Targets) -> Fitted:
        """See Learner."""
        return NearestNeighbours(1).fit(K, targets)


Decide = Callable[[Contest, Learner], list[FloatArray]]
"""Decision values of every fold of a contest."""


class Entry(NamedTuple):
    """One that takes part, before its learner is known.

    Attributes
    ----------
    name : str
    state : State
        What it has seen of tested items.
    decide : callable
    kernel : callable, optional
        The kernel on all items, as it is kept, from a contest and the learner; None of what is no kernel of its own.
    by : tuple of Learner
        What learns; () = all that the tournament has.
    """

    name: str
    state: State
    decide: Decide
    kernel: Callable[[Contest, Learner], GramMatrix] | None = None
    by: tuple[Learner, ...] = ()


@dataclass(frozen=True, eq=False)
class Arena(EqualByContent):
    """Kernels that were admitted, in the form in which they are judged.

    Attributes
    ----------
    config : TournamentConfig
    kernels : dict of str to GramMatrix
        Known everywhere.
    lacking : dict of str to GramMatrix
        Partly unknown, as they were brought.
    inductive : bool
    kind : {"classes", "numbers"}
    """

    config: TournamentConfig
    kernels: Mapping[str, GramMatrix]
    lacking: Mapping[str, GramMatrix]
    inductive: bool
    kind: Kind

    @cached_property
    def completions(self) -> dict[tuple[str, str], Completion]:
        """What is partly unknown completed from each kernel that is not, by target and source; else left out."""
        made = {}
        config = CompletionConfig(
            share=None, nugget=self.config.nugget, repair=self.config.repair, normalize=self.config.normalize
        )
        for target, T in self.lacking.items():
            for source, K in self.kernels.items():
                try:
                    made[target, source] = prepare(config, prepare_source(config, K), T)
                except KernexError:  # said by `without_completion`
                    continue
        return made

    def state(self, *kernels: GramMatrix) -> State:
        """What is made of kernels has seen."""
        return evaluation_state(*kernels, inductive=self.inductive)

    def alone(self, name: str, K: GramMatrix, *by: Learner) -> Entry:
        """An entry that is a kernel as it is."""
        cut = cut_of(K, inductive=self.inductive)
        return Entry(name, self.state(K), lambda contest, one: contest.decided(cut, one), lambda *_: K, by)

    def together(
        self, name: str, way: Weighting, kind: str, kernel: Callable[[Contest, Learner], GramMatrix]
    ) -> Entry:
        """An entry that is all kernels as one, made inside the folds."""

        def decide(contest: Contest, learner: Learner) -> list[FloatArray]:
            return contest.decided(self.cut(way, kind, contest, learner), learner)

        return Entry(name, self.state(*self.kernels.values()), decide, kernel)

    def choosing(self, name: str, kernel: Callable[[float], GramMatrix], lams: Sequence[float]) -> Entry:
        """An entry whose λ every training fold chooses; kernels are made when they are first judged."""
        made = cache(kernel)

        def cuts() -> list[Cut]:
            return [cut_of(made(lam), inductive=self.inductive) for lam in lams]

        def decide(contest: Contest, learner: Learner) -> list[FloatArray]:
            return contest.decided(cut_best(cuts(), contest, learner), learner)

        def best(contest: Contest, learner: Learner) -> GramMatrix:
            return made(lams[best_place(cuts(), contest, learner, contest.judged)])

        return Entry(name, self.state(made(lams[-1])), decide, best)

    def cut(self, way: Weighting, kind: str, contest: Contest, learner: Learner) -> Cut:
        """How all kernels are cut as one."""
        scale = "cosine" if self.config.normalize else "mean"
        made = Together(way, scale, numbers=self.kind == "numbers", kind=kind, nugget=self.config.nugget)
        return cut_together(
            list(self.kernels.values()), made, contest.deciding(learner), inductive=self.inductive
        )


def best_place(cuts: Sequence[Cut], contest: Contest, learner: Learner, train: IntArray) -> int:
    """Which of several kernels does best in folds of the training items, with the strength of the learner that suits it."""
    inner = contest.inner(train)
    if not inner or len(cuts) < 2:
        return 0
    targets, checked = contest.targets, contest.checked
    return int(
        np.argmax([goodness_inside(learner, cut, targets, inner, checked=checked).max() for cut in cuts])
    )


def cut_best(cuts: Sequence[Cut], contest: Contest, learner: Learner) -> Cut:
    """How the kernel is cut that each training fold chooses for itself."""
    return partial(_best_cut, cuts, contest, learner)


def _best_cut(
    cuts: Sequence[Cut], contest: Contest, learner: Learner, train: IntArray, test: IntArray
) -> Split:
    best = cuts[best_place(cuts, contest, learner, train)]
    made = best(train, test)
    return WeighedSplit(made.K_train, made.K_cross, made.diag_test, _inside=best)


# The entrants. Every function yields what the arena allows: nothing where there is one kernel and it takes two.


def _usual(arena: Arena) -> Iterator[Entry]:
    first = next(iter(arena.kernels.values()))
    entry = arena.alone("majority" if arena.kind == "classes" else "mean", first, Usual())
    yield entry._replace(state=State("inductive"), kernel=None)


def _nearest(arena: Arena) -> Iterator[Entry]:
    for name, K in arena.kernels.items():
        yield arena.alone(f"nearest neighbour on {name}", K, Nearest())


def _filled(method: str, arena: Arena) -> Iterator[Entry]:
    # a fill looks at no source: one of each target
    made: dict[str, GramMatrix] = {}
    for (target, _), completion in arena.completions.items():
        if target not in made:
            made[target] = completion.kernel(0.0, method)
    for target, K in made.items():
        yield arena.alone(f"{method} of {target}", K)


def _alone(arena: Arena) -> Iterator[Entry]:
    for name, K in arena.kernels.items():
        yield arena.alone(f"{name} alone", K)


def _machines(arena: Arena) -> Iterator[Entry]:
    for (target, source), completion in arena.completions.items():
        state = evaluation_state(completion.source, completion.known_target, inductive=False)
        yield Entry(
            f"{TWO_MACHINES}: {target} from {source}", state, _by_machines(completion), by=(SupportVectors(),)
        )


def _by_machines(completion: Completion) -> Decide:
    """Two machines, their C chosen inside every training fold."""
    rests = completion.extrapolation
    source, T = (finished(completion.config, K) for K in (completion.source.values, rests.T_known))

    at = partial(_two_machines_at, source, T, rests.known)

    def decide(contest: Contest, learner: Learner) -> list[FloatArray]:
        return in_order(partial(_by_best_machines, at, contest, learner), contest.folds)

    return decide


def _two_machines_at(
    source: FloatArray, T: FloatArray, known: IntArray, C: float, contest: Contest
) -> list[FloatArray]:
    protocol = Protocol(replace(contest.validation, C=C), Margin(scaled=True))
    coded = Coded(contest.codes, ("",) * contest.targets.n_classes)
    return two_machines(source, T, known, Judging(protocol, coded, contest.folds))


def _by_best_machines(
    at: Callable[[float, Contest], list[FloatArray]], contest: Contest, learner: Learner, fold: Fold
) -> FloatArray:
    inside, grid = contest.inside(fold), [each.value for each in learner.candidates]
    right = [inside.right(at(C, inside)).sum() if inside.folds else 0.0 for C in grid]
    best = grid[int(np.argmax(right))] if inside.folds else learner.value
    return at(best, replace(contest, folds=(fold,)))[0]


def _sum(arena: Arena) -> Iterator[Entry]:
    if len(arena.kernels) > 1:
        kernels = list(arena.kernels.values())
        yield arena.together("sum", EqualWeights(), "weighted sum", lambda *_: weighted_sum(kernels))


def _product(arena: Arena) -> Iterator[Entry]:
    if len(arena.kernels) > 1:
        kernels = list(arena.kernels.values())
        yield arena.together("product", EqualWeights(), "product", lambda *_: pointwise_product(kernels))


def _joint(arena: Arena) -> Iterator[Entry]:
    """Weights chosen among equal ones and those in which one kernel leads; of two kernels the weight λ of the first."""
    count = len(arena.kernels)
    if count < 2:
        return
    mixes = _mixes(count)

    def cuts(contest: Contest, learner: Learner) -> list[Cut]:
        return [arena.cut(GivenWeights(mix), "joint", contest, learner) for mix in mixes]

    def decide(contest: Contest, learner: Learner) -> list[FloatArray]:
        return contest.decided(cut_best(cuts(contest, learner), contest, learner), learner)

    def kernel(contest: Contest, learner: Learner) -> GramMatrix:
        at = best_place(cuts(contest, learner), contest, learner, contest.judged)
        return joint_kernel(list(arena.kernels.values()), mixes[at], arena.config.nugget)

    yield Entry("joint", arena.state(*arena.kernels.values()), decide, kernel)


def _mixes(count: int) -> list[tuple[float, ...]]:
    if count == 2:
        return [(lam, 1.0 - lam) for lam in LAMS[1:-1]]
    leading = [tuple(0.5 if k == m else 0.5 / (count - 1) for k in range(count)) for m in range(count)]
    return [(1.0 / count,) * count, *leading]


def _learned(name: str, way: Weighting, arena: Arena) -> Iterator[Entry]:
    if len(arena.kernels) < 2:
        return

    def kernel(contest: Contest, learner: Learner) -> GramMatrix:
        at = contest.judged
        kernels = list(arena.kernels.values())
        blocks, y = [K.values[np.ix_(at, at)] for K in kernels], contest.targets.values[at]
        numbers = not contest.targets.n_classes
        if isinstance(way, LearnedWeights):
            made = mkl(blocks, y, C=way.C, loss="square" if numbers else way.loss)
            return weighted_sum(kernels, made.weights)
        return weighted_sum(kernels, alignment_weights(blocks, y, numbers=numbers).weights)

    yield arena.together(name, way, "weighted sum", kernel)


def _completed(name: str, method: str, arena: Arena) -> Iterator[Entry]:
    for (target, source), completion in arena.completions.items():
        yield arena.alone(f"{name}: {target} from {source}", completion.kernel(0.0, method))


def _joint_completed(residual: bool, arena: Arena) -> Iterator[Entry]:
    """λ chosen inside the folds; a residual is divided by it, and then it cannot be 0."""
    lams = LAMS[1:] if residual else LAMS
    name = "joint with the residual" if residual else "joint"
    for (target, source), completion in arena.completions.items():
        own = replace(completion, config=replace(completion.config, residual=residual))
        yield arena.choosing(f"{name}: {target} from {source}", own.kernel, lams)


Per = Literal["once", "kernel", "gap", "pair", "several"]
"""How often a kind takes part: once, for each kernel, for each one with gaps, for each of these from each kernel, or once
where there are several kernels."""


@dataclass(frozen=True)
class EntrantKind:
    """A line of the catalogue.

    Attributes
    ----------
    name, meaning : str
        What it is called, and what it is in a phrase.
    per : {"once", "kernel", "gap", "pair", "several"}
        How often it takes part.
    enter : callable
        Yields its entries in an arena.
    plain : bool
        A method has to beat it to have earned its place.
    new : bool
        It makes a kernel that the data do not have yet.
    learns : tuple of {"classes", "numbers"}
        What it can be asked.
    own : bool
        It decides in its own way, whichever learners are asked for.
    """

    name: str
    meaning: str
    per: Per
    enter: Callable[[Arena], Iterator[Entry]]
    plain: bool = False
    new: bool = True
    learns: tuple[Kind, ...] = ("classes", "numbers")
    own: bool = False

    def count(self, config: TournamentConfig, n_kernels: int, n_gaps: int, kind: Kind) -> int:
        """How many of it take part, if every kernel with gaps can be completed.

        Parameters
        ----------
        config : TournamentConfig
        n_kernels, n_gaps : int
            Kernels that are known everywhere, and those that are not.
        kind : {"classes", "numbers"}
        """
        if kind not in self.learns:
            return 0
        of = {
            "once": 1, "kernel": n_kernels, "gap": n_gaps, "pair": n_kernels * n_gaps, "several": n_kernels > 1,
        }  # fmt: skip
        return int(of[self.per]) * (1 if self.own else len(_learners(config, kind)))


ENTRANTS: Final = (
    EntrantKind(
        "majority", "the largest class of the training items, or their mean", "once", _usual, plain=True, new=False, own=True
    ),
    EntrantKind(
        "nearest neighbour", "what the nearest training item is", "kernel", _nearest, plain=True, new=False, own=True
    ),
    EntrantKind("zero-fill", "unknown similarities are 0", "gap", partial(_filled, "zero-fill"), plain=True),
    EntrantKind("mean-fill", "unknown similarities are the mean known", "gap", partial(_filled, "mean-fill"), plain=True),
    EntrantKind("alone", "one kernel", "kernel", _alone, new=False),
    EntrantKind("sum", "all kernels with the same weight", "several", _sum),
    EntrantKind("product", "all kernels entry by entry", "several", _product),
    EntrantKind(
        "two machines", "known items decided by the target, the others by the source", "pair", _machines,
        new=False, learns=("classes",), own=True,
    ),
    EntrantKind("Nyström", "the source by its known items", "pair", partial(_completed, "Nyström", "nystroem"), plain=True),
    EntrantKind(
        "extrapolated", "the target completed by Lemma 1", "pair", partial(_completed, "extrapolated", "extrapolated")
    ),
    EntrantKind("joint", "the harmonic sum, weights chosen inside the folds", "several", _joint),
    EntrantKind(
        "joint, completed", "the target completed jointly, λ chosen inside the folds", "pair",
        partial(_joint_completed, False),
    ),
    EntrantKind(
        "with the residual", "and what the known items do not span", "pair", partial(_joint_completed, True)
    ),
    EntrantKind(
        "alignment", "a sum weighed by the labels of training items", "several",
        partial(_learned, "alignment", ByAlignment()),
    ),
    EntrantKind(
        "MKL", "the same, by the objective of a machine", "several", partial(_learned, "MKL", LearnedWeights(C=0.1))
    ),
)  # fmt: skip
"""From the simplest on: of those that are not told apart from the best, the first is the one to take."""
SINGLE: Final = tuple(each.name for each in ENTRANTS if each.per == "kernel")
"""Kinds that are one of the kernels as it is: such a one may reach items that are not there yet."""


@dataclass(frozen=True, eq=False)
class Entrant(EqualByContent):
    """One of a tournament.

    Attributes
    ----------
    name, kind : str
    learner : Learner
    rank : int
        Place of its kind in the catalogue: of two the simpler is less.
    plain : bool
    entry : Entry
    """

    name: str
    kind: str
    learner: Learner
    rank: int
    plain: bool
    entry: Entry

    def decide(self, contest: Contest) -> list[FloatArray]:
        """Decision values of every fold."""
        return self.entry.decide(contest, self.learner)


def _learners(config: TournamentConfig, kind: Kind) -> tuple[type[Learner], ...]:
    return LEARNERS_OF[kind] if config.learners == EVERY else LEARNERS_OF[kind][:1]


def entrants_of(arena: Arena) -> tuple[Entrant, ...]:
    """All that take part, the simplest first."""
    every = _learners(arena.config, arena.kind)
    made = []
    for rank, kind in enumerate(ENTRANTS):
        if arena.kind not in kind.learns:
            continue
        for entry in kind.enter(arena):
            for place, learner in enumerate(entry.by or tuple(each() for each in every)):
                name = entry.name if not place else f"{entry.name}, {learner.title.lower()}"
                made.append(Entrant(name, kind.name, learner, rank, kind.plain, entry))
    return tuple(made)
