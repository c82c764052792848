"""Kernels before and after they were completed together, and what the page gives away of them."""

from __future__ import annotations

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.completion.views.methods import CompletedKernels, view_completion
from kernex_core.gram.provenance import write_script
from pages.combine.several import choice
from pages.combine.several.subject import Subject
from pages.combine.together.settings import TABS
from pages.shared import workspace
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.figures.codes import common_scale
from pages.shared.matrices.panels import Panel, Room, Words
from pages.shared.messages import shortened
from pages.shared.navigation import go_to
from pages.shared.panels.keep import Keep, Offer, Result, buttons
from pages.shared.panels.linked import linked
from pages.shared.settings import widgets

KEY: Final = "many.maps"
MOST_SHOWN: Final = 2
"""Kernels that are drawn before and after, unless a visitor asks for others: four matrices are one row."""


def drawn_box(subject: Subject, place: DeltaGenerator) -> list[str]:
    """Draw Settings with the choice of what is drawn, where there are more than two; return the names."""
    incomplete = subject.incomplete
    if len(incomplete) <= MOST_SHOWN:
        return incomplete
    with place, settings_box():
        group("Pictures")
        return widgets.several(
            "drawn", incomplete, default=incomplete[:MOST_SHOWN], key=f"many.drawn.{subject.dataset.name}", label="Drawn",
            help="All are completed; each takes room twice.",
        ) or incomplete[:1]  # fmt: skip


def matrices(
    subject: Subject, made: CompletedKernels, way: str, drawn: list[str], carriers: DeltaGenerator
) -> None:
    """Draw them, linked."""
    words = Words(f"{subject.dataset.name}: completed together", view_completion(way).title)
    room = Room(carriers, 0.4, TABS)
    linked(panels(subject, made, drawn), subject.items, key=KEY, words=words, whole_page=True, room=room)


def panels(subject: Subject, made: CompletedKernels, drawn: list[str]) -> list[Panel]:
    """Return what is drawn: each before and after, on one scale."""
    shown = []
    for name in (name for name in drawn if name in made.kernels):
        scale = common_scale([made.kernels[name].values])
        shown.append(Panel(shortened(name, 20), "before", subject.kernels[name].values, scale))
        shown.append(Panel(shortened(name, 20), "completed", made.kernels[name].values, scale))
    return shown


def give(subject: Subject, made: CompletedKernels) -> None:
    """Keep one of the completed kernels or all, download it, get its script."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = widgets.choose(
            "completed", subject.incomplete, key=f"many.completed.{subject.dataset.name}", label="Of kernel",
            width=200, help="Which one is kept or downloaded.",
        )  # fmt: skip
        K = made.kernels[name if name in made.kernels else subject.incomplete[0]]
        result = Result(
            f"{name}, completed",
            kernel=lambda: K,
            script=Offer(
                lambda: write_script([K.recipe], heading=f"Kernex: {name}, completed", prints=["$0.values"]),
                help="Python that completes all of them again.",
            ),
        )
        buttons(result, key="many.completed", keep=Keep())
        if st.button(
            "Keep all and weigh them", key="many.completed.all", icon=":material/balance:", help="On the part Many."
        ):  # fmt: skip
            _weigh(subject, made)


def _weigh(subject: Subject, made: CompletedKernels) -> None:
    """Keep what was completed, and go to Many with it in the place of what lacked items."""
    names = [
        workspace.keep_kernel(f"{name}, completed", K) if K is not subject.kernels[name] else name
        for name, K in made.kernels.items()
    ]
    workspace.show_in(choice.box(subject.dataset), names)
    go_to("combine/many/many.py")
