"""The controls of the page Networks: network, kernel and node, and everything behind Settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.networks.network import Network
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.learning.folds import CrossValidation
from pages.networks import bring, judged, reduced
from pages.networks import subject as state
from pages.networks.new_nodes import asked
from pages.networks.subject import KINDS
from pages.shared.answer.first_row import first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.controls import controls
from pages.shared.declared.labels import label
from pages.shared.declared.settings import Setting, declared, in_view, of, of_data, of_items, setting
from pages.shared.panels import linked
from pages.shared.panels.arrangement import order_box, orders
from pages.shared.settings import widgets
from pages.shared.widget import widget

PROTOCOL: Final = ("folds", "repeats", "C", "seed", "copies")
TABS: Final = "networks.tab"


def _of_kernel(kind: type[NetworkKernel], laplacian: bool) -> tuple[Setting, ...]:
    return tuple(
        setting(state.laplacian_of(kind) if laplacian else state.scale_name(kind, name), label(each, name))
        for name, each in parameters(kind).items()
        if not each.hidden and (name == "laplacian") == laplacian
    )


def _of_kernels(laplacian: bool) -> tuple[Setting, ...]:
    """Settings of all kernels, those of one name once."""
    return tuple({each.name: each for kind in KINDS for each in _of_kernel(kind, laplacian)}.values())


SETTINGS: Final = declared(
    *in_view(
        of_data("network", "Network"), setting("node_kernel", "Kernel"), of_items("node", "Node"),
        *_of_kernels(laplacian=False), *linked.SETTINGS, setting("tab", "Part of the page"),
        *judged.SETTINGS, *asked.SETTINGS, *reduced.SETTINGS, *bring.SETTINGS,
    ),
    *_of_kernels(laplacian=True), *orders("networks."), *of(CrossValidation, *PROTOCOL, prefix="cv_"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Choice:
    """Everything that is chosen above the pictures."""

    network: Network
    kernel: NetworkKernel
    node: int
    validation: CrossValidation
    order: str


def choice(dataset: DataSet) -> Choice:
    """Draw the first row: network where there are several, kernel, node, and the button Settings."""
    with first_row():
        network = state.choose_network(dataset)
        kind = _kind()
        node = _node(network, state.node_key(dataset))
        with st.container(width="stretch", horizontal_alignment="right"):
            kernel, validation, order = _settings(dataset, kind)
    return Choice(network, kernel, node, validation, order)


def _settings(dataset: DataSet, kind: type[NetworkKernel]) -> tuple[NetworkKernel, CrossValidation, str]:
    given = dataset.defaults
    protocol = CrossValidation(folds=given.folds, repeats=given.repeats, C=given.C, inductive=False)
    judged_here = dataset.judgeable is not None
    with settings_box(2) as (first, second):
        with first:
            kernel = _laplacian(kind)
            group("Pictures")
            order = order_box(
                st.container(), with_classes=judged_here, prefix="networks.",
                kernel="where the slider starts: rows do not move with it",
            )  # fmt: skip
        with second:
            if judged_here:  # nodes without classes have no protocol
                group("Judging")
                protocol = controls(protocol, f"networks.cv.{dataset.name}", only=PROTOCOL, prefix="cv_")
    return kernel, protocol, order


def _kind() -> type[NetworkKernel]:
    titles = {kind.title: kind for kind in KINDS}
    title = widgets.choose(
        "node_kernel", list(titles), width=230,
        help="How similarity of two nodes follows from the edges between them: Method.",
    )  # fmt: skip
    return titles[title]


def _laplacian(kind: type[NetworkKernel]) -> NetworkKernel:
    """Draw which Laplacian a kernel is made of; not every one is."""
    described = parameters(kind).get("laplacian")
    if described is None:
        return kind()
    group("Kernel")
    chosen = widget(
        described, state.described_default(kind), name="laplacian", setting=state.laplacian_of(kind)
    )
    return kind(laplacian=chosen)  # type: ignore[call-arg]  # those that describe it take it


def _node(network: Network, key: str) -> int:
    """Draw the node chooser, in which one can search, and return the node's position."""
    name = widgets.choose(
        "node", network.ids, default=state.best_connected(network), key=key, width=260,
        help="Whose similarities to all others are drawn. Type to search by id, or click a node in the drawing. "
        "It begins with the node that has most edges.",
    )  # fmt: skip
    return network.ids.index(name)
