"""Balanced loss against p for both bases of the empirical map, in independent repetitions: what Tables 1 to 5 are.

Nothing in here knows what the paper prints (`printed` beside it); a test moves the seed and sees these numbers move.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.step import Step
from kernex_core.inputs.samples import Labels, Note
from kernex_core.learning.folds import Fold
from kernex_core.learning.machine import Coded
from kernex_core.learning.protocol import Judging
from kernex_core.studies.diagonals.judging import Losses, svm_losses

Powers = tuple[float | None, ...]
POWERS: Powers = (None, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
"""Rows of Tables 1, 3 and 5; None is the kernel as it is, 1 the empirical map of it unchanged."""
ALL_POINTS, TRAIN_ONLY = "SVM, all-points map", "SVM, train-only map"
BASES = {ALL_POINTS: False, TRAIN_ONLY: True}
"""Column: whether it is inductive."""


def distinct_bases(steps: Sequence[Step]) -> dict[bool, tuple[str, ...]]:
    """Columns of BASES by whether they are inductive; one that is not stands for both where nothing was done to a kernel.

    Without steps there is nothing to fit on training points alone: both columns are the same machines, trained once.
    """
    return {False: (ALL_POINTS,), True: (TRAIN_ONLY,)} if steps else {False: tuple(BASES)}


@dataclass(frozen=True, eq=False)
class PowerTable(ReadOnlyArrays):
    """Rows that are done: all p of one repetition, then those of the next.

    Attributes
    ----------
    powers : tuple of float or None
        Rows; None is the kernel as it is.
    losses : dict of str to (n_begun, n_folds, n_powers) float
        Balanced loss, 0 to 1, by column: those of BASES, then other classifiers. NaN where the last repetition has not
        got to, and where a column has no such row. A trial with one split into training and test items has one fold.
    aside : (n_begun, n_folds) float
        Balanced loss without what the table adds (Table 2: without noise); no columns where there is no such row.
    described : dict of str to (n_begun,) float
        What else is known of the kernel of every repetition (Table 1: values within and between classes).
    training_errors, at_bound, not_converged : int
        Over all machines of BASES: 0 where every margin was hard and every solver stopped by itself.
    done, total : int
        Steps, of `step` rows each.
    seconds : float
    step : int
        1: a row at a time; as many as there are powers: whole repetitions.
    splits : int
        Repetitions, one after another, that share their data and split them differently: together they are one unit, for
        what shares its data is not independent.
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
    seconds: float = field(compare=False)
    step: int = 1
    splits: int = 1
    described: dict[str, FloatArray] = field(default_factory=dict)
    notes: tuple[str | Note, ...] = ()

    @property
    def rows(self) -> int:
        """Rows that are done, over all repetitions."""
        return self.done * self.step

    @property
    def n_folds(self) -> int:
        """Folds of one repetition."""
        return int(self.losses[ALL_POINTS].shape[1])

    @property
    def repetitions(self) -> int:
        """Repetitions that are done for every p."""
        return self.rows // len(self.powers)

    @property
    def begun(self) -> int:
        """Rows that are done of the repetition after these."""
        return self.rows % len(self.powers)

    @property
    def planned(self) -> int:
        """Repetitions that were asked for."""
        return self.total * self.step // len(self.powers)

    @property
    def counts(self) -> IntArray:
        """(n_powers,) repetitions of each row."""
        return np.asarray(self.repetitions + (np.arange(len(self.powers)) < self.begun))

    def mean(self, column: str) -> FloatArray:
        """(n_powers,) mean over all folds of all repetitions; NaN before the first."""
        return self._by_power(column, lambda values: float(values.mean()) if values.size else np.nan)

    def sd(self, column: str) -> FloatArray:
        """(n_powers,) standard deviation over all folds of all repetitions, the paper's ±; NaN for one."""
        return self._by_power(column, _sd)

    def sd_repetitions(self, column: str) -> FloatArray:
        """(n_powers,) standard deviation of the mean of one repetition; NaN for one."""
        return self._by_power(column, lambda values: _sd(values.mean(axis=1)))

    def se(self, column: str) -> FloatArray:
        """(n_powers,) standard error of the mean, from one unit to the next: what shares its data is not independent."""
        return self._by_power(column, lambda values: _se(_over_sets(values.mean(axis=1), self.splits)))

    def by_unit(self, column: str) -> FloatArray:
        """(n_units, n_powers) mean of every unit, of the repetitions that are done for every p."""
        return _over_sets(self._of(column)[: self.repetitions].mean(axis=1), self.splits)

    def _by_power(self, column: str, f: Callable[[FloatArray], float]) -> FloatArray:
        values = self._of(column)
        return np.array([f(values[:n, :, row]) for row, n in enumerate(self.counts.tolist())])

    def _of(self, column: str) -> FloatArray:
        if column not in self.losses:
            raise InvalidInputError(f"A column is one of {', '.join(self.losses)}", repr(column))
        return self.losses[column]


