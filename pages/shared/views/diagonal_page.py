"""The page Large diagonals: choose, look before and after, judge every p, keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from kernex_core.gram.recipe import call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import evaluation_mode
from kernex_core.studies.diagonal_sweep import DiagonalSweep
from kernex_core.studies.diagonals import DiagonalConfig, Shrunk
from pages.shared import workspace
from pages.shared.downloads import csv_button, figure_button, npz_button, script_button
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import number, percent
from pages.shared.frame import PageFrame
from pages.shared.messages import guard, plain
from pages.shared.views import diagonal_losses as losses
from pages.shared.views import diagonal_pictures as pictures
from pages.shared.views import diagonal_state as state
from pages.shared.views.accuracy import mode_badge
from pages.shared.views.kernel_state import BY_CLASS, BY_SIMILARITY, class_names, item_order
from pages.shared.views.staged import run_staged

AUTOMATIC = 320
"""Up to this number of items the losses start by themselves."""
KEPT = "diagonals.kept"
MEANINGS = {
    "Diagonal dominance": "Mean diagonal over mean absolute similarity of two items; flagged above 10.",
    "Zeros": "Share of similarities of two items that are exactly 0.",
    "Effective rank": "exp of the entropy of |λ| / Σ|λ|: near the number of items, all look different.",
    "Condition": "Largest over smallest eigenvalue; ∞ for a singular or indefinite matrix.",
    "1-NN, leave-one-out": "Accuracy of the nearest other item, on all points.",
}


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    K, config, inductive = state.choose(dataset)
    if K is None:
        return
    subject = state.subject_of(K, dataset.labels)
    made = state.shrunk(config, K, dataset.labels)
    mode_badge(evaluation_mode(made.gram, inductive=inductive), page.slot)
    _badge(page, made)
    columns = st.columns([1, 1, 1.45], gap="small")
    picture = _maps(made, subject, columns[:2])
    below = st.container()
    with columns[2]:
        found, validation = _losses(dataset, subject, config, inductive)
    with below:
        _about_maps(made, subject)
    if found is not None:
        with guard():
            losses.table(found, config, losses.here(subject, config, validation, found), validation.C)
    _numbers(made)
    columns = st.columns(3, gap="small")
    with columns[0]:
        pictures.both_spectra(made)
    pictures.histograms(made, columns[1:])
    _keep(K.name, config, made, picture)
    if found is not None:
        _downloads(subject, config, validation, found)


def _badge(page: PageFrame, made: Shrunk) -> None:
    if made.before.indefinite:
        page.badge(
            "indefinite before", "orange", ":material/warning:",
            "A similarity, not a kernel, before the map; the scheme leaves a kernel.",
        )  # fmt: skip
    page.badge(
        "a kernel after",
        "green",
        ":material/check:",
        "Positive semidefinite up to rounding, by construction.",
    )


def _sorted_by(subject: state.Subject) -> str:
    labels = subject.all_labels
    return BY_CLASS if labels is not None and labels.classes else BY_SIMILARITY


def _maps(made: Shrunk, subject: state.Subject, slots: Sequence[Any]) -> Picture:
    how, labels = _sorted_by(subject), subject.all_labels
    classes = class_names(labels) if how == BY_CLASS else None
    return pictures.heatmaps(made, item_order(how, subject.K, labels), classes, slots)


def _about_maps(made: Shrunk, subject: state.Subject) -> None:
    how, d = _sorted_by(subject), made.before
    pictures.key(class_names(subject.all_labels) if how == BY_CLASS else None, d.n_known < d.n)
    known = "" if d.n_known == d.n else f" Numbers: {d.n_known} known items."
    st.caption(
        f"Both are divided by their mean diagonal and share one colour scale. Sorted by {how}. The picture after is the "
        f"map on all points; in an inductive run every fold has its own.{known}"
    )


def _losses(
    dataset: DataSet, subject: state.Subject, config: DiagonalConfig, inductive: bool
) -> tuple[DiagonalSweep | None, CrossValidation]:
    """Draw the chart with its button below, so that it stands beside the heatmaps."""
    if subject.labels is None:
        st.caption(
            "Losses need labels of at least two classes among the known items: bring them on the page Data."
        )
        return None, CrossValidation(inductive=inductive)
    place, found = st.container(), None
    head = st.container(horizontal=True, vertical_alignment="center")
    with head:
        validation = state.protocol(dataset, inductive)
    args = (state.without_strength(config), subject.judged, subject.labels, validation)
    with guard(), head:
        found = run_staged(
            lambda: state.states(*args),
            lambda: state.sweep.peek(*args),
            lambda partial: state.sweep.keep(partial, *args),
            key="diagonals",
            what="values",
            automatic=subject.judged.n <= AUTOMATIC,
            label="Judge every value",
        )
    with place, guard():
        if found is None:
            st.caption("Nothing is judged yet.")
        else:
            losses.chart(found, config, validation)
    return found, validation


def _numbers(made: Shrunk) -> None:
    before, after = made.before, made.after
    cells = {
        "Diagonal dominance": (number(after.dominance), number(before.dominance)),
        "Zeros": (percent(after.zero_share, 1), percent(before.zero_share, 1)),
        "Effective rank": (number(after.effective_rank), number(before.effective_rank)),
        "Condition": (number(after.condition), number(before.condition)),
        "1-NN, leave-one-out": (_share(after.neighbour_accuracy), _share(before.neighbour_accuracy)),
    }
    for column, (name, (now, was)) in zip(st.columns(5, gap="small"), cells.items(), strict=True):
        with column, st.container(gap="xxsmall"):
            st.metric(name, now, help=MEANINGS[name])
            st.badge(f"before {was}", color="gray")


def _share(value: float) -> str:
    return "—" if value != value else percent(value, 1)


def _keep(title: str, config: DiagonalConfig, made: Shrunk, picture: Picture) -> None:
    symbol = "p" if config.phi == "power" else "log, scale"
    suggestion = f"{title}, {config.scheme} {symbol} = {config.strength:g}"[:80]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Keep this kernel as", suggestion, key=f"diagonals.name.{suggestion}", width=320)
        name = name.strip() or suggestion
        if st.button("Keep this kernel", type="primary", icon=":material/bookmark:", key="diagonals.keep"):
            with guard():
                workspace.remember(KEPT, workspace.keep_kernel(name, made.gram))
                st.rerun()
        csv_button("CSV", lambda: made.gram, name, key="diagonals.csv", help="Matrix with ids on both axes.")
        npz_button("NPZ", lambda: made.gram, name, key="diagonals.npz", help="NumPy archive: K and ids.")
        figure_button(
            "Figure", lambda: picture, name, title=name, key="diagonals.figure",
            settings={"kernel": title, "scheme": config.scheme, symbol: f"{config.strength:g}"},
            help="The heatmap after, as a page of its own.",
        )  # fmt: skip
    kept = workspace.recall(KEPT)
    if kept is not None:
        workspace.remember(KEPT, None)
        st.toast(f"Kept as {plain(kept)}: it can be completed, combined and judged on the other pages.")


def _downloads(
    subject: state.Subject, config: DiagonalConfig, validation: CrossValidation, found: DiagonalSweep
) -> None:
    with st.container(horizontal=True):
        csv_button(
            "Losses as CSV", lambda: losses.rows(found), "losses against p", key="diagonals.losses.csv",
            type="tertiary",
        )  # fmt: skip
        script_button(
            lambda: script(subject, config, validation), "large-diagonals", key="diagonals.script",
            help="Python that computes this kernel and the losses again with kernex_core alone.",
        )  # fmt: skip


def script(subject: state.Subject, config: DiagonalConfig, validation: CrossValidation) -> str:
    """Script of the kernel after, and of the losses of every p."""
    labels = subject.labels
    assert labels is not None  # without labels there are no losses and no script
    settings = state.without_strength(config)
    states = call(
        "states", "sweeping", settings, subject.judged, labels, validation,
        imports=("from kernex_core.studies.diagonal_sweep import sweeping",),
    )  # fmt: skip
    after = call(
        "after", "shrunk_kernel", config, subject.K,
        imports=("from kernex_core.studies.diagonals import shrunk_kernel",),
    )  # fmt: skip
    return write_script(
        [after, states],
        heading="Kernex: large diagonals\nRun it beside the folder kernex_core, with the uploaded files in the same place.",
        prints=["$0.values", "[(p, round(svm.mean, 4)) for s in list($1)[-1:] for p, svm in zip(s.strengths, s.svm)]"],
    )  # fmt: skip
