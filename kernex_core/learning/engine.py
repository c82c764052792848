"""Folds: the one way in which kernels are judged, whatever is measured and on whatever page.

`cut` says what a fold sees of a kernel, `measure` what is made of it; folds share the threads of the process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import Split, cut_blocks, split_inductively, split_transductively
from kernex_core.gram.step import Step
from kernex_core.learning.coded import Coded
from kernex_core.learning.folds import Fold
from kernex_core.learning.machine import Machine
from kernex_core.threads import in_order, spread_in_pieces

R = TypeVar("R")
Cut = Callable[[IntArray, IntArray], Split]
"""Blocks of a kernel for (train, test)."""
Measure = Callable[[Fold, Split], R]
"""What is made of one fold and its blocks."""
SMALL = 200
"""Training items up to which a fold takes about a millisecond, unless much is chosen or fitted in it."""


@dataclass(frozen=True, eq=False)
class WeighedSplit(Split):
    """Blocks of what was made of M kernels in a fold.

    Attributes
    ----------
    weights : (M,) float
        Made of the training block.
    cost : float
        C of learned weights that was chosen among the training items; NaN where none was.
    """

    weights: FloatArray = field(default_factory=lambda: np.zeros(0))
    cost: float = float("nan")
    _inside: Cut | None = field(default=None, compare=False, repr=False)

    @property
    def inside(self) -> Cut | None:
        """How folds of the training items are cut, with what was chosen for this one; None where nothing was."""
        return self._inside


def weights_of(blocks: Split) -> FloatArray:
    """(M,) weights that a cut made inside the fold; none of a single kernel."""
    return blocks.weights if isinstance(blocks, WeighedSplit) else np.zeros(0)


def cost_of_weights(blocks: Split) -> float:
    """C of learned weights that was chosen inside the fold; NaN where none was."""
    return blocks.cost if isinstance(blocks, WeighedSplit) else float("nan")


def cut_inside(blocks: Split, cut: Cut) -> Cut:
    """How folds of the training items are cut: what was chosen among them for the whole fold is not chosen again."""
    own = blocks.inside if isinstance(blocks, WeighedSplit) else None
    return cut if own is None else own


def cut_of(K: GramMatrix, *, inductive: bool, further: Sequence[Step] = ()) -> Cut:
    """How a kernel is cut into blocks.

    Parameters
    ----------
    K : GramMatrix
    inductive : bool
        Fit its steps on the training items of every fold; otherwise they saw all items.
    further : sequence of Step
        Taken after those of K, like them. An inductive run never takes them on all items, where they might fail.
    """
    if inductive:
        return partial(split_inductively, K, further=further)
    for step in further:
        K = K.then(step)
    return partial(split_transductively, K)


def over_folds(measure: Measure[R], cut: Cut, folds: Sequence[Fold]) -> list[R]:
    """Measure every fold, in their order."""
    return in_order(partial(_one, measure, cut), folds, small=_small(folds))


def over_folds_in_pieces(measure: Measure[R], cut: Cut, folds: Sequence[Fold]) -> Iterator[list[R]]:
    """The same a piece at a time, at least every quarter of a second (`threads.spread_in_pieces`)."""
    return spread_in_pieces(partial(_one, measure, cut), folds, small=_small(folds))


def cross_decisions(K: FloatArray, coded: Coded, folds: Sequence[Fold], machine: Machine) -> list[FloatArray]:
    """Decision values (n_test, n_classes) of every fold of a matrix (n, n) that is known to be a kernel."""

    def decisions(fold: Fold, blocks: Split) -> FloatArray:
        return machine.train(blocks, coded.codes[fold.train], len(coded.classes)).decisions

    return over_folds(decisions, partial(cut_blocks, K), folds)


def _small(folds: Sequence[Fold]) -> bool:
    return all(fold.train.size <= SMALL for fold in folds)


def _one(measure: Measure[R], cut: Cut, fold: Fold) -> R:
    return measure(fold, cut(fold.train, fold.test))
