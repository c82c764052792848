"""What a visitor has drawn in a lesson, as text in the address, where no control writes it.

A click that comes soon after another brings the address from before it: a text that was written there is no news.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.shared import workspace
from pages.shared.lessons import Lesson

MOST_WRITTEN: Final = 100
"""Texts that are told from those that a visitor brings with an address."""


def kept(lesson: Lesson, name: str) -> str:
    """Return what was drawn last, or what a new address says; "" for nothing."""
    key, place = f"{lesson.key}.{name}", f"{lesson.address}{name}"
    asked = st.query_params.get(place, "")
    written: tuple[str, ...] = workspace.recall(f"{key}.written", ())
    if asked and asked not in written:
        workspace.remember(key, asked)
    found: str = workspace.recall(key, "")
    if found != asked:
        _write(place, found)
    return found


def keep(lesson: Lesson, name: str, text: str) -> None:
    """Keep what was drawn; called in a callback."""
    key, place = f"{lesson.key}.{name}", f"{lesson.address}{name}"
    written: tuple[str, ...] = workspace.recall(f"{key}.written", ())
    before = st.query_params.get(place, "")
    workspace.remember(f"{key}.written", (*written[-MOST_WRITTEN:], before, text))
    workspace.remember(key, text)
    _write(place, text)


def _write(place: str, text: str) -> None:
    if text:
        st.query_params[place] = text
    else:
        st.query_params.pop(place, None)
