"""A class on its lessons: whoever opens the class's link bets together, and sees all bets at the reveal."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import streamlit as st

from kernex_core.base.errors import KernexError
from pages.learn.classroom.pool import POOL, checked_code
from pages.shared import workspace
from pages.shared.lessons import Lesson
from pages.shared.messages import guard, show_error

Bars = Callable[[Mapping[str, int]], Sequence[tuple[str, int, bool]]]
"""Of the bets on a question: each answer, how many gave it, and whether it is right."""
KEY: Final = "class"
"""Name of the code in the address."""
EVERY: Final = 2.0
"""Seconds between two looks at the bets of the others."""


def code(*, in_a_row: bool = False) -> str:
    """Draw the field of the class's code and return it; "" for a visitor of no class, or a code that is none.

    In a row of other things it has no label above it.
    """
    st.text_input(
            "Class code", key=KEY, bind="query-params", persist_state="session", max_chars=40,
            placeholder="Class code" if in_a_row else "none", label_visibility="collapsed" if in_a_row else "visible",
            help="Whoever opens a lesson with the same code bets together: the bets of all are shown at the reveal, without "
            "names, and are gone two hours later. The lecturer's page makes a code and a link.",
        )  # fmt: skip
    return current()


def tell_wrong() -> None:
    """Say on the page, where everybody looks, that the code of an address or of the field is none."""
    asked: object = workspace.widget_says(KEY)
    if asked and not current():
        with guard():
            checked_code(str(asked))


def current() -> str:
    """Code of the class of this visitor, "" for none."""
    asked: object = workspace.widget_says(KEY)
    try:
        return checked_code(str(asked)) if asked else ""
    except KernexError:
        return ""


def count(lesson: Lesson, bet: str) -> None:
    """Count the visitor's bet in their class, if they are in one."""
    if here := current():
        try:
            POOL.bet(here, lesson.key, _visitor(), bet)
        except KernexError as error:
            show_error(error)


def waiting(lesson: Lesson) -> None:
    """Say how many of the class have bet, before the reveal."""
    if current():
        _counted(lesson)


def histogram(lesson: Lesson, bars: Bars) -> None:
    """Draw the bets of the class."""
    if current():
        _drawn(lesson, bars)


@st.fragment(run_every=EVERY)
def _counted(lesson: Lesson) -> None:
    bets = sum(POOL.bets(current(), lesson.key).values())
    # a code with a letter wrong is the code of another class, in which nobody is
    alone = " If others have bet, theirs is another code: compare it with the lecturer's." if not bets else ""
    st.caption(f"Class {current()}: {bets} {'bet' if bets == 1 else 'bets'} so far.{alone}")


@st.fragment(run_every=EVERY)
def _drawn(lesson: Lesson, bars: Bars) -> None:
    counted = bars(POOL.bets(current(), lesson.key))
    total = sum(times for _, times, _ in counted)
    st.markdown(f"**The class** :small[:gray[{total} {'bet' if total == 1 else 'bets'}, {current()}]]")
    rows = [
        f"| {'**' if right else ''}{what}{' ✓**' if right else ''} | {'█' * round(16 * times / max(total, 1))} {times} |"
        for what, times, right in counted
    ]
    st.markdown("| Answer | Bets |\n|:--|:--|\n" + "\n".join(rows))


@st.fragment(run_every=EVERY)
def results(lessons: Sequence[tuple[str, str, Bars]]) -> None:
    """Draw what the class has bet in every lesson (title, key, bars): how many, how many right, and the usual answer."""
    rows = []
    for title, key, bars in lessons:
        counted = bars(POOL.bets(current(), key))
        total, right = (sum(times for _, times, hit in counted if hit or every) for every in (True, False))
        if total:
            usual = max(counted, key=lambda bar: bar[1])[0]
            rows.append(f"| {title} | {total} | {right} | {usual} |")
    if not rows:
        st.caption(f"Nobody of {current()} has bet yet.")
        return
    st.markdown("| Lesson | Bets | Right | Most bet on |\n|:--|--:|--:|:--|\n" + "\n".join(rows))


def _visitor() -> str:
    """What tells this visitor from the others of the class: their browser, or where it has no name, their tab."""
    named = workspace.visitor()
    if named is None:
        named = workspace.recall("class.visitor", "") or secrets.token_hex(8)
        workspace.remember("class.visitor", named)
    return named
