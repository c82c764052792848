"""What the page Complete computes, cached: sweeps of hidden shares, and the answer to a move of λ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import FloatArray
from kernex_core.completion.complete import Complete
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS, CellScores
from kernex_core.learning.chance.interval import judged_times
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
    scores_by_role,
    shown_accuracy,
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
from kernex_core.studies.completion.study import (
    Completion,
    CompletionConfig,
    CompletionView,
    joint_spectrum,
    view,
)
from kernex_core.studies.evaluation import EvaluationConfig, judged_form
from pages.complete.pairs import subject as pairs
from pages.server.cached import Asked, cached
from pages.server.declared import declared, in_view, of, setting
from pages.server.digits import number, p_value, percent
from pages.server.messages import plain
from pages.ui import widgets
from pages.ui.answer import group, settings_box
from pages.ui.glossary import hint
from pages.ui.panels import inspection as eigenvectors
from pages.ui.panels import linked, source_target
from pages.ui.panels.linked import order_box, orders
from pages.ui.panels.source_target import completion, conditioned_source, conditioned_target
from pages.ui.panels.staged import Staged, watch_study
from pages.ui.panels.verdicts import verdict_words
from pages.ui.shown import copies_among
from pages.ui.widget import controls

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


@cached(newest=NEWEST, public=True)
def spectrum_at(config: CompletionConfig, source: GramMatrix, target: GramMatrix, lam: float) -> FloatArray:
    """Eigenvalues of the joint kernel at λ, asked for where they are drawn."""
    return joint_spectrum(completion(config, source, target), lam)


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
def shown_accuracy_at(
    lam: float,
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> JointAccuracy:
    """The same for the share that is shown, with the other joint kernel: that with the residual, or that without."""
    sweep = share_sweep(config, source, target, labels, validation)
    # the first hidden set is the one that is shown: its kernel is there
    is_plain = not (config.residual or config.normalize_after)
    return shown_accuracy(sweep, lam, view_at(config, source, target, lam).K if is_plain else None)


def _known_or_judged(
    lam: float,
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> JointAccuracy:
    """Accuracy at λ for one hidden share, which was judged already where it has been the one that is shown."""
    arguments = lam, config, source, target, labels, validation
    return shown_accuracy_at.peek(*arguments) or accuracy_at(*arguments)


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

    def spectrum(self, lam: float) -> FloatArray:
        """Eigenvalues of the joint kernel at λ, descending."""
        return spectrum_at(self.made.config, self.source, self.target, lam)

    def judged(self, lam: float) -> Judgement:
        """Accuracy of exactly the kernel that is kept."""
        assert self.labels is not None  # nobody asks without
        kernels = self.source, self.target
        return judged_at(self.made.config, *kernels, lam, self.labels, self.validation)

    def answer(self, shown: CompletionView, sweeps: tuple[Sweep, ...]) -> Answer:
        """All that a move of λ changes, computed once for each λ; without sweeps it has no accuracy."""
        if self.labels is None or not sweeps:
            return Answer(shown)
        first, *others = (self._arguments(sweep.shares[0]) for sweep in sweeps)
        here = shown_accuracy_at(shown.lam, *first)
        return Answer(
            shown, of_all([here, *(_known_or_judged(shown.lam, *each) for each in others)], here.other)
        )

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
        return _known_or_judged(lam, *self._arguments(self.made.config.share))

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


# The controls of the page Complete: what is completed from what, how much is hidden, and everything behind Settings.

AS_UPLOADED = "as uploaded"
HIDDEN = "Hidden share"
TABS = "complete.tab"
BOTH_KERNELS = ("repair", "repair_whole", "normalize", "nugget")
COMPLETION = ("constraint", "residual", "normalize_after")
VALIDATION_FIELDS = ("folds", "repeats", "C")
MEASURES: Final[Mapping[str, Measure]] = {"multi-class": "multi_class", "one-vs-rest": "one_vs_rest"}
SETTINGS = declared(
    *in_view(
        *source_target.SETTINGS, setting("hidden", HIDDEN), setting("hidden_more", HIDDEN),
        *of(Complete, "lam"), *linked.SETTINGS, setting("tab", "Part of the page"), *eigenvectors.EIGENVECTORS_SETTINGS,
    ),
    *of(CompletionConfig, *BOTH_KERNELS, "seed", *COMPLETION),
    *of(CrossValidation, prefix="cv_"), setting("measure", "Measure"),
    *orders(),
    *pairs.SETTINGS,
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """Everything that is chosen above the pictures."""

    source: GramMatrix
    target: GramMatrix
    config: CompletionConfig
    validation: CrossValidation
    measure: Measure
    order: str


def choice(dataset: DataSet, target: GramMatrix, places: Sequence[DeltaGenerator]) -> Choice:
    """Draw the rest of the first row: source, hidden share, and the button Settings."""
    second, third, fourth = places
    with second:
        source = source_target.choose_source(dataset, target)
    with third:
        share = _share(int((~target.known).sum()))
    with fourth:
        found = _settings(dataset, source, target)
    return replace(found, config=replace(found.config, share=share))


def _settings(dataset: DataSet, source: GramMatrix, target: GramMatrix) -> Choice:
    """Draw the button Settings; the hidden share is not among them."""
    config = CompletionConfig(nugget=dataset.defaults.nugget)
    protocol = CrossValidation(C=dataset.defaults.C)
    judged = dataset.judgeable is not None
    measure: Measure = "multi_class"
    with settings_box(3) as (first, second, third):
        with first:
            group("Both kernels")
            config = controls(config, "", only=BOTH_KERNELS)
        with second:
            group("Hiding")
            config = controls(config, "", only=("seed",))
            group("Completion")
            pairs.way_box()
            config = controls(config, "", only=COMPLETION)
        protocol = replace(protocol, seed=config.seed)
        with third:
            if judged:  # items without classes have no protocol
                group("Judging")
                fields = (*VALIDATION_FIELDS, *copies_among(dataset))
                protocol = controls(protocol, f"complete.cv.{dataset.name}", only=fields, prefix="cv_")
                measure = MEASURES[widgets.pick("measure", list(MEASURES), key="complete.measure")]
            group("Pictures")
            order = order_box(st.container(), with_classes=judged, kernel=plain(source.name))
    return Choice(source, target, config, protocol, measure, order)


def _share(unknown: int) -> float | None:
    """Hidden share from a slider in steps of 5 %; where items are unknown anyway it starts at "as uploaded"."""
    options = ([AS_UPLOADED] if unknown else []) + [f"{five} %" for five in range(5, 100, 5)]
    chosen = widgets.stop(
        # the options differ, so the two sliders are two widgets
        "hidden" if not unknown else "hidden_more",
        options,
        default=AS_UPLOADED if unknown else "25 %",
        help=hint(
            "Hidden share",
            first=f"As uploaded: only the {unknown} items that are unknown anyway." if unknown else "",
        ),
    )
    return None if chosen == AS_UPLOADED else int(chosen.split()[0]) / 100.0


# What the page Complete says in words: what its matrices are, and who is best of all that is judged.

HIDDEN_ANEW: Final = (
    "Every repetition hides other items; the kept kernel hides one set: its own number stands below."
)


def what_is_seen(subject: Subject, shown: CompletionView) -> str:
    """Say what extrapolated kernel and error are, and what of the upload is not used."""
    made, rests = subject.made, "hidden pairs" if subject.made.hidden.any() else "known pairs"
    said = (
        "Extrapolated: every item is made of the known ones as the source says, and the target follows. Error: the joint "
        f"kernel minus the truth; the joint kernel is smaller by its construction, so it is first multiplied by "
        f"{number(shown.scale)}, which fits the {rests} best (least squares)."
    )
    gaps = subject.target.unknown
    if gaps.dropped.size:
        if not made.hidden.any():
            said += f" Of {plain(subject.target.name)} all that was uploaded is shown; hatched: unknown."
        said += (
            f" The completion rests on the pairs among the {int(made.known.sum()):,} known items alone; zero-fill and "
            "mean-fill below rest on every known pair, as on the page Kernels."
        )
    return said


def verdict(subject: Subject, made: Verdict, lam: float) -> str:
    """Say which of all that is on the chart is best and who is told apart from it, and of the joint kernel in any case."""
    said = verdict_words(made, gain="completing gains nothing", typed=[f"{subject.source.name} alone"])
    joint = made.of(subject.contestants[0].name)
    if joint.told_apart:
        name = joint.name.replace("joint", "joint kernel", 1)
        said += f" The {name} at λ = {number(lam, 2)} has {percent(joint.value, 1)}: worse, p\u00a0{p_value(joint.p)}."
    return said


def rests_on(answer: Answer, sweep: Sweep, made: Verdict) -> str:
    """Say what the verdict rests on, and that the kept kernel has another number; the rule itself stands under Method."""
    pairs = len(made.candidates) * (len(made.candidates) - 1) // 2
    anew = "" if math.isnan(answer.view.hidden_error) else f" {HIDDEN_ANEW}"
    times = judged_times(sweep.n_items, sweep.repeats)
    return f"{times}; told apart: p below .05, corrected for {pairs} pairs (Holm).{anew}"
