"""From the decisions of all folds to one judgement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.learning.chance.influence import influence_over_folds
from kernex_core.learning.engine import Cut
from kernex_core.learning.folds import Fold
from kernex_core.learning.judgement import NAN, Judgement, Score
from kernex_core.learning.learners.choice import grid_end_of
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.protocol import Judging
from kernex_core.learning.scores import (
    balanced_accuracy,
    confusion_counts,
    decided_rightly,
    matthews,
    one_vs_rest_by_class,
)
from kernex_core.learning.svm import HARD_MARGIN


@dataclass(frozen=True, eq=False)
class JudgingTask(EqualByContent):
    """What the folds of one cross-validation share.

    Attributes
    ----------
    how : Judging
    cut : callable
        Blocks of a kernel for (train, test).
    learner : Learner
    groups : (n,) str or None
        What folds keep together.
    checked : bool
        Training blocks are known to be kernels and are not looked at again.
    """

    how: Judging
    cut: Cut
    learner: Learner
    groups: NDArray[np.str_] | None
    checked: bool = True


class Tested(NamedTuple):
    """What one fold gave.

    Attributes
    ----------
    decisions : (n_test, n_classes) float
    areas : (n_classes,) float
        Under the ROC curve of each class, NaN where it has none.
    C : float
        Or another strength of the learner: λ, neighbours.
    right : dict of float to int
        With it chosen inside: items named rightly by each value of the grid.
    not_converged, at_bound : int
    """

    decisions: FloatArray
    areas: FloatArray
    C: float
    right: dict[float, int]
    not_converged: int
    at_bound: int
    area_pulls: FloatArray
    """(n_classes, n_test) influence of each item on each area."""
    weights: FloatArray
    """(M,) weights of several kernels that were made inside the fold; none of a single one."""
    weight_cost: float = NAN
    """C of learned weights that was chosen inside the fold."""


def judgement_of(
    base: Judgement, folds: Sequence[Fold], results: Sequence[Tested], seconds: float, learner: Learner
) -> Judgement:
    """Put the folds of whole repetitions together."""
    c, codes, repeats = len(base.classes), base.codes, folds[-1].repeat + 1
    decisions = np.full((repeats, codes.size, c), NAN)
    for fold, result in zip(folds, results, strict=True):
        decisions[fold.repeat, fold.test] = result.decisions
    probabilities = learner.probabilities(decisions)
    at = codes >= 0
    truth, predicted = codes[at], decisions[:, at].argmax(axis=2)
    confusions = [confusion_counts(truth, row, c) for row in predicted]
    yes_or_no = np.array([decided_rightly(truth, values[at]) for values in decisions])
    by_class = yes_or_no.mean(axis=1)
    areas = np.array([result.areas for result in results])
    fold_right = [
        (
            float((result.decisions.argmax(axis=1) == codes[fold.test]).mean()),
            float(one_vs_rest_by_class(codes[fold.test], result.decisions).mean()),
        )
        for fold, result in zip(folds, results, strict=True)
    ]
    whole = np.sum(confusions, axis=0)
    correct = np.zeros((repeats, codes.size), dtype=np.bool_)
    correct[:, at] = predicted == truth[None, :]
    decided = np.zeros(correct.shape)
    decided[:, at] = yes_or_no.mean(axis=2)
    named = np.full(correct.shape, -1, dtype=np.int64)
    named[:, at] = predicted
    answered = np.zeros((*correct.shape, c), dtype=np.bool_)
    answered[:, at] = yes_or_no
    votes = np.full(codes.size, -1, dtype=np.int64)
    votes[at] = (predicted[:, :, None] == np.arange(c)).sum(axis=0).argmax(axis=1)
    not_converged = sum(result.not_converged for result in results)
    recall = np.diag(whole) / np.maximum(whole.sum(axis=1), 1)
    costs = _counted(result.C for result in results)
    return replace(
        base,
        multi_class=_scored(
            base.multi_class, (predicted == truth).mean(axis=1), [r[0] for r in fold_right], recall
        ),
        one_vs_rest=_scored(
            base.one_vs_rest, by_class.mean(axis=1), [r[1] for r in fold_right], by_class.mean(axis=0)
        ),
        balanced=_scored(base.balanced, [balanced_accuracy(m) for m in confusions], (), recall),
        matthews=_scored(base.matthews, [matthews(m) for m in confusions], (), ()),
        auc=_scored(
            base.auc,
            _area_by_repeat(areas, folds),
            np.nanmean(areas, axis=1) if _any(areas) else (),
            (),
        ),
        class_accuracy=by_class.mean(axis=0),
        class_recall=recall,
        confusion=whole,
        correct=correct,
        decided=decided,
        named=named,
        answered=answered,
        areas=np.array(_area_by_repeat(areas, folds)),
        area_pulls=_area_pulls(areas, folds, results, codes),
        area_freedom=_area_freedom(areas, folds, base.groups),
        predicted=votes,
        n_folds=len(folds) // repeats,
        n_repeats=repeats,
        costs=costs,
        grid_end=grid_end_of(learner, costs) if base.config.choose_C else None,
        fold_accuracy=tuple(right for right, _ in fold_right),
        undefined_auc=int(np.isnan(areas).sum()),
        not_converged=not_converged,
        grid=_grid(results, base.n_items * repeats),
        notes=base.notes + _hard_margin(results) + learner.unfinished(not_converged),
        seconds=seconds,
        weights=np.array([result.weights for result in results]),
        weight_costs=_counted(v.weight_cost for v in results if not np.isnan(v.weight_cost)),
        probabilities=np.zeros((0, 0, 0)) if probabilities is None else probabilities,
    )


def _any(table: FloatArray) -> bool:
    return bool((~np.isnan(table)).any(axis=1).all())


def _area_by_repeat(table: FloatArray, folds: Sequence[Fold]) -> list[float]:
    """Mean area of each repetition over the class-fold pairs that have one."""
    repeat = np.array([fold.repeat for fold in folds])
    found = []
    for r in np.unique(repeat):
        values = table[repeat == r]
        defined = values[~np.isnan(values)]
        found.append(float(defined.mean()) if defined.size else NAN)
    return found


def _area_pulls(
    table: FloatArray, folds: Sequence[Fold], results: Sequence[Tested], codes: IntArray
) -> FloatArray:
    """(n_repeats, n) influence on the mean of the defined areas of each repetition."""
    pulls = np.zeros((folds[-1].repeat + 1, codes.size))
    for r in range(len(pulls)):
        at = [i for i, fold in enumerate(folds) if fold.repeat == r]
        tests = [folds[i].test for i in at]
        own = influence_over_folds(
            table[at], [results[i].area_pulls for i in at], [codes[test] for test in tests]
        )
        for test, values in zip(tests, own, strict=True):
            pulls[r, test] = values
    return pulls


def _area_freedom(table: FloatArray, folds: Sequence[Fold], groups: NDArray[np.str_] | None) -> float:
    """Items (groups) in folds that have an area, less these folds; mean over repetitions."""
    there = [(fold, ~np.isnan(row).all()) for fold, row in zip(folds, table, strict=True)]
    units = sum(
        (fold.test.size if groups is None else np.unique(groups[fold.test]).size) - 1
        for fold, has in there
        if has
    )
    return units / (folds[-1].repeat + 1)


Values = Sequence[float] | FloatArray


def _scored(base: Score, repeats: Values, folds: Values, classes: Values) -> Score:
    return replace(
        base,
        mean=float(np.mean(repeats)),
        sd_repeats=_sd(repeats),
        sd_folds=_sd(folds),
        sd_classes=_sd(classes),
    )


def _sd(values: Values) -> float:
    return float(np.std(np.asarray(values, dtype=np.float64), ddof=1)) if len(values) > 1 else NAN


def _counted(values: Iterable[float]) -> tuple[tuple[float, int], ...]:
    """Different values, from the smallest on, and how many folds have each."""
    found, counts = np.unique(list(values), return_counts=True)
    return tuple(zip(found.tolist(), counts.tolist(), strict=True))


def _grid(results: Sequence[Tested], decisions: int) -> tuple[tuple[float, float], ...]:
    return tuple((C, sum(result.right[C] for result in results) / decisions) for C in results[0].right)


def _hard_margin(results: Sequence[Tested]) -> tuple[str, ...]:
    at_bound, C = sum(result.at_bound for result in results), results[0].C
    if C < HARD_MARGIN or not at_bound:  # what is chosen inside the folds is always less
        return ()
    cost = "the largest cost" if np.isnan(C) else f"C = {C:g}"
    return (
        f"The margin is not hard: {at_bound:,} coefficients reached {cost}, so some training items cannot be separated.",
    )
