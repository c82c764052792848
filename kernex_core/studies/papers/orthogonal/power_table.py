"""Balanced loss against p for both bases of the empirical map, in independent repetitions: what Tables 2 to 5 share.

Nothing in here knows what the paper prints (`studies.published`); a test moves the seed and sees these numbers move.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Note
from kernex_core.learning.evaluate import Coded
from kernex_core.learning.folds import Fold
from kernex_core.studies.diagonals.judging import svm_losses
from kernex_core.studies.papers.orthogonal.strings import ALL_POINTS, TRAIN_ONLY

BASES = {ALL_POINTS: False, TRAIN_ONLY: True}
"""Column: whether it is inductive."""
Powers = tuple[float | None, ...]

Part = tuple[GramMatrix, Sequence[Fold]]
"""A kernel and the folds that it is judged on: one for all folds, or one a fold where it was made inside it."""


class Drawn(NamedTuple):
    """What one repetition judges: parts, classes, and balanced losses (n_folds,) that the table has aside."""

    parts: Sequence[Part]
    coded: Coded
    aside: FloatArray | None = None


class Row(NamedTuple):
    """One p on all folds: balanced losses (n_folds,) by column of BASES, and what went against a hard margin."""

    losses: dict[str, FloatArray]
    training_errors: int
    at_bound: int
    not_converged: int


@dataclass(frozen=True, eq=False)
class PowerTable(ReadOnlyArrays):
    """Rows that are done: all p of one repetition, then those of the next.

    Attributes
    ----------
    powers : tuple of float or None
        Rows; None is the kernel as it is.
    losses : dict of str to (n_begun, n_folds, n_powers) float
        NaN where the last repetition has not got to.
    aside : (n_begun, n_folds) float
        Balanced loss without what the table adds (Table 2: without noise); no columns where there is no such row.
    training_errors, at_bound, not_converged : int
        Over all machines: 0 where every margin was hard and every solver stopped by itself.
    done, total : int
        Rows: values of p times repetitions.
    seconds : float
    notes : tuple of str or Note
        What was assumed about the data, and what is to be feared.
    """

    powers: Powers
    losses: dict[str, FloatArray]
    aside: FloatArray
    training_errors: int
    at_bound: int
    not_converged: int
    done: int
    total: int
    seconds: float
    notes: tuple[str | Note, ...] = ()

    @property
    def n_folds(self) -> int:
        """Folds of one repetition."""
        return int(self.losses[ALL_POINTS].shape[1])

    @property
    def repetitions(self) -> int:
        """Repetitions that are done for every p."""
        return self.done // len(self.powers)

    @property
    def planned(self) -> int:
        """Repetitions that were asked for."""
        return self.total // len(self.powers)

    def mean(self, column: str) -> FloatArray:
        """(n_powers,) mean over all folds; NaN before the first."""
        return self._by_power(column, lambda values: float(values.mean()), 1)

    def sd(self, column: str) -> FloatArray:
        """(n_powers,) standard deviation over all folds, the paper's ±."""
        return self._by_power(column, lambda values: float(values.std(ddof=1)), 1)

    def sd_repetitions(self, column: str) -> FloatArray:
        """(n_powers,) standard deviation of the mean of one repetition; NaN for one."""
        return self._by_power(column, lambda values: float(values.mean(axis=1).std(ddof=1)), 2)

    def se(self, column: str) -> FloatArray:
        """(n_powers,) standard error of the mean: folds of one repetition share items, so repetitions are the units."""
        return np.asarray(self.sd_repetitions(column) / np.sqrt(np.maximum(self.counts, 1)))

    def by_repetition(self, column: str) -> FloatArray:
        """(repetitions, n_powers) mean over the folds of every repetition that is done for every p."""
        return np.asarray(self._of(column)[: self.repetitions].mean(axis=1))

    @property
    def splits(self) -> int:
        """Repetitions share nothing: each is a unit."""
        return 1

    @property
    def counts(self) -> IntArray:
        """(n_powers,) repetitions of each row."""
        return np.asarray(self.repetitions + (np.arange(len(self.powers)) < self.done % len(self.powers)))

    def _by_power(self, column: str, f: Callable[[FloatArray], float], fewest: int) -> FloatArray:
        values = self._of(column)
        counts = enumerate(self.counts.tolist())
        return np.array([f(values[:n, :, row]) if n >= fewest else np.nan for row, n in counts])

    def _of(self, column: str) -> FloatArray:
        if column not in self.losses:
            raise InvalidInputError(f"A column is one of {', '.join(self.losses)}", repr(column))
        return self.losses[column]


