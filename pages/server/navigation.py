"""The pages, and the lines of the sidebar. Paths are relative to pages/main.py and start with the wing's folder."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Container, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.server import workspace
from pages.server.declared import RESERVED

# The lessons of Learn, one line each: a line here, and the file `pages/learn/<key>.py`, make a lesson.


@dataclass(frozen=True)
class Lesson:
    """What the rest of Kernex knows of a lesson.

    Attributes
    ----------
    key : str
        Name of its file, and its address.
    title, goal : str
        Its name, and in one sentence what one knows after it: said after the bet.
    minutes : int
    asks : str
        What it asks, without the answer: said before it, wherever it is named.
    after : tuple of str
        Keys of lessons that come before it.
    pages : tuple of str
        Addresses of working pages that it explains, and which link it.
    words : tuple of str
        Terms of the glossary that it explains.
    """

    key: str
    title: str
    goal: str
    minutes: int
    asks: str
    after: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """Its place in the course, from 1."""
        return LESSONS.index(self) + 1

    @property
    def address(self) -> str:
        """What stands before the names of its settings in the address: the initials of its key."""
        return "".join(word[0] for word in self.key.split("_")) + "_"


LESSONS: Final = (
    Lesson(
        "what_is_a_kernel", "What a kernel is", "A kernel machine is a weighted sum of similarities to few items.", 6,
        asks="How many points hold a boundary in its place?",
        pages=("kernels", "edges", "map", "groups", "outliers"),
        words=("Kernel", "Support vector machine", "Support vector", "Margin", "Representer theorem"),
    ),
    Lesson(
        "regularisation", "Regularisation", "λ trades variance for bias, and does not shrink every coefficient.", 8,
        asks="What becomes of each coefficient while the penalty grows?",
        after=("what_is_a_kernel",), pages=("evaluate",),
        words=("Kernel ridge", "Kernel logistic regression", "Loss", "Bias and variance"),
    ),
    Lesson(
        "positive_definiteness", "Positive definiteness",
        "Similarities must fit together: what fits is an interval, then a body.", 7,
        asks="Which similarities can stand together, and which cannot?",
        after=("what_is_a_kernel",), pages=("data", "kernels", "complete"),
        words=("Indefinite", "Smallest eigenvalue", "Eigenvector", "Repair", "Negative mass", "Determinant"),
    ),
    Lesson(
        "smoothness", "Smoothness", "The norm is the price of bending, and the kernel sets the prices.", 7,
        asks="Which curve does a kernel find cheapest?",
        after=("what_is_a_kernel",), pages=("kernels",), words=("Norm", "Spectral density"),
    ),
    Lesson(
        "dynamic_programming", "Kernels by tables", "A table adds up exponentially many features.", 8,
        asks="How does one compare two words by all their parts at once?",
        after=("what_is_a_kernel",), pages=("strings",), words=("Decay", "ANOVA kernel"),
    ),
    Lesson(
        "learning_by_heart", "Learning by heart",
        "A kernel that finds every item like itself alone learns by heart; a small power makes items alike again.", 5,
        asks="What has a machine learnt that is right about every string it has seen?",
        after=("what_is_a_kernel",), pages=("strings", "power", "orthogonal"),
        words=("Diagonal dominance", "Power", "Empirical map"),
    ),
    Lesson(
        "missing_structures", "Missing structures", "What is known allows a section, not a shadow.", 6,
        asks="How much of a kernel may be claimed from what is known of it?",
        after=("positive_definiteness",), pages=("complete", "extrapolation"),
        words=("Shear", "Certificate", "Extrapolation"),
    ),
    Lesson(
        "joint_ellipses", "Joint regularization", "A joint kernel is large only where both kernels are.", 6,
        asks="Two kernels are made one: how large is it, and where?",
        after=("smoothness", "missing_structures"), pages=("combine", "joint"), words=("Joint kernel", "Multiplier"),
    ),
    Lesson(
        "heat_and_walks", "Heat and walks", "τ decides how far similarity travels, and walks are not paths.", 6,
        asks="How far does similarity travel along a network?",
        pages=("networks", "graphs", "features"), words=("Diffusion", "Laplacian", "Walk", "Product graph", "Tree pattern"),
    ),
    Lesson(
        "combining_sources", "Combining sources",
        "To add kernels is ridge regression, to learn their weights is a lasso: it drops what explains too little.", 6,
        asks="Which source gets which weight, and does a useless one get none?",
        pages=("combine", "many", "together"), words=("Multiple kernel learning", "Graph lasso"),
    ),
    Lesson(
        "luck_or_skill", "Luck or skill", "Luck looks like skill until new items come; a leak is found by its tag.", 8,
        asks="How does luck look, how skill, and how a leak?",
        pages=("evaluate", "tournament", "predict", "whatif"), words=("Floor", "Leak", "Folds"),
    ),
    Lesson(
        "errata", "Errata", "Print is checked by computing: what does not hold falls at the first example.", 8,
        asks="Which printed sentences hold when they are computed?",
        after=("heat_and_walks",), pages=("extrapolation", "orthogonal", "joint"),
    ),
)  # fmt: skip


def lesson(key: str) -> Lesson:
    """Return the lesson of that key.

    Raises
    ------
    KeyError
        There is none.
    """
    for each in LESSONS:
        if each.key == key:
            return each
    raise KeyError(key)


def explaining(url_path: str) -> tuple[Lesson, ...]:
    """Return the lessons that explain a working page, in the order of the course."""
    return tuple(each for each in LESSONS if url_path in each.pages)


NEAREST: Final = MappingProxyType(
    {
        "Kernels and matrices": "positive_definiteness",
        "Completing": "missing_structures",
        "Networks": "heat_and_walks",
        "Many kernels": "combining_sources",
        "Graphs": "heat_and_walks",
        "Learning": "what_is_a_kernel",
        "Judging": "luck_or_skill",
    }
)
"""Subject of the glossary -> the lesson that its words are about, where none explains the word itself."""


def of_word(term: str, subject: str) -> Lesson:
    """Return the lesson that explains a word of the glossary, or else the one that its subject is about."""
    own = next((each for each in LESSONS if term in each.words), None)
    return own or lesson(NEAREST[subject])


@dataclass(frozen=True)
class PageEntry:
    """One page: file, title, icon, and where it stands.

    Attributes
    ----------
    path : str
        Of its file, below `pages/`, whose function `run` draws it.
    title : str
        In the title of the window, in reports and wherever another page names it.
    icon : str
    line : str
        Of the sidebar, where several pages share one as its parts; "" = a line of its own.
    part : str
        What a page is called among the parts of its line.
    said : str
        Heading where it is neither the line nor the title.
    address : str
        Last part of its address where that is not the name of its file: several pages may be drawn by one file.
    hidden : bool
        Reached by links alone.
    """

    path: str
    title: str
    icon: str
    line: str = ""
    part: str = ""
    said: str = ""
    address: str = ""
    hidden: bool = False

    @property
    def heading(self) -> str:
        """Return what stands above the page."""
        return self.said or self.line or self.title

    @property
    def url_path(self) -> str:
        """Return the last part of the page's address."""
        return self.address or self.path.rsplit("/", 1)[1].removesuffix(".py")

    @property
    def module(self) -> str:
        """Return the dotted name of the page's file."""
        return "pages." + self.path.removesuffix(".py").replace("/", ".")


