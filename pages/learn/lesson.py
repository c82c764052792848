"""A lesson, laid out: what comes before it, the class, and its one screen as a fragment."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

import streamlit as st

from pages.learn.screen import Screen
from pages.server import workspace
from pages.server.declared import Declared
from pages.server.messages import guard
from pages.server.navigation import LESSONS, Lesson, lesson, lesson_page, page_at
from pages.ui import classroom as room
from pages.ui.frame import open_page

# Lessons where there is little width.

STYLE: Final = Path(__file__).with_name("lesson.css")


def break_switches() -> None:
    """Let switches break into a second row where they have no room: an answer that has to be scrolled to is not seen."""
    st.html(STYLE)


def show(here: Lesson) -> None:
    """Draw the lesson."""
    break_switches()
    _head(here)
    _body(here.key)
    _onwards(here)


def settings(here: Lesson) -> Declared:
    """Return what can be set in the lesson."""
    found: Declared = import_module(f"pages.learn.{here.key}").SETTINGS
    return found


def _head(here: Lesson) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson_head"):
        st.caption(f"Lesson {here.number} of {len(LESSONS)} · about {here.minutes} minutes", width="content")
        for key in here.after:
            before = lesson(key)
            st.page_link(lesson_page(before), label=f"Before it: {before.title}", icon=":material/school:")
        with st.popover("Class", icon=":material/groups:", type="tertiary", help="Bet together with a class"):
            room.code()
    room.tell_wrong()


@st.fragment
def _body(key: str) -> None:
    """Nothing else of the page is drawn anew when a control moves."""
    with guard():
        import_module(f"pages.learn.{key}").show(Screen(lesson(key)))


def _onwards(here: Lesson) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", key="lesson_foot"):
        st.page_link(page_at("learn"), label="All lessons", icon=":material/school:")
        if here.number < len(LESSONS):
            after = LESSONS[here.number]
            st.page_link(lesson_page(after), label=f"Next: {after.title}", icon=":material/arrow_forward:")


def run() -> None:
    """Draw the page in its frame."""
    here = lesson(workspace.tab().page)
    open_page(here.title, here.asks, settings(here), shows_data=False)
    show(here)
