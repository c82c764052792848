"""Lessons where there is little width."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

STYLE: Final = Path(__file__).with_name("lesson.css")


def break_switches() -> None:
    """Let switches break into a second row where they have no room: an answer that has to be scrolled to is not seen."""
    st.html(STYLE)
