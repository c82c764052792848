"""A tournament of all that the open data allow: the same folds for all, every choice inside them, no leak admitted."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import EqualByContent, FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import AnySamples
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.tried import NestedChoice, Tried, choice_among
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import EXPLANATIONS, evaluation_state
from kernex_core.learning.learners.contract import Kind
from kernex_core.learning.learners.neighbours import NearestNeighbours
from kernex_core.learning.protocol import Judging
from kernex_core.studies.evaluation import judged_form
from kernex_core.studies.model.model import Judged, Model
from kernex_core.studies.model.training import reaches_new, trained
from kernex_core.studies.tournament.contest import Contest
from kernex_core.studies.tournament.entrants import (
    SINGLE,
    Arena,
    Entrant,
    Nearest,
    TournamentConfig,
    entrants_of,
)
from kernex_core.studies.tournament.ladder import Ladder, Rung


@dataclass(frozen=True, eq=False)
class TournamentField(EqualByContent):
    """Who takes part, on what, and who was not admitted."""

    contest: Contest
    entrants: tuple[Entrant, ...]
    left_out: Mapping[str, str]

    @classmethod
    def of(
        cls,
        config: TournamentConfig,
        kernels: Mapping[str, GramMatrix],
        labels: Labels,
        validation: CrossValidation,
        kind: Kind,
    ) -> TournamentField:
        """Admit kernels, and divide the items; parameters as in `tournament`."""
        validation = replace(validation, choose_C=True)
        left_out, admitted, lacking = {}, {}, {}
        for name, K in kernels.items():
            if evaluation_state(K, inductive=validation.inductive).mode == "leak":
                left_out[name] = EXPLANATIONS["leak"]
                continue
            try:
                if K.unknown.complete:
                    admitted[name] = judged_form(config, K).renamed(name)
                else:
                    lacking[name] = K
            except KernexError as error:
                left_out[name] = str(error)
        if not admitted:
            raise InvalidInputError(
                "A tournament needs a kernel that is known everywhere and has not seen the labels",
                "none",
                "Complete one, on Complete or Complete together, and keep it",
            )
        arena = Arena(config, admitted, lacking, validation.inductive, kind)
        contest = Contest.of(labels, validation, [*admitted.values(), *lacking.values()], kind)
        return cls(contest, entrants_of(arena), left_out)

    @property
    def empty(self) -> Ladder:
        """The ladder before the first is judged."""
        names = tuple(each.name for each in self.entrants)
        contest = self.contest
        numbers = not contest.targets.n_classes
        return Ladder((), {}, self.left_out, names, contest.passes, contest.units, contest.floor, numbers)

    def entrant(self, name: str) -> Entrant:
        """The one of that name."""
        return next(each for each in self.entrants if each.name == name)


def tournament(
    config: TournamentConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    kind: Kind = "classes",
    *,
    done: Ladder | None = None,
) -> Iterator[Ladder | None]:
    """Judge everything that kernels allow beside what is plain; a state an entrant, and None in between.

    Every learner's strength, λ and learned weights are chosen inside the folds. A kernel that has seen labels of tested
    items is not admitted; one that is partly unknown takes part as it is completed from each of the others.

    Parameters
    ----------
    config : TournamentConfig
    kernels : dict of str to GramMatrix
        As they were brought or kept.
    labels : Labels
    validation : CrossValidation
        Folds and repetitions; its C is not looked at.
    kind : {"classes", "numbers"}
    done : Ladder, optional
        What an earlier run got to.

    Raises
    ------
    InvalidInputError
        No kernel can be admitted, or labels cannot be judged.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, GramMatrix, Labels, TournamentConfig, last_state, tournament
    >>> x = np.arange(12.0) - 5.5
    >>> K = GramMatrix(np.outer(x, x) + 1.0)
    >>> labels, once = Labels(K.ids, np.repeat(["a", "b"], 6)), CrossValidation(repeats=1)
    >>> ladder = last_state(tournament(TournamentConfig(normalize=False), {"line": K}, labels, once))
    >>> ladder.names, ladder.verdict.best.value
    (('majority', 'nearest neighbour on line', 'line alone'), 1.0)
    """
    begun = time.perf_counter()
    field = TournamentField.of(config, kernels, labels, validation, kind)
    made = field.empty if done is None else done
    earlier = made.seconds
    known = {*made.failed, *(each.name for each in made.rungs)}
    for entrant in field.entrants:
        if entrant.name in known:
            continue
        started = time.perf_counter()
        try:
            decided: list[FloatArray] = []
            for repetition in range(field.contest.repeats):
                decided += entrant.decide(field.contest.of_repetition(repetition))
                yield None
            by_item, interval = field.contest.measured(decided)
        except KernexError as error:  # one may be refused where the others are not
            made = replace(made, failed={**made.failed, entrant.name: str(error)})
        else:
            rung = Rung(
                entrant.name, entrant.kind, entrant.learner.title, entrant.rank, entrant.plain, entrant.entry.state,
                by_item, interval, time.perf_counter() - started,
            )  # fmt: skip
            made = replace(made, rungs=(*made.rungs, rung))
        made = replace(made, seconds=earlier + time.perf_counter() - begun)
        yield made


def choosing_winner(
    config: TournamentConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    ladder: Ladder,
) -> Iterator[NestedChoice | None]:
    """Let every training fold hold the tournament for itself, one entrant a step: what the winner is worth.

    Parameters
    ----------
    config, kernels, labels, validation
        As in `tournament`, of classes.
    ladder : Ladder
        Of the same: what each entrant has of each item.
    """
    started = time.perf_counter()
    field = TournamentField.of(config, kernels, labels, validation, "classes")
    contest, how = field.contest, field.contest.how
    assert isinstance(how, Judging)  # of classes
    names: tuple[str, ...] = ()
    tried: list[Tried] = []
    for rung in ladder.rungs:
        entrant = field.entrant(rung.name)
        inside = []
        for fold in contest.folds:
            own = contest.inside(fold)
            asked = np.concatenate([each.test for each in own.folds]) if own.folds else np.zeros(0, np.int64)
            inside.append(float(own.right(entrant.decide(own))[0, asked].mean()) if asked.size else -1.0)
            yield None
        items = np.zeros((contest.repeats, contest.codes.size))
        items[:, contest.judged] = rung.by_item
        outside = [float(items[fold.repeat, fold.test].mean()) for fold in contest.folds]
        tried.append(Tried(np.array(inside), np.array(outside), items))
        names = (*names, rung.name)
        yield choice_among(names, tried, how, "multi_class", len(ladder.rungs), time.perf_counter() - started)


def winning_kernel(
    config: TournamentConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    name: str,
    kind: Kind = "classes",
) -> GramMatrix | None:
    """The kernel of an entrant on all items, with what it had chosen there; None of what is no kernel.

    Parameters
    ----------
    config, kernels, labels, validation, kind
        As in `tournament`.
    name : str
        Of the entrant.
    """
    field = TournamentField.of(config, kernels, labels, validation, kind)
    entrant = field.entrant(name)
    kernel = entrant.entry.kernel
    return None if kernel is None else kernel(field.contest, entrant.learner)


def winning_model(
    config: TournamentConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    ladder: Ladder,
    samples: Iterable[AnySamples] = (),
) -> Model | None:
    """The best entrant trained on all items; None where it is no single kernel, or one that reaches no new items.

    Parameters
    ----------
    config, kernels, labels, validation
        As in `tournament`.
    ladder : Ladder
        Of the same.
    samples : iterable of Sequences, Vectors, SparseVectors, GraphSet
        See `train_model`.
    """
    if ladder.verdict is None:
        return None
    best = ladder.verdict.best
    field = TournamentField.of(
        config, kernels, labels, validation, "numbers" if ladder.smaller else "classes"
    )
    entrant, rung = field.entrant(best.name), ladder.rung(best.name)
    if rung.kind not in SINGLE or entrant.entry.kernel is None:
        return None
    K = entrant.entry.kernel(field.contest, entrant.learner)
    if not reaches_new(K):
        return None
    learner = NearestNeighbours(1) if isinstance(entrant.learner, Nearest) else entrant.learner
    judged = Judged(
        ladder.measure, best.value, rung.interval.low, rung.interval.high, ladder.floor,
        judged_times(rung.by_item.shape[1], ladder.passes.repeats), rung.state.words,
        replace(validation, choose_C=not isinstance(entrant.learner, Nearest)), ladder.smaller,
    )  # fmt: skip
    return trained(K, labels, learner, judged, samples)
