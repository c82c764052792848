"""What the best of several kernels is worth: the choice is made again inside every training fold.

The highest of many accuracies was chosen on the same folds that it is reported on, and is too optimistic for that. Nested
cross-validation (Stone 1974; Varma and Simon 2006) lets every training fold choose by folds of its own and tests what it
chose on items that had no part in the choice.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.chance.grid_end import Along, GridEnd, grid_end
from kernex_core.learning.chance.influence import recall_by_item
from kernex_core.learning.chance.interval import Interval, Passes, interval_of
from kernex_core.learning.chance.tried import (
    Candidate,
    Measure,
    Tried,
    mean_recall,
    tried_in_folds,
    weight_of,
)
from kernex_core.learning.folds import C_GRID
from kernex_core.learning.nested import INNER_FOLDS
from kernex_core.learning.protocol import Judging
from kernex_core.learning.svm import TOLERANCE


@dataclass(frozen=True, eq=False)
class NestedChoice(ReadOnlyArrays):
    """The choice among several kernels, judged; and each of them alone, on the same folds.

    Attributes
    ----------
    measure : {"multi_class", "one_vs_rest", "recall", "balanced"}
    names : tuple of str
        Kernels that are done, in the order in which they are preferred where scores tie.
    alone : (n_names, n_repeats) float
        Score of each.
    picked : (n_folds,) int
        Which one each training fold chose.
    by_repeat : (n_repeats,) float
        Score of what was chosen.
    n_items, n_folds : int
        Labelled items, and folds of one repetition.
    by_item : (n_repeats, n_items) float
        What each labelled item has of the score of what was chosen, in each repetition.
    interval : Interval
        Of the score of what was chosen, for other data sets of this size; the choice is made anew in them.
    done, total : int
        Kernels.
    seconds : float
    grid_ends : tuple of GridEnd
        Of what is chosen by its value: the kernels' parameter, C with it. Ends of grids that most folds chose.
    """

    measure: Measure
    names: tuple[str, ...]
    alone: FloatArray
    picked: IntArray
    by_repeat: FloatArray
    n_items: int
    n_folds: int
    by_item: FloatArray
    interval: Interval
    done: int
    total: int
    seconds: float = field(compare=False)
    inner_folds: int = INNER_FOLDS
    grid_ends: tuple[GridEnd, ...] = ()

    @property
    def mean(self) -> float:
        """Score of choosing inside the training folds."""
        return float(self.by_repeat.mean())

    @property
    def sd_repeats(self) -> float:
        """Standard deviation over repetitions; NaN for one."""
        return float(self.by_repeat.std(ddof=1)) if self.by_repeat.size > 1 else float("nan")

    @property
    def best(self) -> tuple[str, float]:
        """The kernel that looks best on the test folds, and its score there."""
        means = self.alone.mean(axis=1)
        at = int(means.argmax())
        return self.names[at], float(means[at])

    @property
    def optimism(self) -> float:
        """What reporting the best adds to the score of choosing it inside the training folds."""
        return self.best[1] - self.mean

    @property
    def picks(self) -> tuple[tuple[str, int], ...]:
        """Kernels that were chosen, and in how many folds; the most frequent first."""
        counts = np.bincount(self.picked, minlength=len(self.names))
        order = np.argsort(-counts, kind="stable")
        return tuple((self.names[i], int(counts[i])) for i in order if counts[i])


def choosing_candidate(
    candidates: Iterable[tuple[str, Candidate]],
    total: int,
    how: Judging,
    *,
    measure: Measure = "multi_class",
    tolerance: float = TOLERANCE,
    along: Along | None = None,
) -> Iterator[NestedChoice]:
    """Try one kernel after another; every state holds the choice among those that are done.

    Parameters
    ----------
    candidates : iterable of (str, callable)
        Names, and how each is cut in repetition r. All matrices are known to be kernels.
    total : int
        How many there are.
    how : Judging
        With C chosen inside the folds, kernel and C are chosen together. Groups that it keeps together stay together
        inside the training items, too.
    measure : {"multi_class", "one_vs_rest", "recall", "balanced"}
        What is chosen by, and told: accuracy, mean accuracy of "is it class c?", the mean recall of a repetition (balanced
        accuracy), or the mean over folds of the mean recall of a fold.
    tolerance : float
        Of the support vector machines.
    along : Along, optional
        The parameter that the candidates differ in, where they do in one: where its grid ends is told.

    Raises
    ------
    InvalidInputError
        No kernel.
    """
    started = time.perf_counter()
    names: tuple[str, ...] = ()
    tried: list[Tried] = []
    for name, candidate in candidates:
        tried.append(tried_in_folds(candidate, how, measure, tolerance))
        names = (*names, name)
        yield choice_among(names, tried, how, measure, total, time.perf_counter() - started, along=along)
    if not names:
        raise InvalidInputError("A choice needs at least one kernel", "none")


def choice_among(
    names: tuple[str, ...],
    tried: list[Tried],
    how: Judging,
    measure: Measure,
    total: int,
    seconds: float,
    *,
    along: Along | None = None,
) -> NestedChoice:
    """The choice among kernels that were tried in the same folds; see `choosing_candidate`."""
    inside = np.array([one.inside for one in tried])
    outside = np.array([one.outside for one in tried])
    picked = inside.argmax(axis=0)
    repeat = np.array([fold.repeat for fold in how.folds])
    weights = np.array([weight_of(fold, measure) for fold in how.folds])
    items = np.zeros_like(tried[0].items)
    for fold, at in zip(how.folds, picked, strict=True):
        items[fold.repeat, fold.test] = tried[at].items[fold.repeat, fold.test]
    labelled = np.flatnonzero(how.coded.codes >= 0)
    truth = how.coded.codes[labelled]

    def by_repeat(scores: FloatArray, of_items: FloatArray) -> FloatArray:
        if measure == "recall":
            return np.array([mean_recall(one[labelled], truth) for one in of_items])
        return np.bincount(repeat, scores * weights) / np.bincount(repeat, weights)

    passes = Passes(int((repeat == 0).sum()), len(items))
    chosen = by_repeat(outside[picked, np.arange(picked.size)], items)
    rows = items[:, labelled]
    if measure in ("balanced", "recall"):  # that of a repetition, around the mean over its folds
        rows = np.array([recall_by_item(row, truth) for row in rows])
        rows += (chosen - rows.mean(axis=1))[:, None]
    return NestedChoice(
        measure=measure,
        names=names,
        alone=np.array([by_repeat(one.outside, one.items) for one in tried]),
        picked=picked,
        by_repeat=chosen,
        n_items=labelled.size,
        n_folds=passes.folds,
        by_item=rows,
        interval=interval_of(
            rows,
            passes,
            classes=None if measure == "multi_class" else truth,
            groups=None if how.groups is None else how.groups[labelled],
        ),
        done=len(names),
        total=total,
        seconds=seconds,
        grid_ends=_grid_ends(tried, picked, along),
    )


def _grid_ends(tried: Sequence[Tried], picked: IntArray, along: Along | None) -> tuple[GridEnd, ...]:
    """Of the values that the candidates stand for, where they do, and of C, where it was chosen with them."""
    found = []
    if along is not None:
        values = along.values[: len(tried)]
        own = [(value, int((picked == at).sum())) for at, value in enumerate(values)]
        found.append(grid_end(along.letter, own, values, low=along.low, high=along.high))
    if tried[0].costs.size:
        costs = np.array([one.costs for one in tried])[picked, np.arange(picked.size)]
        used, counts = np.unique(costs, return_counts=True)
        found.append(grid_end("C", zip(used.tolist(), counts.tolist(), strict=True), C_GRID))
    return tuple(each for each in found if each is not None)
