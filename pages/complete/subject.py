"""What the page Complete computes, cached: sweeps of hidden shares, and the answer to a move of λ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS, CellScores
from kernex_core.learning.chance.tried import Measure, NestedChoice
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.completion.candidates import (
    Answer,
    Contestant,
    JointAccuracy,
    choosing_lam,
    contestants,
    joint_accuracy,
    of_all,
    other_joint,
    scores_by_role,
    verdict_of_scores,
)
from kernex_core.studies.completion.share_sweep import (
    MANY,
    SHARES,
    Before,
    Sweep,
    alone,
    sweep_size,
    sweeping,
)
from kernex_core.studies.completion.study import Completion, CompletionConfig, CompletionView, view
from kernex_core.studies.evaluation import EvaluationConfig, judged_form
from pages.shared.cached import Asked, cached
from pages.shared.panels.in_pieces import watch_study
from pages.shared.panels.source_target import completion, conditioned_source, conditioned_target
from pages.shared.panels.staged import Staged

QUICK = 320
"""Up to this number of items one hidden share is judged in some 0.2 s, which is an answer to a move and no long study."""
NEWEST = 8
"""Values of λ that are remembered: a slider has a hundred, and a kernel of a thousand items is 8 MB."""


@cached(public=True)
def share_sweep(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> Sweep:
    """All repetitions of one hidden share; nothing is kept here before they are whole."""
    *_, whole = share_sweeping(config, source, target, labels, validation)
    return whole


def share_sweeping(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> Iterator[Sweep]:
    """The same, one state a repetition."""
    ready = conditioned_source(config.repair, config.normalize, source)
    whole = conditioned_target(config.repair, config.normalize, target)
    # of many items they are judged a repetition at a time, between two drawings of the bar
    few = source.n <= QUICK
    levels = levels_of(config.normalize_after, ready, whole, labels, validation) if few else None
    before = Before(completion(config, source, target), whole, levels)
    for state in sweeping(config, ready, target, labels, validation, shares=(config.share,), before=before):
        yield state.sweep


@cached(public=True)
def levels_of(
    normalize_after: bool, source: GramMatrix, whole: GramMatrix, labels: Labels, validation: CrossValidation
) -> dict[str, tuple[CellScores, ...]]:
    """Accuracies of both kernels alone, which no hidden share and no nugget changes."""
    config = CompletionConfig(normalize_after=normalize_after)
    _, repeats = sweep_size(source.n, validation)
    protocol = Protocol(replace(validation, repeats=repeats), UNSCALED)
    judging = Judging.of(labels, protocol, kernels=(source, whole))
    found = [alone(config, source.values, whole.values, how) for how in judging.repetitions]
    return {name: tuple(levels[name] for levels in found) for name in found[0]}


@cached(newest=NEWEST, public=True)
def view_at(config: CompletionConfig, source: GramMatrix, target: GramMatrix, lam: float) -> CompletionView:
    """The joint kernel at λ beside the truth."""
    return view(completion(config, source, target), lam)


@cached(newest=NEWEST * (len(SHARES) + 1), public=True)
def accuracy_at(
    lam: float,
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> JointAccuracy:
    """Accuracy of the joint kernel at λ for one hidden share: another share judges the others' kernels no second time."""
    return joint_accuracy([share_sweep(config, source, target, labels, validation)], lam)


