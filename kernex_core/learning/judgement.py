"""Judgement: the accuracy of one kernel under one protocol, with its floors, spreads and mode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.recipe import Recipe, call
from kernex_core.learning.folds import CrossValidation, Fold
from kernex_core.learning.leakage import Mode
from kernex_core.learning.scores import (
    auc,
    balanced_accuracy,
    confusion_counts,
    majority_floor,
    matthews,
    one_vs_rest_by_class,
    one_vs_rest_floor,
)

NAN = float("nan")


@dataclass(frozen=True)
class Score:
    """One measure: its mean over repetitions, its spreads, each named, and its floor.

    Attributes
    ----------
    mean : float
    sd_repeats, sd_folds, sd_classes : float
        Standard deviations over repetitions, over folds and over classes; NaN where there is only one, or where the
        measure has no such parts.
    floor : float
        What a predictor without knowledge gets.
    """

    title: str
    mean: float = NAN
    sd_repeats: float = NAN
    sd_folds: float = NAN
    sd_classes: float = NAN
    floor: float = NAN


@dataclass(frozen=True, eq=False)
class Judgement(ReadOnlyArrays):
    """Result of a cross-validation.

    Attributes
    ----------
    multi_class, one_vs_rest, balanced, matthews, auc : Score
        Accuracy by argmax of the one-vs-rest decisions; mean accuracy of "is it class c?"; mean recall; Matthews
        correlation; mean area under the one-vs-rest ROC curves inside folds.
    classes, sizes : tuple
        Largest first.
    class_accuracy, class_recall : (n_classes,) float
        One-vs-rest accuracy and share found, by class.
    confusion : (n_classes, n_classes) int
        Over all repetitions; rows are the true classes.
    correct : (n_repeats, n) bool
        Whether the item was named rightly; False for unlabelled ones, see `labelled`.
    predicted : (n,) int
        Class that the item was given in most repetitions (ties to the larger class); −1 = unlabelled.
    labelled : (n,) bool
    n_items, n_decisions, n_folds, n_repeats : int
        What the numbers rest on.
    costs : tuple of (float, int)
        Each C that was used, and in how many folds.
    mode : {"inductive", "transductive", "leak"}
    fold_accuracy : tuple of float
        Multi-class accuracy in every fold of every repetition.
    undefined_auc : int
        Class-fold pairs without both kinds of items, which have no ROC curve.
    not_converged : int
        Binary problems that ended at the limit of iterations.
    seconds : float
    notes : tuple of str
    subject : (GramMatrix, labels)
        What was judged.
    """

    multi_class: Score
    one_vs_rest: Score
    balanced: Score
    matthews: Score
    auc: Score
    classes: tuple[str, ...]
    sizes: tuple[int, ...]
    class_accuracy: FloatArray
    class_recall: FloatArray
    confusion: IntArray
    correct: BoolArray
    predicted: IntArray
    codes: IntArray
    n_folds: int
    n_repeats: int
    costs: tuple[tuple[float, int], ...]
    config: CrossValidation
    mode: Mode
    fold_accuracy: tuple[float, ...] = ()
    undefined_auc: int = 0
    not_converged: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    subject: tuple[Any, Any] = (None, None)

    @property
    def labelled(self) -> BoolArray:
        """(n,) items that were judged."""
        return np.asarray(self.codes >= 0)

    @property
    def n_items(self) -> int:
        """Labelled items."""
        return int(self.labelled.sum())

    @property
    def n_decisions(self) -> int:
        """Items times repetitions."""
        return self.n_items * self.n_repeats

    @property
    def scores(self) -> tuple[Score, ...]:
        """All measures, the first one first."""
        return self.multi_class, self.one_vs_rest, self.balanced, self.matthews, self.auc

    @cached_property
    def recipe(self) -> Recipe:
        """How to compute this judgement again; written only when somebody asks."""
        kernel, labels = self.subject
        return call(
            "judgement", "judge", kernel, labels, self.config, imports=("from kernex_core import judge",)
        )

    @classmethod
    def empty(
        cls,
        classes: tuple[str, ...],
        codes: IntArray,
        config: CrossValidation,
        mode: Mode,
        subject: tuple[Any, Any] = (None, None),
    ) -> Judgement:
        """Judgement before the first repetition, with its floors."""
        c, truth = len(classes), codes[codes >= 0]
        return cls(
            multi_class=Score("Multi-class accuracy", floor=majority_floor(truth, c)),
            one_vs_rest=Score("One-vs-rest accuracy", floor=one_vs_rest_floor(truth, c)),
            balanced=Score("Balanced accuracy", floor=1.0 / c),
            matthews=Score("Matthews correlation", floor=0.0),
            auc=Score("Area under the ROC curve", floor=0.5),
            classes=classes,
            sizes=tuple(np.bincount(truth, minlength=c).tolist()),
            class_accuracy=np.full(c, NAN),
            class_recall=np.full(c, NAN),
            confusion=np.zeros((c, c), dtype=np.int64),
            correct=np.zeros((0, codes.size), dtype=np.bool_),
            predicted=np.full(codes.size, -1, dtype=np.int64),
            codes=codes,
            n_folds=0,
            n_repeats=0,
            costs=(),
            config=config,
            mode=mode,
            notes=_size_notes(classes, truth, config),
            subject=subject,
        )


def assemble(
    base: Judgement, folds: Sequence[Fold], results: Sequence[tuple[FloatArray, float, int]], seconds: float
) -> Judgement:
    """Put the folds of whole repetitions together."""
    c, codes, repeats = len(base.classes), base.codes, folds[-1].repeat + 1
    decisions = np.full((repeats, codes.size, c), NAN)
    for fold, (values, _, _) in zip(folds, results, strict=True):
        decisions[fold.repeat, fold.test] = values
    at = codes >= 0
    truth, predicted = codes[at], decisions[:, at].argmax(axis=2)
    confusions = [confusion_counts(truth, row, c) for row in predicted]
    by_class = np.array([one_vs_rest_by_class(truth, values[at]) for values in decisions])
    areas = [
        _fold_areas(codes[fold.test], values) for fold, (values, _, _) in zip(folds, results, strict=True)
    ]
    area_table = np.array(areas)
    fold_right = [
        (
            float((v.argmax(axis=1) == codes[f.test]).mean()),
            float(one_vs_rest_by_class(codes[f.test], v).mean()),
        )
        for f, (v, _, _) in zip(folds, results, strict=True)
    ]
    whole = np.sum(confusions, axis=0)
    correct = np.zeros((repeats, codes.size), dtype=np.bool_)
    correct[:, at] = predicted == truth[None, :]
    votes = np.full(codes.size, -1, dtype=np.int64)
    votes[at] = [int(np.bincount(column, minlength=c).argmax()) for column in predicted.T]
    recall = np.diag(whole) / np.maximum(whole.sum(axis=1), 1)
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
            _area_by_repeat(area_table, folds),
            np.nanmean(area_table, axis=1) if _any(area_table) else (),
            (),
        ),
        class_accuracy=by_class.mean(axis=0),
        class_recall=recall,
        confusion=whole,
        correct=correct,
        predicted=votes,
        n_folds=len(folds) // repeats,
        n_repeats=repeats,
        costs=_costs(results),
        fold_accuracy=tuple(right for right, _ in fold_right),
        undefined_auc=int(np.isnan(area_table).sum()),
        not_converged=sum(count for _, _, count in results),
        seconds=seconds,
    )


def _any(table: FloatArray) -> bool:
    return bool((~np.isnan(table)).any(axis=1).all())


def _fold_areas(truth: IntArray, decisions: FloatArray) -> FloatArray:
    return np.array([auc(truth == c, decisions[:, c]) for c in range(decisions.shape[1])])


def _area_by_repeat(table: FloatArray, folds: Sequence[Fold]) -> list[float]:
    """Mean area of each repetition over the class-fold pairs that have one."""
    repeat = np.array([fold.repeat for fold in folds])
    found = []
    for r in np.unique(repeat):
        values = table[repeat == r]
        defined = values[~np.isnan(values)]
        found.append(float(defined.mean()) if defined.size else NAN)
    return found


def _scored(base: Score, repeats: Sequence[float], folds: Sequence[float], classes: Sequence[float]) -> Score:
    return replace(
        base,
        mean=float(np.mean(repeats)),
        sd_repeats=_sd(repeats),
        sd_folds=_sd(folds),
        sd_classes=_sd(classes),
    )


def _sd(values: Sequence[float]) -> float:
    return float(np.std(np.asarray(values, dtype=np.float64), ddof=1)) if len(values) > 1 else NAN


def _costs(results: Sequence[tuple[FloatArray, float, int]]) -> tuple[tuple[float, int], ...]:
    values, counts = np.unique([C for _, C, _ in results], return_counts=True)
    return tuple(zip(values.tolist(), counts.tolist(), strict=True))


def _size_notes(classes: tuple[str, ...], truth: IntArray, config: CrossValidation) -> tuple[str, ...]:
    sizes = np.bincount(truth, minlength=len(classes))
    single = [name for name, size in zip(classes, sizes, strict=True) if size == 1]
    small = [name for name, size in zip(classes, sizes, strict=True) if 1 < size < config.folds]
    notes: tuple[str, ...] = ()
    if single:
        notes += (f"Classes with one member can never be found when it is tested: {', '.join(single)}.",)
    if small:
        notes += (f"Classes with fewer members than folds are missing from some folds: {', '.join(small)}.",)
    return notes
