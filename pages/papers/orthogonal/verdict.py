"""What the text of "Almost orthogonal patterns" says about the basis of its map, and what the numbers fit."""

from __future__ import annotations

import streamlit as st

from kernex_core.studies.papers.orthogonal.comparison import MODES, Distance, Measured, PaperTable, distances
from kernex_core.studies.papers.orthogonal.strings import ALL_POINTS, TRAIN_ONLY
from pages.shared.figures.theme import number

ROUGH = 6
"""Below so many units a standard error is no better known than to a third."""
CANNOT_TELL = "the numbers cannot tell which of the two it was"
NEITHER = "the numbers fit neither"
BETTER = {
    ALL_POINTS: "the numbers fit the map on all points better",
    TRAIN_ONLY: "the numbers fit the map on training points better",
}


def says(apart: dict[str, Distance]) -> str:
    """Return which basis the sum over the rows fits: one alone is within two standard errors, both, or neither."""
    fitting = [column for column, distance in apart.items() if distance.within]
    if len(fitting) == 1:
        return BETTER[fitting[0]]
    return CANNOT_TELL if fitting else NEITHER


def verdict(paper: PaperTable, found: Measured) -> None:
    """Write what the text says and what the numbers fit; nothing before two repetitions are done."""
    units = len(found.by_repetition(ALL_POINTS))
    if units < 2:
        return
    several = "sets of strings" if found.splits > 1 else paper.several
    rough = f" Standard errors from {units} {several} are rough themselves." if units < ROUGH else ""
    apart = distances(paper, found)
    inside = {column: "{} of {}".format(*paper.inside(found, column)) for column in MODES}
    gaps = {column: f"**{_signed(each.gap)}** ± {100.0 * each.se:.1f}" for column, each in apart.items()}
    st.markdown(
        f"The text says that training points are the basis of the map; by the sum over the rows {says(apart)}: measured "
        f"less published, in points a row ± SE, is {gaps[ALL_POINTS]} with all points and {gaps[TRAIN_ONLY]} with training "
        f"points. Rows within 2 SE: **{inside[ALL_POINTS]}** and **{inside[TRAIN_ONLY]}**.{rough}"
    )


def _signed(share: float) -> str:
    text = number(100.0 * share, 1)
    return text if text.startswith("−") or float(text) == 0.0 else f"+{text}"
