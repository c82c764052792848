"""One graph drawn large: vertices by their label, edges by theirs, and vertices that a part of a similarity is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.gram.graph import Graph
from kernex_core.inputs.names import counted
from kernex_core.studies.graphs.pictures import Occurrence
from pages.shared.figures.picture import BARE_AXIS, Picture, PlotMargin, Spec, draw, padded
from pages.shared.figures.theme import MARK, ClassStyle, escaped

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
