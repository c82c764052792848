"""The pages, one line each. Paths are relative to pages/main.py and start with the section's folder."""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import workspace
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
ADDRESSES: Final = "addresses"
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
    _bring_back()


def _bring_back() -> None:
    """Take all settings of an address that Back or Forward leads to.

    Streamlit (1.67) leaves out those whose names the page that was left has, too (λ of Complete, after Combine), and
    calls for their defaults. What this needs has no public name: where it is called otherwise, nothing happens.
    """
    context: Any = get_script_run_ctx()
    if not getattr(context, "is_history_navigation", False):
        return
    with suppress(AttributeError, TypeError), context.session_state.query_params() as params:
        asked = context.query_string
        params.populate_from_query_string(asked)
        params.set_initial_query_params(asked)
        params._send_query_param_msg()


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
    """Return the settings in the address, without the name of the data."""
    return {name: value for name, value in st.query_params.items() if name != workspace.CHOICE_KEY}


def newly_asked(name: str) -> str:
    """Text that the address gives under a name that is bound to no widget; "" where `write` has put it there, or nobody."""
    asked = st.query_params.get(name, "")
    return "" if asked == workspace.recall(f"{WRITTEN}.{name}", "") else asked


def rename_asked(former: str, name: str) -> str:
    """Give a setting of the address the name that it has now; return its text, "" where the address has no former one."""
    asked = st.query_params.get(former, "")
    if former in st.query_params:
        del st.query_params[former]
        st.query_params[name] = asked
    return asked


def write(name: str, text: str) -> None:
    """Let the address say a text under a name that is bound to no widget; "" takes it out."""
    workspace.remember(f"{WRITTEN}.{name}", text)
    if text and st.query_params.get(name) != text:
        st.query_params[name] = text
    elif not text and name in st.query_params:
        del st.query_params[name]


def note_address() -> None:
    """Remember with which settings the open page was seen last: a saved workspace takes them along."""
    workspace.remember(ADDRESSES, {**addresses(), workspace.tab().page: dict(st.query_params.items())})


def addresses() -> dict[str, dict[str, str]]:
    """Return the settings of all pages that were seen, by the last part of their address."""
    nothing: dict[str, dict[str, str]] = {}
    return workspace.recall(ADDRESSES, nothing)


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
