"""The first row of a page: at most four controls, without hints of their own, which stand in that of the title.

    with first_row():
        first, second = st.container(width=200), st.container(width="stretch")
        in_title("Floor", "The largest class alone.")

Each hint is a stop of the Tab key on the way to the picture. The row ends with the button Settings, or with the verdict.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.shown import registry


def first_row() -> DeltaGenerator:
    """Draw the row, empty."""
    registry.current().in_first_row = True
    return st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls")


def in_title(name: str, hint: str | None) -> None:
    """Let the title's hint say what something means that has none of its own."""
    if hint:
        registry.current().hints[name] = hint


def end_first_row() -> None:
    """Let controls have their hints again, and the title say those of the row."""
    page = registry.current()
    if page.in_first_row:
        page.in_first_row = False
        page.say_hints()
