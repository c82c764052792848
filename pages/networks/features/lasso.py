"""The graph lasso on the page: its path, the edges that are selected at one penalty, and what it is worth."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from kernex_core.inputs.names import counted, listed
from kernex_core.studies.networks.features.graph_lasso import (
    STRENGTHS,
    GraphLasso,
    LassoAccuracy,
    LassoStep,
    Recovered,
    recovered,
)
from pages.networks.features.judged import PLAIN, claim_words
from pages.networks.features.results import lasso_accuracies, lasso_results, signed
from pages.networks.features.subject import Subject
from pages.networks.subject import places
from pages.server.declared import setting
from pages.server.digits import number, percent
from pages.server.messages import guard, plain
from pages.ui import widgets
from pages.ui.figures.chart import Across, Picture, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.theme import SECOND, SERIES
from pages.ui.frame import panel_title
from pages.ui.glossary import explained
from pages.ui.panels.accuracy import choice_basis, choice_sentence
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import run_study
from pages.ui.panels.verdicts import numbers_in_a_row
from pages.ui.shown import metric

START: Final = 1.0
MOST_AT_ONCE: Final = 20_000
"""Edges up to which the path comes without a click."""
PIECES_NAMED: Final = 4
FOUND: Final = "found: planted edges in one selected piece; precise: selected edges that were planted"


SETTINGS: Final = setting("lasso", "Graph lasso"), setting("features_penalty", "Penalty")


def show(subject: Subject) -> None:
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
