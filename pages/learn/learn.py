"""The page Lessons: kernel methods in twelve screens, in order, each with its picture and what it asks."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from pages.server.navigation import LESSONS, Lesson, lesson, lesson_page
from pages.ui import classroom as room
from pages.ui.frame import open_page

PICTURES: Final = Path(__file__).parent / "pictures"
"""One a lesson, as it stands before the bet; `make pictures` takes them from the running app."""
ROW: Final = 4


def run() -> None:
    """Draw one card a lesson."""
    open_page(
        "Lessons",
        "Which idea do you want to see? Each lesson is one screen: a question, your bet, and what is true.",
        shows_data=False,
    )
    minutes = sum(each.minutes for each in LESSONS)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(
            f"{len(LESSONS)} lessons, about {minutes} minutes in all. Every number in them is computed while you look.",
            width="content",
        )
        with st.container(width=200):
            room.code(in_a_row=True)
    room.tell_wrong()
    for first in range(0, len(LESSONS), ROW):
        for column, each in zip(st.columns(ROW, gap="medium"), LESSONS[first : first + ROW], strict=False):
            with column, st.container(gap="xxsmall"):
                _card(each)


def _card(each: Lesson) -> None:
    with st.container(key=f"lesson_picture_{each.key}"):
        st.image(
            str(PICTURES / f"{each.key}.png"), width="stretch", alt=f"The picture of the lesson {each.title}"
        )
    st.page_link(lesson_page(each), label=f"{each.number}. **{each.title}**")
    before = ", ".join(lesson(key).title for key in each.after)
    after = f" · after {before}" if before else ""
    st.markdown(f":small[{each.asks} :gray[{each.minutes}\u00a0min{after}]]")
