"""A table of losses against p, published beside measured, for both bases of the map."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import streamlit as st

from kernex_core.frozen import FloatArray
from kernex_core.studies.orthogonal_patterns import ALL_POINTS, TRAIN_ONLY
from kernex_core.studies.published import Printed
from pages.shared.figures.curve import Level
from pages.shared.figures.published import Comparison, common_range, published_measured
from pages.shared.figures.theme import number, symbol
from pages.shared.frame import panel_title
from pages.shared.views.heatmap_panel import draw

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
    def seconds(self) -> float: ...
    @property
    def training_errors(self) -> int: ...
    @property
    def at_bound(self) -> int: ...
    def mean(self, column: str) -> FloatArray: ...
    def sd(self, column: str) -> FloatArray: ...
    def se(self, column: str) -> FloatArray: ...


@dataclass(frozen=True)
class PaperTable:
    """One table of the paper and how it is laid out.

    Attributes
    ----------
    number : int
    printed : tuple of Printed
        Balanced loss, one a row.
    unit : str
        What the measured spread and the standard error are over, in words.
    printed_se : callable
        Measured table, column -> standard error (n_rows,) of the printed means.
    """

    number: int
    printed: tuple[Printed, ...]
    unit: str
    printed_se: Callable[..., FloatArray]

    @property
    def key(self) -> str:
        """Return what keys of its widgets begin with."""
        return "papers.orthogonal" + ("" if self.number == 1 else f".{self.number}")

    def differences(self, found: Measured, column: str) -> FloatArray:
        """Return measured less published, one a row."""
        return np.asarray(found.mean(column) - np.array([p.mean for p in self.printed]))

    def limits(self, found: Measured, column: str) -> FloatArray:
        """Return two standard errors of the difference; NaN for one trial."""
        return np.asarray(2.0 * np.hypot(found.se(column), self.printed_se(found, column)))

    def inside(self, found: Measured, column: str) -> int:
        """Return the number of rows within two standard errors."""
        return int((np.abs(self.differences(found, column)) <= self.limits(found, column)).sum())


def about(found: Measured, what: str) -> None:
    """Write how much is done, and whether every margin was hard."""
    hard = (
        "every margin was hard"
        if not found.training_errors + found.at_bound
        else f"{found.at_bound:,} coefficients reached C, {found.training_errors:,} training decisions are wrong"
    )
    late = getattr(found, "not_converged", 0)
    more = f" · {late:,} problems ended at the limit of iterations" if late else ""
    st.caption(f"{found.done} of {found.total} {what} · {number(found.seconds, 1)} s · {hard}{more}")


def charts(paper: PaperTable, found: Measured) -> None:
    """Draw both bases side by side on one scale."""
    made = {column: _comparison(paper, found, column) for column in MODES}
    levels = [Level("kernel as it is", 100.0 * float(found.mean(ALL_POINTS)[0]), "source")]
    span = common_range(list(made.values()), levels)
    decimals = 2 if 0.95 in found.powers else 1
    for place, (column, slot) in enumerate(zip(MODES, st.columns(2, gap="medium"), strict=True)):
        with slot, st.container(gap="xxsmall"):
            panel_title(
                column,
                f"{MODES[column]}; **{paper.inside(found, column)} of {len(paper.printed)}** rows within 2 SE",
            )
            picture = published_measured(
                made[column], levels=levels, y_range=span, x_title=symbol("p"), x_decimals=decimals, key=place == 0,
                name_levels=False, height=250,
            )  # fmt: skip
            draw(picture, f"{paper.key}.{place}")
    st.caption(
        f"Balanced loss in percent against *p*; bars: ± sd over {paper.unit}; blue: the kernel as it is, measured."
    )


def _comparison(paper: PaperTable, found: Measured, column: str) -> Comparison:
    printed = paper.printed[1:]
    return Comparison(
        [float(p) for p in found.powers if p is not None],
        [100.0 * p.mean for p in printed],
        [100.0 * p.plus_minus for p in printed],
        100.0 * found.mean(column)[1:],
        100.0 * found.sd(column)[1:],
    )


def table(paper: PaperTable, found: Measured) -> None:
    """Draw the numbers."""
    panel_title(
        f"Table {paper.number}, published beside measured",
        f"balanced loss, % ± sd over {paper.unit}; outside = the difference is above 2 standard errors of both",
    )
    digits = 1 if max(p.mean for p in paper.printed) < 0.15 else 0
    cells: dict[str, list[str]] = {
        "": ["kernel as it is", *(f"*p* = {p:g}" for p in found.powers if p is not None)],
        "published": [_spread(p.mean, p.plus_minus, digits) for p in paper.printed],
    }
    for column in MODES:
        mean, sd = found.mean(column), found.sd(column)
        cells[column] = [_spread(m, s, bold=True) for m, s in zip(mean, sd, strict=True)]
        gaps = zip(paper.differences(found, column), paper.limits(found, column), strict=True)
        # one space more tells the two columns of differences apart
        cells["difference" if column == ALL_POINTS else "difference "] = [
            _gap(gap, limit) for gap, limit in gaps
        ]
    st.table(cells, border="horizontal")


def printed_only(paper: PaperTable, powers: tuple[float | None, ...]) -> None:
    """Draw what the paper prints, where nothing can be measured yet."""
    panel_title(f"Table {paper.number}, published", "balanced loss, % ± sd over folds")
    names = ["kernel as it is", *(f"*p* = {p:g}" for p in powers if p is not None)]
    cells = [_spread(p.mean, p.plus_minus) for p in paper.printed]
    st.table({"": names, "published": cells}, border="horizontal")


def _spread(mean: float, sd: float, digits: int = 1, *, bold: bool = False) -> str:
    text = f"{100.0 * mean:.{digits}f}"
    spread = "" if math.isnan(sd) else f" :gray[± {100.0 * sd:.0f}]"
    return (f"**{text}**" if bold else text) + spread


def _gap(gap: float, limit: float) -> str:
    text = f"{100.0 * gap:+.1f}".replace("-", "−").replace("−0.0", "0.0").replace("+0.0", "0.0")
    return f"{text} :orange[outside]" if abs(gap) > limit else text


def verdict(paper: PaperTable, found: Measured) -> None:
    """Write what the text says and what the numbers fit, from the numbers."""
    if found.done < 2:
        return
    rows = len(paper.printed)
    made = {column: paper.inside(found, column) for column in MODES}
    gap = {column: 100.0 * float(np.abs(paper.differences(found, column)).mean()) for column in MODES}
    if made[ALL_POINTS] == made[TRAIN_ONLY]:
        says = "the numbers fit both bases alike"
    else:
        better = max(made, key=lambda column: made[column])
        says = (
            "the numbers fit the map on "
            + ("all points" if better == ALL_POINTS else "training points")
            + " better"
        )
    st.markdown(
        f"The text says that training points are the basis of the map; {says}: within 2 standard errors are "
        f"**{made[ALL_POINTS]} of {rows}** rows with all points (mean distance {gap[ALL_POINTS]:.1f}) and "
        f"**{made[TRAIN_ONLY]} of {rows}** with training points ({gap[TRAIN_ONLY]:.1f})."
    )


def rows(
    paper: PaperTable, found: Measured, columns: tuple[str, ...] = tuple(MODES)
) -> list[dict[str, object]]:
    """Return the table as rows: measured with spreads, and printed values."""
    return [
        {
            "table": paper.number, "p": "as it is" if p is None else p, "column": column,
            "loss": float(found.mean(column)[row]), "sd": float(found.sd(column)[row]),
            "sd_over": paper.unit, "se": float(found.se(column)[row]), "repetitions": found.done,
            "published": printed.mean if column in MODES else None,
            "published_plus_minus": printed.plus_minus if column in MODES else None,
            "limit_2_se": float(paper.limits(found, column)[row]) if column in MODES else None,
        }
        for column in columns
        for row, (p, printed) in enumerate(zip(found.powers, paper.printed, strict=True))
        if not math.isnan(found.mean(column)[row])
    ]  # fmt: skip
