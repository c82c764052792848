"""The first row of a page: at most four controls, without hints of their own, which stand in that of the title.

    with first_row():
        first, second = st.container(width=200), st.container(width="stretch")
        in_title("Floor", "The largest class alone.")

Where one hangs on what Settings holds, it is drawn after it: `with Later(second): ...`.
Each hint is a stop of the Tab key on the way to the picture. The row ends with the button Settings, or with the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.shown import registry


def first_row() -> DeltaGenerator:
    """Draw the row, empty."""
    registry.current().in_first_row = True
    return st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls")


@dataclass(frozen=True)
class Later:
    """A place of the row for what can be drawn only when something behind it is known, on which it hangs."""

    place: DeltaGenerator

    def __enter__(self) -> None:
        """Draw into it, as into the row."""
        registry.current().in_first_row = True
        self.place.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let controls have their hints again."""
        self.place.__exit__(kind, error, trace)
        end_first_row()


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
