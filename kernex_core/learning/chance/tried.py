"""One kernel in every fold: what the training items say of it among themselves, and what the test items do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.split import Split
from kernex_core.learning.chance.interval import Interval, Passes, interval_of
from kernex_core.learning.chance.paired import recall_by_item
from kernex_core.learning.folds import C_GRID, INNER_FOLDS, Fold, inner_folds
from kernex_core.learning.machine import TOLERANCE, Cut, Machine, cut_inside, over_folds_in_steps
from kernex_core.learning.protocol import Judging
from kernex_core.learning.scores import one_vs_rest_by_item
from kernex_core.runtime.progress import Steps, finished

Measure = Literal["multi_class", "one_vs_rest", "recall", "balanced"]
"""Recall: mean over classes of the share found in a repetition, a judgement's balanced accuracy; balanced: the mean
over folds of that of a fold, one less the balanced loss of "Almost orthogonal patterns"."""
Candidate = Callable[[int], Cut]
"""How a kernel is cut in a repetition: each repetition may have a matrix of its own."""


def same_in_all(cut: Cut) -> Candidate:
    """A kernel with one matrix for all repetitions."""
    return lambda repetition: cut


@dataclass(frozen=True, eq=False)
class Tried(ReadOnlyArrays):
    """One kernel in every fold.

    Attributes
    ----------
    inside : (n_folds,) float
        Score in five folds of the training items alone; with C chosen inside the folds that of the best C.
    outside : (n_folds,) float
        Score on the test items; of recall that of a fold alone.
    items : (n_repeats, n) float
        Score of each item where it was tested; 0 for unlabelled ones.
    costs : (n_folds,) float
        C that was chosen inside the training items, in units of their mean diagonal; empty where it is fixed.
    """

    inside: FloatArray
    outside: FloatArray
    items: FloatArray
    costs: FloatArray = field(default_factory=lambda: np.zeros(0))


def tried_in_folds(
    candidate: Candidate,
    how: Judging,
    measure: Measure,
    tolerance: float,
) -> Tried:
    """Train and test one kernel in every fold, and in folds of each fold's training items; see `choosing_candidate`."""
    return finished(trying_in_folds(candidate, how, measure, tolerance))


def trying_in_folds(
    candidate: Candidate,
    how: Judging,
    measure: Measure = "multi_class",
    tolerance: float = TOLERANCE,
    *,
    costs: Sequence[float] = C_GRID,
) -> Steps[Tried]:
    """The same in steps of one fold a thread, at least every quarter of a second.

    Parameters
    ----------
    candidate, how, measure, tolerance
        See `choosing_candidate`.
    costs : sequence of float
        What C is chosen from, where it is chosen inside the folds; in units of the mean diagonal of the training block.
    """
    machine = how.protocol.machine(tolerance=tolerance, checked=not how.inductive)
    machines: tuple[Machine, ...] = (machine,)
    if how.protocol.validation.choose_C:
        in_units = replace(machine, margin=replace(machine.margin, scaled=True))
        machines = tuple(replace(in_units, C=C) for C in sorted(costs))
    found: list[_Found] = []
    for repetition, part in enumerate(how.repetitions):
        cut = candidate(repetition)
        for batch in over_folds_in_steps(partial(_one, cut, how, machines, measure), cut, part.folds):
            found += batch
            yield len(found) / len(how.folds)
    items = np.zeros((len(how.repetitions), how.coded.codes.size))
    outside = []
    for fold, one in zip(how.folds, found, strict=True):
        outside.append(_of_fold(one.items, how.coded.codes[fold.test], measure))
        items[fold.repeat, fold.test] = one.items
    chosen = [one.C for one in found] if len(machines) > 1 else []
    return Tried(np.array([one.inside for one in found]), np.array(outside), items, np.array(chosen))


class _Found(NamedTuple):
    """Score inside the training items, and of every test item; C of the machine."""

    inside: float
    items: FloatArray
    C: float


def _one(
    cut: Cut,
    how: Judging,
    machines: Sequence[Machine],
    measure: Measure,
    fold: Fold,
    blocks: Split,
) -> _Found:
    codes, c = how.coded.codes, len(how.coded.classes)
    best, before = replace(machines[0], C=how.protocol.validation.C), -1.0
    inner = inner_folds(codes, fold.train, how.protocol.validation, how.groups)
    for one in machines if inner else ():
        score = _inside(cut_inside(blocks, cut), codes, inner, one, c, measure)
        if score > before:
            best, before = one, score
    decisions = best.train(blocks, codes[fold.train], c).decisions
    return _Found(before, _by_item(codes[fold.test], decisions, measure), best.C)


