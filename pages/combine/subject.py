"""What the page Combine is about in this run: two kernels, both decomposed, and how they are judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import Measure, NestedChoice
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.permutations import Permuted
from kernex_core.runtime.progress import Steps, finished
from kernex_core.studies.against_chance import permuting_combination
from kernex_core.studies.combination import (
    Combination,
    CombinationConfig,
    CombinationScores,
    choosing_combination,
    combination_verdict,
    combining,
    prepare_combination,
    preparing_pair,
)
from kernex_core.studies.many_kernels import alignments_between
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, of_data, setting
from pages.server.messages import plain
from pages.ui import widgets
from pages.ui.answer import first_row, group, settings_box
from pages.ui.panels import inspection as eigenvectors
from pages.ui.panels import linked
from pages.ui.panels.linked import order_box, orders
from pages.ui.panels.staged import Pieced, Staged, run_in_pieces
from pages.ui.panels.verdicts import Asked
from pages.ui.shown import copies_among
from pages.ui.widget import controls

AT_ONCE = 400
"""Up to this number of items both kernels are decomposed in a fraction of a second, without a word."""


@dataclass(frozen=True)
class Subject:
    """What the page is about in this run."""

    dataset: DataSet
    first: GramMatrix
    second: GramMatrix
    labels: Labels | None
    made: Combination
    validation: CrossValidation
    measure: Measure = "multi_class"

    @property
    def n_classes(self) -> int:
        """Of the labels; 0 without any."""
        return 0 if self.labels is None else len(self.labels.classes)

    @property
    def alike(self) -> float:
        """Alignment of both, which needs no labels."""
        return alignment_of(self.made.first, self.made.second)

    def choosing(self) -> Staged[NestedChoice]:
        """The choice among all combinations made again inside every training fold."""
        args = (self.made.config, self.first, self.second, self.labels, self.validation, self.measure)
        return Staged(nested_kernel, choosing_combined, args)

    def verdict(self, measure: Measure) -> Verdict:
        """Who is best of all combinations and both kernels alone, once all of them are judged."""
        assert self.labels is not None  # nobody asks without
        return verdict(self.made.config, self.first, self.second, self.labels, self.validation, measure)

    def chance(self, found: CombinationScores, measure: Measure) -> Asked:
        """What may be asked of chance, once all of them are judged."""
        assert self.labels is not None  # nobody asks without
        args = self.made.config, self.first, self.second, self.labels, self.validation, measure
        passes = next(iter(found.scores.values()))
        folds = sum(len(one.by_fold) for one in passes)
        return Asked(permuted_combined, permuting_combined, args, folds, found.seconds)

    def known_chance(self, found: CombinationScores | None) -> dict[str, Permuted]:
        """What is known of it, by measure."""
        if self.labels is None or found is None or found.done < found.total:
            return {}
        measures: tuple[Measure, ...] = ("multi_class", "one_vs_rest")
        known = {measure: self.chance(found, measure).known for measure in measures}
        return {measure: one for measure, one in known.items() if one is not None}


@cached(public=True)
def alignment_of(first: GramMatrix, second: GramMatrix) -> float:
    """Cosine between both, centred."""
    return float(alignments_between((first, second))[0, 1])


@cached(public=True)
def combination(config: CombinationConfig, first: GramMatrix, second: GramMatrix) -> Combination:
    """Both kernels conditioned and decomposed."""
    return prepare_combination(config, first, second)


def prepare(config: CombinationConfig, first: GramMatrix, second: GramMatrix) -> Combination | None:
    """Decompose, with progress and Stop where it takes a while; None where it was stopped."""
    return run_in_pieces(
        Pieced(combination, preparing_pair, (config, first, second)), key="combine.decompose",
        what="% of the decompositions", at_once=first.n <= AT_ONCE, label="Decompose both kernels",
    )  # fmt: skip


def judging_combinations(
    config: CombinationConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> Iterator[CombinationScores]:
    """Judge every combination, one state a kernel."""
    return combining(combination(config, first, second), labels, validation)


@cached(public=True)
def scores(
    config: CombinationConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> CombinationScores:
    """All accuracies; the page keeps partial ones under the same key."""
    return list(judging_combinations(config, first, second, labels, validation))[-1]


@cached(public=True)
def verdict(
    config: CombinationConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Verdict:
    """Everything on the chart beside the best of it, once for each measure: no move of λ changes it."""
    found = scores(config, first, second, labels, validation)
    return combination_verdict(found, first=first.name, second=second.name, measure=measure)


def permuting_combined(
    config: CombinationConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Steps[Permuted]:
    """Judge all that is on the chart with permuted labels."""
    return permuting_combination(
        combination(config, first, second), labels, validation, first=first.name, second=second.name, measure=measure
    )  # fmt: skip


@cached(public=True)
def permuted_combined(
    config: CombinationConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Permuted:
    """The whole of it; kept when it is whole."""
    return finished(permuting_combined(config, first, second, labels, validation, measure))


def choosing_combined(
    config: CombinationConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Iterator[NestedChoice]:
    """Choose among joint kernels and weighted sums inside the training folds, one state a kernel."""
    return choosing_combination(combination(config, first, second), labels, validation, measure=measure)


@cached(public=True)
def nested_kernel(
    config: CombinationConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> NestedChoice:
    """The whole of it; the page keeps partial ones under the same key."""
    return list(choosing_combined(config, first, second, labels, validation, measure))[-1]


# The controls of the page Combine: two kernels, and everything behind Settings.

LAM: Final = "combine_lam"
"""On Complete λ has another name: it weighs something else there."""
TABS: Final = "combine.tab"
MEASURES: Final[Mapping[str, Measure]] = {"multi-class": "multi_class", "one-vs-rest": "one_vs_rest"}
SETTINGS: Final = declared(
    *in_view(
        of_data("first", "First kernel"), of_data("second", "Second kernel"),
        setting(LAM, "Weight of the first kernel λ", former="lam"), *linked.SETTINGS, setting("kind", "Combination"),
        of_data("given", "Held fixed"), setting("tab", "Part of the page"), *eigenvectors.EIGENVECTORS_SETTINGS,
    ),
    *of(CombinationConfig, "nugget", "repair", "normalize"), *of(CrossValidation, prefix="cv_"),
    setting("measure", "Measure"), *orders(),
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """Everything that is chosen above the pictures."""

    first: GramMatrix
    second: GramMatrix
    config: CombinationConfig
    validation: CrossValidation
    measure: Measure
    order: str


def choice(dataset: DataSet) -> Choice:
    """Draw the first row: both kernels, and the button Settings."""
    with first_row():
        left, right = st.container(width=280), st.container(width=280)
        last = st.container(width="stretch", horizontal_alignment="right")
    first, second = _kernels(dataset, left, right)
    with last:
        return _settings(dataset, first, second)


def _kernels(dataset: DataSet, left: DeltaGenerator, right: DeltaGenerator) -> tuple[GramMatrix, GramMatrix]:
    names = [name for name, K in dataset.kernels.items() if K.unknown.complete]
    default = dataset.source if dataset.source in names else names[0]
    with left:
        first = widgets.choose(
            "first", names, default=default, key=f"combine.first.{dataset.name}",
            help="λ weights this one: its inverse in the joint kernel, itself in the sum.",
        )  # fmt: skip
    others = [name for name in names if name != first]
    preferred = dataset.target if dataset.target in others else others[0]
    with right:
        second = widgets.choose(
            "second", others, default=preferred, key=f"combine.second.{dataset.name}.{first}",
            help="1 − λ weights this one. To swap both, choose this one as the first.",
        )  # fmt: skip
    return dataset.kernels[first], dataset.kernels[second]


def _settings(dataset: DataSet, first: GramMatrix, second: GramMatrix) -> Choice:
    config = CombinationConfig(nugget=dataset.defaults.nugget)
    validation, measure = CrossValidation(C=dataset.defaults.C), MEASURES["multi-class"]
    judged = dataset.judgeable is not None
    with settings_box(2 if judged else 1) as columns:
        with columns[0]:
            group("Both kernels")
            config = controls(config, "", only=("nugget", "repair", "normalize"))
            group("Pictures")
            order = order_box(st.container(), with_classes=judged, kernel=plain(first.name))
        if judged:  # items without classes have no protocol
            with columns[1]:
                group("Judging")
                fields = ("folds", "repeats", "C", "seed", *copies_among(dataset))
                validation = controls(validation, f"combine.{dataset.name}", only=fields, prefix="cv_")
                measure = MEASURES[widgets.pick("measure", list(MEASURES), key="combine.measure")]
    return Choice(first, second, config, validation, measure, order)
