"""One graph drawn large: vertices by their label, edges by theirs, and vertices that a part of a similarity is made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.graph import Graph
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from kernex_core.studies.graphs.pictures import Occurrence, graph_layout
from pages.server.cached import cached
from pages.ui.figures.chart import BARE_AXIS, Picture, PlotMargin, Spec, draw, padded
from pages.ui.figures.theme import (
    CLASS_COLOURS,
    MARK,
    SERIES,
    ClassStyle,
    class_styles,
    escaped,
    ranked_classes,
)

LARGEST: Final = 2_000
"""Vertices of a graph that is drawn."""
EDGE, OUTLINE = "#7d838c", "rgba(128,132,138,0.9)"
BESIDE: Final = {"double": (-0.05, 0.05), "triple": (-0.08, 0.0, 0.08)}
"""Where lines that stand for one edge run, in edges beside the middle."""
DASHES: Final = {"dash": "4px,3px", "longdash": "9px,3px", "dashdot": "6px,3px,1px,3px", "dot": "1px,3px"}
_MARGIN: Final = PlotMargin(4, 4, 4, 4)


@dataclass(frozen=True, eq=False)
class DrawnGraph:
    """A graph with its places and the styles of its labels.

    Attributes
    ----------
    name : str
    graph : Graph
    places : (n_nodes, 2) float
    vertices : tuple of ClassStyle
    codes : (n_nodes,) int
        Style of each vertex.
    edges : tuple of (name, line)
    kinds : (n_edges,) int
        Style of each edge.
    """

    name: str
    graph: Graph
    places: FloatArray
    vertices: tuple[ClassStyle, ...]
    codes: IntArray
    edges: tuple[tuple[str, str], ...]
    kinds: IntArray


def drawn(
    shown: DrawnGraph, marked: Occurrence | None = None, words: str = "", *, height: int = 300
) -> Picture:
    """Draw one graph, with what a part is made of marked, and what that is in words."""
    graph, at = shown.graph, shown.places
    data: list[Spec] = [*_edges(shown, marked), *_halos(shown, marked), *_vertices(shown)]
    ranges = [padded(at[:, axis], 0.12) if graph.n_nodes else (0.0, 1.0) for axis in (0, 1)]
    layout: Spec = {
        "xaxis": {**BARE_AXIS, "range": _at_least(ranges[0])},
        "yaxis": {**BARE_AXIS, "range": _at_least(ranges[1]), "scaleanchor": "x", "constrain": "range"},
        "dragmode": "pan",
    }
    sentence = (
        f"Graph {escaped(shown.name)} of {counted(graph.n_nodes, 'vertex')} and {counted(graph.n_edges, 'edge')}, vertices "
        "by the colour and marker of their label"
    )
    if marked is not None:
        sentence += f"; {counted(int(marked.vertices.sum()), 'vertex')} marked: {escaped(words)}"
    return Picture(draw(data, height, _MARGIN, layout), f"{sentence}.")


def _at_least(ends: tuple[float, float], span: float = 4.0) -> tuple[float, float]:
    """A range that a few vertices do not fill: edges of small graphs would be as long as the page is wide."""
    middle, half = (ends[0] + ends[1]) / 2.0, max(ends[1] - ends[0], span) / 2.0
    return middle - half, middle + half


def _edges(shown: DrawnGraph, marked: Occurrence | None) -> list[Spec]:
    pairs, made = shown.graph.edges, []
    stands_out = np.zeros(len(pairs), dtype=bool) if marked is None else marked.edges
    for kind, (_, line) in enumerate(shown.edges):
        for out in (False, True):
            rows = (shown.kinds == kind) & (stands_out == out)
            if rows.any():
                made.append(_lines(shown.places[pairs[rows]], line, out))
    return made


def _lines(ends: FloatArray, line: str, out: bool) -> Spec:
    """Edges of one kind as one line with gaps; (m, 2, 2) both ends of each."""
    along = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    across = np.column_stack([-along[:, 1], along[:, 0]]) / length
    runs = []
    for beside in BESIDE.get(line, (0.0,)):
        run = np.full((len(ends), 3, 2), np.nan, dtype=np.float32)
        run[:, :2] = ends + beside * across[:, None, :]
        runs.append(run)
    flat = np.concatenate(runs).reshape(-1, 2)
    return {
        "type": "scatter", "mode": "lines", "x": flat[:, 0], "y": flat[:, 1], "hoverinfo": "skip",
        "line": {"color": MARK if out else EDGE, "width": (2.0 if line in BESIDE else 3.0) if out else 1.3, **_dash(line)},
    }  # fmt: skip


def _dash(line: str) -> Spec:
    return {"dash": DASHES[line]} if line in DASHES else {}


def _halos(shown: DrawnGraph, marked: Occurrence | None) -> list[Spec]:
    if marked is None or not marked.vertices.any():
        return []
    at = shown.places[marked.vertices]
    ring: Spec = {
        "symbol": "circle-open", "size": _size(shown.graph.n_nodes) + 8.0, "color": MARK,
        "line": {"width": 2.5, "color": MARK},
    }  # fmt: skip
    return [
        {
            "type": "scatter", "mode": "markers", "x": at[:, 0].astype(np.float32), "y": at[:, 1].astype(np.float32),
            "marker": ring, "hoverinfo": "skip",
        }
    ]  # fmt: skip


def _vertices(shown: DrawnGraph) -> list[Spec]:
    """One trace a style, so that colour and marker are one word each."""
    names = _names(shown.graph)
    made: list[Spec] = []
    for kind, style in enumerate(shown.vertices):
        at = np.flatnonzero(shown.codes == kind)
        if at.size:
            made.append(
                {
                    "type": "scatter", "mode": "markers",
                    "x": shown.places[at, 0].astype(np.float32), "y": shown.places[at, 1].astype(np.float32),
                    "hovertext": [names[k] for k in at.tolist()], "hovertemplate": "%{hovertext}<extra></extra>",
                    "marker": {
                        "symbol": style.marker, "size": _size(shown.graph.n_nodes), "color": style.colour, "opacity": 1,
                        "line": {"color": OUTLINE, "width": 1},
                    },
                }
            )  # fmt: skip
    return made


def _names(graph: Graph) -> Sequence[str]:
    degrees = graph.degrees.tolist()
    labels = [""] * graph.n_nodes if graph.node_labels is None else graph.node_labels.tolist()
    return [
        f"vertex {k}{f', label {escaped(label)}' if label else ''}<br>degree {degree}"
        for k, (label, degree) in enumerate(zip(labels, degrees, strict=True), 1)
    ]


def _size(n: int) -> float:
    """Pixels of a vertex; smaller where there are many."""
    return float(np.clip(14.0 * np.sqrt(40.0 / max(n, 1)), 4.0, 13.0))


# How labels of vertices and edges are drawn, the same in the gallery and beside each other: colour and marker, and line.

LINES: Final = ("solid", "dash", "longdash", "dashdot", "dot")
"""Lines of labels that are no bonds, by how frequent they are; none is a bond's, and the last one stands for all further
labels, where there are more."""
BONDS: Final = {
    "single": "solid", "-": "solid", "double": "double", "=": "double", "triple": "triple", "#": "triple",
    "aromatic": "dash", ":": "dash",
}  # fmt: skip
"""Lines of bonds as chemists draw them, by the label in small letters."""
BESIDE_BONDS: Final = tuple(line for line in LINES if line not in BONDS.values())
"""Lines of the other labels where some are bonds."""
MOST: Final = len(CLASS_COLOURS) - 1
"""Place of the style that all further labels share."""


@dataclass(frozen=True, eq=False)
class LabelStyles(ReadOnlyArrays):
    """Styles of the labels of a set of graphs.

    Attributes
    ----------
    vertices : tuple of ClassStyle
        Most frequent label first; of more than ten the last is that of all others.
    edges : tuple of (name, line)
        Likewise; the line is one of LINES, or a bond's.
    node_codes, edge_codes : tuple of int arrays
        Of each graph: place in `vertices` and `edges` of each vertex and edge.
    """

    vertices: tuple[ClassStyle, ...]
    edges: tuple[tuple[str, str], ...]
    node_codes: tuple[IntArray, ...]
    edge_codes: tuple[IntArray, ...]


@cached(public=True)
def label_styles(graphs: GraphSet) -> LabelStyles:
    """Return how the labels of all graphs are drawn; where there are none, all are drawn alike."""
    vertices: tuple[ClassStyle, ...] = (ClassStyle("", int(graphs.n_nodes.sum()), SERIES.colour, "circle"),)
    edges: tuple[tuple[str, str], ...] = (("", LINES[0]),)
    nodes, kinds = np.zeros(int(graphs.n_nodes.sum()), np.int64), np.zeros(len(graphs.edges), np.int64)
    if graphs.node_labels is not None and graphs.node_labels.size:
        labels = _named(graphs.node_labels)
        vertices = tuple(
            replace(each, name=each.name.replace("other classes", "other labels")) if k == MOST else each
            for k, each in enumerate(class_styles(labels.tolist()))
        )
        nodes = _codes(labels, len(vertices))
    if graphs.edge_labels is not None and graphs.edge_labels.size:
        labels = _named(graphs.edge_labels)
        edges, place = edge_lines([name for name, _ in ranked_classes(labels.tolist())])
        names, at = np.unique(labels, return_inverse=True)
        kinds = np.array([place[str(name)] for name in names], np.int64)[at]
    return LabelStyles(
        vertices,
        edges,
        tuple(np.split(nodes, np.cumsum(graphs.n_nodes)[:-1])),
        tuple(np.split(kinds, np.cumsum(graphs.n_edges)[:-1])),
    )


def edge_lines(names: Sequence[str]) -> tuple[tuple[tuple[str, str], ...], dict[str, int]]:
    """Return (name, line) of what is told apart, and the place there of each label; most frequent label first."""
    bonds = {name: BONDS[name.lower()] for name in names if name.lower() in BONDS}
    lines = BESIDE_BONDS if bonds else LINES
    others = [name for name in names if name not in bonds]
    alone = others if len(others) <= len(lines) else others[: len(lines) - 1]
    line = bonds | dict(zip(alone, lines, strict=False))
    told = [(name, line[name]) for name in names if name in line]
    place = {name: k for k, (name, _) in enumerate(told)}
    if further := others[len(alone) :]:
        place |= dict.fromkeys(further, len(told))
        told.append((f"{len(further)} others", lines[-1]))
    return tuple(told), place


def _named(labels: NDArray[np.str_]) -> NDArray[np.str_]:
    return np.where(labels == "", "no label", labels)


def _codes(labels: NDArray[np.str_], styles: int) -> IntArray:
    names, at = np.unique(labels, return_inverse=True)
    rank = {name: min(k, styles - 1) for k, (name, _) in enumerate(ranked_classes(labels.tolist()))}
    return np.array([rank[str(name)] for name in names], np.int64)[at]


def sizes(graph: Graph) -> str:
    """Numbers of vertices and edges."""
    return f"{counted(graph.n_nodes, 'vertex')}, {counted(graph.n_edges, 'edge')}"


def label_note(graphs: GraphSet) -> Sequence[str]:
    """What is not labelled, in words."""
    said = []
    if graphs.node_labels is None:
        said.append(
            "The vertices have no labels: all are drawn alike, and every kernel counts them as equal."
        )
    if graphs.node_attributes is not None:
        said.append("The vertices have attributes, which the kernels on this page do not look at.")
    if graphs.edge_labels is None and len(graphs.edges):
        said.append("The edges have no labels.")
    return said


# Graphs as the browser draws them: a page of cards, or the key of labels alone.

HERE: Final = Path(__file__).parent
_component = st.components.v2.component(
    "kernex_graphs",
    css="\n" + (HERE / "gallery.css").read_text("utf-8") + "\n",
    js="\n" + (HERE / "gallery.js").read_text("utf-8") + "\n",
)


def draw_cards(made: Mapping[str, object], key: str, on_picked: Callable[[], None] = lambda: None) -> None:
    """Draw what `cards` made; a click on a card tells its id under the name "picked"."""
    _component(key=key, data=dict(made), on_picked_change=on_picked, height="content")


# Graphs of one page of the gallery as the browser draws them: places, edges and codes of labels, in few bytes.

UNIT: Final = 20
"""Steps of a place that an edge is long."""
CARDS_LARGEST: Final = 800
"""Vertices of a graph that is drawn on a card; larger ones are told by their sizes."""
MOST_EDGES: Final = 1_200
"""Edges that are drawn on a card: of more every so many-th one, which the card says."""


@cached(public=True, newest=16)
def layouts(graphs: GraphSet, at: tuple[int, ...]) -> tuple[FloatArray, ...]:
    """Return the places of the vertices of some graphs."""
    return tuple(graph_layout(graphs.graphs[k]) for k in at)


def cards(
    graphs: GraphSet, at: Sequence[int], classes: Sequence[str | None] | None, picked: Collection[int]
) -> dict[str, object]:
    """Return what the component draws of the graphs at these positions; `classes` are those of all graphs."""
    styles = label_styles(graphs)
    drawn = [k for k in at if graphs.n_nodes[k] <= CARDS_LARGEST]
    places = dict(zip(drawn, layouts(graphs, tuple(drawn)), strict=True))
    return {
        "cards": [
            _card(graphs, k, places.get(k), styles, (None if classes is None else classes[k], k in picked))
            for k in at
        ],
        **key_of(styles),
    }


def key_of(styles: LabelStyles) -> dict[str, object]:
    """Return what the component draws where there are no cards: which colour and which line is which label."""
    return {
        "vertices": [
            {"name": each.name, "colour": each.colour, "marker": each.marker} for each in styles.vertices
        ],
        "edges": [{"name": name, "style": line} for name, line in styles.edges],
        "unit": UNIT,
        "mark": MARK,
    }


def _card(
    graphs: GraphSet, k: int, places: FloatArray | None, styles: LabelStyles, about: tuple[str | None, bool]
) -> dict[str, object]:
    graph, (kind, picked) = graphs.graphs[k], about
    shown, drawn = _shown_edges(graph.n_edges), places is not None
    at = np.zeros((0, 2)) if places is None else places
    why_not = "no vertices" if graph.n_nodes == 0 else f"not drawn: over {CARDS_LARGEST:,} vertices"
    notes = [] if kind is None else [kind or "no class"]
    notes.append(sizes(graph))
    if drawn and shown.size < graph.n_edges:
        notes.append(f"{shown.size:,} edges drawn")
    return {
        "id": graphs.ids[k],
        "notes": notes,
        "instead": "" if drawn and graph.n_nodes else why_not,
        "chosen": picked,
        "xy": np.rint(UNIT * at).astype(int).ravel().tolist(),
        "edges": graph.edges[shown].ravel().tolist() if drawn else [],
        "vertices": styles.node_codes[k].tolist() if drawn else [],
        "kinds": styles.edge_codes[k][shown].tolist() if drawn else [],
    }


def _shown_edges(n: int) -> IntArray:
    if n <= MOST_EDGES:
        return np.arange(n)
    return np.linspace(0, n - 1, MOST_EDGES).astype(np.int64)
