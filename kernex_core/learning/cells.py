"""Accuracies of kernels on the same folds, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.engine import cross_decisions
from kernex_core.learning.protocol import Judging
from kernex_core.learning.scores import one_vs_rest_by_class


@dataclass(frozen=True, eq=False)
class CellScores(ReadOnlyArrays):
    """Scores of one kernel in one repetition.

    Attributes
    ----------
    multi_class, one_vs_rest : float
    by_class : (n_classes,) float
        One-vs-rest accuracy of each class.
    by_fold : (n_folds, 2) float
        Multi-class and one-vs-rest accuracy of each fold.
    """

    multi_class: float
    one_vs_rest: float
    by_class: FloatArray
    by_fold: FloatArray


def scores_of(K: FloatArray, how: Judging) -> CellScores:
    """Scores of a matrix that is known to be a kernel, over the folds of one repetition."""
    coded, folds = how.coded, how.folds
    by_fold = cross_decisions(K, coded, folds, how.protocol.machine())
    decisions = np.vstack(by_fold)
    truth = coded.codes[np.concatenate([fold.test for fold in folds])]
    by_class = one_vs_rest_by_class(truth, decisions)
    right = [accuracies(coded.codes[fold.test], made) for fold, made in zip(folds, by_fold, strict=True)]
    return CellScores(*accuracies(truth, decisions), by_class, np.array(right))


def accuracies(truth: IntArray, decisions: FloatArray) -> tuple[float, float]:
    """Multi-class and mean one-vs-rest accuracy."""
    return (
        float((decisions.argmax(axis=1) == truth).mean()),
        float(one_vs_rest_by_class(truth, decisions).mean()),
    )
