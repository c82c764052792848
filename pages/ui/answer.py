"""Where a page says what is best: one sentence and two or three numbers, in places that have their size from the start.

    place = VerdictPlace("Extrapolated", "Joint", "Error on hidden pairs")
    place.waits("Every kernel is being judged on the same folds …")
    place.say("**Extrapolated 97.6 %, joint 97.1 %**: not told apart.")
    place.number(0, "Extrapolated", "97.6 %", "96 to 99 %", help="Accuracy; in grey 95 %, other data sets.")

What stood there stays until it is replaced: nothing jumps while a slider is moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Final, TypeAlias

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.studies.evaluation import choosing_among
from pages.server import workspace
from pages.server.cached import cached
from pages.server.colour_scheme import on_primary
from pages.server.messages import guard, shortened
from pages.ui import projector, widgets
from pages.ui import settings as held
from pages.ui import shown as registry
from pages.ui.figures.bars import Dot, dots
from pages.ui.figures.chart import Picture
from pages.ui.glossary import explained
from pages.ui.panels.accuracy import choice_basis, choice_sentence
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Staged, watch_study
from pages.ui.shown import remarks_of_choice

# Choosing ends in a choice: what was tried, what the choice is worth made inside the folds, and a button to use it.
#
#     asked = Choosing("λ", study, key="complete", use=lambda name: ("lam", value), now="λ = 0.25", picture=curve)
#     if st.button("Choose λ"): choose(asked)          opens the dialog
#     if is_asked("complete.maps"): choose(asked)      where the button stands in the bar of pictures
#
# Streamlit closes a dialog where the script is run again: the study runs inside it, with a bar.

TRIED: Final = "candidates, inside every training fold"


@dataclass(frozen=True, eq=False)
class Choosing:
    """What is chosen, and what becomes of it.

    Attributes
    ----------
    of : str
        What it is: "λ".
    study : Staged or NestedChoice
        The choice made again inside every training fold, or what it found where that is known.
    key : str
        Prefix of the keys of its widgets.
    use : callable
        Of the name of a candidate: the keys of the widgets that take it, and their values; one pair, or
        several; or what sets them.
    now : str
        Name of the candidate that is set; "" = none of them.
    picture : callable, optional
        Makes the curve of what was tried.
    """

    of: str
    study: Staged[NestedChoice] | NestedChoice
    key: str
    use: Callable[[str], tuple[str, object] | Mapping[str, object] | Callable[[], None]]
    now: str = ""
    picture: Callable[[], Picture] | None = None


def is_asked(key: str) -> bool:
    """Whether the button in the bar of these pictures was pressed; told once."""
    asked: bool = workspace.recall(f"{key}.picking", False)
    workspace.remember(f"{key}.picking", False)
    return asked


def choose(asked: Choosing) -> None:
    """Open the dialog."""
    st.dialog(f"Choose {asked.of}", width="medium")(_drawn)(asked)


def _drawn(asked: Choosing) -> None:
    with guard():
        if asked.picture is not None:
            draw(asked.picture(), f"{asked.key}.choose.curve")
        study = asked.study
        # with a rerun at its end, as a study of the page has, the dialog would close
        found = study if isinstance(study, NestedChoice) else watch_study(study, st.empty(), TRIED)
        _result(asked, found)


def _result(asked: Choosing, found: NestedChoice) -> None:
    picked, times = found.picks[0]
    left, right = st.columns([4, 1], vertical_alignment="center", gap="medium")
    with left:
        st.markdown(choice_sentence(found))
        st.caption(choice_basis(found))
        remarks_of_choice(f"{asked.key}.choice", found)
    used = asked.use(picked)
    with right, st.container(horizontal_alignment="right"):
        if picked == asked.now:
            st.markdown(":gray[It is set.]")
        elif st.button(
            on_primary(f"Use {picked}"), type="primary", key=f"{asked.key}.choose.use", on_click=_use, args=(used,),
            help=f"Chosen in {times} of {found.picked.size} folds.",
        ):  # fmt: skip
            st.rerun()


def _use(used: tuple[str, object] | Mapping[str, object] | Callable[[], None]) -> None:
    if callable(used):
        used()
        return
    for key, value in dict([used] if isinstance(used, tuple) else used).items():
        workspace.show_in(key, value)


# Choosing one of several judged kernels: a button that opens what was tried and what the choice is worth.
#
# choice_of_kernels({"clip": judgement, "flip": judgement}, kernels, labels, validation, Picked("repair", "repair", now))


@cached(public=True)
def chosen(kernels: Mapping[str, GramMatrix], labels: Labels, validation: CrossValidation) -> NestedChoice:
    """Return the choice among all kernels; the dialog keeps it under the same key."""
    return list(choosing_among(kernels, labels, validation))[-1]


@dataclass(frozen=True)
class Picked:
    """What is chosen: its name, the key of the widget that takes it, prefix of the keys of the button, and what is set."""

    of: str
    widget: str
    key: str
    now: str


def choice_of_kernels(
    judged: Mapping[str, Judgement],
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    picked: Picked,
) -> None:
    """Draw the button; nothing where there is no choice.

    Parameters
    ----------
    judged : mapping of str to Judgement
        What the page shows of each.
    kernels : mapping of str to GramMatrix
        Those among which is chosen, as they were judged.
    labels : Labels
        Of the same items.
    validation : CrossValidation
        As they were judged by.
    picked : Picked
    """
    if len(kernels) < 2 or not st.button(
        f"Choose {picked.of}", key=f"{picked.key}.choose", icon=":material/rule:",
        help=f"{len(kernels)} are judged inside every training fold, too.",
    ):  # fmt: skip
        return
    study = Staged(chosen, choosing_among, (kernels, labels, validation))

    def picture() -> Picture:
        return tried({name: judged[name] for name in kernels})

    def use(name: str) -> tuple[str, object]:
        return picked.widget, name

    choose(Choosing(picked.of, study, picked.key, use, picked.now, picture))


def tried(judged: Mapping[str, Judgement]) -> Picture:
    """Multi-class accuracy of each, with its interval."""
    rows = []
    for name, made in judged.items():
        interval = made.interval()
        ends = () if interval is None else (100.0 * interval.low, 100.0 * interval.high)
        rows.append(Dot(shortened(name, 30), 100.0 * made.multi_class.mean, *ends))
    return dots(rows, x_title="multi-class accuracy, %")


# The first row of a page: at most four controls, without hints of their own, which stand in that of the title.
#
#     with first_row():
#         first, second = st.container(width=200), st.container(width="stretch")
#         in_title("Floor", "The largest class alone.")
#
# Where one hangs on what Settings holds, it is drawn after it: `with Later(second): ...`. Each hint is a stop of the
# Tab key on the way to the picture. The row ends with the button Settings, or with the verdict.


def first_row() -> DeltaGenerator:
    """Draw the row, empty."""
    registry.current().in_first_row = True
    return st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls")


@dataclass(frozen=True)
class Later:
    """A place of the row for what can be drawn only when something behind it is known, on which it hangs."""

    place: DeltaGenerator

    def __enter__(self) -> None:
        """Draw into it, as into the row."""
        registry.current().in_first_row = True
        self.place.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let controls have their hints again."""
        self.place.__exit__(kind, error, trace)
        end_first_row()