def _inside(
    cut: Cut, codes: IntArray, inner: Iterable[Fold], machine: Machine, c: int, measure: Measure
) -> float:
    """Score of one machine in the folds inside the training items; recall over all of them together."""
    items, truths, weights = [], [], []
    for fold in inner:
        blocks = cut(fold.train, fold.test)
        present, own = np.unique(codes[fold.train], return_inverse=True)
        # a class of which no training item is left is never named
        decisions = np.full((fold.test.size, c), -np.inf)
        decisions[:, present] = machine.train(blocks, own.astype(np.int64), present.size).decisions
        truth = codes[fold.test]
        items.append(_by_item(truth, decisions, measure))
        truths.append(truth)
        weights.append(weight_of(fold, measure))
    if measure == "recall":
        return _of_fold(np.concatenate(items), np.concatenate(truths), measure)
    scores = [_of_fold(*pair, measure) for pair in zip(items, truths, strict=True)]
    return float(np.average(scores, weights=weights))


def _by_item(truth: IntArray, decisions: FloatArray, measure: Measure) -> FloatArray:
    if measure == "one_vs_rest":
        return one_vs_rest_by_item(truth, decisions)
    return np.asarray(decisions.argmax(axis=1) == truth, dtype=np.float64)


def _of_fold(scores: FloatArray, truth: IntArray, measure: Measure) -> float:
    return mean_recall(scores, truth) if measure in ("balanced", "recall") else float(scores.mean())


def mean_recall(scores: FloatArray, truth: IntArray) -> float:
    """Mean over classes of the mean score of their items."""
    return float(np.mean([scores[truth == c].mean() for c in np.unique(truth)]))


def weight_of(fold: Fold, measure: Measure) -> float:
    """What a fold counts in a mean over folds: its items, but of balanced scores every fold the same."""
    return 1.0 if measure == "balanced" else float(fold.test.size)


@dataclass(frozen=True, eq=False)
class GridEnd(EqualByContent):
    """The first or last value of a grid, chosen in more than half of the folds.

    Attributes
    ----------
    letter : str
        What was chosen: "C", "λ", "k", "τ".
    value : float
    largest : bool
        Whether it is the largest of the grid, not the smallest.
    times, folds : int
        In how many of how many folds it was chosen.
    """

    letter: str
    value: float
    largest: bool
    times: int
    folds: int

    @property
    def words(self) -> str:
        """In a sentence."""
        end, beyond = ("largest", "larger") if self.largest else ("smallest", "smaller")
        return (
            f"The grid of {self.letter} ends where it is chosen: {self.letter} = {self.value:g}, the {end} that was tried, "
            f"in {self.times} of {self.folds} folds; a {beyond} one may do better."
        )


class Along(NamedTuple):
    """A parameter that candidates differ in: its letter, a value a candidate, and ends beyond which there is nothing."""

    letter: str
    values: tuple[float, ...]
    low: float | None = None
    high: float | None = None


def grid_end(
    letter: str,
    used: Iterable[tuple[float, int]],
    grid: Sequence[float],
    *,
    low: float | None = None,
    high: float | None = None,
) -> GridEnd | None:
    """The end of the grid that more than half of the folds chose; None where there is none.

    Parameters
    ----------
    letter : str
        Name of what is chosen.
    used : iterable of (float, int)
        Each value that was chosen, and in how many folds.
    grid : sequence of float
        What was chosen from; a single value is no choice.
    low, high : float, optional
        Ends beyond which there is nothing, such as one neighbour: a grid that ends there misses nothing.

    Examples
    --------
    >>> from kernex_core.learning.chance.tried import grid_end
    >>> grid_end("C", [(1.0, 2), (100.0, 3)], (0.01, 1.0, 100.0)).words.partition(":")[2]
    ' C = 100, the largest that was tried, in 3 of 5 folds; a larger one may do better.'
    >>> grid_end("k", [(1.0, 5)], (1, 3, 5), low=1) is None
    True
    """
    counts = dict(used)
    folds = sum(counts.values())
    if len(set(grid)) < 2:
        return None
    for value, largest, nothing_beyond in ((min(grid), False, low), (max(grid), True, high)):
        times = counts.get(value, 0)
        if 2 * times > folds and value != nothing_beyond:
            return GridEnd(letter, float(value), largest, times, folds)
    return None


# What the best of several kernels is worth: the choice is made again inside every training fold.
#
# The highest of many accuracies was chosen on the same folds that it is reported on, and is too optimistic for that.
# Nested cross-validation (Stone 1974; Varma and Simon 2006) lets every training fold choose by folds of its own and
# tests what it chose on items that had no part in the choice.


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
