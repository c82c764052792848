"""The page Power p on one screen: kernel and scheme, the verdict, before and after with p at them beside the losses.

Pictures come first, and what takes time last, so that nothing waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import streamlit as st

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.conditioning.schemes import SCHEMES
from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.leakage import evaluation_state
from kernex_core.studies.diagonals.judging import Losses
from kernex_core.studies.diagonals.shrink import LARGEST, MEAN_DIAGONAL, DiagonalConfig, Shrunk
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep, choosing_strength, sweeping_in_steps
from pages.kernels.power import losses, results
from pages.kernels.power import results as lessons
from pages.kernels.power import subject as state
from pages.kernels.power.results import SETTINGS, TABS
from pages.kernels.power.subject import STRENGTH_KEYS, Choice, drag_of
from pages.server import workspace
from pages.server.digits import number, percent, span
from pages.server.messages import guard, show_error
from pages.ui.answer import Choosing, VerdictPlace, choose, draw_parts
from pages.ui.figures.chart import Items
from pages.ui.frame import PageFrame, formula_text, need_data, open_page
from pages.ui.glossary import hint
from pages.ui.matrices import Words
from pages.ui.panels.accuracy import (
    ONE_PASS,
    against_floor,
    between,
    neighbour_interval,
    own_classes,
    state_badge,
)
from pages.ui.panels.build import about
from pages.ui.panels.inspection import Decomposed, eigenvector_panel
from pages.ui.panels.item_map import chosen_row
from pages.ui.panels.linked import arranged
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import numbers_in_a_row, verdict_words
from pages.ui.shown import measure, remarks_of_copies

# The verdict of the page Power p: which loss is lowest, and three numbers at the p that is set.

SVM, AS_IT_IS, DOMINANCE = "SVM loss", "As it is", "Diagonal ratio"


def names(judged: bool) -> tuple[str, ...]:
    """Return what the numbers are of, before anything is judged."""
    return (SVM, AS_IT_IS, DOMINANCE) if judged else (DOMINANCE,)


def pictured(place: VerdictPlace, made: Shrunk, waits: bool) -> None:
    """Write what needs no labels."""
    at = len(place.names) - 1
    if waits:
        place.waits("Every value of the parameter is being judged on the same folds …")
    elif at == 0:
        place.say(
            f"Self-similarities are {ratio(made.after)} times the others, {ratio(made.before)} before. Losses need labels "
            "of at least two classes, one of them of several items, among those that are known: bring them on Data."
        )
    now, was = ratio(made.after), ratio(made.before)
    place.number(at, DOMINANCE, now, f"before {was}")


def judged(
    place: VerdictPlace, found: DiagonalSweep | None, here: dict[str, Losses] | None, config: DiagonalConfig
) -> None:
    """Write what was judged."""
    whole = None if found is None else found.including(config.strength, here)
    made = None if whole is None else whole.verdict(partial(losses.called, config))
    if made is not None:
        place.say(verdict_words(made), "balanced loss")
    elif found is None:
        place.say("Not judged yet: it takes a while, and starts with a click.")
    elif not found.strengths:
        place.say("No value of the grid has been judged.")
    else:
        place.say(
            "Repetitions do not test the same items: nobody is told apart. The lowest losses stand under Losses."
        )
    as_it_is = None if found is None else found.original.get("svm")
    _loss(place, 0, SVM, None if here is None else here["svm"])
    _loss(place, 1, AS_IT_IS, as_it_is)


def _loss(place: VerdictPlace, at: int, name: str, found: Losses | None) -> None:
    """What it rests on stands under Losses: a hint here would be one more stop of the Tab key before p."""
    ends = ""
    if found is not None and found.interval is not None:
        ends = span(found.interval.low, found.interval.high)
    place.number(at, name, "—" if found is None else percent(found.mean, 1), ends)


def ratio(d: Diagnosis) -> str:
    """Return a dominance in words."""
    return "—" if d.dominance != d.dominance else number(d.dominance)


# How the page Power p works, in formulas and sentences.

FORMULAS: Final = (
    r"\varphi(x) = \operatorname{sgn}(x)\,|x|^p \quad\text{or}\quad \operatorname{sgn}(x)\log(1 + s|x|),\; "
    r"s = \frac{\text{scale}}{\text{mean diagonal}}",
    r"\text{empirical map: } G = E E^\top,\; E = \varphi(K_{\cdot B})\qquad "
    r"\text{square root: } G = \varphi(\sqrt{K})^2\qquad \text{clip: } \sum_i \max(\lambda_i, 0)\, u_i u_i^\top "
    r"\text{ of } \varphi(K)",
    r"\text{standardised map: } G = Z Z^\top,\; Z_{\cdot b} = (E_{\cdot b} - m_b) / s_b \text{ with mean } m_b "
    r"\text{ and standard deviation } s_b",
    r"\text{eigenvalues: } G = \sum_i \varphi(\lambda_i)\, u_i u_i^\top,\; K = \sum_i \lambda_i\, u_i u_i^\top",
    r"\text{dominance} = \frac{\text{mean } K_{ii}}{\text{mean } |K_{ij}|}\qquad "
    r"\text{balanced loss} = \frac{1}{c}\sum_{\text{classes}} \text{share that is missed}",
)
ASSUMPTIONS: Final = (
    "*Power p* maps entries, here and on the part *Matrix*; a scheme then makes a kernel of the result. With the scheme "
    "*clip* here, and there *clip* as the repair and no normalisation, both are the same kernel.",
    "Before and after are each divided by their mean diagonal and share one colour scale. After is the map of all points; "
    "in an inductive run every fold has its own. The scheme leaves a kernel, whatever it was given.",
    "0 stays 0 for every *p*; tiny similarities are kept in double precision: at *p* = 0.1 even 4 × 10⁻¹⁹ counts.",
    "Basis of all points: the map has seen similarities of test items, never their labels (transductive). Basis of "
    "training points: a test item is described by its similarities to them alone (inductive).",
    "The paper's text names the training points; its published tables fit only all points with a hard margin.",
    "The square root scheme needs all items at once. It and the scheme *eigenvalues* refuse an indefinite similarity.",
    "The kernel is divided by its mean training diagonal before the SVM (unless that is switched off); *C* is in those "
    "units, and from 10⁶ on the margin counts as hard.",
    "Asymmetric margin: *c* times the share of an item's class is added to its self-similarity, in training only.",
    "1-NN: smallest k(x,x) − 2k(x,x′) + k(x′,x′), ties to the first. Kernel principal components are uncentred "
    "unless that is changed.",
    "A class that a fold does not hold is left out of its loss. All values share the same folds.",
    "Schoelkopf, Weston, Eskin, Leslie, Noble, A kernel approach for learning from almost orthogonal patterns, "
    "ECML 2002.",
)


# Numbers of the kernel before and after, on the page Power p.

NEIGHBOUR = "1-NN, all points"
MEANINGS = {
    "Zeros": "Share of similarities of two items that are exactly 0.",
    NEIGHBOUR: hint(
        "Nearest neighbour",
        "Floor",
        first=f"Leave-one-out, by the map of all points, whatever the basis. {ONE_PASS}",
    ),
}


def numbers(made: Shrunk) -> None:
    """Draw what the verdict does not say."""
    before, after = made.before, made.after
    cells = {
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
    if before.n_known < before.n:
        st.caption(f"Of the {before.n_known:,} known items; hatched cells are unknown.")


def _share(value: float) -> str:
    return "—" if value != value else percent(value, 1)


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
    chosen = state.choose(dataset)
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
    place = VerdictPlace(*names(subject.labels is not None))
    pictured(place, made, subject.labels is not None)
    with st.container(key="maps"):
        left, right = st.columns(WIDTHS, gap="medium")
    with left:
        items = _maps(made, subject, chosen, dataset.name)
    lower = st.container()
    with right:
        judged = _losses(place, subject, chosen)
        if judged.sweep is None:
            results.both_spectra(made)
    with lower:
        _tabs(subject, chosen, made, items, judged, dataset, said)
        results.keep(subject, chosen.config, made, lambda: results.figure_after(made, items))
    if workspace.recall(results.CHOOSING, False):
        workspace.remember(results.CHOOSING, False)
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
    results.maps(made, items, words, drag)
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
    judged(place, found, here, config)
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
        "Pair": lambda: chosen_row(results.panels_of(made), items, results.KEY),
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
    results.downloads(subject, config, protocol, found.including(config.strength, judged.here))


def _spectra(made: Shrunk, both: bool) -> None:
    """Where nothing is judged both spectra stand beside the matrices."""
    columns = st.columns(3, gap="small")
    if both:
        with columns[0]:
            results.both_spectra(made)
    results.histograms(made, columns[-2:])


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


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Power p",
        "Every item is like itself and nothing else: does a smaller power of the similarities help a classifier?",
        SETTINGS,
    )
    dataset = need_data()
    with guard():
        show(page, dataset)