def _over_sets(values: FloatArray, splits: int) -> FloatArray:
    """Mean of every `splits` repetitions (n, ...) that stand one after another; of the last ones where they are fewer."""
    if splits == 1:
        return values
    made = [values[at : at + splits].mean(axis=0) for at in range(0, len(values), splits)]
    return np.array(made).reshape(-1, *values.shape[1:])


def _sd(values: FloatArray) -> float:
    return float(values.std(ddof=1)) if values.size > 1 else float("nan")


def _se(values: FloatArray) -> float:
    return _sd(values) / float(np.sqrt(max(len(values), 1)))


# The loop of Tables 1 to 5: every p of every repetition is judged, what is stopped goes on.

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


# Two classes of the tables of "almost orthogonal patterns": some classes of the visitor against the others.


def two_classes(labels: Labels | None, positive: tuple[str, ...] = (), *, folds: int = 1) -> Coded:
    """Code labels as two classes.

    Parameters
    ----------
    labels : Labels or None
        "" = unlabelled: code −1, in no fold.
    positive : tuple of str
        Classes that are together against all others; may stay empty where there are two.
    folds : int
        Each of the two needs as many items, one a fold.

    Raises
    ------
    InvalidInputError
        No labels; one class; not two classes and none named; a class that is not there; nothing left on one side; a
        side that is smaller than the number of folds.
    """
    if labels is None or len(labels.classes) < 2:
        one = "no labels" if labels is None or not labels.classes else f"only {labels.classes[0][0]!r}"
        raise InvalidInputError("This table needs labels of two classes", one, "Bring them on the page Data")
    names = sorted(name for name, _ in labels.classes)
    if not positive and len(names) == 2:
        positive = (names[1],)
    unknown = [name for name in positive if name not in names]
    if not positive or unknown or len(set(positive)) == len(names):
        raise InvalidInputError(
            "This table sets some classes against the others",
            f"{len(names)} classes, of which {', '.join(positive) or 'none'} were chosen",
            f"Choose some but not all of {', '.join(names)}",
        )
    member = np.isin(labels.y, positive)
    codes = np.where(labels.labelled, member, -1).astype(np.int64)
    rest = [name for name in names if name not in positive]
    coded = Coded(codes, (" + ".join(rest), " + ".join(positive)))
    _check_sizes(coded, folds)
    return coded


def _check_sizes(coded: Coded, folds: int) -> None:
    """A class that is missing from folds cannot be missed there: their loss is of the other class alone."""
    for code, name in enumerate(coded.classes):
        size = int((coded.codes == code).sum())
        if size < folds:
            raise InvalidInputError(
                f"Each of the two classes needs at least {folds} items, one for each of the {folds} folds",
                f"{size} of {name!r}",
                "Bring more items of it, or set other classes against each other",
            )
