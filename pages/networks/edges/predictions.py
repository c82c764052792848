"""Predicted edges of nodes that are taken as new: a ranked list, and a drawing with these edges dashed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.frozen import IntArray
from kernex_core.inputs.names import counted
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.parameters import parameter, parameters
from kernex_core.studies.networks.edges.choosing import INNER_FOLDS
from kernex_core.studies.networks.edges.predicting import PredictedEdges
from pages.networks.edges import results
from pages.networks.edges.chosen_values import values_of
from pages.networks.edges.drawing import predicted_network
from pages.networks.edges.subject import KINDS, Subject, chosen_for_new, predicted, source_title
from pages.networks.subject import places as node_places
from pages.shared import chosen
from pages.shared.controls import controls
from pages.shared.declared.settings import of, of_data, of_each, own_prefix, setting
from pages.shared.digits import in_table
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.messages import guard, plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets
from pages.shared.shown import registry
from pages.shared.widget import widget

AT_ONCE: Final = 500
"""Nodes up to which a ranking takes no time worth a click."""
CHOSEN_AT_ONCE: Final = 200
"""The same where parameters are chosen first."""
ALONE, CHOSEN, DRAWN = "without edges", "chosen items", "some by seed"
NEW_HELP: Final = (
    "Whose edges are asked for; theirs are hidden from the methods. Those without any edge, items that are chosen in a "
    "picture of any page, or so many drawn by the seed."
)
SOURCE_HELP: Final = (
    "One kernel, or all of them with these weights, learned from the edges among the other nodes."
)


@dataclass(frozen=True)
class Listing:
    """What is listed, and which nodes are taken as new where they are drawn."""

    shown: int = parameter(
        30, label="Edges shown", low=1, high=500, step=1,
        help="So many pairs of the highest score are listed and drawn. How many are edges the scores do not say.",
    )  # fmt: skip
    many: int = parameter(
        10, label="Nodes", help="Taken as new, at most all but three.", low=1, high=1000, step=1
    )
    drawn_by: int = parameter(
        0, label="Seed of new nodes", help="Another seed draws other nodes.", low=0, high=2**31 - 1, step=1
    )


@st.fragment
def show(subject: Subject) -> None:
    """Draw the panel."""
    panel_title("Predicted edges", "pairs of new nodes, most likely ones first")
    with guard():
        new, source, method, count = _asked(subject)
        if not new:
            st.caption(
                "No such node: choose items in a picture of any page, or let some be drawn by the seed."
            )
            return
        inside = subject.chooses and method == subject.kind()
        before = (subject.data, new, method, source)
        waits = len(subject.data.ids) > (CHOSEN_AT_ONCE if inside else AT_ONCE)
        if waits and (chosen_for_new if inside else predicted).peek(*before) is None:
            st.caption(f"{len(subject.data.ids):,} nodes: this takes some seconds and starts with a click.")
            if not st.button("Rank the pairs", key="edges.rank", icon=":material/play_arrow:"):
                return
        method = chosen_for_new(*before) if inside else method
        found = predicted(subject.data, new, method, source)
        at = np.arange(min(count, len(found.scores)))
        left, right = st.columns(2, gap="medium")
        with left:
            _listed(found, new, at)
        with right:
            _drawn(subject, found, new, at)
        st.caption(_words(subject, found, new, source, _how(subject, method, inside=inside)))
        results.predicted_row(subject, found, new, method, source)


SETTINGS: Final = (
    setting("edge_new", "New nodes"), of_data("edge_source", "From"), *of(Listing, prefix="edge_"),
    *of_each(KINDS.values()),
)  # fmt: skip


def _asked(subject: Subject) -> tuple[tuple[str, ...], str, EdgeMethod, int]:
    """Draw the controls: new nodes, source, how many pairs are shown, parameters of the method."""
    first, second, third, more = places(340, 200, 170, "content", align="bottom")
    with first:
        which = widgets.pick(
            "edge_new",
            (ALONE, CHOSEN, DRAWN),
            default=ALONE if subject.without_edges else DRAWN,
            help=NEW_HELP,
        )
    sources = list(subject.data.sources)
    with second:
        source = widgets.choose(
            "edge_source", sources, default="mkl", said=source_title,
            key=f"edges.source.{len(sources)}.{sources[0]}", help=SOURCE_HELP,
        )  # fmt: skip
    with third:
        shown = _number("shown")
    method = subject.kind()
    with more, st.container(horizontal=True):
        new = {ALONE: subject.without_edges, CHOSEN: _chosen(subject)}.get(which or ALONE)
        if new is None:
            new = _by_seed(subject)
        if fields(subject.kind):
            with st.popover("Parameters", icon=":material/tune:"):
                method = controls(method, f"edges.{subject.kind.name}", prefix=own_prefix(subject.kind))
    return new, source, method, shown


def _number(name: str) -> int:
    described = parameters(Listing)[name]
    made: int = widget(described, getattr(Listing(), name), name=name, setting=f"edge_{name}")
    return made


def _chosen(subject: Subject) -> tuple[str, ...]:
    wanted = set(chosen.chosen_ids())
    return tuple(name for name in subject.data.ids if name in wanted)


def _by_seed(subject: Subject) -> tuple[str, ...]:
    ids = subject.data.ids
    with st.popover("How many", icon=":material/casino:"):
        count, seed = _number("many"), _number("drawn_by")
    drawn = np.random.default_rng(seed).permutation(len(ids))[: min(count, len(ids) - 3)]
    return tuple(ids[k] for k in sorted(drawn.tolist()))


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
    st.dataframe(in_table(rows), hide_index=True, height=430, key="edges.predicted.rows")


def _drawn(subject: Subject, found: PredictedEdges, new: tuple[str, ...], at: IntArray) -> None:
    network, pairs = results.known_and_predicted(subject, found, new, at)
    picture = predicted_network(
        node_places(network).places, network, pairs, found.in_network[at], np.isin(found.ids, new)
    )
    draw(picture, "edges.drawing")
    st.caption(
        "Solid: known edges among the other nodes. Dashed: predicted, and the network that was brought has the edge; "
        "dotted, in orange: predicted, and it knows none. New nodes are orange; those without a predicted edge here "
        "stand apart."
    )


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
