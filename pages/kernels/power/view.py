"""The page Power p on one screen: kernel and scheme, the verdict, before and after with p at them beside the losses.

Pictures come first, and what takes time last, so that nothing waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.conditioning.schemes import SCHEMES
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.leakage import evaluation_state
from kernex_core.studies.diagonals.judging import Losses
from kernex_core.studies.diagonals.shrink import LARGEST, MEAN_DIAGONAL, Shrunk
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep, choosing_strength, sweeping_in_steps
from pages.kernels.power import choice, lessons, losses, pictures, verdict
from pages.kernels.power import results as given
from pages.kernels.power import subject as state
from pages.kernels.power.choice import STRENGTH_KEYS, Choice
from pages.kernels.power.followed import drag_of
from pages.kernels.power.method import ASSUMPTIONS, FORMULAS
from pages.kernels.power.numbers import numbers
from pages.kernels.power.settings import TABS
from pages.shared import workspace
from pages.shared.answer.choosing import Choosing, choose
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, formula_text
from pages.shared.matrices.panels import Words
from pages.shared.messages import guard, show_error
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.arrangement import arranged
from pages.shared.panels.build import about
from pages.shared.panels.chosen_row import chosen_row
from pages.shared.panels.inspection.eigenvector import Decomposed, eigenvector_panel
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.staged import Staged, run_study
from pages.shared.shown.remarks import remarks_of_copies

AUTOMATIC = 320
"""Up to this number of items the losses start by themselves."""
WIDTHS = 1.62, 1.0
"""Of both matrices, and of the losses."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What was judged: the values of the chart, and the one that is set, if it is not among them."""

    sweep: DiagonalSweep | None = None
    here: dict[str, Losses] | None = None


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    chosen = choice.choose(dataset)
    said = formula_text(FORMULAS, ASSUMPTIONS)
    if chosen.K is None:
        if chosen.kind is not None:
            about(chosen.kind)
        return
    subject = state.subject_of(chosen.K, dataset.labels)
    made = _shrunk(subject, chosen)
    if made is None:
        return
    state_badge(evaluation_state(made.gram, inductive=chosen.inductive), page.slot)
    if made.before.indefinite:
        page.badge(
            "indefinite before", "orange", ":material/warning:",
            "A similarity, not a kernel, before the map; the scheme leaves a kernel.",
        )  # fmt: skip
    place = VerdictPlace(*verdict.names(subject.labels is not None))
    verdict.pictured(place, made, subject.labels is not None)
    with st.container(key="maps"):
        left, right = st.columns(WIDTHS, gap="medium")
    with left:
        items = _maps(made, subject, chosen, dataset.name)
    lower = st.container()
    with right:
        judged = _losses(place, subject, chosen)
        if judged.sweep is None:
            pictures.both_spectra(made)
    with lower:
        _tabs(subject, chosen, made, items, judged, dataset, said)
        given.keep(subject, chosen.config, made, lambda: pictures.figure_after(made, items))
    if workspace.recall(pictures.CHOOSING, False):
        workspace.remember(pictures.CHOOSING, False)
        _choose(subject, chosen, judged.sweep)


def _shrunk(subject: state.Subject, chosen: Choice) -> Shrunk | None:
    """The kernel before and after; None where it is refused, which is said, or stopped, with a button that goes on."""
    K = subject.K
    try:
        made = state.shrink_in_pieces(chosen.config, K, subject.all_labels)
    except NotPositiveSemidefiniteError as error:
        show_error(error)
        *most, last = [scheme.name for scheme in SCHEMES if scheme.takes_indefinite]
        st.caption(
            f"The schemes {', '.join(most)} and {last} take a similarity that is no kernel; the page Kernels shows what "
            "each repair costs and keeps the repaired kernel."
        )
        return None
    if made is None or not made.empty:
        return made
    show_error(
        InvalidInputError(
            "This page needs similarities of which some are not 0",
            f"only zeros in {K.name!r}",
            "Choose another kernel, or bring one on the page Data",
        )
    )
    return None


def _maps(made: Shrunk, subject: state.Subject, chosen: Choice, name: str) -> Items:
    config = chosen.config
    items = arranged(chosen.order, subject.K, subject.all_labels)
    words = Words(
        f"{name}: {subject.K.name}", f"{config.scheme}, {config.map.strength} = {number(config.strength)}"
    )
    drag = drag_of(made, subject.K, config, items.positions, subject.labels is not None)
    pictures.maps(made, items, words, drag)
    if made.units != (MEAN_DIAGONAL, MEAN_DIAGONAL):
        words_of = {
            MEAN_DIAGONAL: MEAN_DIAGONAL,
            LARGEST: "largest size, for its mean diagonal is not above 0",
        }
        before, after = (words_of[unit] for unit in made.units)
        st.caption(f"Before is divided by its {before}; After by its {after}. They share one colour scale.")
    return items


