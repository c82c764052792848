"""The page Networks on one screen: the verdict, the drawing beside the matrix with its slider, then what one asks second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import IntArray
from kernex_core.base.parameters import parameters
from kernex_core.base.validation import LARGEST_ENTRY
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.networks.network import Network
from kernex_core.kernels.networks.common_neighbours import ChosenColumns, chosen_columns
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import NODE_LIMIT, spectral_radius
from kernex_core.kernels.networks.walks import Exponential, VonNeumann
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import state_of
from kernex_core.studies.networks.study import TRANSDUCTIVE, NetworkView
from pages.networks import new_nodes, reduced
from pages.networks import results as found_by
from pages.networks import subject as state
from pages.networks.drawing import Coloured, drawn, marker_key, node_chart
from pages.networks.node_table import join_table
from pages.networks.results import ASSUMPTIONS, FORMULAS, results, suggested_name
from pages.networks.subject import KINDS, Scale, Subject, scale_of
from pages.server.cached import cached
from pages.server.declared import (
    Setting,
    declared,
    in_view,
    label,
    of,
    of_data,
    of_items,
    plain_label,
    setting,
)
from pages.server.digits import number
from pages.server.messages import findings, guard, plain
from pages.ui import chosen, widgets
from pages.ui import shown as registry
from pages.ui.answer import (
    Choosing,
    VerdictPlace,
    choose,
    draw_parts,
    first_row,
    group,
    is_asked,
    settings_box,
)
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import common_scale
from pages.ui.figures.theme import like
from pages.ui.frame import PageFrame, formula_text, need_data, open_page, panel_title
from pages.ui.glossary import explained
from pages.ui.matrices import FACTORED, Drag, Follow, Panel, Room, Words
from pages.ui.panels import linked
from pages.ui.panels.accuracy import state_badge
from pages.ui.panels.item_map import chosen_row
from pages.ui.panels.keep import Offer, Result, keep_row
from pages.ui.panels.linked import arranged, class_list, coloured_box, draw, order_box, orders
from pages.ui.panels.verdicts import RULE
from pages.ui.payload import Carrier
from pages.ui.projector import fitted
from pages.ui.shown import table as drawn_table
from pages.ui.widget import controls, widget

# The controls of the page Networks: network, kernel and node, and everything behind Settings.

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
        *found_by.SETTINGS, *new_nodes.SETTINGS, *reduced.SETTINGS, *state.SETTINGS,
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


# Networks above the limit of a whole kernel: columns of chosen nodes alone, with the bound on their error.

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


def show_large(dataset: DataSet, chosen: Choice) -> None:
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


DRAWING, MAPS = "networks.drawing", "networks.maps"
HEIGHT: Final = 390
"""Pixels of the drawing."""
SIDE: Final = 0.46
"""Of the matrix, as a share of the window's height."""


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page, then judge what is not judged yet."""
    if not state.networks_of(dataset):  # of vectors one can be made
        state.neighbours(dataset)
        return
    draw_body = _body_alone if dataset.n <= state.AT_ONCE else _body
    drawn = draw_body(dataset, [True], [])
    if drawn is None:
        return
    subject, place = drawn
    if subject.labels is not None:
        state_badge(state_of(ITEMS), page.slot, about=TRANSDUCTIVE[0])
    found_by.run(subject, place.wait)


def _body(dataset: DataSet, first: list[bool], judging: list[str]) -> tuple[Subject, VerdictPlace] | None:
    """Draw everything but what judging adds to it; return what is judged, and where that is said.

    A run of the fragment alone leaves what has to be computed with a bar, and Stop beside it, to the page.
    """
    is_page = bool(first) and first.pop()
    if not is_page:
        registry.again()
    with guard():
        chosen = choice(dataset)
        formula_text(FORMULAS, ASSUMPTIONS)
        if chosen.network.n > NODE_LIMIT:
            show_large(dataset, chosen)
            return None
        prepared = state.prepare(chosen.network, chosen.kernel)
        if prepared is None:
            return None
        subject = Subject(
            dataset, chosen.network, prepared, chosen.kernel, dataset.judgeable, chosen.validation
        )
        study = subject.study()
        now = ["" if study is None else study.settings]
        # the button that judges, and Stop, are the page's: they would go with the place that is drawn anew
        if not is_page and (judging != now or found_by.is_open(subject)):
            st.rerun()
        judging[:] = now
        place = VerdictPlace(*found_by.names(subject))
        _followed(subject, place, chosen)
        return subject, place
    return None


_body_alone = st.fragment(_body)
"""The same by itself: of few nodes everything is an answer to a move, and the page around it stays."""


def _followed(subject: Subject, place: VerdictPlace, chosen: Choice) -> None:
    """Draw what the slider changes; where the browser can follow it, it is in the bar of the matrix."""
    items = arranged(chosen.order, subject.start, subject.dataset.labels)
    carrier = _carrier(subject, items)
    value = _slider(subject, seen=carrier is None)
    view = subject.view(value, chosen.node)
    pictures, lower, carriers = st.container(key="maps"), st.container(), st.container(key="carriers")
    drag = None if carrier is None else _drag(subject, value, carrier)
    with pictures:
        # the matrix first: its slider is among the first stops of the Tab key
        left, right = st.columns([1, 1.3], gap="medium")
        panels = [_panel(subject, view, value)]
        with right:
            _drawing(subject, view)
        with left:
            words = Words(subject.dataset.name, panels[0].note)
            linked.linked(panels, items, key=MAPS, words=words, drag=drag, room=Room(carriers, SIDE, TABS))
    with lower:
        # how the file was read is told on the page Data
        told = [note for note in subject.network.notes if note.severity != "fine"]
        findings(told if subject.network.notes else subject.kernel.remarks(subject.network.adjacency))
        tabs, row = st.container(), st.container()
        with row:
            results(subject, view, value, items)
        with tabs:
            _tabs(subject, view, value, chosen.order, items, panels)
    found_by.fill(place, subject, view, value)
    if is_asked(MAPS):
        _choose(subject, value)


def _slider(subject: Subject, *, seen: bool) -> float:
    """Return the value of the parameter; a slider that is not seen keeps the setting of the one in the picture."""
    if not subject.scale.name:
        return subject.scale.start
    if not seen:
        with st.container(key=f"hidden_slider.{subject.parameter}"):
            return slide(subject.scale, subject.kernel)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        value = slide(subject.scale, subject.kernel)
        found = subject.judged
        if found is not None and subject.choosing(found) is not None:
            name = f"Choose {subject.scale.symbol}"
            if st.button(name, key="networks.choose"):
                _choose(subject, value)
    return value


def _choose(subject: Subject, value: float) -> None:
    """Open the dialog in which the parameter is chosen."""
    found, scale = subject.judged, subject.scale
    study = None if found is None else subject.choosing(found)
    if found is None or study is None:
        return
    values = {scale.words(each): each for each in scale.grid}
    choose(
        Choosing(
            scale.symbol, study, "networks", lambda name: (subject.parameter, values[name]), now=scale.words(value),
            picture=lambda: found_by.accuracy(subject, found, value, "accuracy"),
        )
    )  # fmt: skip


def slide(scale: Scale, kernel: NetworkKernel) -> float:
    """Draw the slider of the kernel's parameter, logarithmic, and return its value."""
    described = parameters(kernel)[scale.name]
    ends = f" The slider ends {scale.ends}." if scale.ends else ""
    made = widgets.stop(
        state.scale_name(type(kernel), scale.name),
        scale.options,
        default=scale.start,
        said=lambda value: f"{value:g}",
        label=label(described, scale.name),
        help=explained(plain_label(described, scale.name), f"{described.help} The steps grow with it.{ends}"),
    )
    return float(made)


