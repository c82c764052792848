"""Losses of one classifier over folds, and what they say about its margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays, read_only
from kernex_core.learning.chance.influence import recall_by_item
from kernex_core.learning.chance.interval import Interval, Passes, interval_of, judged_times
from kernex_core.learning.folds import Fold
from kernex_core.learning.machine import SYMMETRIC, Margin
from kernex_core.learning.svm import HARD_MARGIN, convergence_note


@dataclass(frozen=True, eq=False)
class Losses(ReadOnlyArrays):
    """Balanced losses of one classifier, one a fold.

    Attributes
    ----------
    values : (n_folds,) float
        0 to 1; chance is 1 - 1/classes.
    repeats : (n_folds,) int
        Repetition that each fold belongs to.
    training_errors, at_bound, not_converged : int
        Over all folds and classes: decisions of the wrong sign on training items, coefficients that reached C,
        problems ended before their optimum. All 0 for the nearest neighbour.
    problems, iterations : int
        Two-class problems that were solved, and steps of the solver over all of them; 0 for the nearest neighbour.
    one_a_fold : bool
        Every fold tests one item: then the mean is the plain share that is missed, and folds have no spread.
    missed : (n_repeats, n_items) bool
        Whether an item was missed; empty where repetitions do not test the same items.
    codes : (n_items,) int
        Class of each of them.
    groups : (n_items,) str or None
        Groups that were kept together.
    """

    values: FloatArray
    repeats: IntArray
    training_errors: int = 0
    at_bound: int = 0
    not_converged: int = 0
    problems: int = 0
    iterations: int = 0
    one_a_fold: bool = False
    missed: BoolArray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.bool_))
    codes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    groups: NDArray[np.str_] | None = None

    @cached_property
    def by_repeat(self) -> FloatArray:
        """(n_repeats,) mean over the folds of each repetition."""
        return read_only(np.array([self.values[self.repeats == r].mean() for r in np.unique(self.repeats)]))

    @property
    def mean(self) -> float:
        """Mean over folds."""
        return float(self.values.mean())

    @property
    def sd_folds(self) -> float:
        """Standard deviation over folds, which is the ± of the paper; NaN for one, and for one item a fold."""
        return (
            float(self.values.std(ddof=1)) if self.values.size > 1 and not self.one_a_fold else float("nan")
        )

    @property
    def sd_repeats(self) -> float:
        """Standard deviation over repetitions; NaN for one."""
        means = self.by_repeat
        return float(means.std(ddof=1)) if means.size > 1 else float("nan")

    @cached_property
    def interval(self) -> Interval | None:
        """Interval for other data sets of this size, see `interval_of`; None where repetitions do not test the same items.

        What an item has of it is that of the items pooled over folds, around the mean over folds.
        """
        if not self.missed.size:
            return None
        return interval_of(
            self.by_item,
            self.passes,
            groups=self.groups,
            classes=None if self.one_a_fold else self.codes,
        )

    @property
    def passes(self) -> Passes:
        """In how many folds, and how often, the items were judged."""
        repeats = int(np.unique(self.repeats).size)
        return Passes(self.repeats.size // repeats, repeats)

    @property
    def by_item(self) -> FloatArray:
        """(n_repeats, n_items) what each item has of the loss of a repetition."""
        missed = self.missed.astype(np.float64)
        if self.one_a_fold:
            return missed
        rows = np.array([recall_by_item(row, self.codes) for row in missed])
        return np.asarray(rows + (self.by_repeat - rows.mean(axis=1))[:, None])

    @property
    def n_items(self) -> int:
        """Items that every repetition tests."""
        return int(self.codes.size)

    @property
    def rests_on(self) -> str:
        """What the loss rests on: "296 items, each judged 5 times"."""
        return judged_times(self.n_items, len(self.by_repeat))


def hard_margin_notes(losses: Losses, C: float, margin: Margin = SYMMETRIC) -> tuple[str, ...]:
    """Return what went against a hard margin, in words; nothing for a soft one that converged."""
    said = []
    if C >= HARD_MARGIN and (losses.at_bound or losses.training_errors):
        counts = f"{losses.at_bound:,} coefficients reached C and {losses.training_errors:,} training decisions are wrong"
        if margin.asymmetry > 0.0:
            said.append(f"The asymmetric margin is soft: {counts}.")
        else:
            unit = "" if margin.scaled else " or C is small in the units of this kernel,"
            said.append(
                f"The margin is not hard everywhere: {counts}. Either the kernel cannot tell all training items of "
                f"different classes apart,{unit} or rounding limits it."
            )
    return (*said, *convergence_note(losses.not_converged))


def constant_loss(codes: IntArray, folds: Sequence[Fold]) -> float:
    """Balanced loss, over the same folds, of the best predictor that always names one class.

    1 − 1/c where every fold tests all c classes. A fold without the class that is named is lost, one that holds no other
    class is won; with one item a fold it is the share of items outside the largest class.

    Parameters
    ----------
    codes : (n,) int
        Class of each item.
    folds : sequence of Fold
    """
    lost = np.zeros(int(codes.max()) + 1)
    for fold in folds:
        present = np.unique(codes[fold.test])
        lost += 1.0
        lost[present] -= 1.0 / present.size
    return float(lost.min()) / len(folds)
