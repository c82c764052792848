"""What the page Combine is about in this run: two kernels, both decomposed, and how they are judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.nested_choice import NestedChoice
from kernex_core.learning.chance.tried import Measure
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.permutations import Permuted
from kernex_core.pieces import Pieces, finished
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
from pages.shared.cached import cached
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.panels.several.chance import Asked
from pages.shared.settings import widgets

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
) -> Pieces[Permuted]:
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


def choose(dataset: DataSet) -> tuple[GramMatrix, GramMatrix]:
    names = [name for name, K in dataset.kernels.items() if K.unknown.complete]
    if len(names) < 2:
        raise InvalidInputError(
            "Combining needs two kernels that are known for every pair",
            f"{len(names)} of {len(dataset.kernels)} in {dataset.name!r}",
            "Bring or build a second one, or complete a partly known one and keep the result",
        )
    default = dataset.source if dataset.source in names else names[0]
    left, right = st.columns(2)
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
