"""Predicted edges of nodes that are taken as new: a ranked list, and a drawing with these edges dashed."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.inputs.names import counted
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.predicting import PredictedEdges
from pages.networks.edges import results
from pages.networks.edges.drawing import predicted_network
from pages.networks.edges.subject import Subject, predicted, source_title
from pages.networks.subject import places as node_places
from pages.shared import chosen
from pages.shared.controls import controls
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.messages import guard, plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.side_by_side import places
from pages.shared.shown import registry

AT_ONCE: Final = 500
"""Nodes up to which a ranking takes no time worth a click."""
MOST_LISTED: Final = 500
ALONE, CHOSEN, DRAWN = "without edges", "chosen items", "some by seed"
NEW_HELP: Final = (
    "Whose edges are asked for; theirs are hidden from the methods. Those without any edge, items that are chosen in a "
    "picture of any page, or so many drawn by the seed."
)
SOURCE_HELP: Final = (
    "One kernel, or all of them with these weights, learned from the edges among the other nodes."
)
EDGES_HELP: Final = (
    "So many pairs of the highest score are listed and drawn. How many are edges the scores do not say."
)


@st.fragment
def show(subject: Subject) -> None:
    """Draw the panel."""
    panel_title("Predicted edges", "pairs of new nodes, most likely ones first")
    with guard():
        new, source, method, count = _asked(subject)
        if len(subject.data.ids) > AT_ONCE and predicted.peek(subject.data, new, method, source) is None:
            st.caption(f"{len(subject.data.ids):,} nodes: this takes some seconds and starts with a click.")
            if not st.button("Rank the pairs", key="edges.rank", icon=":material/play_arrow:"):
                return
        found = predicted(subject.data, new, method, source)
        at = np.arange(min(count, len(found.scores)))
        left, right = st.columns([2, 3], gap="medium")
        with left:
            _listed(found, at)
        with right:
            _drawn(subject, found, new, at)
        st.caption(_words(subject, found, new, method, source))
        results.predicted_row(subject, found, new, method, source)


def _asked(subject: Subject) -> tuple[tuple[str, ...], str, EdgeMethod, int]:
    first, second, third, fourth, more = places(330, 150, 200, 170, "content", align="bottom")
    options = [
        name
        for name, has in ((ALONE, subject.without_edges), (CHOSEN, _chosen(subject)), (DRAWN, True))
        if has
    ]
    with first:
        which = st.segmented_control(
            "New nodes", options, default=options[0], required=True, key=f"edges.new.{len(options)}.{options[0]}",
            help=NEW_HELP,
        )  # fmt: skip
    if which == DRAWN:
        with second:
            new = _by_seed(subject)
    else:
        new = subject.without_edges if which == ALONE else _chosen(subject)
    sources = list(subject.data.sources)
    start = sources.index("mkl") if "mkl" in sources else 0
    with third:
        source = st.selectbox(
            "From", sources, index=start, format_func=source_title, key=f"edges.source.{len(sources)}.{sources[0]}",
            help=SOURCE_HELP,
        )  # fmt: skip
    with fourth:
        count = st.number_input(
            "Edges shown", 1, MOST_LISTED, 30, key="edge_shown", bind="query-params", persist_state="session",
            help=EDGES_HELP,
        )  # fmt: skip
    method = subject.kind()
    if fields(subject.kind):
        with more, st.popover("Parameters", icon=":material/tune:"):
            method = controls(method, f"edges.{subject.kind.name}")
    return new, source, method, int(count)


def _chosen(subject: Subject) -> tuple[str, ...]:
    wanted = set(chosen.chosen_ids())
    return tuple(name for name in subject.data.ids if name in wanted)


def _by_seed(subject: Subject) -> tuple[str, ...]:
    most = max(len(subject.data.ids) - 3, 1)
    with st.popover("How many", icon=":material/casino:"):
        count = st.number_input(
            "Nodes", 1, most, min(10, most), key=f"edges.many.{most}", help="Taken as new."
        )
        seed = st.number_input(
            "Seed", 0, 10**6, 0, key="edges.new.seed", help="Of the drawing of these nodes."
        )
    drawn = np.random.default_rng(int(seed)).permutation(len(subject.data.ids))[: int(count)]
    return tuple(subject.data.ids[k] for k in sorted(drawn.tolist()))


def _listed(found: PredictedEdges, at: np.ndarray) -> None:
    names = found.names[at]
    rows = pd.DataFrame(
        {
            "rank": at + 1,
            "node": names[:, 0],
            "other": names[:, 1],
            "score": [number(value, 3) for value in found.scores[at].tolist()],
            "in the network": np.where(found.in_network[at], "yes, hidden here", "unknown"),
            "both new": np.where(found.both_new[at], "●", ""),
        }
    )
    rows = chosen.first(rows, "node", "other")
    registry.list_rows("edges.predicted", rows.to_dict("records"), "Predicted edges", "")
    st.dataframe(rows, hide_index=True, height=430, key="edges.predicted.rows")


def _drawn(subject: Subject, found: PredictedEdges, new: tuple[str, ...], at: np.ndarray) -> None:
    network, pairs = results.known_and_predicted(subject, found, new, at)
    picture = predicted_network(
        node_places(network).places, network, pairs, found.in_network[at], np.isin(found.ids, new)
    )
    draw(picture, "edges.drawing")
    st.caption(
        "Solid: known edges among the other nodes. Dashed: predicted; green if the network that was brought has the edge, "
        "orange if it knows none. New nodes are orange; those without a predicted edge here stand apart."
    )


def _words(
    subject: Subject, found: PredictedEdges, new: tuple[str, ...], method: EdgeMethod, source: str
) -> str:
    hits = int(found.in_network.sum())
    listed = ", ".join(plain(name) for name in new[:8]) + (
        f" and {len(new) - 8:,} more" if len(new) > 8 else ""
    )
    eta = zip(subject.data.names, found.eta.tolist(), strict=True)
    weights = ", ".join(f"{plain(name)} {number(value, 2)}" for name, value in eta)
    usual = (
        "its usual parameters"
        if method == subject.kind()
        else "parameters set by hand, which the table did not judge"
    )
    return (
        f"New: {listed}. {subject.kind.title} with {usual}, from {plain(source_title(source, 'long'))} "
        f"({weights}), learned from {counted(found.trained, 'node')}. {counted(len(found.scores), 'pair')} ranked, "
        f"{hits:,} of them edges of the network that were hidden. Scores rank pairs and are no probabilities; no edge "
        "means that none is known."
    )
