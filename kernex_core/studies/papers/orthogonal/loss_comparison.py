"""What is measured beside what the paper prints: differences, their limits, and which basis of the map the numbers fit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import EqualByContent, FloatArray
from kernex_core.studies.papers.difference import Difference
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, BASES, TRAIN_ONLY, PowerTable
from kernex_core.studies.papers.paper_table import Beside, PaperTable

LOSS = "balanced loss"
"""The printed column of Tables 1 to 5."""
MODES = {ALL_POINTS: "transductive", TRAIN_ONLY: "inductive, as the text says"}
ROUGH = 6
"""Below so many units a standard error is no better known than to a third."""
CANNOT_TELL = "the numbers cannot tell which of the two it was"
NEITHER = "the numbers fit neither"
BETTER = {
    ALL_POINTS: "the numbers fit the map on all points better",
    TRAIN_ONLY: "the numbers fit the map on training points better",
}


@dataclass(frozen=True, eq=False)
class LossComparison(EqualByContent):
    """One of Tables 1 to 5 beside what is measured of it; losses are shares, 0 to 1.

    Attributes
    ----------
    paper : PaperTable
    found : PowerTable
    """

    paper: PaperTable
    found: PowerTable

    @property
    def printed(self) -> FloatArray:
        """Return the printed means (n_rows,)."""
        return np.array([p.mean for p in self.paper.printed[LOSS]])

    @property
    def printed_sd(self) -> FloatArray:
        """Return the printed ± (n_rows,)."""
        return np.array([p.plus_minus for p in self.paper.printed[LOSS]])

    def printed_se(self, column: str) -> FloatArray:
        """Return the standard error (n_rows,) of the printed means, if they are of this basis; NaN where it is not known.

        What is printed is about one set of data: it would be another number for another set. Where the paper draws its
        data, that is how far sets differ (`BetweenSets`), which its ± over splits of one set, divided by the root of their
        number, does not tell. Otherwise the ± is over folds, which share their items, and a printed mean varies as much as
        a measured one does from repetition to repetition; and no less than its ± makes of it.
        """
        found, printed, between = self.found, self.paper.repeats.printed, self.paper.between
        if between is not None:
            return np.array([between.rows[column][p] for p in found.powers])
        varies = np.maximum(*(found.sd_repetitions(each) for each in BASES))
        return np.asarray(np.maximum(varies, self.printed_sd / math.sqrt(found.n_folds)) / math.sqrt(printed))

    def differences(self, column: str) -> tuple[Difference, ...]:
        """Return measured less published, one a row, with the standard error of both."""
        gaps = self.found.mean(column) - self.printed
        errors = np.hypot(self.found.se(column), self.printed_se(column))
        return tuple(Difference(*each) for each in zip(gaps.tolist(), errors.tolist(), strict=True))

    def inside(self, column: str) -> tuple[int, int]:
        """Return how many rows are within two standard errors, and how many have one."""
        made = self.differences(column)
        return sum(d.within for d in made), sum(math.isfinite(d.limit) for d in made)

    @property
    def judged(self) -> bool:
        """Whether any row has a standard error."""
        return any(self.inside(column)[1] for column in BASES)

    def beside(self, each: Beside) -> Difference:
        """Return measured less published of a number beside the table, which is taken to vary as ours does.

        Its printed ± is over trials that share one set of data: see `printed_se`.
        """
        row = self.found.powers.index(each.row)
        gap = float(self.found.mean(each.column)[row]) - each.printed.mean
        return Difference(gap, math.hypot(float(self.found.se(each.column)[row]), self.beside_se(each)))

    def beside_se(self, each: Beside) -> float:
        """Return the standard error of what is printed beside the table, see `beside`; NaN where it is not known."""
        if self.paper.between is not None:
            return self.paper.between.rows[each.column][each.row]
        own, units = (
            float(self.found.se(each.column)[self.found.powers.index(each.row)]),
            len(self.found.by_unit(each.column)),
        )
        return own * math.sqrt(units / self.paper.repeats.printed)

    def distances(self) -> dict[str, Difference]:
        """Average measured less published over the rows with a map.

        Rows of one repetition go up and down together, so the unit is the repetition: its mean over the rows varies
        from one to the next by a standard deviation, measured, from which the standard error comes. That of what is
        printed is how far sets of data differ, where the paper draws them, and comes from the same deviation otherwise.
        """
        rows = [place for place, p in enumerate(self.found.powers) if p is not None]
        printed = float(np.mean(self.printed[rows]))
        means = {column: self.found.by_unit(column)[:, rows].mean(axis=1) for column in BASES}
        varies = {column: float(each.std(ddof=1)) for column, each in means.items()}
        alike = max(varies.values()) / self.paper.repeats.printed**0.5
        between = self.paper.between
        of_printed = dict.fromkeys(BASES, alike) if between is None else between.over_rows
        return {
            column: Difference(
                float(each.mean()) - printed,
                float(np.hypot(varies[column] / each.size**0.5, of_printed[column])),
            )
            for column, each in means.items()
        }

    def verdict(self) -> Verdict | None:
        """Return which basis the numbers fit; None before two units are done."""
        units = len(self.found.by_unit(ALL_POINTS))
        if units < 2:
            return None
        return Verdict(self.distances(), {column: self.inside(column) for column in BASES}, units)


@dataclass(frozen=True, eq=False)
class Verdict(EqualByContent):
    """Which basis of the map the numbers fit.

    Attributes
    ----------
    apart : dict of str to Difference
        Of the sum over the rows, by basis.
    inside : dict of str to (int, int)
        Rows within two standard errors, and rows that have one, by basis.
    units : int
        Independent ones that were measured.
    """

    apart: dict[str, Difference]
    inside: dict[str, tuple[int, int]]
    units: int

    @property
    def rough(self) -> bool:
        """Whether so few units leave the standard errors rough themselves."""
        return self.units < ROUGH

    @property
    def text(self) -> str:
        """Return which basis the sum over the rows fits: one alone is within two standard errors, both, or neither."""
        fitting = [column for column, each in self.apart.items() if each.within]
        if len(fitting) == 1:
            return BETTER[fitting[0]]
        return CANNOT_TELL if fitting else NEITHER
