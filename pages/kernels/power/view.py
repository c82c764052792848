"""The page Power p: choose, look before and after, judge every p, keep."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from kernex_core.conditioning.scheme import SCHEMES
from kernex_core.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import evaluation_state
from kernex_core.learning.protocol import Protocol
from kernex_core.studies.diagonals.losses import Losses
from kernex_core.studies.diagonals.shrink import LARGEST, MEAN_DIAGONAL, DiagonalConfig, Shrunk
from kernex_core.studies.diagonals.strength_choice import choosing_strength
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep, sweeping_in_pieces
from pages.kernels.power import lessons, losses, pictures
from pages.kernels.power import results as given
from pages.kernels.power import subject as state
from pages.kernels.power.followed import drag_of
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number, percent
from pages.shared.frame import PageFrame
from pages.shared.glossary.entries import hint
from pages.shared.matrices.panels import Words
from pages.shared.messages import guard, show_error
from pages.shared.panels.accuracy import (
    ONE_PASS,
    against_floor,
    between,
    neighbour_interval,
    state_badge,
)
from pages.shared.panels.arrangement import arranged, order_box
from pages.shared.panels.inspection.eigenvector import Decomposed, eigenvector_panel
from pages.shared.panels.optimism import choice_row
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.panels.staged import Staged, run_study
from pages.shared.shown.drawn import measure
from pages.shared.shown.remarks import remarks_of_copies

AUTOMATIC = 320
"""Up to this number of items the losses start by themselves."""
NEIGHBOUR = "1-NN, all points"
MEANINGS = {
    "Diagonal dominance": hint("Diagonal dominance", first="“large” above 10."),
    "Zeros": "Share of similarities of two items that are exactly 0.",
    NEIGHBOUR: hint(
        "Nearest neighbour",
        "Floor",
        first=f"Leave-one-out, by the map of all points, whatever the basis. {ONE_PASS}",
    ),
}


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page: pictures first, and what takes time last, so that nothing waits for it."""
    K, config, inductive = state.choose(dataset)
    if K is None:
        return
    subject = state.subject_of(K, dataset.labels)
    try:
        made = state.shrink_in_pieces(config, K, dataset.labels)
    except NotPositiveSemidefiniteError as error:
        show_error(error)
        *most, last = [scheme.name for scheme in SCHEMES if scheme.takes_indefinite]
        st.caption(
            f"The schemes {', '.join(most)} and {last} take a similarity that is no kernel; the page Kernels shows what "
            "each repair costs and keeps the repaired kernel."
        )
        return
    if made is None:  # stopped, with a button that goes on
        return
    if made.empty:
        show_error(
            InvalidInputError(
                "This page needs similarities of which some are not 0",
                f"only zeros in {K.name!r}",
                "Choose another kernel, or bring one on the page Data",
            )
        )
        return
    state_badge(evaluation_state(made.gram, inductive=inductive), page.slot)
    _badge(page, made)
    left, right = st.columns([2, 1.45], gap="small")
    with left:
        items = _maps(made, subject, config, dataset.name)
    judged = st.container()
    _numbers(made)
    columns = st.columns(3, gap="small")
    with columns[0]:
        pictures.both_spectra(made)
    pictures.histograms(made, columns[1:])
    seen = state.before(K, dataset.labels)
    kernel = Decomposed(seen.decomposition, seen.block, seen.known, seen.diagnosis.negative)
    eigenvector_panel(kernel, items, name=K.name, key="diagonals.eigenvector", of="before, ")
    given.keep(subject, config, made, lambda: pictures.figure_after(made, items))
    files = st.container()
    lessons.show(subject, config, dataset)
    with right:
        found, here, protocol = _losses(dataset, subject, config, inductive)
    if found is not None:
        with judged, guard():
            losses.table(found, config, here, protocol)
            own_classes(subject.labels)
            remarks_of_copies("diagonals", (subject.judged,), subject.labels, protocol.validation)
            _choice(subject, config, protocol, found)
        with files:
            whole = found.including(config.strength, here)
            given.downloads(subject, config, protocol, whole)


def _choice(subject: state.Subject, config: DiagonalConfig, protocol: Protocol, found: DiagonalSweep) -> None:
    """Offer the choice of p inside the training folds where the lowest of several values is told."""
    if subject.labels is None or len(found.strengths) < 2 or found.done < found.total:
        return
    args = (
        state.without_strength(config), subject.judged, subject.labels, protocol, found.strengths
    )  # fmt: skip
    choice_row(
        Staged(state.nested_strength, choosing_strength, args), key="diagonals", of=f"{config.map.strength} for the SVM",
        cost=f"{len(found.strengths)} values, each judged inside every training fold too: this starts with a click.",
    )  # fmt: skip


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


