"""Accuracies of kernels on the same folds, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import EqualByContent, FloatArray, ReadOnlyArrays
from kernex_core.learning.chance.interval import Interval, over_items
from kernex_core.learning.engine import cross_decisions
from kernex_core.learning.protocol import Judging
from kernex_core.learning.scores import decided_rightly

COLUMNS = ("multi_class", "one_vs_rest")
"""Measures in the order of the columns of `by_fold` and `by_item`."""


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
    by_item : (n_labelled, 2) float
        The same of each item, in the order of the items: right or not, and the share of its decisions that is right.
    groups : (n_labelled,) str or None
        Groups that were kept together.
    """

    multi_class: float
    one_vs_rest: float
    by_class: FloatArray
    by_fold: FloatArray
    by_item: FloatArray
    groups: NDArray[np.str_] | None = None


def scores_of(K: FloatArray, how: Judging) -> CellScores:
    """Scores of a matrix that is known to be a kernel, over the folds of one repetition."""
    return scores_of_decisions(cross_decisions(K, how.coded, how.folds, how.protocol.machine()), how)


def scores_of_decisions(by_fold: Sequence[FloatArray], how: Judging) -> CellScores:
    """Scores of decision values, whatever made them.

    Parameters
    ----------
    by_fold : sequence of (n_test, n_classes) float
        One a fold of `how`, of one repetition.
    how : Judging
    """
    coded, folds = how.coded, how.folds
    decisions = np.vstack(by_fold)
    tested = np.concatenate([fold.test for fold in folds])
    truth, order = coded.codes[tested], np.argsort(tested)
    named, decided = decisions.argmax(axis=1) == truth, decided_rightly(truth, decisions)
    ends = np.cumsum([fold.test.size for fold in folds])
    right = [
        (named[end - fold.test.size : end].mean(), decided[end - fold.test.size : end].mean(axis=0).mean())
        for fold, end in zip(folds, ends.tolist(), strict=True)
    ]
    by_class = decided.mean(axis=0)
    by_item = np.column_stack([named, decided.mean(axis=1)])
    groups = None if how.groups is None else how.groups[tested[order]]
    return CellScores(
        float(named.mean()), float(by_class.mean()), by_class, np.array(right), by_item[order], groups
    )


def interval_of(repeated: Sequence[CellScores], measure: str) -> Interval:
    """Interval over items of a mean over repetitions, see `over_items`.

    Parameters
    ----------
    repeated : sequence of CellScores
        One a repetition, of the same items.
    measure : {"multi_class", "one_vs_rest"}
    """
    column = COLUMNS.index(measure)
    return over_items([scores.by_item[:, column] for scores in repeated], groups=repeated[0].groups)


@dataclass(frozen=True, eq=False)
class Apart(EqualByContent):
    """Two kernels on the same folds, and whether the items tell them apart.

    Attributes
    ----------
    first, second : float
        Means over repetitions.
    half_width : float
        Half of the longer of both intervals over items, as in `compare`.
    """

    first: float
    second: float
    half_width: float

    @property
    def difference(self) -> float:
        """The first less the second."""
        return self.first - self.second

    @property
    def told(self) -> bool:
        """Whether the difference is more than what other items would change."""
        return abs(self.difference) > self.half_width


def apart(first: Sequence[CellScores], second: Sequence[CellScores], measure: str) -> Apart:
    """Compare two kernels that were judged in the same repetitions.

    Parameters
    ----------
    first, second : sequence of CellScores
        One a repetition, of the same items.
    measure : {"multi_class", "one_vs_rest"}
    """
    one, other = (float(np.mean([getattr(made, measure) for made in scores])) for scores in (first, second))
    return Apart(one, other, max(interval_of(scores, measure).half_width for scores in (first, second)))
