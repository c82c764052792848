"""Numbers of the kernel before and after, on the page Power p."""

from __future__ import annotations

import streamlit as st

from kernex_core.studies.diagonals.shrink import Shrunk
from pages.shared.figures.theme import number, percent
from pages.shared.glossary.entries import hint
from pages.shared.panels.accuracy import ONE_PASS, against_floor, between, neighbour_interval
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.shown.drawn import measure

NEIGHBOUR = "1-NN, all points"
MEANINGS = {
    "Zeros": "Share of similarities of two items that are exactly 0.",
    NEIGHBOUR: hint(
        "Nearest neighbour",
        "Floor",
        first=f"Leave-one-out, by the map of all points, whatever the basis. {ONE_PASS}",
    ),
}


def numbers(made: Shrunk) -> None:
    """Draw what the verdict does not say."""
    before, after = made.before, made.after
    cells = {
        "Zeros": (percent(after.zero_share, 1), percent(before.zero_share, 1)),
        "Effective rank": (number(after.effective_rank), number(before.effective_rank)),
        "Condition": (number(after.condition), number(before.condition)),
        NEIGHBOUR: (_share(after.neighbour_accuracy), _share(before.neighbour_accuracy)),
    }
    columns, interval = numbers_in_a_row(len(cells)), neighbour_interval(after)
    floor, color = against_floor(after)
    floor = floor if color == "gray" else f":{color}[{floor}]"
    judged = () if interval is None else (f"**{between(interval)}** for other data sets", floor)
    for column, (name, (now, was)) in zip(columns, cells.items(), strict=True):
        with column:
            measure(
                name, now, f"before {was}", *(judged if name == NEIGHBOUR else ()), help=MEANINGS.get(name)
            )
    if before.n_known < before.n:
        st.caption(f"Of the {before.n_known:,} known items; hatched cells are unknown.")


def _share(value: float) -> str:
    return "—" if value != value else percent(value, 1)