def _parts(line: str, icon: str, *parts: tuple[str, str, str]) -> tuple[PageEntry, ...]:
    """Return the pages of one line: path, title and name of each part."""
    return tuple(PageEntry(path, title, icon, line, part) for path, title, part in parts)


PAGES: Final = (
    PageEntry("start/start.py", "Start", ":material/home:", said="See what your similarities know"),
    PageEntry("data/data.py", "Data", ":material/table:"),
    *_parts(
        "Kernels", ":material/grid_on:",
        ("kernels/kernels.py", "Kernels", "Matrix"),
        ("kernels/strings/strings.py", "Strings", "Strings"),
        ("kernels/power/power.py", "Power p", "Power p"),
    ),
    PageEntry("complete/complete.py", "Complete", ":material/border_inner:"),
    *_parts(
        "Combine", ":material/join:",
        ("combine/combine.py", "Combine", "Two"),
        ("combine/many/many.py", "Many kernels", "Many"),
        ("combine/together/together.py", "Complete together", "Complete together"),
    ),
    *_parts(
        "Networks", ":material/hub:",
        ("networks/networks.py", "Networks", "Nodes"),
        ("networks/features/features.py", "Features on a network", "Features"),
        ("networks/edges/edges.py", "Edges of new nodes", "Edges"),
    ),
    PageEntry("graphs/graphs.py", "Graphs", ":material/schema:"),
    *_parts(
        "Map", ":material/scatter_plot:",
        ("map/map.py", "Map", "Map"),
        ("map/groups.py", "Groups", "Groups"),
        ("map/outliers.py", "Outliers", "Outliers"),
    ),
    *_parts(
        "Evaluate", ":material/rule:",
        ("evaluate/evaluate.py", "Evaluate", "Kernels"),
        ("evaluate/tournament/tournament.py", "Tournament", "Tournament"),
        ("evaluate/predict.py", "Predict", "Predict"),
    ),
    PageEntry("whatif/whatif.py", "What if", ":material/blur_on:"),
    *_parts(
        "Papers", ":material/article:",
        ("papers/extrapolation/extrapolation.py", "Kernel extrapolation", "Extrapolation"),
        ("papers/orthogonal/orthogonal.py", "Almost orthogonal patterns", "Orthogonal"),
        ("papers/joint/joint.py", "Joint regularization", "Joint"),
    ),
    *_parts(
        "Learn", ":material/school:",
        ("learn/learn.py", "Lessons", "Lessons"),
        ("learn/lecture.py", "For the lecturer", "For the lecturer"),
        ("learn/glossary.py", "Glossary", "Glossary"),
    ),
)  # fmt: skip
LESSON_PAGES: Final = tuple(
    PageEntry(
        "learn/lesson.py", lesson.title, ":material/school:", "Learn", said=lesson.title, address=lesson.key,
        hidden=True,
    )
    for lesson in LESSONS
)  # fmt: skip
"""Reached from the page Lessons and from the pages that they explain: twelve more lines would hide the others."""
ENTRIES: Final = (*PAGES, *LESSON_PAGES)
GAPS: Final = ("Kernels", "Evaluate", "Papers")
"""Lines of the sidebar before which there is a gap."""


