"""The page Networks, laid out. A move of the slider runs `_moving` alone: the pictures and what stands below."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import NODE_LIMIT
from kernex_core.learning.leakage import state_of
from kernex_core.parameters import parameters
from kernex_core.studies.networks.kernel_sweep import TRANSDUCTIVE
from kernex_core.studies.networks.study import NetworkView
from pages.networks import bring, charts, judged, large, new_nodes, reduced
from pages.networks import subject as state
from pages.networks.clicked import node_chart
from pages.networks.drawing import Coloured, drawn, marker_key
from pages.networks.node_table import join_table
from pages.networks.results import results, suggested_name
from pages.networks.scale import Scale
from pages.networks.subject import Subject
from pages.shared import chosen
from pages.shared.declared.labels import label, plain_label
from pages.shared.figures.codes import common_scale
from pages.shared.figures.picture import Items
from pages.shared.frame import PageFrame, panel_title
from pages.shared.glossary.entries import explained
from pages.shared.matrices.follows import FACTORED
from pages.shared.matrices.panels import Drag, Follow, Panel, Words
from pages.shared.messages import findings, guard, plain
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.arrangement import arranged, class_list, order_box
from pages.shared.panels.heatmap import draw
from pages.shared.panels.linked import linked
from pages.shared.settings import widgets

DRAWING = "networks.drawing"


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    if not state.networks_of(dataset):
        bring.say_what_to_bring(dataset)
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        network = state.choose_network(dataset)
        kernel = state.choose_kernel()
        validation = state.choose_protocol(dataset)
        join_table(dataset, network)
    labels = dataset.judgeable
    if labels is not None and network.n <= NODE_LIMIT:
        state_badge(state_of(ITEMS), page.slot, about=TRANSDUCTIVE[0])
    page.badge(f"{counted(network.n, 'node')}, {counted(network.n_edges, 'edge')}")
    if network.n > NODE_LIMIT:
        large.show(dataset, network, kernel)
        return
    prepared = state.prepare(network, kernel)
    if prepared is None:
        return
    subject = Subject(dataset, network, prepared, kernel, labels, validation)
    pictures = st.container()
    # how the file was read is told on the page Data
    told = [note for note in network.notes if note.severity != "fine"]
    findings(told if network.notes else kernel.remarks(network.adjacency))
    study, lower = st.container(), st.container()
    with pictures:
        _moving(subject, lower)
    bring.more(dataset)
    with study:
        judged.run(subject)


@st.fragment
def _moving(subject: Subject, lower: DeltaGenerator) -> None:
    dataset, network = subject.dataset, subject.network
    slider, chooser, order = st.columns([5, 4, 4], gap="medium", vertical_alignment="bottom")
    with slider:
        value = slide(subject.scale, subject.kernel)
    with chooser:
        node = state.choose_node(network, state.node_key(dataset))
    with guard():
        view = subject.view(value, node)
        how = order_box(
            order, with_classes=subject.labels is not None, prefix="networks.",
            kernel=f"at {subject.scale.words(subject.scale.start) or 'hand'}: rows do not move with the slider",
        )  # fmt: skip
        items = arranged(how, subject.start, dataset.labels)
        left, right = st.columns([1.14, 1], gap="medium")
        with left:
            _drawing(subject, view)
        with right:
            _matrix(subject, view, value, items)
        with lower:
            _lower(subject, view, value, items)
            further(subject, view, value, how, items)


def slide(scale: Scale, kernel: NetworkKernel) -> float:
    """Draw the slider of the kernel's parameter, logarithmic, and return its value."""
    if not scale.name:
        st.caption(f"{kernel.title} has no parameter to move.")
        return scale.start
    described = parameters(kernel)[scale.name]
    made = widgets.stop(
        state.scale_name(type(kernel), scale.name),
        scale.options,
        default=scale.start,
        said=lambda value: f"{value:g}",
        label=label(described, scale.name),
        help=explained(plain_label(described, scale.name), f"{described.help} The steps grow with it."),
    )
    if scale.ends:
        st.caption(f"The slider ends {scale.ends}.")
    return float(made)


def _drawing(subject: Subject, view: NetworkView) -> None:
    """Draw the network; a click on a node chooses it."""
    network, dataset = subject.network, subject.dataset
    layout = state.places(network)
    classes = class_list(dataset.labels)
    name = network.ids[view.node]
    coloured = Coloured(view.column, view.node, chosen.chosen(network.ids))
    picture = drawn(layout.places, network, coloured, classes)
    note = f"colour: k({plain(name)}, ·); size: degree"
    with st.container(gap="xxsmall"):
        panel_title(
            "Network", " · ".join(part for part in (note, picture.note) if part), ("Degree of a node",)
        )
        node_chart(picture, network.ids, DRAWING, state.node_key(dataset), classes)
        key = marker_key(classes)
        st.caption(f"{plain(key)}{' · ' if key else ''}Places: {layout.method}. A click chooses a node.")


def _matrix(subject: Subject, view: NetworkView, value: float, items: Items) -> None:
    at = subject.scale.words(value)
    K = view.gram.values
    panels = [Panel(subject.kernel.title, at, K, common_scale([K]))]
    words = Words(subject.dataset.name, at)
    linked(panels, items, key="networks.maps", words=words, drag=_drag(subject, value, items))


def _drag(subject: Subject, value: float, items: Items) -> Drag | None:
    """The kernel at every value of the slider while the thumb moves: exactly where the browser is fast enough."""
    scale = subject.scale
    if value not in scale.options:
        return None
    kernels = tuple(scale.at(subject.kernel, each) for each in scale.options)
    many = subject.network.n > FACTORED
    carrier = (
        state.frames_of(subject.prepared, kernels, items.positions)
        if many
        else state.followed(subject.prepared, kernels)
    )
    if carrier is None:
        return None
    note = f"{scale.symbol} {'≈' if many else '='} {{}}"
    follow = Follow(0, "frames" if many else "spectrum", carrier, note=note)
    key, at = state.scale_name(type(subject.kernel), scale.name), float(scale.options.index(value))
    label = f"{scale.symbol}, in the picture"
    return Drag(key, scale.symbol, label, at, 0.0, len(kernels) - 1.0, 1.0, (follow,), options=scale.options)


def _lower(subject: Subject, view: NetworkView, value: float, items: Items) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left, guard():
        found = judged.chart(subject, value)
    with right, st.container(gap="xxsmall"):
        at = subject.scale.words(value)
        operator = subject.prepared.spectrum.operator
        panel_title("Spectrum", f"{charts.MATRICES[operator]}, f over it{f' at {at}' if at else ''}")
        draw(charts.spectrum(view, operator), "networks.spectrum")
    with guard():
        judged.numbers(subject, view, value, found)
    results(subject, view, value, items)


def further(subject: Subject, view: NetworkView, value: float, how: str, items: Items) -> None:
    """Draw the panels that go on from the kernel, closed at first."""
    name = suggested_name(subject, value)
    new_nodes.show(subject, view, name, how)
    reduced.show(subject, view, name, items)
