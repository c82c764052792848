"""The pages, one line each. Paths are relative to pages/main.py and start with the section's folder."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import workspace
from pages.shared.declared.settings import RESERVED
from pages.shared.lessons import LESSONS, Lesson


@dataclass(frozen=True)
class PageEntry:
    """One line of the navigation: file, title, icon, section ("" = above all sections), heading where it differs.

    Several pages may be drawn by one script (`address` tells them apart), and be reached by links alone (`hidden`).
    """

    path: str
    title: str
    icon: str
    section: str = ""
    heading: str = ""
    address: str = ""
    hidden: bool = False

    @property
    def url_path(self) -> str:
        """Return the last part of the page's address."""
        return self.address or self.path.rsplit("/", 1)[1].removesuffix(".py")

    @property
    def folder(self) -> str:
        """Return the dotted name of the folder that holds the page."""
        return "pages." + self.path.rsplit("/", 1)[0].replace("/", ".")


PAGES: Final = (
    PageEntry("start/start.py", "Start", ":material/home:", heading="See what your similarities know"),
    PageEntry("data/data.py", "Data", ":material/table:"),
    PageEntry("kernels/kernels.py", "Kernels", ":material/grid_on:", "Build"),
    PageEntry("sequences/sequences.py", "Sequences", ":material/genetics:", "Build"),
    PageEntry("diagonals/diagonals.py", "Large diagonals", ":material/north_west:", "Build"),
    PageEntry("complete/complete.py", "Complete", ":material/border_inner:", "Build"),
    PageEntry("combine/combine.py", "Combine", ":material/join:", "Build"),
    PageEntry("combine/many/many.py", "Many kernels", ":material/stacks:", "Build"),
    PageEntry("networks/networks.py", "Networks", ":material/hub:", "Build"),
    PageEntry("networks/features/features.py", "Features on a network", ":material/graph_3:", "Build"),
    PageEntry("networks/edges/edges.py", "Edges of new nodes", ":material/add_link:", "Build"),
    PageEntry("graphs/graphs.py", "Graphs", ":material/schema:", "Build"),
    PageEntry("map/map.py", "Map", ":material/scatter_plot:", "Build"),
    PageEntry("evaluate/evaluate.py", "Evaluate", ":material/rule:", "Judge"),
    PageEntry(
        "papers/extrapolation/extrapolation.py", "Kernel extrapolation", ":material/article:", "Papers"
    ),
    PageEntry(
        "papers/orthogonal/orthogonal.py",
        "Orthogonal patterns",
        ":material/article:",
        "Papers",
        "Almost orthogonal patterns",
    ),
    PageEntry("papers/joint/joint.py", "Joint regularization", ":material/article:", "Papers"),
    PageEntry("learn/learn.py", "Lessons", ":material/school:", "Learn"),
    PageEntry("learn/lecture/lecture.py", "For the lecturer", ":material/co_present:", "Learn"),
    PageEntry("glossary/glossary.py", "Glossary", ":material/menu_book:", "Learn"),
)
LESSON_PAGES: Final = tuple(
    PageEntry(
        "learn/lesson/lesson.py", lesson.title, ":material/school:", "Learn", address=lesson.key, hidden=True
    )
    for lesson in LESSONS
)
"""Reached from the page Lessons and from the pages that they explain: twelve more lines would hide the others."""
ENTRIES: Final = (*PAGES, *LESSON_PAGES)


FOLDER: Final = Path(__file__).parents[1]
LINK: Final = "link"
_address = st.components.v2.component(
    "kernex_address", js="\n" + Path(__file__).with_name("address.js").read_text("utf-8") + "\n"
)


@dataclass(frozen=True)
class Link:
    """An address that was opened about data that are not here: its page, the data's name, and its settings."""

    path: str
    data: str
    settings: tuple[tuple[str, str], ...]

    @property
    def url_path(self) -> str:
        """Return the last part of the page's address."""
        return next(entry.url_path for entry in PAGES if entry.path == self.path)


def keep_history() -> None:
    """Let Back return to the settings that were left, with one entry a page (address.js)."""
    _address(key="address", height="content")


WRITTEN: Final = "navigation.written"


def in_address(name: str) -> str:
    """Text that the address has under a name, whoever put it there; "" where it has none."""
    return st.query_params.get(name, "")


def asked_data() -> str:
    """Name of the data that the address asks for; "" where it asks for none."""
    return in_address(workspace.CHOICE_KEY)


def note_link(url_path: str, known: Container[str]) -> None:
    """Remember an address about data that are not open, before its settings leave it; called first in every run."""
    asked = asked_data()
    entry = next((entry for entry in PAGES if entry.url_path == url_path), PAGES[0])
    is_lesson = url_path in {entry.url_path for entry in LESSON_PAGES}  # which need no data
    if asked and asked not in known and not is_lesson:
        settings = tuple(
            (name, value) for name, value in st.query_params.items() if name != workspace.CHOICE_KEY
        )
        workspace.remember(LINK, Link(entry.path, asked, settings))


def address() -> dict[str, str]:
    """Return the settings in the address, without the name of the data and what is of all pages."""
    return {name: value for name, value in st.query_params.items() if name not in RESERVED}


def is_asked_anew() -> bool:
    """Whether the page is opened now, by an address; told once. What the page before has left in it asks for nothing."""
    state = workspace.tab()
    arrived, state.arrived = state.arrived, False
    return arrived and address() != workspace.recall(WRITTEN, {})


def write(wanted: Mapping[str, str], among: Iterable[str]) -> None:
    """Let the address say these settings, and no others of those names."""
    has = address()
    workspace.remember(WRITTEN, dict(wanted))
    if more := {name: text for name, text in wanted.items() if has.get(name) != text}:
        st.query_params.update(more)
    for name in among:
        if name in has and name not in wanted:
            del st.query_params[name]


def waiting_link() -> Link | None:
    """Return the address whose data have not come yet, or have just come."""
    nothing: Link | None = None
    return workspace.recall(LINK, nothing)


def sections() -> dict[str, list[st.Page]]:
    """Return what st.navigation takes, made anew in every run; the first page is the one without a path."""
    return {
        section: [page_of(entry) for entry in entries]
        for section, entries in groupby(ENTRIES, key=lambda entry: entry.section)
    }


def page_of(entry: PageEntry) -> st.Page:
    """Return the page of an entry, for the navigation and for links to it; a copy, for a run writes into it."""
    # outside of a run Streamlit leaves half of a page out
    return copy(_page(entry) if get_script_run_ctx() else _page.__wrapped__(entry))


@cache
def _page(entry: PageEntry) -> st.Page:
    """Return the page as it is at the start of every run: to find the files of all of them takes longer than most pages."""
    return st.Page(
        str(FOLDER / entry.path),
        title=entry.title,
        icon=entry.icon,
        url_path=entry.url_path,
        default=entry is PAGES[0],
        visibility="hidden" if entry.hidden else "visible",
    )


def lesson_page(lesson: Lesson) -> st.Page:
    """Return the page of a lesson, for links to it."""
    return page_of(next(entry for entry in LESSON_PAGES if entry.address == lesson.key))


def go_to(path: str | st.Page) -> None:
    """Go to another page. The data set stays in the address: its select box writes it there again."""
    # without query_params Streamlit refuses, because a parameter that is bound to a widget cannot be cleared
    st.switch_page(path, query_params={})
