"""A table of losses against p, published beside measured, for both bases of the map."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from kernex_core.frozen import FloatArray
from kernex_core.studies.papers.orthogonal.comparison import MODES, Measured, PaperTable
from kernex_core.studies.papers.orthogonal.strings import ALL_POINTS
from pages.shared.figures.curve import Level
from pages.shared.figures.published import Comparison, common_range, published_measured
from pages.shared.figures.theme import symbol
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw

Floats = Sequence[float] | FloatArray


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
