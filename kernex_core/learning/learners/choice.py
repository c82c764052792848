"""A learner's strength chosen inside the training fold: C, λ or the number of neighbours (nested cross-validation)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.split import Split
from kernex_core.learning.chance.grid_end import GridEnd, grid_end
from kernex_core.learning.engine import Cut
from kernex_core.learning.folds import Fold
from kernex_core.learning.learners.contract import Fitted, Learner, Targets
from kernex_core.parameters import parameters


def block_of(blocks: Split, *, checked: bool) -> FloatArray:
    """The training block; looked at first unless it is known to be a kernel."""
    return blocks.K_train if checked else blocks.checked().K_train


def chosen(learner: Learner, cut: Cut, targets: Targets, folds: Sequence[Fold], *, checked: bool) -> Learner:
    """The candidate with the most rightly named items, or the least squared error, in folds of the training items.

    Parameters
    ----------
    learner : Learner
        Taken itself where there are no folds.
    cut : callable
        Fits what has to be fitted on the inner training items.
    targets : Targets
        Of all items; only those of the folds are looked at.
    folds : sequence of Fold
        Inside the training items.
    checked : bool
        Blocks are known to be kernels.

    Returns
    -------
    Learner
        Of equally good ones the smoothest, see `Learner.grid`. Its strength is in units of the training block, also where
        nothing was chosen: `fit_in_units` learns by it.
    """
    candidates = learner.candidates
    if not folds or len(candidates) < 2:
        return learner
    return candidates[int(goodness_inside(learner, cut, targets, folds, checked=checked).argmax())]


def goodness_inside(
    learner: Learner,
    cut: Cut,
    targets: Targets,
    folds: Sequence[Fold],
    *,
    checked: bool,
    several: bool = True,
) -> FloatArray:
    """(n_candidates,) items that each candidate names rightly, or −Σ error², in folds of the training items; see `chosen`.

    With `several` off of the learner alone, with its strength as it is.
    """
    scores = np.zeros(len(learner.candidates) if several else 1)
    for fold in folds:
        blocks = cut(fold.train, fold.test)
        own, found = _inside(targets, fold.train)
        K = block_of(blocks, checked=checked)
        fits = learner.fits(K, own) if several else (learner.fit(K, own),)
        scores += [
            goodness(fit, blocks.K_cross, targets.values[fold.test], found if targets.n_classes else None)
            for fit in fits
        ]
    return scores


def goodness(
    fit: Fitted, K_cross: FloatArray, truth: IntArray | FloatArray, classes: IntArray | None
) -> float:
    """Number of items that are named rightly (`classes` are the codes of the decision columns), or −Σ error²."""
    decided = fit.decide(K_cross)
    if classes is None:
        return -float(((decided[:, 0] - truth) ** 2).sum())
    return float((classes[decided.argmax(axis=1)] == truth).sum())


def _inside(targets: Targets, items: IntArray) -> tuple[Targets, IntArray]:
    """Targets of some items, classes numbered anew, and what the new numbers stand for."""
    values = targets.values[items]
    if not targets.n_classes:
        return Targets(values), np.zeros(0, dtype=np.int64)
    found, present = np.unique(values, return_inverse=True)
    return Targets(present.astype(np.int64), found.size), found.astype(np.int64)


def grid_end_of(learner: Learner, used: Iterable[tuple[float, int]]) -> GridEnd | None:
    """The end of the grid of a learner's strength, where more than half of the folds chose it."""
    candidates = learner.candidates
    if len(candidates) < 2:
        return None
    last = candidates[0]
    while not last.strength and isinstance(inner := getattr(last, "learner", None), Learner):
        last = inner
    described = parameters(type(last))[last.strength]
    return grid_end(
        learner.letter, used, [each.value for each in candidates], low=described.low, high=described.high
    )