@cached(newest=NEWEST, public=True)
def other_joint_at(
    lam: float,
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> tuple[CellScores, ...]:
    """The joint kernel at λ with the residual, or without it where the page's own keeps it."""
    return other_joint(share_sweep(config, source, target, labels, validation), lam)


@cached(newest=NEWEST, public=True)
def judged_at(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    lam: float,
    labels: Labels,
    validation: CrossValidation,
) -> Judgement:
    """The joint kernel of the hidden set that is shown, judged as the page Evaluate judges it once it is kept."""
    K = completion(config, source, target).kernel(lam)
    return judge(judged_form(EvaluationConfig(), K), labels, validation)


def choosing_shown_lam(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Iterator[NestedChoice]:
    """Choose λ inside the training folds of the share that is shown, one state a λ."""
    return choosing_lam(share_sweep(config, source, target, labels, validation), measure=measure)


@cached(public=True)
def nested_lam(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> NestedChoice:
    """The whole of it; the page keeps partial ones under the same key."""
    return list(choosing_shown_lam(config, source, target, labels, validation, measure))[-1]


@dataclass(frozen=True)
class Subject:
    """What the page is about in this run."""

    dataset: DataSet
    source: GramMatrix
    target: GramMatrix
    labels: Labels | None
    made: Completion
    validation: CrossValidation
    measure: Measure = "multi_class"

    def view(self, lam: float) -> CompletionView:
        """The joint kernel at λ; needs no classes."""
        return view_at(self.made.config, self.source, self.target, lam)

    def judged(self, lam: float) -> Judgement:
        """Accuracy of exactly the kernel that is kept."""
        assert self.labels is not None  # nobody asks without
        kernels = self.source, self.target
        return judged_at(self.made.config, *kernels, lam, self.labels, self.validation)

    def answer(self, shown: CompletionView, sweeps: tuple[Sweep, ...]) -> Answer:
        """All that a move of λ changes, computed once for each λ; without sweeps it has no accuracy."""
        if self.labels is None or not sweeps:
            return Answer(shown)
        parts = [accuracy_at(shown.lam, *self._arguments(sweep.shares[0])) for sweep in sweeps]
        other = other_joint_at(shown.lam, *self._arguments(sweeps[0].shares[0]))
        return Answer(shown, of_all(parts, other))

    @property
    def column(self) -> int:
        """Where the measure stands in `COLUMNS`."""
        return COLUMNS.index(self.measure)

    def verdict(self, answer: Answer, sweep: Sweep) -> Verdict:
        """Who is best of all that is judged at the share that is shown."""
        assert answer.accuracy is not None  # there is a sweep
        scores = scores_by_role(sweep, answer.accuracy.scores, answer.accuracy.other)
        return verdict_of_scores(self.contestants, scores, self.measure)

    def accuracy(self, lam: float) -> JointAccuracy:
        """Accuracy of the joint kernel at any λ, at the share that is shown."""
        return accuracy_at(lam, *self._arguments(self.made.config.share))

    def choosing_lam(self) -> Staged[NestedChoice]:
        """The choice of λ made again inside every training fold."""
        return Staged(
            nested_lam, choosing_shown_lam, (*self._arguments(self.made.config.share), self.measure)
        )

    @property
    def contestants(self) -> tuple[Contestant, ...]:
        """What is judged, by the names that the whole page has for it."""
        return contestants(self.made.config, self.source.name)

    def sweep(self, share: float | None) -> Sweep:
        """All repetitions of a hidden share, computed where that has not been done."""
        return share_sweep(*self._arguments(share))

    def watched_sweep(self, slot: DeltaGenerator) -> Sweep:
        """That of the share that is shown, with a bar; visitors who ask for the same see the same bar."""
        study: Staged[Sweep] = Staged(
            share_sweep, share_sweeping, self._arguments(self.made.config.share), quick=self.made.m <= QUICK
        )
        return watch_study(study, slot, "repetitions, accuracy of every kernel")

    @property
    def settings(self) -> str:
        """What tells the sweep of the share that is shown from others."""
        return self._asked(self.made.config.share).key

    @property
    def waits(self) -> bool:
        """Whether the share that is shown has to be judged before the page is whole."""
        return self.labels is not None and self._asked(self.made.config.share).peek() is None

    def known_sweep(self, share: float) -> Sweep | None:
        """That of a hidden share if it has been computed."""
        return None if self.labels is None else self._asked(share).peek()

    def _asked(self, share: float | None) -> Asked[Sweep]:
        """The sweep of a share, whether it is known or not."""
        if share not in self._sweeps:
            self._sweeps[share] = share_sweep.asked(*self._arguments(share))
        return self._sweeps[share]

    @cached_property
    def _sweeps(self) -> dict[float | None, Asked[Sweep]]:
        return {}

    def _arguments(
        self, share: float | None
    ) -> tuple[CompletionConfig, GramMatrix, GramMatrix, Labels, CrossValidation]:
        """What the sweep of a share depends on."""
        assert self.labels is not None  # nobody asks without
        config = self.made.config
        config = config if share == config.share else replace(config, share=share)
        return config, self.source, self.target, self.labels, self.validation

    @property
    def other_sweeps(self) -> tuple[Sweep, ...]:
        """Those of the other shares on the accuracy chart that have been computed."""
        found = (self.known_sweep(share) for share in self.other_shares)
        return tuple(sweep for sweep in found if sweep is not None)

    @property
    def missing_shares(self) -> tuple[float, ...]:
        """Shares on the accuracy chart that have not been computed."""
        return tuple(share for share in self.other_shares if self.known_sweep(share) is None)

    @property
    def other_shares(self) -> tuple[float, ...]:
        """Shares on the accuracy chart besides the present one; none where the target is completed as uploaded."""
        share = self.made.config.share
        if share is None or self.labels is None or self.made.m > MANY:
            return ()
        shares, _ = sweep_size(self.made.m, self.validation)
        return tuple(s for s in shares if abs(s - share) > 1e-9)