def measuring(
    powers: Powers,
    repetitions: int,
    draw: Callable[[int], Drawn],
    *,
    C: float,
    notes: tuple[str | Note, ...] = (),
    done: PowerTable | None = None,
) -> Iterator[PowerTable]:
    """Judge every p of every repetition, one a step, and go on from what is done.

    Parameters
    ----------
    powers : tuple of float or None
    repetitions : int
    draw : callable
        Repetition r -> what it judges; it may depend on r alone, for a table that goes on draws it again.
    C : float
        In units of the mean training diagonal; from 1e6 on a hard margin.
    notes : tuple of str or Note
    done : PowerTable, optional
        What an earlier run with the same settings got to.

    Raises
    ------
    InvalidInputError
        `done` is of another table.
    """
    table = done or PowerTable(
        powers, {}, np.empty((0, 0)), 0, 0, 0, 0, repetitions * len(powers), 0.0, notes
    )
    if table.powers != powers or table.total != repetitions * len(powers):
        raise InvalidInputError(
            f"A table goes on to {repetitions} repetitions of {len(powers)} values of p",
            f"one of {table.planned} repetitions of {len(table.powers)}",
        )
    started, earlier = time.perf_counter(), table.seconds
    for r in range(table.repetitions, repetitions):
        drawn = draw(r)
        for place in range(table.done - r * len(powers), len(powers)):
            made = judged_row(drawn, powers[place], C=C)
            table = replace(
                _with_row(table, drawn, place, made), seconds=earlier + time.perf_counter() - started
            )
            yield table


def judged_row(drawn: Drawn, p: float | None, *, C: float) -> Row:
    """Losses of a support vector machine on every fold, at one p and for both bases."""
    step = None if p is None else EmpiricalMap(SignedPower(p))
    mapped = [(K if step is None else K.then(step), folds) for K, folds in drawn.parts]
    losses, counts = {}, np.zeros(3, dtype=np.int64)
    for column, inductive in BASES.items():
        found = [svm_losses(K, drawn.coded, folds, C=C, inductive=inductive) for K, folds in mapped]
        losses[column] = np.concatenate([each.values for each in found])
        counts += np.sum([(f.training_errors, f.at_bound, f.not_converged) for f in found], axis=0)
    return Row(losses, *counts.tolist())


def _with_row(table: PowerTable, drawn: Drawn, place: int, made: Row) -> PowerTable:
    losses = {}
    for column, values in made.losses.items():
        begun = table.losses.get(column, np.empty((0, values.size, len(table.powers))))
        last = np.full((values.size, len(table.powers)), np.nan) if place == 0 else begun[-1].copy()
        last[:, place] = values
        losses[column] = np.concatenate([begun[: table.repetitions], last[None]])
    aside = table.aside
    if place == 0:
        row = np.empty(0) if drawn.aside is None else drawn.aside
        aside = np.concatenate([aside.reshape(table.repetitions, row.size), row[None]])
    return replace(
        table,
        losses=losses,
        aside=aside,
        training_errors=table.training_errors + made.training_errors,
        at_bound=table.at_bound + made.at_bound,
        not_converged=table.not_converged + made.not_converged,
        done=table.done + 1,
    )


def last(states: Iterator[PowerTable]) -> PowerTable:
    """Return the finished table."""
    made = list(states)
    return made[-1]
