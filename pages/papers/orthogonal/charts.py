"""Losses against p as pictures: both bases of the map side by side, published beside measured."""

from __future__ import annotations

import streamlit as st

from kernex_core.studies.papers.orthogonal.paper import MODES, LossComparison
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS
from pages.papers.orthogonal.verdict import no_error
from pages.shared.figures import published as figures
from pages.shared.figures.curve import Level
from pages.shared.figures.theme import SERIES, symbol
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw
from pages.shared.projected.projector import fitted


def charts(compared: LossComparison, *, same: bool = True) -> None:
    """Draw both bases side by side on one scale; rows are judged only where the data are the paper's."""
    paper, found = compared.paper, compared.found
    made = {column: _row(compared, column) for column in MODES}
    levels = [Level("kernel as it is", 100.0 * float(found.mean(ALL_POINTS)[0]), "floor")]
    low, high = figures.common_range(list(made.values()), levels, bounds=(0.0, 100.0))
    scale = figures.ChartScale(
        y_range=(low - 0.06 * (high - low), high),  # the name of the line stands below that at 0
        x_title=symbol("p"), x_decimals=2 if 0.95 in found.powers else 1, height=fitted(250, 1.1), role=SERIES,
    )  # fmt: skip
    panel_title("Balanced loss, %", "circles printed ± sd, dots measured ± 2 SE; in the text: train-only")
    for place, (column, slot) in enumerate(zip(MODES, st.columns(2, gap="medium"), strict=True)):
        with slot, st.container(gap="xxsmall"):
            mode = MODES[column].partition(",")[
                0
            ]  # what the text says stands above both: titles keep one line
            panel_title(column, f"{mode}; {_judged(compared, column, same)}")
            picture = figures.published_measured(
                made[column], scale, levels=levels, key=False, name_levels=place == 0
            )
            draw(picture, f"{paper.key}.{place}")


def _judged(compared: LossComparison, column: str, same: bool) -> str:
    if not same:
        return "published: other data"
    within, judged = compared.inside(column)
    return f"**{within} of {judged}** within 2 SE" if judged else no_error(compared)


def _row(compared: LossComparison, column: str) -> figures.ChartRow:
    """One basis in percent, without the kernel as it is."""
    found = compared.found
    return figures.ChartRow(
        [float(p) for p in found.powers if p is not None],
        100.0 * compared.printed[1:],
        100.0 * compared.printed_sd[1:],
        100.0 * found.mean(column)[1:],
        200.0 * found.se(column)[1:],
    )
