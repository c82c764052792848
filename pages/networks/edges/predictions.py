"""Predicted edges: of nodes taken as new, and among known ones; ranked lists, and a drawing with these edges dashed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.base.frozen import IntArray
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.names import counted
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.edges.genes import PAIR_BASELINES
from kernex_core.learning.edges.methods import EDGE_METHODS, EdgeMethod
from kernex_core.learning.leakage import State
from kernex_core.studies.networks.edges.judging import MissingTable, missing_verdict
from kernex_core.studies.networks.edges.predicting import PredictedEdges, UnobservedPairs
from kernex_core.studies.networks.edges.sources import INNER_FOLDS, PairSummary
from pages.export.downloads import BESIDE_KERNEX
from pages.networks.edges import results
from pages.networks.edges import results as chosen_values
from pages.networks.edges.results import (
    counts,
    predicted_network,
    recipe_of,
    state_of_kernels,
    values_of,
)
from pages.networks.edges.subject import (
    AUC,
    FIELDS,
    PRECISION,
    SHORT,
    Asked,
    Subject,
    called,
    chosen_for_new,
    mean_sd,
    note_of,
    predicted,
    say,
    source_title,
    unobserved,
    with_ends,
)
from pages.networks.subject import places as node_places
from pages.server.declared import of_data, setting
from pages.server.digits import in_table, number
from pages.server.messages import plain
from pages.ui import chosen, widgets
from pages.ui import shown as registry
from pages.ui.frame import panel_title
from pages.ui.glossary import explained, hint
from pages.ui.panels.keep import Offer, Result, keep_row
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import run_study
from pages.ui.panels.verdicts import numbers_in_a_row
from pages.ui.projector import TIMES, fitted, is_on
from pages.ui.shown import metric, table

# Predicted edges of nodes that are taken as new: a ranked list, and a drawing with these edges dashed.

AT_ONCE: Final = 500
"""Nodes up to which a ranking takes no time worth a click."""
CHOSEN_AT_ONCE: Final = 200
"""The same where parameters are chosen first."""
HEIGHT: Final = 400
"""Pixels of the list and of the drawing."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """Pairs of new nodes, ranked.

    Attributes
    ----------
    found : PredictedEdges
    method : EdgeMethod
        With the parameters that were used.
    words : str
        What it rests on.
    """

    found: PredictedEdges
    method: EdgeMethod
    words: str


def show(subject: Subject, asked: Asked) -> Ranking | None:
    """Draw list and drawing; None where no node is new, or where ranking waits for a click."""
    new, source, method = asked.new, asked.source, asked.method
    if not new:
        st.caption("No such node: choose items in a picture of any page, or let some be drawn by the seed.")
        return None
    inside = subject.chooses and method == subject.kind()
    before = (subject.data, new, method, source)
    waits = len(subject.data.ids) > (CHOSEN_AT_ONCE if inside else AT_ONCE)
    if waits and (chosen_for_new if inside else predicted).peek(*before) is None:
        st.caption(f"{len(subject.data.ids):,} nodes: this takes some seconds and starts with a click.")
        if not st.button("Rank the pairs", key="edges.rank", icon=":material/play_arrow:"):
            return None
    method = chosen_for_new(*before) if inside else method
    found = predicted(subject.data, new, method, source)
    at = np.arange(min(asked.shown, len(found.scores)))
    left, right = st.columns([1, 1.3], gap="medium")
    with left, st.container(gap="xxsmall"):
        panel_title("Predicted edges", "most likely ones first", ("New node",))
        _listed(found, new, at)
    with right, st.container(gap="xxsmall"):
        panel_title("Network", "solid: known; dashed: predicted, and there; dotted: predicted, unknown")
        _drawn(subject, found, new, at)
    return Ranking(found, method, _words(subject, found, new, source, _how(subject, method, inside=inside)))


def _listed(found: PredictedEdges, new: tuple[str, ...], at: IntArray) -> None:
    names = results.new_first(found, new)[at]
    rows = pd.DataFrame(
        {
            "rank": at + 1,
            "new": names[:, 0],
            "other": names[:, 1],
            "score": found.scores[at],
            "known": np.where(found.in_network[at], "yes, hidden", "unknown"),
        }
    )
    if found.both_new[at].any():
        rows["both new"] = np.where(found.both_new[at], "●", "")
    rows = chosen.first(rows, "new", "other")
    registry.list_rows("edges.predicted", rows.to_dict("records"), "Predicted edges", "")
    st.dataframe(
        in_table(rows),
        hide_index=True,
        height=round(TIMES * fitted(HEIGHT)) if is_on() else HEIGHT,
        key="edges.predicted.rows",
    )


def _drawn(subject: Subject, found: PredictedEdges, new: tuple[str, ...], at: IntArray) -> None:
    network, pairs = results.known_and_predicted(subject, found, new, at)
    picture = predicted_network(
        node_places(network).places,
        network,
        pairs,
        found.in_network[at],
        np.isin(found.ids, new),
        height=fitted(HEIGHT),
    )
    draw(picture, "edges.drawing")


def _how(subject: Subject, method: EdgeMethod, *, inside: bool) -> str:
    if inside:
        return f"parameters chosen on {INNER_FOLDS} folds of the known nodes{values_of(method)}"
    if method == subject.kind():
        return "its usual parameters"
    return "parameters set by hand, which the table did not judge"


def _words(subject: Subject, found: PredictedEdges, new: tuple[str, ...], source: str, how: str) -> str:
    hits = int(found.in_network.sum())
    listed = ", ".join(plain(name) for name in new[:8]) + (
        f" and {len(new) - 8:,} more" if len(new) > 8 else ""
    )
    eta = zip(subject.data.names, found.eta.tolist(), strict=True)
    weights = ", ".join(f"{plain(name)} {number(value, 2)}" for name, value in eta)
    return (
        f"New: {listed}. {subject.kind.title} with {how}, from {plain(source_title(source, 'long'))} "
        f"({weights}), learned from {counted(found.trained, 'node')}. {counted(len(found.scores), 'pair')} ranked, "
        f"{hits:,} of them edges of the network that were hidden. Scores rank pairs and are no probabilities; no edge "
        "means that none is known."
    )


# Missing edges among known nodes: the third kind of pair, beside what needs no kernel; and the list of open pairs.

# What the panel of missing edges gives away: ranked pairs without a known edge, the cells, a script.


def row(subject: Subject, found: MissingTable | None, source: str) -> None:
    """Draw the row; cells where there are some."""
    name = f"{subject.dataset.name} missing edges"
    cells = () if found is None else (_cells(subject, found, name),)
    result = Result(
        name,
        table=Offer(
            lambda: open_rows(unobserved(subject.data, subject.for_known(source), source)), label="Ranked pairs as CSV",
            help="Every pair without a known edge, the highest score first, with its common neighbours.",
        ),
        further=cells,
        script=Offer(lambda: script(subject, source), help="Python that ranks these pairs and judges again."),
    )  # fmt: skip
    keep_row(result, key="edges.missing", look="tertiary")


def _cells(subject: Subject, found: MissingTable, name: str) -> Offer[list[dict[str, object]]]:
    return Offer(
        lambda: cell_rows(found, subject.state), label="Cells as CSV", name=f"{name} judged", key="cells",
        help="One row a fold, source and method, and a fold and baseline: AUC, average precision, counts, weights, "
        "parameters.",
    )  # fmt: skip


def open_rows(found: UnobservedPairs) -> list[dict[str, object]]:
    """Return one row a pair, the highest score first."""
    return [
        {"rank": k + 1, "a": a, "b": b, "score": score, "common_neighbours": common}
        for k, ((a, b), score, common) in enumerate(
            zip(found.names.tolist(), found.scores.tolist(), found.common.tolist(), strict=True)
        )
    ]


def cell_rows(found: MissingTable, state: State) -> list[dict[str, object]]:
    """Return one row a fold, source and method; baselines have no source and no weights."""
    none = ("",) * len(found.data.names)
    cells = [
        *((c.fold, c.source, c.method, c.hidden, tuple(c.eta.tolist()), repr(c.fitted)) for c in found.cells),
        *(
            (fold, "", name, each[name], none, "")
            for fold, each in enumerate(found.baselines)
            for name in PAIR_BASELINES
        ),
    ]
    return [
        {
            "fold": fold + 1, "source": source, "method": method, "auc": scores.auc,
            "average_precision": scores.average_precision, "edges": scores.edges, "pairs": scores.pairs,
            **{f"weight {kernel}": eta for kernel, eta in zip(found.data.names, weights, strict=True)},
            "parameters": fitted, "chosen_inside": int(found.tuned), "seed": found.seed, "mode": state.words,
        }
        for fold, source, method, scores, weights, fitted in cells
    ]  # fmt: skip


def script(subject: Subject, source: str) -> str:
    """Script of the ranked pairs and of the table."""
    data = recipe_of(subject)
    found = call("found", "rank_unobserved", data, subject.for_known(source), source)
    states = call(
        "states", "last_state", call(
            "judging", "judging_missing", data, subject.config.folds, subject.config.seed, subject.config.tuned,
        ),
    )  # fmt: skip
    prints = [
        "*(f'{a} {b} {s}' for (a, b), s in zip($0.names[:30], $0.scores[:30])), sep='\\n'",
        "*(f'{cell.fold + 1} {cell.source} {cell.method} {cell.hidden.auc}' for cell in $1.cells), sep='\\n'",
        "$2.words",
    ]
    heading = (
        f"Kernex: missing edges of {subject.dataset.name}, {source_title(source, 'long')}\n{BESIDE_KERNEX}"
    )
    return write_script([found, states, state_of_kernels(subject)], heading=heading, prints=prints)


AUTOMATIC: Final = 60
"""Nodes up to which hidden pairs are ranked without a click."""
LISTED: Final = 300
"""Nodes up to which the first open pairs are named, which takes a second or two; above, the file has them."""
CHOSEN_LISTED: Final = 200
"""The same where parameters are chosen first."""
HEAD: Final = "Two known nodes"
SOURCE_HELP: Final = (
    "What the list of pairs without a known edge is ranked by: one kernel, or all of them with weights that are learned "
    "from the whole network. The method is the one that is chosen above."
)
BASELINE_HELP: Final = (
    "Hidden edges are left out. A method that is not above it has not shown that the kernels tell more than the "
    "network."
)
LOCAL: Final = "Local models take the mean of both nodes' machines, each trained without the pair and a fifth of the others."
NOTE: Final = (
    "Another question than that of new nodes: all other edges of both nodes are known, and methods learn from them, so even "
    "a kernel that knows nothing may be above 0.5. Read each number beside common neighbours, and take none of "
    "them for new nodes. A hidden pair counts as no edge while anything is learned, and pairs are hidden by "
    "chance; edges that are truly missing lie rather where few have looked. A hidden pair "
    "without an edge may be one of those."
)


SETTINGS: Final = (
    setting("edge_missing_measure", "Measure of missing edges"),
    of_data("edge_missing_source", "Pairs without a known edge, from"),
)


def show_missing(subject: Subject) -> None:
    """Draw the panel."""
    title, picker = st.columns([2, 3], vertical_alignment="bottom")
    with title:
        panel_title("Missing edges among known nodes", "folds over pairs")
    with picker:
        measure = widgets.pick("edge_missing_measure", (AUC, PRECISION), label_visibility="collapsed")
    place = st.empty()
    run_study(
        subject.missing(), key="edges.missing", what="cells", label="Hide pairs and rank them",
        automatic=len(subject.data.ids) <= AUTOMATIC and not subject.config.tuned, cost=_cost(subject),
    )  # fmt: skip
    found = subject.missing().known()
    if found is not None:
        with place.container():
            _numbers(found, measure or AUC)
        st.caption(f"{_rests_on(subject, found)} {NOTE}")
        chosen_values.draw(
            subject, lambda source: [cell.fitted for cell in found.of(source, subject.kind.name)],
            key="edges.missing.chosen",
        )  # fmt: skip
    _list(subject, found)


def _cost(subject: Subject) -> str:
    cells = subject.config.folds * len(subject.data.sources)
    inside = ", each with its parameters chosen inside" if subject.config.tuned else ""
    return (
        f"Which edges does the network lack between nodes that it knows? {subject.config.folds} folds of pairs, "
        f"{cells:,} cells of {counted(len(EDGE_METHODS), 'method')}{inside}: this starts with a click."
    )


def _of(pairs: PairSummary, measure: str, verdict: Verdict | None, name: str) -> str:
    return with_ends(pairs.auc if measure == AUC else pairs.average_precision, verdict, name)


def _numbers(found: MissingTable, measure: str) -> None:
    neighbours, product = (found.summary(None, name) for name in ("common neighbours", "degree product"))
    verdict = missing_verdict(found, FIELDS[measure], called)
    first, second, third = numbers_in_a_row(3)
    note = f"{measure}, same hidden pairs"
    for column, name, pairs in (
        (first, "Common neighbours", neighbours),
        (second, "Degree product", product),
    ):
        with column:
            value = mean_sd(pairs.auc if measure == AUC else pairs.average_precision)
            metric(name, value, help=hint(name, first=BASELINE_HELP), note=note)
    with third:
        metric(
            "Prevalence, known–known", number(neighbours.prevalence.mean, 3), help=explained("Prevalence"),
            note=counts(neighbours),
        )  # fmt: skip
    titles = [plain(source_title(source)) for source in found.data.sources]
    rows = {HEAD: [each.replace(" ", "\u00a0") if len(each) <= SHORT else each for each in titles]}
    for kind in EDGE_METHODS:
        rows[kind.title] = [
            _of(found.summary(source, kind.name), measure, verdict, called(kind.name, source))
            for source in found.data.sources
        ]
    table("edges.missing.table", rows, title=f"{HEAD}: {measure}", note=note_of(verdict))
    say(verdict)


def _rests_on(subject: Subject, found: MissingTable) -> str:
    pairs = found.summary(None, "common neighbours")
    how = chosen_values.how(subject, "the pairs that are not hidden")
    return (
        f"{counted(pairs.auc.folds, 'fold')} of {found.folds} over pairs of {len(found.data.ids):,} nodes, seed "
        f"{found.seed}: {counts(pairs)}, each hidden once and ranked within its fold. {how[0].upper()}{how[1:]}. "
        f"{LOCAL} Intervals are over nodes; ±: standard deviation over folds, which share nodes."
    )


def _list(subject: Subject, found: MissingTable | None) -> None:
    """Pairs without a known edge: the first ones by name, all as CSV."""
    sources = list(subject.data.sources)
    source = widgets.choose(
        "edge_missing_source", sources, default="mkl", said=source_title,
        key=f"edges.missing.source.{len(sources)}.{sources[0]}", help=SOURCE_HELP, width=320,
    )  # fmt: skip
    if len(subject.data.ids) <= (CHOSEN_LISTED if subject.chooses else LISTED):
        method = subject.for_known(source)
        ranked = unobserved(subject.data, method, source)
        inside = f", parameters chosen on folds of all pairs{values_of(method)}" if subject.chooses else ""
        first = ", ".join(f"{plain(a)} – {plain(b)}" for a, b in ranked.names[:5].tolist())
        st.caption(
            f"{counted(len(ranked.scores), 'pair')} without a known edge, ranked by {subject.kind.title} from "
            f"{plain(source_title(source, 'long'))}, learned from the whole network{inside}. First: {first}. How many are "
            "edges the scores do not say."
        )
    row(subject, found, source)
