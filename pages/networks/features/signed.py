"""A network with signed weights of its nodes: colour by sign, size by magnitude; selected edges drawn out."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from pages.networks.drawing import edge_ends, edge_line
from pages.shared.figures.picture import BARE_AXIS, Picture, PlotMargin, Spec, draw, padded
from pages.shared.figures.theme import ABOVE, BELOW, SERIES, escaped, number

FOR, AGAINST, NONE = ABOVE, BELOW, "rgba(128,132,138,0.55)"
"""Colours of weights that speak for the class, against it, and of 0."""
CHOSEN: Final = SERIES.colour
THIN: Final = 0.8
RIM: Final = "rgba(255,255,255,0.7)"
"""Around each node: those that lie over each other can be counted."""
SMALLEST, WIDEST = 3.0, 20.0
NEGLIGIBLE: Final = 1e-9
"""Share of the largest weight below which a weight is drawn as 0."""
_MARGIN: Final = PlotMargin(4, 4, 4, 4)


def signed(
    places: FloatArray,
    network: Network,
    beta: FloatArray,
    of: str,
    *,
    edges: IntArray | None = None,
    unmeasured: IntArray | None = None,
    height: int = 420,
) -> Picture:
    """Draw weights (N,) at (N, 2) places; `edges` (k, 2) are drawn out, nodes of `unmeasured` hollow."""
    ends, _, note = edge_ends(network)
    # thin, whatever they weigh: the nodes are what is looked at
    data = [edge_line(places, ends, THIN, False)]
    if edges is not None and len(edges):
        drawn_out = edge_line(places, edges, 3.0, False)
        data.append({**drawn_out, "line": {"color": CHOSEN, "width": 3.0}})
    data.append(_nodes(places, network, beta, unmeasured))
    layout: Spec = {
        "xaxis": {**BARE_AXIS, "range": padded(places[:, 0], 0.05)},
        "yaxis": {**BARE_AXIS, "range": padded(places[:, 1], 0.05)},
        "dragmode": "pan",
    }
    size = float(np.abs(beta).max(initial=0.0))
    shown = np.abs(beta) > NEGLIGIBLE * size
    up, down = (int((shown & side).sum()) for side in (beta > 0.0, beta < 0.0))
    sentence = (
        f"Network of {counted(network.n, 'node')} with weights that speak for {escaped(of)} ({up:,} nodes) or against "
        f"it ({down:,}), of size up to {number(size)}"
        + (f"; {counted(len(edges), 'edge')} selected." if edges is not None else ".")
    )
    return Picture(draw(data, height, _MARGIN, layout), sentence, note)


def _nodes(places: FloatArray, network: Network, beta: FloatArray, unmeasured: IntArray | None) -> Spec:
    size = float(np.abs(beta).max(initial=0.0)) or 1.0
    share = np.abs(beta) / size
    small = share <= NEGLIGIBLE
    colour = np.where(small, NONE, np.where(beta > 0.0, FOR, AGAINST))
    crowd = float(np.clip(np.sqrt(200.0 / max(network.n, 1)), 0.35, 1.0))
    # the area of a node grows with its weight
    width = np.where(small, SMALLEST, np.maximum(SMALLEST, WIDEST * np.sqrt(share))) * crowd
    hollow = np.zeros(network.n, dtype=bool)
    if unmeasured is not None:
        hollow[unmeasured] = True
    said = [
        f"{escaped(name)}<br>weight {number(value)}, degree {degree}" + ("<br>not measured" if empty else "")
        for name, value, degree, empty in zip(
            network.ids, beta.tolist(), network.neighbours.tolist(), hollow.tolist(), strict=True
        )
    ]
    return {
        "type": "scatter", "mode": "markers", "x": places[:, 0].astype(np.float32), "y": places[:, 1].astype(np.float32),
        "hovertext": said, "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "symbol": np.where(hollow, "circle-open", "circle").tolist(), "size": np.round(width, 1), "opacity": 0.9,
            "color": colour.tolist(), "line": {"width": np.where(hollow, 1.5, 0.8).tolist(), "color": RIM},
        },
    }  # fmt: skip
