"""The course for who gives it: a class, and per lesson minutes, prerequisites, questions, likely wrong answers, a link."""

from __future__ import annotations

from importlib import import_module
from urllib.parse import urlsplit

import segno
import streamlit as st

from pages.learn.screen import Teaching
from pages.server import workspace
from pages.server.messages import plain
from pages.server.navigation import LESSONS, Lesson, lesson, lesson_page
from pages.server.visitors import limits
from pages.ui import classroom as room
from pages.ui.classroom import new_code
from pages.ui.frame import open_page


def show() -> None:
    """Draw the class, then the lessons."""
    code = _class()
    if code:
        asked = (
            (each, getattr(import_module(f"pages.learn.{each.key}"), "QUESTION", None)) for each in LESSONS
        )
        # Errata asks a question a card
        room.results(
            [(each.title, each.key, question.bars) for each, question in asked if question is not None]
        )
    st.header("The course", anchor=False)
    with st.container(key="course", gap="xxsmall"):
        for each in LESSONS:
            _lesson(each, code)


def _class() -> str:
    st.header("A class", anchor=False)
    st.markdown(
        "Students who open a lesson with the class's code bet together: you see how many have bet, and at the reveal how "
        "they did. The bets lie in the memory of this server, without names, and are gone two hours after the last one. "
        "*Projector*, below the workspace, makes everything large and leaves the picture and its controls. A map can be "
        "asked about, too: on What if, *Settings*, *Ask a class first*; then copy its link.",
        width=760,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=240):
            code = room.code()
            room.tell_wrong()
        st.button("Make a code", key="class.new", on_click=_new, help="A code that nobody guesses by chance")
    if code:
        _join(f"{_base()}learn?class={code}")
    return code


def _join(address: str) -> None:
    """Draw the one address of the class, to be read or photographed from the back row."""
    with st.container(horizontal=True, gap="large", vertical_alignment="center", key="join"):
        drawn = segno.make(address, error="m").svg_inline(scale=5, border=4, light="#ffffff", dark="#121417")
        st.image(drawn, width=220, alt=f"QR code of {address}")
        with st.container(width="stretch", gap="small"):
            st.markdown(f"## {plain(address)}")
            st.markdown("Whoever opens it is in the class, in every lesson.")
            if _is_this_machine(address):
                st.warning(
                    "This address is this machine's own: nobody else can open it. Start Kernex for the class, with an "
                    "address of the network (README, *For a class*), and open this page by it.",
                    icon=":material/warning:",
                )


def _is_this_machine(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1", "") or host.startswith("127.") or limits.answers_alone()


def _base() -> str:
    """What stands before the addresses of pages; "" where it is not known."""
    here = str(st.context.url or "")
    return here.split("?")[0].rpartition("/")[0] + "/" if here else ""


def _new() -> None:
    workspace.show_in(room.KEY, new_code())


def _lesson(each: Lesson, code: str) -> None:
    taught: Teaching = import_module(f"pages.learn.{each.key}").TEACHING
    query = "&".join(filter(None, [f"class={code}" if code else "", taught.state]))
    with st.expander(f"**{each.number}. {each.title}** · {each.minutes} min :gray[· {each.asks}]"):
        st.page_link(lesson_page(each), label="Open it", icon=":material/school:")
        if code:
            st.caption("Straight to it:")
            st.code(f"{_base()}{each.key}?class={code}", language=None)
        if taught.state:
            st.markdown(f"[Open it where it is worth a long look]({each.key}?{query})")
        before = ", ".join(lesson(key).title for key in each.after) or "nothing"
        asked = "\n".join(f"- {question}" for question in taught.ask)
        wrong = "\n".join(f"- *{answer}* {assumes}" for answer, assumes in taught.wrong)
        st.markdown(f"{each.goal} Before it: {before}.\n\n**Ask**\n{asked}\n\n**Likely wrong**\n{wrong}")


def run() -> None:
    """Draw the page in its frame."""
    open_page(
        "For the lecturer",
        "What to show, in which order, what to ask, and what a class is likely to get wrong?",
        shows_data=False,
    )
    show()
