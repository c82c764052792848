"""A network drawn: nodes coloured by their similarity to one of them, as large as their degree, marked by class.

picture = drawn(Drawn(places, network), Coloured(column, node), classes)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from pages.server import workspace
from pages.server.colour_scheme import ground
from pages.server.digits import number
from pages.ui import chosen
from pages.ui import shown as registry
from pages.ui.figures import bars as strips
from pages.ui.figures.chart import BARE_AXIS, Picture, PlotMargin, Spec, chart_config, draw, inked, padded
from pages.ui.figures.theme import CIVIDIS, MARK, ClassStyle, class_codes, class_styles, escaped, rgb
from pages.ui.panels.item_map import places as positions
from pages.ui.projector import enlarged

EDGE: Final = "rgba(128,132,138,0.55)"
OUTLINE: Final = "rgba(128,132,138,0.9)"
MOST_EDGES: Final = 10_000
"""Of more edges the browser would draw for seconds: the heaviest of them are drawn."""
WIDTHS: Final = (0.8, 1.6, 2.8, 4.2)
"""Pixels of edges up to a quarter, a half, three quarters, and all of the largest weight."""
SMALLEST, WIDEST = 8.0, 22.0
GLYPHS: Final = dict(
    zip(
        ("circle", "diamond", "square", "triangle-up", "x", "cross", "star", "triangle-down", "pentagon", "hexagon"),
        "●◆■▲✕✚★▼⬟⬢",
        strict=True,
    )
)  # fmt: skip
_MARGIN: Final = PlotMargin(4, 4, 4, 40)
_SHADES: Final = 256
UNLABELLED: Final = "circle-open"


@dataclass(frozen=True, eq=False)
class Coloured:
    """What nodes are coloured by.

    Attributes
    ----------
    values : (n,) float
        k(·, node).
    node : int
    ringed : positions of other chosen nodes
    """

    values: FloatArray
    node: int
    ringed: tuple[int, ...] = ()

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of the colours: those of the other nodes, for the node itself would leave them one colour."""
        others = np.delete(self.values, self.node)
        low, high = (float(others.min()), float(others.max())) if others.size else (0.0, 1.0)
        # a zero that was rounded is 0 on the bar
        low = low if low < -1e-9 * high else 0.0
        return (low, high) if high > low else (low, low + 1.0)


def drawn(
    places: FloatArray,
    network: Network,
    coloured: Coloured,
    classes: Sequence[str | None] | None,
    *,
    height: int = 500,
) -> Picture:
    """Draw nodes at (n, 2) places with their edges; `classes` give markers, which `marker_key` explains."""
    edges, weights, note = edge_ends(network)
    lines = edge_lines(places, edges, weights)
    data = [*lines, _nodes(places, network, coloured, classes)]
    data += _rings(places, network, coloured)
    layout: Spec = {
        "xaxis": {**BARE_AXIS, "range": padded(places[:, 0], 0.05)},
        "yaxis": {**BARE_AXIS, "range": padded(places[:, 1], 0.05)},
        "dragmode": "pan",
        "clickmode": "event+select",
    }
    low, high = coloured.ends
    ticks = (number(low), number((low + high) / 2.0), f"≥ {number(high)}")
    bar, words = strips.colour_bar(ticks, False, _MARGIN.plot_height(height))
    layout |= {"images": [bar], "annotations": words}
    sentence = (
        f"Network of {counted(network.n, 'node')} and {counted(network.n_edges, 'edge')}, coloured by the similarity to "
        f"{escaped(network.ids[coloured.node])}, from {number(low)} to {number(high)}; as large as their degree"
        + (", classes by marker" if classes is not None else "")
        + (", edges wider the more they weigh." if len(lines) > 1 else ".")
    )
    wide = "width: weight" if len(lines) > 1 else ""
    return Picture(draw(data, height, _MARGIN, layout), sentence, " · ".join(filter(None, (wide, note))))


def marker_key(classes: Sequence[str | None] | None) -> str:
    """Which marker is which class, in one line; "" without classes."""
    if classes is None:
        return ""
    return " · ".join(f"{GLYPHS[style.marker]} {style.name}" for style in class_styles(classes))


def edge_ends(network: Network) -> tuple[IntArray, FloatArray, str]:
    """(m, 2) both ends of the edges that are drawn, (m,) their weights, and a note where these are not all."""
    entries = network.adjacency.tocoo()
    i, j = entries.coords
    upper = np.flatnonzero(i < j)
    if upper.size <= MOST_EDGES:
        return np.column_stack([i[upper], j[upper]]), entries.data[upper], ""
    heaviest = upper[np.argsort(-np.abs(entries.data[upper]), kind="stable")[:MOST_EDGES]]
    note = f"{MOST_EDGES:,} of {upper.size:,} edges drawn"
    return np.column_stack([i[heaviest], j[heaviest]]), entries.data[heaviest], note


def edge_lines(places: FloatArray, edges: IntArray, weights: FloatArray) -> list[Spec]:
    """Edges of like weight as one line with gaps: wider the more they weigh, dotted below 0. All alike: one line."""
    size = np.abs(weights)
    top = float(size.max(initial=0.0))
    alike = top - float(size.min(initial=top)) <= 1e-9 * top
    # the area of a line is what is seen, so its width grows with the weight
    step = np.zeros(size.size, dtype=int) if alike else np.ceil(len(WIDTHS) * size / top).astype(int) - 1
    made = [
        edge_line(places, edges[(step == k) & (below == (weights < 0.0))], width, below)
        for k, width in enumerate(WIDTHS)
        for below in (False, True)
        if ((step == k) & (below == (weights < 0.0))).any()
    ]
    return made or [edge_line(places, edges, WIDTHS[0], False)]


