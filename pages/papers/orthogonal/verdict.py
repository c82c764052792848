"""What the text of "Almost orthogonal patterns" says about the basis of its map, and what the numbers fit."""

from __future__ import annotations

import streamlit as st

from kernex_core.studies.papers.orthogonal.loss_comparison import LossComparison
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, TRAIN_ONLY
from pages.shared.differences import points


def verdict(compared: LossComparison) -> None:
    """Write what the text says and what the numbers fit; nothing before two repetitions are done."""
    found, made = compared.found, compared.verdict()
    if made is None:
        return
    repeats = compared.paper.repeats
    several = repeats.sets if found.splits > 1 else repeats.several
    rough = f" Standard errors from {made.units} {several} are rough themselves." if made.rough else ""
    inside = {column: "{} of {}".format(*rows) for column, rows in made.inside.items()}
    gaps = {column: f"**{points(each.gap)}** ± {100.0 * each.se:.1f}" for column, each in made.apart.items()}
    st.markdown(
        f"The text says that training points are the basis of the map; by the sum over the rows {made.text}: measured "
        f"less published, in points a row ± SE, is {gaps[ALL_POINTS]} with all points and {gaps[TRAIN_ONLY]} with training "
        f"points. Rows within 2 SE: **{inside[ALL_POINTS]}** and **{inside[TRAIN_ONLY]}**.{rough}"
    )


def no_error(compared: LossComparison) -> str:
    """Return what there is to say where nothing was repeated."""
    found, repeats = compared.found, compared.paper.repeats
    if found.splits > 1:
        return f"one {repeats.sets.replace('sets', 'set', 1)}: no standard error"
    whole = f"one {repeats.each}" if found.repetitions else f"not one whole {repeats.each} yet"
    return f"{whole}: no standard error"