def _drawing(subject: Subject, view: NetworkView) -> None:
    """Draw the network; a click on a node chooses it."""
    network, dataset = subject.network, subject.dataset
    classes = class_list(dataset.labels)
    name = network.ids[view.node]
    coloured = Coloured(view.column, view.node, chosen.chosen(network.ids))
    picture = drawn(state.places(network).places, network, coloured, classes, height=fitted(HEIGHT))
    size = f"{counted(network.n, 'node')}, {counted(network.n_edges, 'edge')}"
    note = f"{size}; colour: k({plain(name)}, ·), size: degree"
    with st.container(gap="xxsmall"):
        panel_title(
            "Network", " · ".join(part for part in (note, picture.note) if part), ("Degree of a node",)
        )
        node_chart(picture, network.ids, DRAWING, state.node_key(dataset), classes)
        if key := marker_key(classes):
            st.caption(plain(key))


def _panel(subject: Subject, view: NetworkView, value: float) -> Panel:
    K = view.gram.values
    return Panel(subject.kernel.title, subject.scale.words(value), K, common_scale([K]))


def _carrier(subject: Subject, items: Items) -> Carrier | None:
    """What the browser makes the kernel of at every value of the slider; exactly where it is fast enough."""
    scale = subject.scale
    if not scale.name:
        return None
    kernels = tuple(scale.at(subject.kernel, each) for each in scale.options)
    if subject.network.n > FACTORED:
        return state.frames_of(subject.prepared, kernels, items.positions)
    return state.followed(subject.prepared, kernels)


