"""How well edges of new nodes are found: every method on every source over folds of nodes, curves, weights."""

from __future__ import annotations

from typing import Final, TypeAlias

import streamlit as st

from kernex_core.inputs.names import counted
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.edges.catalogue import EDGE_METHODS
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.table import EdgeSummary, EdgeTable, OverFolds, PairSummary
from kernex_core.studies.networks.edges.verdicts import edge_verdict
from pages.networks.edges import chosen_values, results
from pages.networks.edges.cells import (
    AUC,
    FIELDS,
    PRECISION,
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
from pages.shared.glossary.entries import explained
from pages.shared.messages import plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.panels.staged import run_study
from pages.shared.settings import widgets
from pages.shared.shown.drawn import metric, table
from pages.shared.shown.remarks import copies_said

AUTOMATIC: Final = 320
"""Nodes up to which the table is filled without a click, in some seconds."""
Summaries: TypeAlias = dict[tuple[str, str], EdgeSummary]
KNOWN_NEW, NEW_NEW = "Known and new node", "Two new nodes"


SETTINGS = setting("edge_measure", "Measure"), setting("edge_pairs", "Pairs")


def show(subject: Subject) -> None:
    """Draw the table with progress, and what follows from it."""
    title, picker = st.columns([2, 3], vertical_alignment="bottom")
    with title:
        panel_title(
            "How well edges are found", "folds over nodes", (AUC, PRECISION, "Prevalence", "New node")
        )
    with picker:
        measure = widgets.pick("edge_measure", (AUC, PRECISION, WITHIN), label_visibility="collapsed")
    place = st.empty()
    per_fold, drawn = len(subject.data.sources) * len(EDGE_METHODS), [-1]

    def so_far(kept: EdgeTable) -> None:
        # a fold at a time: drawing every cell took longer than the cells
        if kept.done // per_fold == drawn[0]:
            return
        drawn[0] = kept.done // per_fold
        with place.container():
            _tables(subject, kept, measure or AUC, f"edges.running.{kept.done}")

    run_study(
        subject.study(), key="edges", what="cells", label="Judge every method",
        automatic=len(subject.data.ids) <= AUTOMATIC and not subject.config.tuned,
        cost=_cost(subject), show=so_far,
    )  # fmt: skip
    found = subject.study().known()
    if found is None:
        return
    with place.container():
        _tables(subject, found, measure or AUC, "edges.table")
    st.caption(words(subject, found))
    copies_said("edges", found.copies)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _curves(subject, found)
    with right:
        _weights(found)
    chosen_values.draw(
        subject,
        lambda source: [cell.fitted for cell in found.of(source, subject.kind.name)],
        key="edges.chosen",
    )
    results.judged(subject, found)


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


def _tables(subject: Subject, found: EdgeTable, measure: str, key: str) -> None:
    """Baselines, then a table for each kind of pair."""
    every = {
        (source, kind.name): found.summary(source, kind.name)
        for source in found.data.sources
        for kind in EDGE_METHODS
    }
    _baselines(found, list(every.values()), measure)
    verdict = edge_verdict(found, FIELDS[measure], called)
    table(
        f"{key}.known",
        _rows(found, every, measure, verdict, new=False),
        title=f"{KNOWN_NEW}: {measure}",
        note=note_of(verdict),
    )
    say(verdict)
    if measure == WITHIN:
        st.caption("Within a known node; two new nodes have none.")
        return
    verdict = edge_verdict(found, FIELDS[measure], called, new=True)
    table(
        f"{key}.new",
        _rows(found, every, measure, verdict, new=True),
        title=f"{NEW_NEW}: {measure}",
        note=note_of(verdict),
    )
    say(verdict)


def _baselines(found: EdgeTable, every: list[EdgeSummary], measure: str) -> None:
    degree = found.degree.precision if measure == PRECISION else found.degree.known_new
    shown = "0.50" if measure == WITHIN else mean_sd(OverFolds.of(degree))
    both = [
        next((pairs for pairs in kind if pairs.pairs), None)
        for kind in ([each.known_new for each in every], [each.new_new for each in every])
    ]
    first, *others = numbers_in_a_row(3)
    with first:
        metric("Degree alone", shown, help=explained("Degree alone"), note=f"{measure}, known and new")
    for place, name, pairs in zip(
        others, ("Prevalence, known–new", "Prevalence, new–new"), both, strict=True
    ):
        with place:
            value = "unknown" if pairs is None else number(pairs.prevalence.mean, 3)
            metric(name, value, help=explained("Prevalence"), note="" if pairs is None else _counts(pairs))


def _counts(pairs: PairSummary) -> str:
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
    said = [f"{done}, seed {found.config.seed}; {_counts(some.known_new)} of a known and a new node"]
    said.append(
        f"{_counts(some.new_new)} of two new ones, {some.new_new.auc.folds} folds with an edge among them"
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
        "Of kernels centred and divided by their mean diagonal on the training nodes; weights mean nothing otherwise. "
        "They are learned from edges among training nodes, and add up to 1; in the sum all weigh alike."
    )
