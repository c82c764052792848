"""The lessons in order, each with what one knows after it."""

from __future__ import annotations

import streamlit as st

from pages.shared.lessons import LESSONS, lesson
from pages.shared.navigation import lesson_page


def show() -> None:
    """Draw one row a lesson."""
    minutes = sum(each.minutes for each in LESSONS)
    st.caption(
        f"{len(LESSONS)} lessons, about {minutes} minutes in all. Every number in them is computed while you look, by the "
        "same code that works on your data."
    )  # fmt: skip
    for each in LESSONS:
        with st.container(gap="xxsmall"):
            st.page_link(lesson_page(each), label=f"{each.number}. **{each.title}**")
            before = ", ".join(lesson(key).title for key in each.after)
            after = f" · after {before}" if before else ""
            st.markdown(f"{each.goal} :small[:gray[{each.minutes} minutes{after}]]")
