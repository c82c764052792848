"""Kernels that lack items, completed together: matrices before and after, how it went, and how far to trust it."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from kernex_core.frozen import IntArray
from kernex_core.gram.seen import seen_of
from kernex_core.inputs.names import counted
from kernex_core.joint.views.complete import TUNED_LIMIT, CompletedViews
from kernex_core.joint.views.kept import CompletedKernels, completing_kernels
from kernex_core.joint.views.methods import VIEW_COMPLETIONS, view_completion
from kernex_core.learning.leakage import state_of
from pages.combine.many import trust
from pages.combine.many.subject import Subject, completed
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.codes import common_scale
from pages.shared.figures.curve import Line, curve
from pages.shared.figures.picture import Items, Picture
from pages.shared.figures.theme import SERIES, number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.matrices.panels import Panel, Words
from pages.shared.messages import findings, shortened
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.arrangement import class_list, display_order
from pages.shared.panels.heatmap import draw
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.panels.linked import linked
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.settings import widgets
from pages.shared.shown.drawn import metric

AT_ONCE: Final = 60
"""Items × kernels up to which it takes no time worth a word."""
MOST_SHOWN: Final = 3
"""Kernels that are drawn before and after, unless a visitor asks for more."""
ORDER: Final = ("fast", "tuned", "sweeps", "single", "mean", "zero")


def way_box() -> str:
    """Draw the choice of a way."""
    ways = {way.name: way for way in VIEW_COMPLETIONS}
    about = " ".join(f"{ways[name].title}: {ways[name].about}" for name in ORDER)
    return widgets.choose("many_way", ORDER, said=lambda name: ways[name].title, help=about)


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


def show(page: PageFrame, subject: Subject, made: CompletedKernels, way: str) -> None:
    """Draw what completing did."""
    seen = seen_of(
        *(
            K
            for K, given in zip(made.kernels.values(), subject.kernels.values(), strict=True)
            if K is not given
        )
    )
    state_badge(state_of(seen), page.slot, about="Completed kernels.")
    title = view_completion(way).title
    panel_title("Completed together", f"{title}; hatched before: not known", ("Completion", "Joint kernel"))
    _matrices(subject, made, title)
    views = made.views
    if views is None:
        st.caption(f"{view_completion(way).about} It has no objective and no trust: the joint ways have.")
        return
    _certificate(page, views)
    findings(list(views.warnings))
    left, right = st.columns([2, 3], gap="medium")
    with left:
        panel_title("Objective", f"{counted(views.objective.size - 1, 'sweep')}; it never rises")
        draw(objective(views), "many.objective")
        _numbers(views)
    with right:
        trust.show(subject, views)


def _matrices(subject: Subject, made: CompletedKernels, title: str) -> None:
    incomplete = subject.incomplete
    names = incomplete
    if len(incomplete) > MOST_SHOWN:
        names = widgets.several(
            "drawn", incomplete, default=incomplete[:MOST_SHOWN], key=f"many.drawn.{subject.dataset.name}",
            help="All are completed; each takes room twice.",
        ) or incomplete[:1]  # fmt: skip
    names = [name for name in names if name in made.kernels]
    items = items_of(subject)
    scales = {name: common_scale([made.kernels[name].values]) for name in names}
    before = [
        Panel(shortened(name, 20), "before", subject.kernels[name].values, scales[name]) for name in names
    ]
    after = [
        Panel(shortened(name, 20), "completed", made.kernels[name].values, scales[name]) for name in names
    ]
    linked(
        [*before, *after], items, key="many.maps",
        words=Words(f"{subject.dataset.name}: completed together", title), whole_page=True,
    )  # fmt: skip


def items_of(subject: Subject) -> Items:
    """Items of the subject, by class where there are classes."""
    labels = subject.dataset.labels
    first = next(iter(subject.kernels.values()))
    if labels is not None and labels.ids != subject.covered.ids:
        place = {name: k for k, name in enumerate(labels.ids)}
        labels = labels.take(np.array([place[name] for name in subject.covered.ids]))
    order: IntArray = display_order("class", first, labels, np.ones(first.n, dtype=bool))
    return Items(first.ids, class_list(labels), order)


def _certificate(page: PageFrame, views: CompletedViews) -> None:
    lowest = float(views.smallest_eigenvalues.min())
    said = f"Smallest eigenvalue of all completed kernels {number(lowest)}; the objective never rose."
    if views.certificate_holds:
        page.badge("certificate holds", "green", ":material/check:", said)
    else:
        page.badge(
            "certificate fails", "red", ":material/close:",
            f"Smallest eigenvalue {number(lowest)}, or an objective that rose: please report it.",
        )  # fmt: skip


def _numbers(views: CompletedViews) -> None:
    first, second = numbers_in_a_row(2)
    if views.last_move:
        st.caption(views.last_move)
    with first:
        metric(
            "Last move", f"{100.0 * views.gap:.2g} %",
            help="How far the last sweep moved all entries, as a share of their size. Below 0.1 % the sweeps end.",
            note="ended" if views.converged else "sweeps ended before",
        )  # fmt: skip
    with second:
        metric(
            "Smallest eigenvalue", number(float(views.smallest_eigenvalues.min())),
            help="Of all completed kernels. At least 0 up to rounding: each is positive semidefinite by construction.",
        )  # fmt: skip


def objective(views: CompletedViews) -> Picture:
    """J against the sweeps."""
    sweeps = list(range(views.objective.size))
    line = Line("J", sweeps, views.objective, SERIES, markers=True)
    return curve([line], Across("sweep", ticks=sweeps), Values("objective J"), height=230)