def _maps(made: Shrunk, subject: state.Subject, config: DiagonalConfig, name: str) -> Items:
    labels, d = subject.all_labels, made.before
    slot, _ = st.columns([1, 1])
    how = order_box(slot, with_classes=labels is not None and bool(labels.classes))
    items = arranged(how, subject.K, labels)
    words = Words(
        f"{name}: {subject.K.name}", f"{config.scheme}, {config.map.strength} = {number(config.strength)}"
    )
    pictures.maps(made, items, words, drag_of(made, subject.K, config, items.positions))
    known = "" if d.n_known == d.n else f" Hatched cells are unknown. Numbers: {d.n_known:,} known items."
    st.caption(
        f"{_units(made)} The picture after is the "
        f"map of all points; in an inductive run every fold has its own.{known}"
    )
    return items


def _units(made: Shrunk) -> str:
    if made.units == (MEAN_DIAGONAL, MEAN_DIAGONAL):
        return "Both are divided by their mean diagonal and share one colour scale."
    words = {MEAN_DIAGONAL: MEAN_DIAGONAL, LARGEST: "largest size, for its mean diagonal is not above 0"}
    before, after = (words[unit] for unit in made.units)
    return f"Before is divided by its {before}; After by its {after}. They share one colour scale."


def _losses(
    dataset: DataSet, subject: state.Subject, config: DiagonalConfig, inductive: bool
) -> tuple[DiagonalSweep | None, dict[str, Losses] | None, Protocol]:
    """Draw the chart with its button below, so that it stands beside the heatmaps."""
    if subject.labels is None:
        st.caption(
            "Losses need labels of at least two classes among the known items: bring them on the page Data."
        )
        return None, None, Protocol(CrossValidation(inductive=inductive))
    place, found, here = st.empty(), None, None
    head = st.container(horizontal=True, vertical_alignment="center")
    with head:
        protocol = state.protocol(dataset, inductive)
    progress = st.container()
    args = (
        state.without_strength(config), subject.judged, subject.labels, protocol
    )  # fmt: skip

    study = Staged(state.sweep, sweeping_in_pieces, args, resumes=True)
    if not study.is_shared:  # one visitor judges a demo for all
        study = replace(study, enough=state.is_enough)

    def show(kept: DiagonalSweep) -> None:
        if kept.done < kept.total:
            with place.container():
                losses.chart(kept, config, protocol, running=True)

    with guard(), head:
        found = run_study(
            study,
            key="diagonals",
            what="kernels",
            automatic=subject.judged.n <= AUTOMATIC,
            label="Judge every value",
            place=progress,
            show=show,
        )
    if found is not None:
        with guard():
            here = losses.here(subject, config, protocol, found, automatic=subject.judged.n <= AUTOMATIC)
    with place.container(), guard():
        if found is None:
            st.caption("Nothing is judged yet.")
        else:
            losses.chart(found.including(config.strength, here), config, protocol)
    return found, here, protocol


def _numbers(made: Shrunk) -> None:
    before, after = made.before, made.after
    cells = {
        "Diagonal dominance": tuple(
            "—" if d.dominance != d.dominance else number(d.dominance) for d in (after, before)
        ),
        "Zeros": (percent(after.zero_share, 1), percent(before.zero_share, 1)),
        "Effective rank": (number(after.effective_rank), number(before.effective_rank)),
        "Condition": (number(after.condition), number(before.condition)),
        NEIGHBOUR: (_share(after.neighbour_accuracy), _share(before.neighbour_accuracy)),
    }
    columns, interval = numbers_in_a_row(len(cells)), neighbour_interval(after)
    floor, color = against_floor(after)
    floor = floor if color == "gray" else f":{color}[{floor}]"
    judged = () if interval is None else (f"**{between(interval)}** for other data sets", floor)
    for column, (name, (now, was)) in zip(columns, cells.items(), strict=True):
        with column:
            measure(
                name, now, f"before {was}", *(judged if name == NEIGHBOUR else ()), help=MEANINGS.get(name)
            )


def _share(value: float) -> str:
    return "—" if value != value else percent(value, 1)
