"""What every page has: header, question, badges, formula, and the sidebar with the workspace.

page = open_page(title, question)      first line of every page; shows_data=False where it is not about the open data
page.badge(label, color="gray", icon=None, help=None)        at the top right, also after the study has run
dataset = need_data(demo="")           the chosen data set; without one, opens that demo, or offers all and ends the run
formula_expander(latex, assumptions)   "Formula and what was assumed"; latex: one or several, assumptions: sentences
panel_title(name, note="", words=())   bold name of a panel with a small grey note, and what words of the glossary mean
open_demo(title, seed=0)               adds a demo to the workspace, or switches to it
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.datasets.catalogue import DATASETS
from pages.shared import belongings, workspace
from pages.shared.cached import cached
from pages.shared.declared.settings import NONE, Declared
from pages.shared.digits import unbroken
from pages.shared.files import spreadsheet
from pages.shared.glossary.entries import address, explained, of_panel, words_in
from pages.shared.ground import watch
from pages.shared.lessons import explaining
from pages.shared.messages import guard, plain
from pages.shared.navigation import asked_data, keep_history, lesson_page, note_link, waiting_link
from pages.shared.settings import held
from pages.shared.share.link import link
from pages.shared.shown import registry

if TYPE_CHECKING:
    from kernex_core.inputs.dataset import DataSet

LOGO = Path(__file__).with_name("logo.svg")
MARK = Path(__file__).with_name("mark.svg")


@dataclass(frozen=True)
class PageFrame:
    """The header of an open page, and the badges that are in it."""

    slot: DeltaGenerator
    badges: set[str] = field(default_factory=set)

    def badge(
        self,
        label: str,
        color: Literal["gray", "green", "red", "orange", "blue"] = "gray",
        icon: str | None = None,
        help: str | None = None,
    ) -> None:
        """Add a badge at the top right of the page, unless one of that name is there."""
        if label in self.badges:
            return
        self.badges.add(label)
        self.slot.badge(label, color=color, icon=icon, help=explained(label, help))


def sidebar(url_path: str) -> None:
    """Draw the logo and the workspace; the choice made there, or in the address, holds from here on.

    It is drawn by the main script: what a page binds to the address leaves it when the visitor goes to another page.
    """
    workspace.begin(url_path, asked_data())
    note_link(url_path, (*workspace.datasets(), *(demo.title for demo in DATASETS)))
    keep_history()
    st.logo(str(LOGO), size="medium", icon_image=str(MARK))
    with st.sidebar:
        st.caption("WORKSPACE")
        _choose_dataset()
        belongings.describe()
        belongings.show()
        spreadsheet.choose()
        watch()


def open_page(title: str, question: str, settings: Declared = NONE, *, shows_data: bool = True) -> PageFrame:
    """Draw the header: title, one sentence on what the page answers, and room for badges.

    `settings` are all that can be set on it. What is to be known of the open data stands there too, unless the page shows
    other data or none.
    """
    registry.begin(title, question)
    held.opens(settings)
    with st.container(gap="xxsmall"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="head"
        ):
            st.title(title, anchor=False, width="content")
            with st.container(horizontal=True, width="content", gap="xsmall", vertical_alignment="center"):
                slot = st.container(horizontal=True, width="content", gap="xsmall")
                _lessons()
                link()
        st.markdown(f":gray[{question}]")
    frame = PageFrame(slot)
    dataset = workspace.current() if shows_data else None
    if dataset is not None and dataset.simulated:
        frame.badge("simulated", "orange", ":material/science:", "Made by a seeded generator, not measured.")
    if dataset is not None and dataset.labels is not None and dataset.labels.made_from:
        frame.badge(
            "classes made from a kernel", "orange", ":material/warning:",
            f"{plain(dataset.labels.made_from)}. How well a kernel finds them again is no evidence about anything else.",
        )  # fmt: skip
    return frame


def _lessons() -> None:
    """Offer the lessons that explain the page."""
    found = explaining(workspace.tab().page)
    if not found:
        return
    with (
        st.popover(
            "Learn",
            icon=":material/school:",
            type="tertiary",
            help="Lessons that explain this page, a few minutes each",
        ),
        st.container(gap="xxsmall"),
    ):
        for each in found:
            st.page_link(lesson_page(each), label=each.title, icon=":material/school:")
            st.caption(f"{each.goal} {each.minutes} minutes.")


def need_data(demo: str = "") -> DataSet:
    """Return the chosen data set; where there is none, open that demo, or offer all of them and end the run."""
    dataset = workspace.current()
    if dataset is None and demo and not _asked_for_other_data():
        open_demo(demo)
        st.rerun()  # the sidebar, which is drawn before, shows it
    if dataset is None:
        _ask_for_link()
        st.markdown("No data are open yet. Open a demo to see this page at work, or bring your own:")
        demo_buttons("need")
        st.page_link("data/data.py", label="Bring your own data", icon=":material/upload:")
        st.stop()
    return dataset


def _asked_for_other_data() -> bool:
    """Whether this page was opened by an address about data that are not here: a demo in their place would mislead."""
    waiting = waiting_link()
    return waiting is not None and waiting.url_path == workspace.tab().page


def _ask_for_link() -> None:
    """Say which data the address was about, and where to bring them."""
    link = waiting_link()
    if link is not None:
        kept = " The settings of the address are kept until then." if link.settings else ""
        st.info(
            f"This address is about the data “{plain(link.data)}”, which are not open here: a link holds settings, never "
            f"data. Bring their files on the page Data.{kept}",
            icon=":material/link:",
        )


def demo_buttons(key: str, about: str | None = None) -> None:
    """One button a demo, of all or of those about something; a click opens it."""
    with st.container(horizontal=True):
        for demo in (demo for demo in DATASETS if about in (None, demo.about)):
            st.button(
                demo.title,
                key=f"{key}.{demo.name}",
                help=demo.question,
                on_click=open_demo,
                args=(demo.title,),
            )


def open_demo(title: str, seed: int = 0) -> None:
    """Switch to the demo of that title, loading it where it is not open yet."""
    name = title if seed == 0 else f"{title}, seed {seed}"
    if name in workspace.datasets():
        workspace.switch(name)
    else:
        workspace.add(demo(title, name, seed))


@cached(shared=True)
def demo(title: str, name: str, seed: int = 0) -> DataSet:
    """Return the demo of that title under a name; it is made once for all visitors."""
    from dataclasses import replace

    bundled = next(bundled for bundled in DATASETS if bundled.title == title)
    return replace(bundled.load(seed), name=name)


def formula_expander(latex: str | Iterable[str], assumptions: Iterable[str] = ()) -> None:
    """Draw the closed expander with the page's formulas and what was assumed."""
    with st.expander("Formula and what was assumed"):
        formulas = [latex] if isinstance(latex, str) else list(latex)
        sentences = [unbroken(sentence) for sentence in assumptions]
        registry.explain(formulas, sentences)
        shown = [f"$$\n{formula.strip()}\n$$" for formula in formulas]
        shown.append("\n".join(f"- {sentence}" for sentence in sentences))
        words = words_in(" ".join(sentences))
        if words:
            links = " · ".join(f"[{each.term}]({address(each)})" for each in words)
            shown.append(f":small[In the glossary: {links}]")
        # one element: every run of the page sends it, and each element has its price
        st.markdown("\n\n".join(shown))


def panel_title(name: str, note: str = "", words: Iterable[str] = ()) -> None:
    """Write the title of a panel with a small grey note; both are markdown.

    Its hint has what the name means, the words of art of the note, and `words` of the glossary that stand in the panel.
    """
    registry.titled(name, note)
    said = of_panel(name, note, *words)
    st.markdown(f"**{name}**" + (f" :small[:gray[{note}]]" if note else ""), help=said)


def _choose_dataset() -> None:
    names = workspace.datasets()
    demos = [demo.title for demo in DATASETS if demo.title not in names]
    workspace.follow_choice()
    chosen = st.selectbox(
        "Data set",
        [*names, *demos],
        index=None,
        key=workspace.CHOICE_KEY,
        placeholder="Choose a demo",
        label_visibility="collapsed",
        required=True,
        bind="query-params",
    )
    if chosen is not None and chosen != workspace.current_name():
        with guard():
            open_demo(chosen)
