"""What is measured beside what the paper prints: differences, their limits, and which basis of the map the numbers fit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.studies.papers.orthogonal.strings import ALL_POINTS, TRAIN_ONLY
from kernex_core.studies.papers.printed import Printed

MODES = {ALL_POINTS: "transductive", TRAIN_ONLY: "inductive, as the text says"}


class Measured(Protocol):
    """What is measured, so far."""

    @property
    def powers(self) -> tuple[float | None, ...]:
        """p of each row; None = the kernel as it is."""

    @property
    def done(self) -> int:
        """Steps done."""

    @property
    def total(self) -> int:
        """Steps in all."""

    @property
    def repetitions(self) -> int:
        """Whole repetitions done."""

    @property
    def planned(self) -> int:
        """Repetitions in all."""

    @property
    def n_folds(self) -> int:
        """Folds of each."""

    @property
    def splits(self) -> int:
        """Trials that share their strings."""

    @property
    def counts(self) -> IntArray:
        """Decisions (n_classes,) of a fold."""

    @property
    def seconds(self) -> float:
        """Time taken so far."""

    @property
    def training_errors(self) -> int:
        """Wrong training decisions over all machines."""

    @property
    def at_bound(self) -> int:
        """Coefficients at C over all machines."""

    def mean(self, column: str) -> FloatArray:
        """Mean loss (n_rows,)."""

    def sd(self, column: str) -> FloatArray:
        """Standard deviation (n_rows,) over folds or trials."""

    def sd_repetitions(self, column: str) -> FloatArray:
        """The same over repetitions."""

    def se(self, column: str) -> FloatArray:
        """Standard error (n_rows,) of the mean."""

    def by_repetition(self, column: str) -> FloatArray:
        """Means (n_repetitions, n_rows)."""


@dataclass(frozen=True)
class PaperTable:
    """One table of the paper and how it is laid out.

    Attributes
    ----------
    number : int
    printed : tuple of Printed
        Balanced loss, one a row.
    unit : str
        What ± of the paper is over, in words: "trials" or "folds".
    each, several : str
        What is repeated independently, in words: "trial", "trials".
    repetitions : int
        How many of those the printed means are over.
    data : str
        Name of the paper's data, where they are not generated.
    """

    number: int
    printed: tuple[Printed, ...]
    unit: str
    each: str
    several: str
    repetitions: int = 1
    data: str = ""

    @property
    def key(self) -> str:
        """Return what keys of its widgets begin with."""
        return "papers.orthogonal" + ("" if self.number == 1 else f".{self.number}")

    @property
    def digits(self) -> int:
        """Return the decimals of its percentages."""
        return 1 if max(p.mean for p in self.printed) < 0.15 else 0

    def printed_se(self, found: Measured) -> FloatArray:
        """Return the standard error (n_rows,) of the printed means; NaN where it is not known yet.

        Where the printed ± is over independent trials, it says so itself. Where it is over folds, which share their
        items, a printed mean varies as much as a measured one does from repetition to repetition, on the basis where
        that is more; and no less than its ± makes of it.
        """
        spread = np.array([p.plus_minus for p in self.printed])
        if self.unit == self.several:
            by_itself = spread / math.sqrt(self.repetitions)
            if found.splits == 1:
                return np.asarray(by_itself)
            # then the printed trials share their strings, too
            among = np.maximum(*(_sd(found.by_repetition(column)) for column in MODES))
            return np.asarray(np.maximum(by_itself, among / math.sqrt(self.units(found))))
        varies = np.maximum(*(found.sd_repetitions(column) for column in MODES))
        return np.asarray(np.maximum(varies, spread / math.sqrt(found.n_folds)) / math.sqrt(self.repetitions))

    def units(self, found: Measured) -> float:
        """Return how many independent units the printed means are over, if the paper did as is done here."""
        return max(self.repetitions / found.splits, 1.0)

    def differences(self, found: Measured, column: str) -> FloatArray:
        """Return measured less published, one a row."""
        return np.asarray(found.mean(column) - np.array([p.mean for p in self.printed]))

    def limits(self, found: Measured, column: str) -> FloatArray:
        """Return two standard errors of the difference; NaN where there is one repetition."""
        return np.asarray(2.0 * np.hypot(found.se(column), self.printed_se(found)))

    def inside(self, found: Measured, column: str) -> tuple[int, int]:
        """Return how many rows are within two standard errors, and how many have one."""
        limits = self.limits(found, column)
        within = np.abs(self.differences(found, column)) <= limits
        return int(within.sum()), int(np.isfinite(limits).sum())

    def no_error(self, found: Measured) -> str:
        """Return what there is to say where nothing was repeated."""
        if found.splits > 1:
            return "one set of strings: no standard error"
        whole = f"one {self.each}" if found.repetitions else f"not one whole {self.each} yet"
        return f"{whole}: no standard error"


def _sd(values: FloatArray) -> FloatArray:
    return np.asarray(values.std(axis=0, ddof=1) if len(values) > 1 else np.full(values.shape[1], np.nan))


class Distance(NamedTuple):
    """Measured less published loss of one basis, a row on average, with its standard error."""

    gap: float
    se: float

    @property
    def within(self) -> bool:
        """Whether it is within two standard errors of 0."""
        return abs(self.gap) <= 2.0 * self.se


def distances(paper: PaperTable, found: Measured) -> dict[str, Distance]:
    """Average measured less published over the rows with a map; both bases share the error of what is printed.

    Rows of one repetition go up and down together, so the unit is the repetition: its mean over the rows varies from
    one to the next by a standard deviation, measured, from which both standard errors come.
    """
    rows = [place for place, p in enumerate(found.powers) if p is not None]
    printed = float(np.mean([paper.printed[place].mean for place in rows]))
    means = {column: found.by_repetition(column)[:, rows].mean(axis=1) for column in MODES}
    varies = {column: float(each.std(ddof=1)) for column, each in means.items()}
    of_printed = max(varies.values()) / paper.units(found) ** 0.5
    return {
        column: Distance(
            float(each.mean()) - printed, float(np.hypot(varies[column] / each.size**0.5, of_printed))
        )
        for column, each in means.items()
    }
