"""What a network of the columns is worth: accuracy beside the plain kernel, the choice of its parameter, graph lasso."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.names import counted, listed
from kernex_core.learning.compare import Comparison
from kernex_core.studies.networks.features.accuracy import Claim, FeatureSweep
from kernex_core.studies.networks.features.graph_lasso import (
    STRENGTHS,
    GraphLasso,
    LassoAccuracy,
    LassoStep,
    Recovered,
    recovered,
)
from pages.networks.features.results import lasso_accuracies, lasso_results, signed
from pages.networks.features.subject import Subject
from pages.networks.results import parameter_of, tick_texts
from pages.networks.subject import places
from pages.server.declared import setting
from pages.server.digits import number, p_value, percent
from pages.server.messages import findings, guard, plain
from pages.ui import widgets
from pages.ui.figures.chart import Across, Picture, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.theme import SECOND, SERIES, Role
from pages.ui.frame import panel_title
from pages.ui.glossary import explained
from pages.ui.panels.accuracy import OPTIMISTIC, choice_basis, choice_sentence, own_classes, rests_on
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import run_study
from pages.ui.panels.verdicts import (
    interval_words,
    numbers_in_a_row,
    paired_words,
    signed_points,
    verdict_rule,
    verdict_words,
)
from pages.ui.shown import metric, remarks, remarks_of_choice

# What a network of the columns is worth: accuracy against the parameter beside the plain kernel, and the choice judged.

AUTOMATIC: Final = 200_000
"""Items × nodes up to which every value is judged without a click, in a few seconds."""
PLAIN: Final = Role("#858b93", 1.5, "8px,3px")


def run(subject: Subject, place: DeltaGenerator) -> None:
    """Judge every value, with a bar in a place; what is done is drawn by the next run of the page."""
    with place.container(), guard():
        run_study(
            subject.study().leading, key="features", what="kernels", label="Judge every value",
            automatic=is_automatic(subject),
            cost="Every value on every fold, beside the plain kernel: this starts with a click.",
        )  # fmt: skip


def is_automatic(subject: Subject) -> bool:
    """Whether every value is judged without a click."""
    return subject.dataset.n * subject.matched.network.n <= AUTOMATIC


def show(subject: Subject) -> None:
    """Draw accuracy against the parameter, and what may be said of it."""
    panel_title(
        "Accuracy", "on the network and plain, on the same folds", ("Multi-class", "Floor", "Interval")
    )
    found = subject.judged
    if found is None:
        st.caption("Nothing is judged yet.")
        return
    if found.judged and subject.scale.name:
        draw(chart(subject, found), "features.accuracy")
    made = found.verdict(tuple(subject.named(kernel) for kernel in found.kernels))
    if made is not None and subject.scale.name:
        st.caption(
            f"**{verdict_words(made)}** The best of {len(made.candidates)} is {OPTIMISTIC}.",
            help=verdict_rule(made),
        )
    own_classes(subject.labels)
    findings([f"{subject.named(kernel)} could not be judged. {why}" for kernel, why in found.failed])


def numbers(subject: Subject, value: float) -> None:
    """Say what the numbers rest on, and how the choice and the present value stand beside the plain kernel."""
    found = subject.judged
    if found is None:
        st.caption("Nothing is judged yet.")
        return
    here(subject, value)
    st.caption(words(subject, found))
    if found.nested is not None:
        remarks_of_choice("features.choice", found.nested)
    remarks("features.numbers", {"plain": found.plain})


def chart(subject: Subject, found: FeatureSweep) -> Picture:
    """Accuracy against the parameter with bars over repetitions; the plain kernel is a level."""
    scale = subject.scale
    mean, sd = found.curve()
    places = scale.places([parameter_of(scale, kernel) for kernel in found.kernels])
    every = scale.places(scale.grid)
    room = 0.04 * float(every.max() - every.min())
    across = Across(
        scale.axis, ticks=every.tolist(), texts=tick_texts(scale),
        range=(float(every.min()) - room, float(every.max()) + room),
    )  # fmt: skip
    levels = [
        Level("plain", 100.0 * found.plain.multi_class.mean, PLAIN),
        Level("floor", 100.0 * found.plain.multi_class.floor, "floor"),
    ]
    line = Line("on the network", places, 100.0 * mean, SERIES, error=100.0 * sd, bars=True)
    return curve(
        [line], across, Values("accuracy, %", "%", bounds=(0.0, 100.0)), levels=levels,
        heading=f"{found.plain.state.words}; bars: ± sd over repetitions", height=270,
    )  # fmt: skip


def words(subject: Subject, found: FeatureSweep) -> str:
    """Say what the numbers rest on, and how the choice stands beside the plain kernel."""
    said = [rests_on(found.plain)]
    if found.claim is not None:
        said.append(
            claim_words(
                found.claim, "Chosen inside the folds, it" if subject.scale.name else subject.kernel.title
            )
        )
    return " ".join(said)


def claim_words(claim: Claim, what: str = "Chosen so, it") -> str:
    """Whether the network helps: of a parameter that was chosen inside the training folds, or of a kernel without one."""
    beside = f"{interval_words(claim.paired)}, p {p_value(claim.paired.p)}"
    if not claim.paired.told_apart:
        return f"**{what} is not told apart from the plain kernel**: {signed_points(claim.difference)} points ({beside})."
    points, above = number(100.0 * abs(claim.difference), 1), claim.difference > 0.0
    return f"**{what} is {points} points {'above' if above else 'below'} the plain kernel** ({beside})."


def here(subject: Subject, value: float) -> None:
    """Say how the present value stands beside the plain kernel, where it was judged."""
    found = subject.judged
    kernel = subject.scale.at(subject.kernel, value)
    if found is None or kernel not in found.kernels:
        if found is not None and found.done >= found.total and subject.scale.name:
            grid = ", ".join(f"{each:g}" for each in subject.scale.grid)
            st.caption(f"Judged are {subject.scale.symbol} = {grid}.")
        return
    compared = found.compared[found.kernels.index(kernel)]
    metric("Difference, points", number(100.0 * compared.difference, 1), help=DIFFERENCE)
    st.caption(
        f"At {plain(subject.named(kernel))}: {difference_words(compared)}{MANY if subject.scale.name else ''}"
    )


MANY: Final = " One value of many: the choice among them is what the verdict says."
DIFFERENCE: Final = (
    "On the same folds. p is of this value alone: who looks at many values and reports the best needs the choice made again "
    "inside the training folds."
)


def difference_words(made: Comparison) -> str:
    """The comparison at one value."""
    return f"{paired_words(made.paired)}."


# The graph lasso on the page: its path, the edges that are selected at one penalty, and what it is worth.

START: Final = 1.0
MOST_AT_ONCE: Final = 20_000
"""Edges up to which the path comes without a click."""
PIECES_NAMED: Final = 4
FOUND: Final = "found: planted edges in one selected piece; precise: selected edges that were planted"


SETTINGS: Final = setting("lasso", "Graph lasso"), setting("features_penalty", "Penalty")


def show_lasso(subject: Subject) -> None:
    """Draw the part of the page about the graph lasso."""
    edges = subject.matched.network.n_edges
    if edges == 0:
        st.caption("This network has no edge to select.")
        return
    if edges > MOST_AT_ONCE and not widgets.switch(
        "lasso", key="features.lasso.large", label=f"Graph lasso over {edges:,} edges"
    ):
        return
    with guard():
        _moving(subject)
    with guard():
        _judged(subject)


@st.fragment
def _moving(subject: Subject) -> None:
    strength = widgets.stop(
        "features_penalty", tuple(reversed(STRENGTHS)), default=START, said=lambda value: f"{value:g}",
        help="λ in units of the largest slope of an edge's kernel at β = 0. The larger, the fewer edges are selected.",
    )  # fmt: skip
    with guard():
        found = subject.lasso()
        step = found.steps[STRENGTHS.index(float(strength))]
        known = _recovered(subject, found)
        left, right = st.columns(2, gap="medium")
        with left, st.container(gap="xxsmall"):
            panel_title(
                "Selected edges", f"penalty {number(step.strength)}, λ = {number(step.lam)}", ("Graph lasso",)
            )
            network = subject.matched.network
            chosen = found.groups.edges[step.edges]
            picture = signed(places(network).places, network, step.beta, found.of, edges=chosen)
            draw(picture, "features.lasso")
        with right, st.container(gap="xxsmall"):
            panel_title("Along the path", FOUND if known else "fewer edges to the right")
            draw(path_chart(found, known, step), "features.path")
        _numbers(found, step, known)
        st.caption(_pieces(subject, found, step))
        lasso_results(subject, found, step)


def _recovered(subject: Subject, found: GraphLasso) -> tuple[Recovered, ...]:
    """How much of what was planted each step has found; () of other data."""
    effect = subject.planted
    if effect is None:
        return ()
    return tuple(recovered(found, step, effect != 0.0) for step in found.steps)


def path_chart(found: GraphLasso, known: tuple[Recovered, ...], step: LassoStep) -> Picture:
    """Selected edges against the penalty, and of a demo the shares of what was planted."""
    x = np.log10([each.strength for each in found.steps])
    ticks = [
        each for each in found.steps if f"{each.strength:g}"[0] in "13" or each.strength in (0.1, 1.0, 10.0)
    ]
    across = Across(
        "penalty, logarithmic", guide=float(np.log10(step.strength)),
        ticks=[float(np.log10(each.strength)) for each in ticks], texts=[f"{each.strength:g}" for each in ticks],
    )  # fmt: skip
    if known:
        lines = [
            Line("precise", x, [100.0 * each.precise for each in known], SECOND),
            Line("found", x, [100.0 * each.connected for each in known], SERIES),
        ]
        return curve(lines, across, Values("share, %", "%", bounds=(0.0, 100.0)), height=420)
    count = [float(len(each.edges)) for each in found.steps]
    return curve([Line("selected edges", x, count, SERIES)], across, Values("edges"), height=420)


def _numbers(found: GraphLasso, step: LassoStep, known: tuple[Recovered, ...]) -> None:
    pieces = found.pieces(step)
    rows = [
        ("Selected edges", f"{len(step.edges):,}", f"Of {len(found.groups.edges):,} between measured nodes."),
        ("Connected pieces", f"{len(pieces):,}", "Pieces that hang together by selected edges."),
        (
            "Duality gap",
            number(step.gap),
            "How far the objective is above its minimum at most, as a share of it.",
        ),
    ]
    if known:
        one = known[found.steps.index(step)]
        rows += [
            (
                "Planted edges selected",
                percent(one.selected),
                f"Of {one.planted:,} edges both of whose ends have an effect.",
            ),
            (
                "Planted edges in one piece",
                percent(one.connected),
                "Both ends in the connected piece that holds most of them.",
            ),
        ]
    for column, (title, value, about) in zip(numbers_in_a_row(len(rows)), rows, strict=True):
        with column:
            metric(title, value, help=explained(title, about))


def _pieces(subject: Subject, found: GraphLasso, step: LassoStep) -> str:
    ids = subject.matched.network.ids
    named = [
        f"{plain(listed([ids[k] for k in nodes], 8))} ({counted(nodes.size, 'node')})"
        for nodes in found.pieces(step)[:PIECES_NAMED]
    ]
    more = len(found.pieces(step)) - len(named)
    rest = f"; and {more} smaller" if more > 0 else ""
    unfinished = "" if step.converged else " The solver ended before the gap was reached."
    return f"Pieces, the largest first: {'; '.join(named)}{rest}. Fitted to all labelled items: for looking.{unfinished}"


def _judged(subject: Subject) -> None:
    repeats = subject.validation.repeats
    study = subject.lasso_study()
    run_study(
        study, key="features.lasso", what="repetitions", automatic=False, label="Judge the graph lasso",
        cost=f"{len(STRENGTHS)} penalties on every fold, {counted(repeats, 'repetition')}: this starts with a click.",
    )  # fmt: skip
    found = study.known()
    if found is None:
        return
    panel_title("Accuracy of the graph lasso", "and of the plain kernel on the same folds")
    draw(accuracy_chart(subject, found), "features.lasso.accuracy")
    lasso_accuracies(subject, found)
    against = "" if len(subject.labels.classes) == 2 else f"{plain(subject.of)} against the others. "
    st.caption(
        f"{against}Of the penalties, {choice_sentence(found.nested)} {choice_basis(found.nested)} "
        f"Plain kernel: {percent(found.plain, 1)}; floor {percent(found.floor, 1)}. {claim_words(found.claim)}"
    )


def accuracy_chart(subject: Subject, found: LassoAccuracy) -> Picture:
    """Accuracy against the penalty."""
    x = np.log10(found.strengths)
    across = Across(
        "penalty, logarithmic", ticks=[-1.0, -0.523, 0.0, 0.477, 1.0], texts=["0.1", "0.3", "1", "3", "10"]
    )
    error = None if np.isnan(found.sd).all() else 100.0 * found.sd
    levels = [Level("plain", 100.0 * found.plain, PLAIN), Level("floor", 100.0 * found.floor, "floor")]
    return curve(
        [Line("graph lasso", x, 100.0 * found.accuracy, SERIES, error=error, bars=True)], across,
        Values("accuracy, %", "%", bounds=(0.0, 100.0)), levels=levels,
        heading=f"{subject.mode}; bars: ± sd over repetitions",
    )  # fmt: skip