def _drag(subject: Subject, value: float, carrier: Carrier) -> Drag:
    """The kernel at every value of the slider while the thumb moves."""
    scale, many, found = subject.scale, subject.network.n > FACTORED, subject.judged
    note = f"{scale.symbol} {'≈' if many else '='} {{}}"
    follow = Follow(0, "frames" if many else "spectrum", carrier, note=note)
    at, most = float(scale.options.index(value)), len(scale.options) - 1.0
    described = parameters(subject.kernel)[scale.name]
    chosen = found is not None and subject.choosing(found) is not None
    return Drag(
        subject.parameter, scale.symbol, f"{scale.symbol}, in the picture", at, 0.0, most, 1.0, (follow,),
        options=scale.options, title=plain_label(described, scale.name), pick=f"Choose {scale.symbol}" if chosen else "",
    )  # fmt: skip


def _tabs(
    subject: Subject, view: NetworkView, value: float, how: str, items: Items, panels: Sequence[Panel]
) -> None:
    """Draw what one asks second: the part that is open."""
    name = suggested_name(subject, value)
    parts: dict[str, Callable[[], None]] = {
        "Accuracy": lambda: found_by.show(subject, value),
        "Measures": lambda: found_by.measures(subject, value),
        "Spectrum": lambda: _spectrum(subject, view, value),
        "New nodes": lambda: new_nodes.show(subject, view, name, how),
        "Reduced set": lambda: reduced.show(subject, view, name, items),
        "Pair": lambda: chosen_row(panels, items, MAPS),
        "Node table": lambda: join_table(subject.dataset, subject.network),
        **({"Another network": lambda: state.neighbours(subject.dataset)} if state.has_vectors(subject.dataset) else {}),
        "Method": lambda: _method(subject),
    }  # fmt: skip
    draw_parts(parts, key=TABS)


def _spectrum(subject: Subject, view: NetworkView, value: float) -> None:
    at, operator = subject.scale.words(value), subject.prepared.spectrum.operator
    panel_title("Spectrum", f"{found_by.MATRICES[operator]}, f over it{f' at {at}' if at else ''}")
    draw(found_by.spectrum(view, operator), "networks.spectrum")


def _method(subject: Subject) -> None:
    ends = f"The slider ends {subject.scale.ends}. " if subject.scale.ends else ""
    st.caption(f"{ends}Places of the nodes: {state.places(subject.network).method}. {RULE}.")
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Networks",
        "Nodes are similar where much leads from one to the other: how far should that reach to tell their classes?",
        SETTINGS,
    )
    dataset = need_data(demo="Blocks")
    with guard():
        show(page, dataset)
