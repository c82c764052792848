"""A table of losses against p, published beside measured, for both bases of the map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import streamlit as st

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.studies.orthogonal_patterns import ALL_POINTS, TRAIN_ONLY
from kernex_core.studies.published import Printed
from pages.shared.figures.curve import Level
from pages.shared.figures.published import Comparison, common_range, published_measured
from pages.shared.figures.theme import symbol
from pages.shared.frame import panel_title
from pages.shared.views.heatmap_panel import draw

Floats = Sequence[float] | FloatArray
MODES = {ALL_POINTS: "transductive", TRAIN_ONLY: "inductive, as the text says"}


class Measured(Protocol):
    """What is measured, so far."""

    @property
    def powers(self) -> tuple[float | None, ...]: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def repetitions(self) -> int: ...
    @property
    def planned(self) -> int: ...
    @property
    def n_folds(self) -> int: ...
    @property
    def splits(self) -> int: ...
    @property
    def counts(self) -> IntArray: ...
    @property
    def seconds(self) -> float: ...
    @property
    def training_errors(self) -> int: ...
    @property
    def at_bound(self) -> int: ...
    def mean(self, column: str) -> FloatArray: ...
    def sd(self, column: str) -> FloatArray: ...
    def sd_repetitions(self, column: str) -> FloatArray: ...
    def se(self, column: str) -> FloatArray: ...
    def by_repetition(self, column: str) -> FloatArray: ...


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


def charts(paper: PaperTable, found: Measured, *, same: bool = True) -> None:
    """Draw both bases side by side on one scale; rows are judged only where the data are the paper's."""
    made = {column: _comparison(paper, found, column) for column in MODES}
    levels = [Level("kernel as it is", 100.0 * float(found.mean(ALL_POINTS)[0]), "source")]
    low, high = common_range(list(made.values()), levels, bounds=(0.0, 100.0))
    span = (low - 0.06 * (high - low), high)  # the key stands below the line at 0
    decimals = 2 if 0.95 in found.powers else 1
    for place, (column, slot) in enumerate(zip(MODES, st.columns(2, gap="medium"), strict=True)):
        with slot, st.container(gap="xxsmall"):
            panel_title(column, f"{MODES[column]}; {_judged(paper, found, column, same)}")
            picture = published_measured(
                made[column], levels=levels, y_range=span, x_title=symbol("p"), x_decimals=decimals, key=place == 0,
                name_levels=False, height=250,
            )  # fmt: skip
            draw(picture, f"{paper.key}.{place}")
    st.caption(
        f"Balanced loss in percent against *p*; grey bars: published ± sd over {paper.unit}; coloured bars: measured ± 2 "
        "SE; blue: the kernel as it is, measured."
    )


def _judged(paper: PaperTable, found: Measured, column: str, same: bool) -> str:
    if not same:
        return "published: other data"
    within, judged = paper.inside(found, column)
    return f"**{within} of {judged}** rows within 2 SE" if judged else paper.no_error(found)


def _comparison(paper: PaperTable, found: Measured, column: str) -> Comparison:
    printed = paper.printed[1:]
    return Comparison(
        [float(p) for p in found.powers if p is not None],
        [100.0 * p.mean for p in printed],
        [100.0 * p.plus_minus for p in printed],
        100.0 * found.mean(column)[1:],
        200.0 * found.se(column)[1:],
    )


def table(paper: PaperTable, found: Measured, *, same: bool = True) -> None:
    """Draw the numbers, each with its standard error and its standard deviation."""
    judged = same and any(paper.inside(found, column)[1] for column in MODES)
    words = [f"balanced loss, %: mean ± standard error (sd over {paper.unit})"]
    if judged:
        words.append("outside: measured less published is above 2 SE of the difference")
    elif same:
        words.append(paper.no_error(found))
    panel_title(f"Table {paper.number}, published beside measured", "; ".join(words))
    means = [p.mean for p in paper.printed]
    spreads = [p.plus_minus for p in paper.printed]
    errors = paper.printed_se(found) if same else np.full(len(means), np.nan)
    cells: dict[str, list[str]] = {
        "": row_names(found.powers),
        "published" if same else f"published, {paper.data}": _cells(means, errors, spreads, paper.digits),
    }
    for column in MODES:
        cells[column] = _cells(found.mean(column), found.se(column), found.sd(column), bold=True)
        if judged:
            gaps = zip(paper.differences(found, column), paper.limits(found, column), strict=True)
            # one space more tells the two columns of differences apart
            cells["difference" if column == ALL_POINTS else "difference "] = [
                gap_cell(*each) for each in gaps
            ]
    st.table(cells, border="horizontal")


def row_names(powers: tuple[float | None, ...]) -> list[str]:
    """Return what the rows are called."""
    return ["kernel as it is" if p is None else f"*p* = {p:g}" for p in powers]


def printed_only(paper: PaperTable, powers: tuple[float | None, ...]) -> None:
    """Draw what the paper prints, where nothing can be measured yet."""
    panel_title(f"Table {paper.number}, published", f"balanced loss, % (sd over {paper.unit})")
    unknown = [math.nan] * len(powers)
    cells = _cells(
        [p.mean for p in paper.printed], unknown, [p.plus_minus for p in paper.printed], paper.digits
    )
    st.table({"": row_names(powers), "published": cells}, border="horizontal")


def _cells(
    means: Floats, errors: Floats, spreads: Floats, digits: int = 1, *, bold: bool = False
) -> list[str]:
    return [cell(*row, digits=digits, bold=bold) for row in zip(means, errors, spreads, strict=True)]


def cell(mean: float, se: float, sd: float, *, digits: int = 1, bold: bool = False) -> str:
    """Return "**33.0** ± 2.1 (9)" in percent: mean, standard error and standard deviation, where they are known."""
    if math.isnan(mean):
        return "…"
    text = f"{100.0 * mean:.{digits}f}"
    parts = [f"**{text}**" if bold else text]
    if not math.isnan(se):
        parts.append(f"± {100.0 * se:.1f}")
    if not math.isnan(sd):
        parts.append(f":gray[({100.0 * sd:.0f})]")
    return " ".join(parts)


def gap_cell(gap: float, limit: float) -> str:
    """Return "+9.2 outside": a difference in points, and whether it is above its limit."""
    if math.isnan(gap) or math.isnan(limit):
        return "—"
    text = f"{100.0 * gap:+.1f}".replace("-", "−").replace("−0.0", "0.0").replace("+0.0", "0.0")
    return f"{text} :orange[outside]" if abs(gap) > limit else text