def _losses(place: VerdictPlace, subject: state.Subject, chosen: Choice) -> Judged:
    """Draw the chart, and what it waits for beside the verdict, which follows from it."""
    labels, config, protocol = subject.labels, chosen.config, chosen.protocol
    if labels is None:
        return Judged()
    chart, found, here = st.empty(), None, None
    args = state.without_strength(config), subject.judged, labels, protocol
    study = Staged(state.sweep, sweeping_in_steps, args, resumes=True)
    if not study.is_shared:  # one visitor judges a demo for all
        study = replace(study, enough=state.is_enough)

    def show(kept: DiagonalSweep) -> None:
        if kept.done < kept.total:
            with chart.container():
                losses.chart(kept, config, protocol, running=True)

    automatic = subject.judged.n <= AUTOMATIC
    with place.wait.container(), guard():
        found = run_study(
            study.leading,
            key="diagonals",
            what="kernels",
            automatic=automatic,
            label="Judge every value",
            show=show,
        )
        if found is not None:
            here = losses.here(subject, config, protocol, found, automatic=automatic)
    verdict.judged(place, found, here, config)
    with chart.container(), guard():
        if found is not None:
            losses.chart(found.including(config.strength, here), config, protocol)
    return Judged(found, here)


def _tabs(
    subject: state.Subject,
    chosen: Choice,
    made: Shrunk,
    items: Items,
    judged: Judged,
    dataset: DataSet,
    said: str,
) -> None:
    """Draw what one asks second: the part that is open."""
    parts: dict[str, Callable[[], None]] = {
        "Spectra": lambda: _spectra(made, judged.sweep is not None),
        **({"Losses": lambda: _in_detail(subject, chosen, judged)} if judged.sweep is not None else {}),
        "Numbers": lambda: numbers(made),
        "Eigenvector": lambda: _eigenvector(subject, items),
        "Pair": lambda: chosen_row(pictures.panels_of(made), items, pictures.KEY),
        "Origins": lambda: lessons.show(subject, chosen.config, dataset),
        "Method": lambda: _method(chosen, said),
    }
    draw_parts(parts, key=TABS)


def _in_detail(subject: state.Subject, chosen: Choice, judged: Judged) -> None:
    found, config, protocol = judged.sweep, chosen.config, chosen.protocol
    if found is None:
        return
    losses.table(found, config, judged.here, protocol)
    own_classes(subject.labels)
    remarks_of_copies("diagonals", (subject.judged,), subject.labels, protocol.validation)
    given.downloads(subject, config, protocol, found.including(config.strength, judged.here))


def _spectra(made: Shrunk, both: bool) -> None:
    """Where nothing is judged both spectra stand beside the matrices."""
    columns = st.columns(3, gap="small")
    if both:
        with columns[0]:
            pictures.both_spectra(made)
    pictures.histograms(made, columns[-2:])


def _eigenvector(subject: state.Subject, items: Items) -> None:
    seen = state.before(subject.K, subject.all_labels)
    kernel = Decomposed(seen.decomposition, seen.block, seen.known, seen.diagnosis.negative)
    eigenvector_panel(kernel, items, name=subject.K.name, key="diagonals.eigenvector", of="before, ")


def _method(chosen: Choice, said: str) -> None:
    if chosen.kind is not None:
        about(chosen.kind)
    st.markdown(said)


def _choose(subject: state.Subject, chosen: Choice, found: DiagonalSweep | None) -> None:
    """Open the dialog, where the lowest of several values is told."""
    labels, config = subject.labels, chosen.config
    if labels is None or found is None or len(found.strengths) < 2 or found.done < found.total:
        st.toast("Every value has to be judged first.")
        return
    name = config.map.strength
    args = state.without_strength(config), subject.judged, labels, chosen.protocol, found.strengths
    choose(
        Choosing(
            name, Staged(state.nested_strength, choosing_strength, args), "diagonals",
            lambda said: (STRENGTH_KEYS[name], float(said.partition("=")[2])),
            now=f"{name} = {config.strength:g}", picture=lambda: losses.loss_picture(found, config),
        )
    )  # fmt: skip