def edge_line(places: FloatArray, edges: IntArray, width: float, below: bool) -> Spec:
    """Some edges as one line with gaps; dotted below 0."""
    made = np.full((len(edges), 3, 2), np.nan, dtype=np.float32)
    made[:, :2] = places[edges]
    flat = made.reshape(-1, 2)
    return {
        "type": "scatter", "mode": "lines", "x": flat[:, 0], "y": flat[:, 1], "hoverinfo": "skip",
        "line": {"color": EDGE, "width": width, **({"dash": "dot"} if below else {})},
    }  # fmt: skip


def _nodes(
    places: FloatArray,
    network: Network,
    coloured: Coloured,
    classes: Sequence[str | None] | None,
) -> Spec:
    names = [escaped(name) for name in network.ids]
    if classes is not None:
        names = [f"{n}<br>{escaped(c)}" if c else n for n, c in zip(names, classes, strict=True)]
    numbers = zip(names, coloured.values.tolist(), network.neighbours.tolist(), strict=True)
    said = [f"{name}<br>k = {number(value)}, degree {degree}" for name, value, degree in numbers]
    marker: Spec = {
        "symbol": _markers(network.n, classes),
        "size": sizes(network),
        "opacity": 1,
        "color": colours(coloured),
        "line": {"color": OUTLINE, "width": 1},
    }
    return {
        "type": "scatter", "mode": "markers", "x": places[:, 0].astype(np.float32), "y": places[:, 1].astype(np.float32),
        "customdata": list(range(network.n)), "hovertext": said, "marker": marker,
        "unselected": {"marker": {"opacity": 1}},
        "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip


def colours(coloured: Coloured) -> list[str]:
    """Colour of every node as "#rrggbb"."""
    low, high = coloured.ends
    share = (np.clip(coloured.values, low, high) - low) / (high - low)
    return [_PALETTE[shade] for shade in np.rint((_SHADES - 1) * share).astype(int).tolist()]


def _palette() -> list[str]:
    stops = np.linspace(0.0, 1.0, len(CIVIDIS))
    channels = zip(*(rgb(colour) for colour in CIVIDIS), strict=True)
    shades = [np.interp(np.linspace(0.0, 1.0, _SHADES), stops, channel) for channel in channels]
    return [
        "#{:02x}{:02x}{:02x}".format(*shade) for shade in np.rint(np.transpose(shades)).astype(int).tolist()
    ]


_PALETTE: Final = _palette()


def sizes(network: Network) -> FloatArray:
    """(n,) pixels: area grows with the degree; smaller where there are many nodes."""
    share = network.neighbours / max(int(network.neighbours.max(initial=0)), 1)
    crowd = float(np.clip(np.sqrt(200.0 / max(network.n, 1)), 0.35, 1.0))
    return np.round(crowd * np.sqrt(SMALLEST**2 + (WIDEST**2 - SMALLEST**2) * share), 1)


def _markers(n: int, classes: Sequence[str | None] | None) -> list[str]:
    if classes is None:
        return ["circle"] * n
    styles: tuple[ClassStyle, ...] = class_styles(classes)
    return [styles[code].marker if code >= 0 else UNLABELLED for code in class_codes(classes).tolist()]


def _rings(places: FloatArray, network: Network, coloured: Coloured) -> list[Spec]:
    """A ring around the node, and around others that are chosen on any page."""
    at = list(dict.fromkeys((coloured.node, *coloured.ringed)))
    ring: Spec = {
        "symbol": "circle-open", "size": sizes(network)[at] + 7.0, "color": MARK, "line": {"width": 2.5, "color": MARK},
    }  # fmt: skip
    return [
        {
            "type": "scatter", "mode": "markers", "x": places[at, 0], "y": places[at, 1], "marker": ring,
            "hoverinfo": "skip", "unselected": {"marker": {"opacity": 1}},
        }
    ]  # fmt: skip


# A drawing of nodes on the page: a click on one chooses it, here and on every page.

BUTTONS: Final = ("pan2d", "resetScale2d", "toImage")


def node_chart(
    picture: Picture, ids: Sequence[str], key: str, chooser: str, classes: Sequence[str | None] | None
) -> None:
    """Draw a picture whose points are nodes.

    Parameters
    ----------
    picture : Picture
    ids : sequence of str
        Of the nodes that are drawn, by the number that their points carry.
    key : str
        Of the chart.
    chooser : str
        Key of the widget that shows the chosen node.
    classes : sequence of str, optional
        Of these nodes.
    """
    registry.show(key, lambda: picture, classes=classes)
    turn: int = workspace.recall(f"{key}.turn", 0)
    st.plotly_chart(
        enlarged(inked(picture.figure, ground())), width="stretch", theme="streamlit", key=f"{key}.{turn}",
        alt=f"{picture.alt} A click chooses a node.", selection_mode="points",
        config={**chart_config(registry.file_named("network")), "displayModeBar": True, "modeBarButtons": [list(BUTTONS)]},
        on_select=partial(_clicked, key, turn, tuple(ids), chooser),
    )  # fmt: skip


def _clicked(key: str, turn: int, ids: tuple[str, ...], chooser: str) -> None:
    """A node of the drawing was clicked."""
    at = positions(workspace.told(f"{key}.{turn}", "selection"), len(ids))
    if not at:
        return
    name = ids[at[0]]
    workspace.show_in(chooser, name)
    if chosen.chosen_ids() != (name,):
        chosen.choose([name])
    workspace.remember(f"{key}.turn", turn + 1)
