"""Predicted edges of nodes that are taken as new: a ranked list, and a drawing with these edges dashed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.base.frozen import IntArray
from kernex_core.inputs.names import counted
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.predicting import PredictedEdges
from kernex_core.studies.networks.edges.sources import INNER_FOLDS
from pages.networks.edges import results
from pages.networks.edges.judged import values_of
from pages.networks.edges.results import predicted_network
from pages.networks.edges.subject import Asked, Subject, chosen_for_new, predicted, source_title
from pages.networks.subject import places as node_places
from pages.server.digits import in_table, number
from pages.server.messages import plain
from pages.ui import chosen
from pages.ui import shown as registry
from pages.ui.frame import panel_title
from pages.ui.panels.linked import draw
from pages.ui.projector import TIMES, fitted, is_on

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
