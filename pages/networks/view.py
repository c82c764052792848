"""The page Networks on one screen: the verdict, the drawing beside the matrix with its slider, then what one asks second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import NODE_LIMIT
from kernex_core.learning.leakage import state_of
from kernex_core.studies.networks.study import TRANSDUCTIVE, NetworkView
from pages.networks import bring, charts, judged, large, reduced, verdict
from pages.networks import subject as state
from pages.networks.clicked import node_chart
from pages.networks.drawing import Coloured, drawn, marker_key
from pages.networks.method import ASSUMPTIONS, FORMULAS
from pages.networks.new_nodes import panel
from pages.networks.node_table import join_table
from pages.networks.results import results, suggested_name
from pages.networks.scale import Scale
from pages.networks.settings import TABS, Choice, choice
from pages.networks.subject import Subject
from pages.shared import chosen
from pages.shared.answer.choosing import Choosing, choose, is_asked
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.declared.labels import label, plain_label
from pages.shared.figures.codes import common_scale
from pages.shared.figures.picture import Items
from pages.shared.frame import PageFrame, formula_text, panel_title
from pages.shared.glossary.entries import explained
from pages.shared.matrices.follows import FACTORED
from pages.shared.matrices.panels import Drag, Follow, Panel, Room, Words
from pages.shared.matrices.payload import Carrier
from pages.shared.messages import findings, guard, plain
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.arrangement import arranged, class_list
from pages.shared.panels.chosen_row import chosen_row
from pages.shared.panels.heatmap import draw
from pages.shared.panels.linked import linked
from pages.shared.panels.verdicts import RULE
from pages.shared.projected.projector import fitted
from pages.shared.settings import widgets
from pages.shared.shown import registry

DRAWING, MAPS = "networks.drawing", "networks.maps"
HEIGHT: Final = 390
"""Pixels of the drawing."""
SIDE: Final = 0.46
"""Of the matrix, as a share of the window's height."""


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page, then judge what is not judged yet."""
    if not state.networks_of(dataset):  # of vectors one can be made
        bring.neighbours(dataset)
        return
    draw_body = _body_alone if dataset.n <= state.AT_ONCE else _body
    drawn = draw_body(dataset, [True], [])
    if drawn is None:
        return
    subject, place = drawn
    if subject.labels is not None:
        state_badge(state_of(ITEMS), page.slot, about=TRANSDUCTIVE[0])
    judged.run(subject, place.wait)


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
            large.show(dataset, chosen)
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
        if not is_page and (judging != now or judged.is_open(subject)):
            st.rerun()
        judging[:] = now
        place = VerdictPlace(*verdict.names(subject))
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
            linked(panels, items, key=MAPS, words=words, drag=drag, room=Room(carriers, SIDE, TABS))
    with lower:
        # how the file was read is told on the page Data
        told = [note for note in subject.network.notes if note.severity != "fine"]
        findings(told if subject.network.notes else subject.kernel.remarks(subject.network.adjacency))
        tabs, row = st.container(), st.container()
        with row:
            results(subject, view, value, items)
        with tabs:
            _tabs(subject, view, value, chosen.order, items, panels)
    verdict.fill(place, subject, view, value)
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
            picture=lambda: charts.accuracy(subject, found, value, "accuracy"),
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
        "Accuracy": lambda: judged.show(subject, value),
        "Measures": lambda: judged.measures(subject, value),
        "Spectrum": lambda: _spectrum(subject, view, value),
        "New nodes": lambda: panel.show(subject, view, name, how),
        "Reduced set": lambda: reduced.show(subject, view, name, items),
        "Pair": lambda: chosen_row(panels, items, MAPS),
        "Node table": lambda: join_table(subject.dataset, subject.network),
        **({"Another network": lambda: bring.neighbours(subject.dataset)} if bring.has_vectors(subject.dataset) else {}),
        "Method": lambda: _method(subject),
    }  # fmt: skip
    draw_parts(parts, key=TABS)


def _spectrum(subject: Subject, view: NetworkView, value: float) -> None:
    at, operator = subject.scale.words(value), subject.prepared.spectrum.operator
    panel_title("Spectrum", f"{charts.MATRICES[operator]}, f over it{f' at {at}' if at else ''}")
    draw(charts.spectrum(view, operator), "networks.spectrum")


def _method(subject: Subject) -> None:
    ends = f"The slider ends {subject.scale.ends}. " if subject.scale.ends else ""
    st.caption(f"{ends}Places of the nodes: {state.places(subject.network).method}. {RULE}.")
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
