"""How well edges of new nodes are found: every method on every source over folds of nodes, curves, weights."""

from __future__ import annotations

from typing import Final, TypeAlias

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.names import counted
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.edges.methods import EDGE_METHODS, EdgeMethod
from kernex_core.studies.networks.edges.judging import edge_verdict
from kernex_core.studies.networks.edges.sources import EdgeSummary, EdgeTable, OverFolds, PairSummary
from pages.networks.edges import chosen_values
from pages.networks.edges.cells import (
    AUC,
    FIELDS,
    SHORT,
    WITHIN,
    called,
    mean_sd,
    note_of,
    say,
    with_ends,
)
from pages.networks.edges.curves import roc
from pages.networks.edges.subject import Subject, source_title
from pages.shared.declared.settings import setting
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.messages import guard, plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.staged import run_study
from pages.shared.settings import widgets
from pages.shared.shown.drawn import table
from pages.shared.shown.remarks import copies_said

AUTOMATIC: Final = 320
"""Nodes up to which the table is filled without a click, in some seconds."""
Summaries: TypeAlias = dict[tuple[str, str], EdgeSummary]
KNOWN_NEW, NEW_NEW = "Known and new node", "Two new nodes"


SETTINGS = (setting("edge_pairs", "Pairs"),)


def run(subject: Subject, place: DeltaGenerator) -> None:
    """Fill the table, with a bar in a place; what is done is drawn by the next run of the page."""
    with place.container(), guard():
        run_study(
            subject.study().leading, key="edges", what="cells", label="Judge every method", automatic=is_automatic(subject),
            cost=_cost(subject),
        )  # fmt: skip


def is_automatic(subject: Subject) -> bool:
    """Whether the table is filled without a click."""
    return len(subject.data.ids) <= AUTOMATIC and not subject.config.tuned


def show(subject: Subject, measure: str) -> None:
    """Draw the tables, as far as they are known."""
    found = subject.study().known()
    if found is None:
        st.caption("Nothing is judged yet.")
        return
    _tables(found, measure)
    st.caption(words(subject, found))
    copies_said("edges", found.copies)
    chosen_values.draw(
        subject,
        lambda source: [cell.fitted for cell in found.of(source, subject.kind.name)],
        key="edges.chosen",
    )


def curves(subject: Subject) -> None:
    """Draw the curves of the method that is looked at, and the weights of the kernels."""
    found = subject.study().known()
    if found is None:
        st.caption("Nothing is judged yet.")
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _curves(subject, found)
    with right:
        _weights(found)


def _curves(subject: Subject, found: EdgeTable) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        panel_title("Curves", f"{subject.kind.title}; mean over folds", ("AUC", "Multiple kernel learning"))
        which = widgets.pick("edge_pairs", (KNOWN_NEW, NEW_NEW), label_visibility="collapsed")
    new = which == NEW_NEW
    if new and not subject.kind.between_new:
        st.caption(f"Two new nodes get no score from {subject.kind.title}.")
        return
    draw(roc(found, subject.kind, new=new), "edges.roc.new" if new else "edges.roc")


def _cost(subject: Subject) -> str:
    cells = subject.config.folds * len(subject.data.sources) * len(EDGE_METHODS)
    inside = ", each with its parameters chosen inside" if subject.config.tuned else ""
    return f"{counted(len(subject.data.ids), 'node')}, {cells:,} cells{inside}: this starts with a click."


def _tables(found: EdgeTable, measure: str) -> None:
    """Draw a table for each kind of pair."""
    every = {
        (source, kind.name): found.summary(source, kind.name)
        for source in found.data.sources
        for kind in EDGE_METHODS
    }
    for new, key, head in ((False, "known", KNOWN_NEW), (True, "new", NEW_NEW)):
        if new and measure == WITHIN:
            st.caption("Within a known node; two new nodes have none.")
            return
        verdict = edge_verdict(found, FIELDS[measure], called, new=new)
        rows = _rows(found, every, measure, verdict, new=new)
        table(f"edges.table.{key}", rows, title=f"{head}: {measure}", note=note_of(verdict))
        say(verdict)


def counts(pairs: PairSummary) -> str:
    """Say how many pairs there are, and edges among them."""
    return f"{pairs.edges:,} edges among {pairs.pairs:,} pairs"


def _rows(
    found: EdgeTable, every: Summaries, measure: str, verdict: Verdict | None, *, new: bool
) -> dict[str, list[str]]:
    sources = found.data.sources
    head = KNOWN_NEW if not new else NEW_NEW
    # short names stay on one line where the table is narrow
    titles = [plain(source_title(source)) for source in sources]
    rows = {head: [each.replace(" ", "\u00a0") if len(each) <= SHORT else each for each in titles]}
    for kind in EDGE_METHODS:
        rows[kind.title] = [
            _cell(every[source, kind.name], kind, measure, new, verdict, called(kind.name, source))
            for source in sources
        ]
    return rows


def _cell(
    each: EdgeSummary, kind: type[EdgeMethod], measure: str, new: bool, verdict: Verdict | None, name: str
) -> str:
    if new and not kind.between_new:
        return "no\u00a0score"
    if measure == WITHIN:
        return with_ends(each.within, verdict, name)
    pairs = each.new_new if new else each.known_new
    return with_ends(pairs.auc if measure == AUC else pairs.average_precision, verdict, name)


def words(subject: Subject, found: EdgeTable) -> str:
    """Say what the numbers rest on."""
    some = found.summary(found.data.sources[0], EDGE_METHODS[0].name)
    done = f"{some.known_new.auc.folds} of {found.config.folds} folds over {len(found.data.ids):,} nodes"
    said = [f"{done}, seed {found.config.seed}; {counts(some.known_new)} of a known and a new node"]
    pairs = some.new_new
    share = number(pairs.prevalence.mean, 3)
    said.append(
        f"{counts(pairs)} of two new ones, prevalence {share}, {pairs.auc.folds} folds with an edge among them"
    )
    if found.without_edges:
        said.append(f"{counted(found.without_edges, 'fold')} without an edge left out")
    said.append(chosen_values.how(subject, "the training nodes"))
    return (
        "; ".join(said)
        + ". Intervals are over nodes, for pairs of one node are not independent, and allow for shared training sets; ±, "
        "where there is one: standard deviation over folds, which share nodes. No edge means that none is known."
    )


def _weights(found: EdgeTable) -> None:
    """Weights of the kernels in each weighing, over folds."""
    panel_title("Weights", "mean ± sd over folds")
    learned = [source for source in found.data.sources if source not in (*found.data.names, "sum")]
    if not learned:
        st.caption("There is one kernel: nothing to weigh.")
        return
    rows = {"Kernel": [plain(name) for name in found.data.names]}
    for source in learned:
        eta = found.weights(source)
        rows[source_title(source)] = [mean_sd(OverFolds.of(column)) for column in eta.T]
    table("edges.weights", rows, title="Weights of the kernels")
    st.caption(
        "Of kernels centred and divided by their mean diagonal on the training nodes; they add up to 1, and in the sum all "
        "weigh alike."
    )
