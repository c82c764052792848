"""Completing kernels from each other: which way, with progress and Stop, and how it went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from kernex_core.completion.views.complete import TUNED_LIMIT, CompletedViews
from kernex_core.completion.views.methods import VIEW_COMPLETIONS, CompletedKernels, completing_kernels
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted
from kernex_core.runtime.progress import finished
from pages.combine.several.subject import Subject
from pages.shared.cached import cached
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Line, curve
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import SERIES, number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.panels.heatmap import draw
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.settings import widgets

AT_ONCE: Final = 60
"""Items × kernels up to which it takes no time worth a word."""
ORDER: Final = ("fast", "tuned", "sweeps", "single", "mean", "zero")


def way_box() -> str:
    """Draw the choice of a way."""
    ways = {way.name: way for way in VIEW_COMPLETIONS}
    about = " ".join(f"{ways[name].title}: {ways[name].about}" for name in ORDER)
    return widgets.choose("many_way", ORDER, said=lambda name: ways[name].title, help=about)


@cached(public=True)
def completed(kernels: Mapping[str, GramMatrix], way: str) -> CompletedKernels:
    """Kernels completed together."""
    return finished(completing_kernels(kernels, way))


def complete(subject: Subject, way: str) -> CompletedKernels | None:
    """Complete with progress and Stop; None where it was stopped."""
    n, count = len(subject.covered.ids), len(subject.kernels)
    if way == "tuned" and n > TUNED_LIMIT:
        st.caption(
            f"Tuned takes 15 to 25 times as long as fast: of {n:,} items some minutes. Fast suits learning as well."
        )
    return run_in_pieces(
        Pieced(completed, completing_kernels, (subject.kernels, way)), key="many.complete",
        what="% of the completion", at_once=n * count <= AT_ONCE, label="Complete together",
    )  # fmt: skip


def certificate(page: PageFrame, views: CompletedViews) -> None:
    """Say beside the title whether each is positive semidefinite and the objective never rose."""
    lowest = float(views.smallest_eigenvalues.min())
    said = f"Smallest eigenvalue of all completed kernels {number(lowest)}; the objective never rose."
    if views.certificate_holds:
        page.badge("certificate holds", "green", ":material/check:", said)
    else:
        page.badge(
            "certificate fails", "red", ":material/close:",
            f"Smallest eigenvalue {number(lowest)}, or an objective that rose: please report it.",
        )  # fmt: skip


def show_objective(views: CompletedViews) -> None:
    """Draw how it went."""
    panel_title("Objective", f"{counted(views.objective.size - 1, 'sweep')}; it never rises")
    draw(objective(views), "many.objective")
    if views.last_move:
        st.caption(views.last_move)


def objective(views: CompletedViews) -> Picture:
    """J against the sweeps."""
    sweeps = list(range(views.objective.size))
    line = Line("J", sweeps, views.objective, SERIES, markers=True)
    return curve([line], Across("sweep", ticks=sweeps), Values("objective J"), height=230)
