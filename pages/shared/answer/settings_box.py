"""The button Settings: everything of a page that is not in its first row, grouped, with how many differ and a way back.

with settings_box(2) as columns:
    with columns[0]:
        group("Both kernels")
        config = controls(...)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.names import counted
from pages.shared.answer.first_row import end_first_row
from pages.shared.settings import held, widgets
from pages.shared.shown import registry

COLUMN = 260
"""Pixels of a column; three of them and 70 % of the height are what a window of 1,280 × 720 has room for."""


@contextmanager
def settings_box(columns: int | Sequence[float] = 1) -> Iterator[list[DeltaGenerator]]:
    """Draw the button, and yield the columns of what it opens; all widgets are drawn while it is closed, too."""
    n = columns if isinstance(columns, int) else len(columns)
    end_first_row()
    changed = len(widgets.changed())
    button = st.popover(
        f"Settings · {changed}" if changed else "Settings", icon=":material/tune:", key="settings", width="content"
    )  # fmt: skip
    with button, st.container(width=COLUMN * n, key="settings_body", gap="small"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            said = f"**{counted(changed, 'setting')} differ{'s' if changed == 1 else ''}**"
            st.markdown(said if changed else ":gray[All as usual]", width="content")
            st.button(
                "Reset all", icon=":material/restart_alt:", type="tertiary", key="settings.usual",
                disabled=not changed, on_click=held.as_usual,
            )  # fmt: skip
        yield st.columns(columns, gap="medium") if n > 1 else [st.container()]
    # a text of an address that no widget takes is known for one only now, and a fragment draws no head
    registry.current().say_changed()


def group(name: str) -> None:
    """Write the name of a group of settings."""
    st.markdown(f":small[**{name.upper()}**]")
