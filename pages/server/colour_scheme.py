"""The ground that the visitor sees: light or dark. Charts are drawn in its ink, and anew when it changes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

GROUND: Final = "ground"
DARK_LETTERS: Final = "#0e1013"
_watch = st.components.v2.component(
    "kernex_ground", js="\n" + Path(__file__).with_name("colour_scheme.js").read_text("utf-8") + "\n"
)


def watch() -> None:
    """Run the page again when the visitor changes the theme; Streamlit itself changes colours in the browser only."""
    _watch(key=GROUND, on_ground_change=_run_again, height="content")


def ground() -> str:
    """Return "light" or "dark"."""
    return st.context.theme.type or "light"


def on_primary(label: str) -> str:
    """Return the label of a primary button in letters that can be read on it: Streamlit's are white on either ground."""
    return label if ground() == "light" else f':color[{label}]{{foreground="{DARK_LETTERS}"}}'


def _run_again() -> None:
    """The page is drawn anew by the run that a change brings."""
