"""Balanced loss against p for both bases of the empirical map, in independent repetitions: what Tables 1 to 5 are.

Nothing in here knows what the paper prints (`printed` beside it); a test moves the seed and sees these numbers move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.step import Step
from kernex_core.inputs.samples import Note

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
