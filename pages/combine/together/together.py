"""The page Complete together on one screen: which kernels, by which way, before and after; then what one asks second."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.completion.views.methods import CompletedKernels, ViewErrors, errors_of, view_completion
from kernex_core.datasets.fetched.download import is_cached
from kernex_core.datasets.fetched.six_views import EXPECTED, KERNELS, MISSING, VIEWS, true_six_views
from kernex_core.gram.seen import seen_of
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.learning.leakage import state_of
from pages.combine import several
from pages.combine.several import Subject, subject_of
from pages.combine.together import results
from pages.combine.together.results import SETTINGS, TABS
from pages.server.cached import cached
from pages.server.digits import number, percent
from pages.server.messages import findings, guard
from pages.ui.answer import VerdictPlace, draw_parts, first_row
from pages.ui.frame import PageFrame, formula_text, need_data, open_page, panel_title
from pages.ui.panels.accuracy import state_badge
from pages.ui.panels.item_map import chosen_row
from pages.ui.shown import table

# What is found on the page Complete together: who lacks what, and how far to trust what stands there now.

TRUST, MOVE, LOWEST = "Trust", "Last move", "Smallest eigenvalue"
NAMES: Final = (TRUST, MOVE, LOWEST)
TRUST_HELP: Final = (
    "Share of an item's own similarity that the other kernels explain; median over all that was lacking."
)
MOVE_HELP: Final = (
    "How far the last sweep moved all entries, as a share of their size. Below 0.1 % the sweeps end."
)
LOWEST_HELP: Final = (
    "Of all completed kernels. At least 0 up to rounding: each is positive semidefinite by construction."
)


def lacking(subject: Subject) -> str:
    """Say how many kernels lack how many items."""
    covered, gone = subject.covered, (~subject.covered.known).sum(axis=1)
    low, high = int(gone[gone > 0].min()), int(gone.max())
    many = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return f"{len(subject.incomplete)} of {len(covered.names)} kernels lack {many} of {counted(len(covered.ids), 'item')}"


def fill(place: VerdictPlace, subject: Subject, made: CompletedKernels, way: str) -> None:
    """Write it."""
    views, title = made.views, view_completion(way).title
    if views is None:
        place.say(
            f"{lacking(subject)}. Filled in by {title}, which has no objective and no trust: the joint ways have."
        )
        for at in range(len(NAMES)):
            place.without(at)
        return
    place.say(f"{lacking(subject)}. The others complete them ({title}); what each had stays as it came.")
    trust = float(np.median(views.trust[~views.known]))
    place.number(0, TRUST, percent(trust), "", TRUST_HELP)
    note = "ended" if views.converged else "sweeps ended before"
    place.number(1, MOVE, f"{100.0 * views.gap:.2g} %", note, MOVE_HELP)
    place.number(2, LOWEST, number(float(views.smallest_eigenvalues.min())), "", LOWEST_HELP)


def nothing_lacks(place: VerdictPlace, subject: Subject) -> None:
    """Say that there is nothing to complete."""
    place.say(f"Nothing to complete: each of these {len(subject.covered.names)} kernels has every item.")
    for at in range(len(NAMES)):
        place.without(at)


# How the page Complete together works, in formulas and sentences.

FORMULAS: Final = (
    r"J = V \log\det\Big(\tfrac{1}{V}\sum_v T_v + \rho I\Big) - \sum_v \log\det R_v",
    r"R_v = T_{UU} - T_{US}\, T_{SS}^{-1}\, T_{SU}",
    r"W = (M_{SS} + c\,11^\top + r I)^{-1} (M_{SU} + c\,11^\top),\qquad Q_{SU} = K_{SS} W",
)
ASSUMPTIONS: Final = (
    "*S* are the items that kernel *v* has, *U* those that it lacks; *M* is a weighted mean of the other kernels, "
    "completed by turns until *J* stands still. What a kernel had stays bit for bit as it came.",
    "Trust is the share of an item's own similarity that the other kernels explain: 1 where the kernel had the item, 0 "
    "where it was made from nothing. It ranks items; on real data it goes along with the true error only moderately.",
    "A completed kernel was built on all items: accuracies of it are transductive. Labels are not looked at.",
    "*J* is not convex: what is found is a stationary point, the same in every run.",
    "Rivero, Lemence and Kato, Mutual kernel matrix completion, 2017.",
)


# Digits in six views: errors against the true kernels beside those known of other methods on the same mask.

KNOWN: Final = {
    "fast": ("Joint, fast", "reported"),
    "tuned": ("Joint, tuned", "reported"),
    "MKMC": ("MKMC (Rivero et al. 2017)", "reported, best of seven variants in hindsight"),
    "CVKT": ("CVKT (Huusari et al. 2019)", "reported, best of its levels in hindsight"),
}
"""What is reported: method, and in which way."""


def truth() -> FloatArray | None:
    """The true kernels, if their file was fetched, also since it was last asked for."""
    return _read() if is_cached(KERNELS) else None


@cached(public=True)
def _read() -> FloatArray | None:
    return true_six_views()


def is_about(subject: Subject, made: CompletedKernels) -> bool:
    """Whether these are the data."""
    return _errors(subject, made) is not None


def _errors(subject: Subject, made: CompletedKernels) -> ViewErrors | None:
    if len(subject.kernels) != VIEWS:
        return None
    true = truth()
    return None if true is None else errors_of(true, subject.kernels, made.kernels)


def show_reported(subject: Subject, made: CompletedKernels, way: str) -> None:
    """Draw the errors."""
    own = _errors(subject, made)
    if own is None:
        return
    panel_title("Beside what is known of these data", f"mask of {MISSING} %; against the true kernels")
    rows = [_row(view_completion(way).title, "here", own)]
    rows += [_row(*said, EXPECTED[name]) for name, said in KNOWN.items()]
    table("many.reported", rows, hide_index=True)
    st.caption(
        "Means over the views. CA error: 1 − alignment of a completed kernel with the true one. Relative error: of the rows "
        "that a view lacked. “In hindsight”: variants or levels were chosen by these very errors, which nobody has without "
        "the truth; ours were not. Of MKC (Bhadra et al. 2017) nothing is reported on this mask."
    )


def _row(method: str, how: str, errors: ViewErrors) -> dict[str, str]:
    return {
        "method": method,
        "number": how,
        "CA error": f"{errors.alignment_error:.5f}",
        "relative error": f"{errors.relative_error:.4f}",
    }


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    with first_row():
        first, second, last = (
            st.container(width="stretch"),
            st.container(width=220),
            st.container(width="content"),
        )
    with first:
        dataset, names = several.choose(dataset, f"together.kernels.{dataset.name}")
    if not names:
        return
    subject = subject_of(dataset, names, False)
    with second:
        way = results.way_box()
    drawn = results.drawn_box(subject, last)
    place = VerdictPlace(*NAMES)
    if not subject.incomplete:
        nothing_lacks(place, subject)
        several.show(subject)
        return
    place.waits(lacking(subject))
    made = None
    with place.wait.container(), guard():
        made = results.complete(subject, way)
    if made is None:
        several.show(subject)
        return
    _badges(page, subject, made)
    fill(place, subject, made, way)
    pictures, lower, carriers = st.container(gap="xsmall", key="maps"), st.container(), st.container()
    with pictures:
        results.matrices(subject, made, way, drawn, carriers)
    with lower:
        _tabs(subject, made, way, drawn)
        results.give(subject, made)


def _badges(page: PageFrame, subject: Subject, made: CompletedKernels) -> None:
    both = zip(made.kernels.values(), subject.kernels.values(), strict=True)
    seen = seen_of(*(K for K, given in both if K is not given))
    state_badge(state_of(seen), page.slot, about="Completed kernels.")
    if made.views is not None:
        results.certificate(page, made.views)
        findings(list(made.views.warnings))


def _tabs(subject: Subject, made: CompletedKernels, way: str, drawn: list[str]) -> None:
    """Draw what one asks second: the part that is open."""
    views = made.views
    parts: dict[str, Callable[[], None]] = {
        "Coverage": lambda: several.show(subject),
        **({} if views is None else {
            "Trust": lambda: results.show_trust(subject, views), "Objective": lambda: results.show_objective(views),
        }),
        "Other ways": lambda: results.show(subject),
        **({"Known results": lambda: show_reported(subject, made, way)} if is_about(subject, made) else {}),
        "Pair": lambda: chosen_row(results.panels(subject, made, drawn), subject.items, results.KEY),
        "Method": _method,
    }  # fmt: skip
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)


def _method() -> None:
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Complete together",
        "Several kernels of the same items, each of which lacks some: can they complete each other, and how far is that "
        "to be trusted?",
        SETTINGS,
    )
    dataset = need_data()
    with guard():
        show(page, dataset)
