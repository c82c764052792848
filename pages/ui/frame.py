"""What every page has: title with its parts, badges, formula, and the sidebar with the workspace.

page = open_page(title, question)      first line of every page; shows_data=False where it is not about the open data
page.badge(label, color="gray", icon=None, help=None)        at the top right, also after the study has run
page.say_changed()                     what differs from the usual settings, beside the title
dataset = need_data(demo="")           the chosen data set; without one, or where it does not fit: that demo, or what the
                                       page would show, demos that fit and a box for files; ends the run
formula_text(latex, assumptions)       formulas and what was assumed as markdown, for the tab Method; the report has both
panel_title(name, note="", words=())   bold name of a panel with a small grey note, and what words of the glossary mean
open_demo(title, seed=0)               adds a demo to the workspace, or switches to it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.datasets.catalogue import DATASETS
from kernex_core.studies.papers.paper_table import Difference
from pages.export.downloads import link
from pages.server import belongings, workspace
from pages.server.cached import cached
from pages.server.colour_scheme import watch
from pages.server.declared import FITS, NONE, Declared, after_bringing, why_not
from pages.server.digits import unbroken
from pages.server.messages import guard, plain, shortened
from pages.server.navigation import (
    asked_data,
    draw_lines,
    draw_parts,
    entry_here,
    explaining,
    go_to,
    keep_history,
    lesson_page,
    note_link,
    page_at,
    waiting_link,
)
from pages.ui import files as waiting
from pages.ui import settings as held
from pages.ui import shown as registry
from pages.ui import widgets
from pages.ui.glossary import address, explained, of_panel, words_in

if TYPE_CHECKING:
    from kernex_core.inputs.dataset import DataSet


LOGO = Path(__file__).with_name("logo.svg")
MARK = Path(__file__).with_name("mark.svg")


MOST_CHIPS: Final = 3
"""Settings that are named beside the title; the others are counted."""
LONGEST_CHIP: Final = 28


@dataclass(frozen=True)
class PageFrame:
    """The header of an open page, and the badges that are in it."""

    slot: DeltaGenerator
    chips: DeltaGenerator | None = None
    badges: set[str] = field(default_factory=set)

    def say_changed(self) -> None:
        """Say beside the title which settings differ from the usual ones, but for those that stand in the first row."""
        if self.chips is None:
            return
        changed = [f"{label}: {text}" for label, text in widgets.changed()]
        if not changed:
            self.chips.empty()
            return
        said = [shortened(each, LONGEST_CHIP) for each in changed[:MOST_CHIPS]]
        said += [f"{len(changed) - MOST_CHIPS} more"] if len(changed) > MOST_CHIPS else []
        # one element: what stands here is replaced as a whole
        self.chips.markdown(
            " ".join(f":blue-badge[{plain(each)}]" for each in said), width="content",
            help=f"{plain('; '.join(changed))}. Settings takes it back.",
        )  # fmt: skip

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
    st.logo(str(LOGO), size="medium", icon_image=str(MARK))
    with st.sidebar:
        lines = st.container(gap="small", key="lines")
        st.caption("WORKSPACE")
        _choose_dataset()
        with lines:  # the reasons are those of the data that were just chosen
            draw_lines(_why_not)
        link()
        belongings.describe()
        belongings.show()
        watch()
        keep_history()


def _why_not(address: str) -> str:
    return why_not(address, workspace.current())


def open_page(title: str, question: str, settings: Declared = NONE, *, shows_data: bool = True) -> PageFrame:
    """Draw the header: title and parts of its line, and room for badges.

    `settings` are all that can be set on it; a page with any is worked on, and has its question as a hint: the picture is
    what one comes for. What is to be known of the open data stands there too, unless the page shows other data or none.
    """
    registry.begin(title, question)
    held.opens(settings)
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="head"
    ):
        with st.container(
            horizontal=True, width="content", gap="small", vertical_alignment="center", key="heading"
        ):
            heading = st.empty()
            draw_parts(_why_not)
            chips = st.empty()
        with st.container(horizontal=True, width="content", gap="xsmall", vertical_alignment="center"):
            slot = st.container(horizontal=True, width="content", gap="xsmall")
            _lessons()
    if not settings:
        st.markdown(f":gray[{question}]")
    say_hints = partial(_say_hints, heading, question if settings else "")
    say_hints()
    registry.current().say_hints = say_hints
    frame = PageFrame(slot, chips)
    frame.say_changed()
    registry.current().say_changed = frame.say_changed
    dataset = workspace.current() if shows_data else None
    if dataset is not None and dataset.simulated:
        frame.badge("simulated", "orange", ":material/science:", "Made by a seeded generator, not measured.")
    if dataset is not None and dataset.labels is not None and dataset.labels.made_from:
        frame.badge(
            "classes made from a kernel", "orange", ":material/warning:",
            f"{plain(dataset.labels.made_from)}. How well a kernel finds them again is no evidence about anything else.",
        )  # fmt: skip
    return frame


def _say_hints(place: DeltaGenerator, question: str) -> None:
    """Draw the title; its hint says what the page answers, and what the controls of its first row mean."""
    hints = [f"**{label}**: {text}" for label, text in registry.current().hints.items()]
    said = "\n\n".join(filter(None, (question, *hints)))
    place.title(entry_here().heading, anchor=False, width="content", help=said or None)


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
            st.caption(f"{each.asks} {each.minutes} minutes.")


def need_data(demo: str = "", more: Callable[[], None] | None = None) -> DataSet:
    """Return the chosen data set; where there is none or it does not fit the page, show what would be here and end the run.

    `demo` is opened where nothing is; `more` draws what else may be brought there.
    """
    dataset = workspace.current()
    if dataset is None and demo and not _asked_for_other_data():
        open_demo(demo)
        st.rerun()  # the sidebar, which is drawn before, shows it
    why = _why_not(entry_here().url_path)
    if dataset is None or why:
        _empty(why, more)
    return dataset


def _empty(why: str, more: Callable[[], None] | None) -> NoReturn:
    """Say what the page would show and what it needs, beside the demos that fit and a box for files; end the run."""
    _ask_for_link()
    fit = FITS.get(entry_here().url_path)
    left, right = st.columns(2, gap="large")
    with left:
        if fit is not None:
            st.markdown(f"**{fit.shows}**")
        if why:
            st.markdown(f":gray[{unbroken(why)}]")
        _instead()
        for bundled in (each for each in DATASETS if fit is None or each.title in fit.demos):
            with st.container(gap=None):
                st.button(
                    bundled.title, key=f"need.{bundled.name}", type="tertiary", icon=":material/arrow_forward:",
                    icon_position="right", on_click=open_demo, args=(bundled.title,),
                )  # fmt: skip
                st.markdown(f":small[:gray[{unbroken(bundled.question)}]]")
    with right:
        st.markdown(
            "**Your own data** :small[:gray[matrices, hits, sequences, vectors, edges, graphs, labels; all files at once]]",
            help=waiting.limits(),
        )
        if waiting.upload_box("need.upload"):
            go_to("data")
        if more is not None:
            more()
        if why:
            st.page_link(page_at("data"), label="What is open, and more files", icon=":material/table:")
    st.stop()


def _instead() -> None:
    """Link to the page that fits the data that are open."""
    dataset = workspace.current()
    if dataset is not None:
        step = after_bringing(dataset)
        if step.address != entry_here().url_path:
            st.page_link(
                page_at(step.address), label=step.label, icon=":material/arrow_forward:", help=step.said
            )


def _asked_for_other_data() -> bool:
    """Whether this page was opened by an address about data that are not here: a demo in their place would mislead."""
    asked = waiting_link()
    return asked is not None and asked.url_path == workspace.tab().page


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


def formula_text(latex: str | Iterable[str], assumptions: Iterable[str] = ()) -> str:
    """Note the page's formulas and what was assumed for its report; return both as markdown."""
    formulas = [latex] if isinstance(latex, str) else list(latex)
    sentences = [unbroken(sentence) for sentence in assumptions]
    registry.explain(formulas, sentences)
    shown = [f"$$\n{formula.strip()}\n$$" for formula in formulas]
    shown.append("\n".join(f"- {sentence}" for sentence in sentences))
    words = words_in(" ".join(sentences))
    if words:
        links = " · ".join(f"[{each.term}]({address(each)})" for each in words)
        shown.append(f":small[In the glossary: {links}]")
    return "\n\n".join(shown)


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


# Differences between measured and published numbers as they are written: in points of a percentage.


def points(share: float) -> str:
    """Return "+9.2" for .092: a signed difference in points, without a sign where it is 0."""
    text = f"{100.0 * share:+.1f}".replace("-", "−")
    return text[1:] if text[1:] == "0.0" else text


def marked(difference: Difference) -> str:
    """Return "+9.2 outside": a difference in points, and whether it is above two standard errors."""
    text = points(difference.gap)
    return f"{text} :orange[outside]" if difference.outside else text
