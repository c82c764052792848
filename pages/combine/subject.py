"""What the page Combine is about in this run: two kernels, both decomposed, and how they are judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
from pages.shared.cached import cached
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.panels.several.chance import Asked
from pages.shared.panels.staged import Staged

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