def in_title(name: str, hint: str | None) -> None:
    """Let the title's hint say what something means that has none of its own."""
    if hint:
        registry.current().hints[name] = hint


def end_first_row() -> None:
    """Let controls have their hints again, and the title say those of the row."""
    page = registry.current()
    if page.in_first_row:
        page.in_first_row = False
        page.say_hints()


WIDTH, PROJECTED = 164, 224
"""Pixels of a number."""


class VerdictPlace:
    """One row: the sentence takes what the numbers leave.

    Attributes
    ----------
    names : tuple of str
        Of the numbers.
    wait : container
        Above the sentence: a bar and Stop of what has to be waited for.
    """

    def __init__(self, *names: str) -> None:
        end_first_row()
        self.names, self.said = names, ""
        self.helps: dict[str, str] = {}
        with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="verdict"):
            with st.container(width="stretch", gap=None, key="sentence"):
                self.wait, self.sentence = st.empty(), st.empty()
            width = PROJECTED if projector.is_on() else WIDTH
            self.places = [st.container(width=width, key=f"tile{k}").empty() for k in range(len(names))]

    def waits(self, said: str) -> None:
        """Say what is being worked on, with places for the numbers."""
        self.sentence.markdown(f":gray[{said}]")
        for place, name in zip(self.places, self.names, strict=True):
            place.metric(name, "…")

    def say(self, said: str, by: str = "") -> None:
        """Write the sentence (markdown), its beginning in bold; it is in the report, too, with the measure that it is by."""
        registry.remark("verdict", [f"{said} ({by})" if by else said])
        self.said, self.helps = led(said), {}
        self.sentence.markdown(self.said)

    def number(self, at: int, name: str, value: str, note: str = "", help: str | None = None) -> None:
        """Write a number; `note` is said in grey beside its name: its interval, its floor.

        What it means is the sentence's hint: one of each number would be as many stops of the Tab key. Without `help` it is
        what the glossary says; with "" the sentence has none, for the title's says it (`in_title`).
        """
        registry.count(name, value, note)
        self.places[at].metric(f"{name} :gray[{note}]" if note else name, value)
        about = None if help == "" else explained(name, help)
        if about:
            self.helps[name] = about
            self.sentence.markdown(
                self.said, help="  \n".join(f"**{each}**: {text}" for each, text in self.helps.items())
            )

    def without(self, at: int) -> None:
        """Leave a number out."""
        self.places[at].empty()