LINK: Final = "link"
_address = st.components.v2.component(
    "kernex_address", js="\n" + Path(__file__).with_name("address.js").read_text("utf-8") + "\n"
)


@dataclass(frozen=True)
class Link:
    """An address that was opened about data that are not here: its page, the data's name, and its settings."""

    url_path: str
    data: str
    settings: tuple[tuple[str, str], ...]


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
        workspace.remember(LINK, Link(entry.url_path, asked, settings))


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


@dataclass(frozen=True)
class Line:
    """One line of the sidebar, and its parts."""

    title: str
    icon: str
    parts: tuple[PageEntry, ...]


def _line(title: str, parts: Iterable[PageEntry]) -> Line:
    found = tuple(parts)
    return Line(title, found[0].icon, found)


LINES: Final = tuple(
    _line(title, parts) for title, parts in groupby(PAGES, key=lambda entry: entry.line or entry.title)
)


def entry_here() -> PageEntry:
    """Return the page that is open."""
    here = workspace.tab().page
    return next((entry for entry in ENTRIES if entry.url_path == here), PAGES[0])


def line_of(entry: PageEntry) -> Line:
    """Return the line of the sidebar that a page belongs to."""
    return next(line for line in LINES if line.title == (entry.line or entry.title))


def draw_lines(why_not: Callable[[str], str]) -> None:
    """Draw the lines of the sidebar; `why_not` says of an address why the open data cannot use it, or "".

    A line leads to its first part that fits, and the open one to where one is. Where none fits it is grey, with the reason
    of the first on hover.
    """
    here = entry_here()
    for number, group in enumerate(_groups()):
        with st.container(gap="xsmall", key=f"nav.{number}"):
            for line in group:
                fitting = [entry for entry in line.parts if not why_not(entry.url_path)]
                is_open = here in line.parts
                leads = here if is_open else fitting[0] if fitting else line.parts[0]
                why = "" if fitting or is_open else why_not(line.parts[0].url_path)
                st.page_link(
                    page_of(leads), label=line.title, icon=line.icon, width="stretch", disabled=bool(why), help=why or None
                )  # fmt: skip


def draw_parts(why_not: Callable[[str], str]) -> None:
    """Draw the parts of the open line as links beside each other; nothing where it has one page, nor on a lesson."""
    here = entry_here()
    parts = line_of(here).parts
    if here not in parts or len(parts) == 1:
        return
    with st.container(horizontal=True, gap="xxsmall", width="content", key="parts"):
        for entry in parts:
            why = "" if entry is here else why_not(entry.url_path)
            # without an icon of its own a link takes that of the page
            st.page_link(page_of(entry), label=entry.part, icon="", disabled=bool(why), help=why or None)


def _groups() -> list[list[Line]]:
    groups: list[list[Line]] = [[]]
    for line in LINES:
        if line.title in GAPS:
            groups.append([])
        groups[-1].append(line)
    return groups


def pages() -> list[st.Page]:
    """Return what st.navigation takes, made anew in every run; the first page is the one without a path."""
    return [page_of(entry) for entry in ENTRIES]


def page_of(entry: PageEntry) -> st.Page:
    """Return the page of an entry, for the navigation and for links to it; a copy, for a run writes into it."""
    # outside of a run Streamlit leaves half of a page out
    return copy(_page(entry) if get_script_run_ctx() else _page.__wrapped__(entry))


def page_at(address: str) -> st.Page:
    """Return the page with this last part of its address, for links to it."""
    return page_of(next(entry for entry in PAGES if entry.url_path == address))


@cache
def _page(entry: PageEntry) -> st.Page:
    """Return the page as it is at the start of every run."""
    return st.Page(
        partial(_run, entry.module),
        title=entry.title,
        icon=entry.icon,
        url_path=entry.url_path,
        default=entry is PAGES[0],
    )


def _run(module: str) -> None:
    """Draw the page of a module, which is imported when the page is first opened, if not by the warm-up."""
    importlib.import_module(module).run()


def lesson_page(lesson: Lesson) -> st.Page:
    """Return the page of a lesson, for links to it."""
    return page_of(next(entry for entry in LESSON_PAGES if entry.address == lesson.key))


def go_to(address: str) -> None:
    """Go to the page of this address. The data set stays in the address: its select box writes it there again."""
    # without query_params Streamlit refuses, because a parameter that is bound to a widget cannot be cleared
    st.switch_page(page_at(address), query_params={})
