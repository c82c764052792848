"""Networks above the limit of a whole kernel: columns of chosen nodes alone, with the bound on their error."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import IntArray
from kernex_core.base.parameters import parameters
from kernex_core.base.validation import LARGEST_ENTRY
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.network import Network
from kernex_core.kernels.networks.common_neighbours import ChosenColumns, chosen_columns
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import NODE_LIMIT, spectral_radius
from kernex_core.kernels.networks.walks import Exponential, VonNeumann
from pages.networks import subject as state
from pages.networks.clicked import node_chart
from pages.networks.drawing import Coloured, drawn, marker_key
from pages.networks.scale import scale_of
from pages.networks.settings import Choice
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.cached import cached
from pages.shared.declared.labels import label
from pages.shared.figures.classes import like
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.messages import findings, guard, plain
from pages.shared.panels.arrangement import class_list, coloured_box
from pages.shared.panels.keep import Offer, Result, keep_row
from pages.shared.settings import widgets
from pages.shared.shown.drawn import table as drawn_table

AROUND: Final = 150
"""Nodes that are drawn: the most similar ones."""
LISTED: Final = 12


@cached(public=True, newest=8)
def columns(kernel: NetworkKernel, network: Network, node: int) -> ChosenColumns:
    """Similarities of all nodes to one."""
    return chosen_columns(kernel, network.adjacency, [node])


@cached(public=True)
def bound(kernel: NetworkKernel, network: Network) -> float:
    """Where the parameter ends, from the largest eigenvalue alone; infinite: nowhere."""
    if not isinstance(kernel, VonNeumann | Exponential):
        return np.inf
    radius = spectral_radius(network.adjacency)
    reach = 1.0 if isinstance(kernel, VonNeumann) else float(np.log(LARGEST_ENTRY))
    return reach / radius if radius > 0.0 else np.inf


def show(dataset: DataSet, chosen: Choice) -> None:
    """Say what is left out and why, then draw the slider and the chosen node's surroundings."""
    network, kernel, node = chosen.network, chosen.kernel, chosen.node
    place = VerdictPlace()
    scale = scale_of(kernel, bound(kernel, network), dataset.defaults.tau, state.asked_tau())
    if scale.name:
        value = widgets.stop(
            state.scale_name(type(kernel), scale.name), scale.options, default=scale.start,
            said=lambda v: f"{v:g}", label=label(parameters(kernel)[scale.name], scale.name),
            help=f"{parameters(kernel)[scale.name].help} On a logarithmic scale.",
        )  # fmt: skip
        kernel = scale.at(kernel, float(value))
    with guard():
        found = columns(kernel, network, node)
        near = [network.ids[int(k)] for k in nearest_first(found, node)[1:4]]
        place.say(f"{plain(network.ids[node])} is most similar to {plain(listed(near))}.")
        _draw(dataset, network, found, node)
    st.caption(
        f"{network.n:,} nodes: above {NODE_LIMIT:,} the whole kernel is not computed, so there is no matrix, spectrum or "
        "accuracy here. Similarities to a chosen node are, by an expansion in powers of the network whose error is bounded. "
        "A selection of nodes on the page Data brings the rest back."
    )
    findings(network.notes)


def _draw(dataset: DataSet, network: Network, found: ChosenColumns, node: int) -> None:
    column, name = found.values[:, 0], network.ids[node]
    order = nearest_first(found, node)
    left, right = st.columns([1.14, 1], gap="medium")
    with left, st.container(gap="xxsmall"):
        at = np.sort(order[:AROUND])
        part = network.take(at)
        here = int(np.searchsorted(at, node))
        classes = class_list(dataset.labels)
        shown = None if classes is None else like(classes, [classes[int(k)] for k in at])
        panel_title("Network", f"{plain(name)} and the {part.n - 1} nodes that are most similar to it")
        picture = drawn(state.places(part).places, part, Coloured(column[at], here), shown, height=420)
        node_chart(picture, part.ids, "networks.around", state.node_key(dataset), shown)
        key = marker_key(shown)
        st.caption(f"{plain(key)}{' · ' if key else ''}A click chooses a node.")
        coloured_box(classes, "networks.large")
    with right, st.container(gap="xxsmall"):
        panel_title("Most similar", f"to {plain(name)}")
        rows = order[:LISTED]
        drawn_table(
            "networks.similar",
            {
                "node": [plain(network.ids[int(k)]) for k in rows],
                "similarity": [number(float(column[int(k)])) for k in rows],
            },
        )
        st.caption(
            f"{found.degree:,} products with the network; no value is further than {number(found.error_bound)} from the "
            "kernel's, rounding apart."
        )
    table = Offer(
        lambda: [
            {"node": name, "other": network.ids[int(k)], "similarity": float(column[int(k)])} for k in order
        ],
        label="Similarities of the node as CSV",
    )
    keep_row(Result(f"similarities to {name}", table=table), key="networks.large")


def nearest_first(found: ChosenColumns, node: int) -> IntArray:
    """The node itself, then all others, the most similar first."""
    order = np.argsort(-found.values[:, 0], kind="stable")
    return np.concatenate([[node], order[order != node]])
