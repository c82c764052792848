"""The loop of Tables 1 to 5: every p of every repetition is judged, what is stopped goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Note
from kernex_core.learning.coded import Coded
from kernex_core.learning.folds import Fold
from kernex_core.learning.protocol import Judging
from kernex_core.studies.diagonals.judging import svm_losses
from kernex_core.studies.diagonals.losses import Losses
from kernex_core.studies.papers.orthogonal.power_table import Powers, PowerTable, distinct_bases

Part = tuple[GramMatrix, Sequence[Fold]]
"""A kernel and the folds that it is judged on: one for all folds, or one a fold where it was made inside it."""


class Drawn(NamedTuple):
    """What one repetition judges, balanced losses (n_folds,) that the table has aside, and what is known of its kernel."""

    parts: Sequence[Part]
    coded: Coded
    aside: FloatArray | None = None
    described: Mapping[str, float] | None = None


class JudgedRow(NamedTuple):
    """One p on all folds: balanced losses (n_folds,) by column, and what went against a hard margin (3,)."""

    losses: dict[str, FloatArray]
    against: IntArray


OtherClassifier = Callable[[GramMatrix, Judging, float | None], Losses | None]
"""Of a kernel that p has been applied to, how it is judged, p; None where its column has no such row."""


@dataclass(frozen=True, eq=False)
class Plan(EqualByContent):
    """What the rows of a table are.

    Attributes
    ----------
    powers : tuple of float or None
    repetitions : int
    draw : callable
        Repetition r -> what it judges; it may depend on r alone, for a table that goes on draws it again.
    C : float
        In units of the mean training diagonal; from 1e6 on a hard margin.
    beside : mapping of str to callable
        Other classifiers by column.
    whole : bool
        A step is a whole repetition, not one of its rows: where repetitions are many and short.
    splits : int
        Repetitions that share their data.
    notes : tuple of str or Note
    """

    powers: Powers
    repetitions: int
    draw: Callable[[int], Drawn]
    C: float
    beside: Mapping[str, OtherClassifier] = field(default_factory=dict)
    whole: bool = False
    splits: int = 1
    notes: tuple[str | Note, ...] = ()

    @property
    def step(self) -> int:
        """Rows of a step."""
        return len(self.powers) if self.whole else 1

    def begin(self) -> PowerTable:
        """Return the table of which nothing is done."""
        total = self.repetitions * len(self.powers) // self.step
        return PowerTable(
            self.powers, {}, np.empty((0, 0)), 0, 0, 0, 0, total, 0.0, self.step, self.splits, {}, self.notes
        )


def measuring(plan: Plan, done: PowerTable | None = None) -> Iterator[PowerTable]:
    """Judge every p of every repetition, a step at a time, and go on from what is done.

    Parameters
    ----------
    plan : Plan
    done : PowerTable, optional
        What an earlier run with the same settings got to.

    Raises
    ------
    InvalidInputError
        `done` is of another table.
    """
    table = plan.begin() if done is None else done
    if (table.powers, table.planned, table.splits) != (plan.powers, plan.repetitions, plan.splits):
        raise InvalidInputError(
            f"A table goes on to {plan.repetitions} repetitions of {len(plan.powers)} values of p, "
            f"{plan.splits} on the same data",
            f"one of {table.planned} repetitions of {len(table.powers)}, {table.splits} on the same data",
        )
    started, earlier = time.perf_counter(), table.seconds
    for r in range(table.repetitions, plan.repetitions):
        drawn = plan.draw(r)
        for place in range(table.begun, len(plan.powers), plan.step):
            powers = plan.powers[place : place + plan.step]
            made = [judged_row(drawn, p, C=plan.C, beside=plan.beside) for p in powers]
            seconds = earlier + time.perf_counter() - started
            table = replace(_with_rows(table, drawn, place, made), seconds=seconds)
            yield table


def judged_row(
    drawn: Drawn, p: float | None, *, C: float, beside: Mapping[str, OtherClassifier] | None = None
) -> JudgedRow:
    """Losses of a support vector machine on every fold, at one p and for both bases; and of other classifiers."""
    step = None if p is None else EmpiricalMap(SignedPower(p))
    mapped = [(K if step is None else K.then(step), folds) for K, folds in drawn.parts]
    losses: dict[str, FloatArray] = {}
    against = np.zeros(3, dtype=np.int64)
    for inductive, columns in distinct_bases(mapped[0][0].steps).items():
        found = [
            svm_losses(K, Judging.given(drawn.coded, folds, C=C, inductive=inductive)) for K, folds in mapped
        ]
        losses |= dict.fromkeys(columns, np.concatenate([each.values for each in found]))
        against += np.sum([(f.training_errors, f.at_bound, f.not_converged) for f in found], axis=0)
    for column, classifier in (beside or {}).items():
        others = [classifier(K, Judging.given(drawn.coded, folds, C=C), p) for K, folds in mapped]
        sizes = [len(folds) for _, folds in mapped]
        losses[column] = np.concatenate(
            [np.full(n, np.nan) if f is None else f.values for f, n in zip(others, sizes, strict=True)]
        )
    return JudgedRow(losses, against)


def _with_rows(table: PowerTable, drawn: Drawn, place: int, made: list[JudgedRow]) -> PowerTable:
    """Add rows of the repetition that is in work, from `place` on."""
    errors, at_bound, not_converged = np.sum([row.against for row in made], axis=0).tolist()
    aside, described = table.aside, table.described
    if place == 0:
        row = np.empty(0) if drawn.aside is None else drawn.aside
        aside = np.concatenate([aside.reshape(table.repetitions, row.size), row[None]])
        described = {
            name: np.append(described.get(name, np.empty(0)), value)
            for name, value in (drawn.described or {}).items()
        }
    return replace(
        table,
        losses={column: _with_column(table, column, place, made) for column in made[0].losses},
        aside=aside,
        described=described,
        training_errors=table.training_errors + errors,
        at_bound=table.at_bound + at_bound,
        not_converged=table.not_converged + not_converged,
        done=table.done + 1,
    )


def _with_column(table: PowerTable, column: str, place: int, made: list[JudgedRow]) -> FloatArray:
    values = np.array([row.losses[column] for row in made]).T
    n_folds, n_powers = len(values), len(table.powers)
    begun = table.losses.get(column, np.empty((0, n_folds, n_powers)))
    last = np.full((n_folds, n_powers), np.nan) if place == 0 else begun[-1].copy()
    last[:, place : place + len(made)] = values
    return np.concatenate([begun[: table.repetitions], last[None]])


def last(states: Iterator[PowerTable]) -> PowerTable:
    """Return the finished table."""
    made = list(states)
    return made[-1]