def led(said: str) -> str:
    """Return a sentence with what it begins with in bold: all before its first colon, or its first full stop."""
    head, mark, rest = said.partition(": ")
    if not mark or ". " in head:
        head, mark, rest = said.partition(". ")
    end = "." if mark == ". " else ""
    return f"**{head}{end}**{' ' if mark == '. ' else mark}{rest}" if mark else f"**{said}**"


# What one asks second: tabs below the pictures, of which the open one alone is drawn.
#
# draw_parts({"Accuracy": lambda: accuracy(found), "Method": partial(st.markdown, said)}, key=TABS)

Parts: TypeAlias = Mapping[str, Callable[[], object]]


def draw_parts(parts: Parts, *, key: str | None = None, name: str = "tab") -> None:
    """Draw the tabs, and in the open one what belongs there; what goes wrong in it is said in it.

    Parameters
    ----------
    parts : mapping of str to callable
        By the title of its tab, what draws each.
    key : str, optional
        Of the widget; default: its setting's name.
    name : str
        Of the setting, as the page declares it.
    """
    for tab, show in zip(widgets.tabs(name, list(parts), key=key), parts.values(), strict=True):
        if tab.open:
            with tab, guard():
                show()


# The button Settings: everything of a page that is not in its first row, grouped, with how many differ and a way back.
#
# with settings_box(2) as columns:
#     with columns[0]:
#         group("Both kernels")
#         config = controls(...)

COLUMN = 260
"""Pixels of a column; three of them and 70 % of the height are what a window of 1,280 × 720 has room for."""


@contextmanager
def settings_box(columns: int | Sequence[float] = 1) -> Iterator[list[DeltaGenerator]]:
    """Draw the button, and yield the columns of what it opens; all widgets are drawn while it is closed, too."""
    n = columns if isinstance(columns, int) else len(columns)
    end_first_row()
    changed = len(widgets.changed())
    button = st.popover(
        f"Settings · {changed}" if changed else "Settings", icon=":material/tune:", key="settings", width="content"
    )  # fmt: skip
    with button, st.container(width=COLUMN * n, key="settings_body", gap="small"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            said = f"**{counted(changed, 'setting')} differ{'s' if changed == 1 else ''}**"
            st.markdown(said if changed else ":gray[All as usual]", width="content")
            st.button(
                "Reset all", icon=":material/restart_alt:", type="tertiary", key="settings.usual",
                disabled=not changed, on_click=held.as_usual,
            )  # fmt: skip
        yield st.columns(columns, gap="medium") if n > 1 else [st.container()]
    # a text of an address that no widget takes is known for one only now, and a fragment draws no head
    registry.current().say_changed()


def group(name: str) -> None:
    """Write the name of a group of settings."""
    st.markdown(f":small[**{name.upper()}**]")
