"""How tables are written for the visitor's spreadsheet: with commas, or with semicolons and decimal commas.

choose()                      the switch, beside the downloads of the page Data
wants_semicolons() -> bool
hint("One row an item.")      the hint of a button CSV, which says how it is written and where that is changed
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.shared import workspace

KEY: Final = "csv.semicolons"
HELP: Final = (
    "For spreadsheets that split lines at semicolons, as in many languages of Europe: every CSV is then divided by `;`, and "
    "its numbers have a decimal comma. Kernex reads both."
)


def choose() -> None:
    """Draw the switch; it holds for all pages and tabs of the visitor."""
    box = f"{KEY}.switch"
    workspace.show_in(box, wants_semicolons())  # another tab may have moved it
    st.toggle("CSV with ; and decimal commas", key=box, help=HELP, on_change=_follow, args=(box,))


def _follow(box: str) -> None:
    workspace.put(KEY, workspace.widget_says(box) is True)


def wants_semicolons() -> bool:
    """Whether the visitor has chosen them."""
    return workspace.setting(KEY, False)


def hint(said: str | None) -> str:
    """Return the hint of a button that gives a CSV."""
    how = "Semicolons and decimal commas" if wants_semicolons() else "Commas and decimal points"
    return f"{f'{said} ' if said else ''}{how}: a switch on Data, beside its downloads."
