"""Graphs as the browser draws them: a page of cards, or the key of labels alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import streamlit as st

HERE: Final = Path(__file__).parent
_component = st.components.v2.component(
    "kernex_graphs",
    css="\n" + (HERE / "gallery.css").read_text("utf-8") + "\n",
    js="\n" + (HERE / "gallery.js").read_text("utf-8") + "\n",
)


def draw_cards(made: Mapping[str, object], key: str, on_picked: Callable[[], None] = lambda: None) -> None:
    """Draw what `cards` made; a click on a card tells its id under the name "picked"."""
    _component(key=key, data=dict(made), on_picked_change=on_picked, height="content")
