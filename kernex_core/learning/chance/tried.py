"""One kernel in every fold: what the training items say of it among themselves, and what the test items do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.split import Split
from kernex_core.learning.engine import Cut, cut_inside, over_folds_in_pieces
from kernex_core.learning.folds import C_GRID, Fold
from kernex_core.learning.machine import Machine
from kernex_core.learning.nested import inner_folds
from kernex_core.learning.protocol import Judging
from kernex_core.learning.scores import one_vs_rest_by_item
from kernex_core.learning.svm import TOLERANCE
from kernex_core.pieces import Pieces, finished

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
) -> Pieces[Tried]:
    """The same in pieces of one fold a thread, at least every quarter of a second.

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
        for piece in over_folds_in_pieces(partial(_one, cut, how, machines, measure), cut, part.folds):
            found += piece
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
