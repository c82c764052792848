"""A network with predicted edges: known ones solid, predicted ones dashed, new nodes in colour."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from pages.networks.drawing import edge_ends, edge_line, sizes
from pages.shared.figures.picture import BARE_AXIS, Picture, PlotMargin, Spec, draw, padded
from pages.shared.figures.theme import ABOVE, OTHER, SERIES, escaped

NODE: Final = OTHER
FOUND, ASKED = SERIES.colour, ABOVE
"""Of predicted edges that the network has, and of which it knows nothing."""
_MARGIN: Final = PlotMargin(4, 4, 4, 4)


def predicted_network(
    places: FloatArray,
    network: Network,
    pairs: IntArray,
    in_network: BoolArray,
    new: BoolArray,
    *,
    height: int = 430,
) -> Picture:
    """Draw nodes (n, 2); `network` has known and predicted edges, `pairs` (k, 2) are the latter."""
    ends, _, note = edge_ends(network)
    dashed = {frozenset(pair) for pair in pairs.tolist()}
    solid = np.array([frozenset(pair) not in dashed for pair in ends.tolist()], dtype=bool)
    data = [edge_line(places, ends[solid], 0.8, False)]
    for which, colour, dash in ((in_network, FOUND, "6px,3px"), (~in_network, ASKED, "2px,3px")):
        if which.any():
            line: Spec = {"color": colour, "width": 2.0, "dash": dash}
            data.append({**edge_line(places, pairs[which], 2.0, False), "line": line})
    data.append(_nodes(places, network, new))
    layout: Spec = {
        "xaxis": {**BARE_AXIS, "range": padded(places[:, 0], 0.05)},
        "yaxis": {**BARE_AXIS, "range": padded(places[:, 1], 0.05)},
        "dragmode": "pan",
    }
    sentence = (
        f"Network of {counted(network.n, 'node')}, {counted(int(new.sum()), 'new one')}: "
        f"{counted(int(solid.sum()), 'known edge')} solid, {counted(len(pairs), 'predicted edge')} dashed, of which the "
        f"network that was brought has {int(in_network.sum()):,}."
    )
    return Picture(draw(data, height, _MARGIN, layout), sentence, note)


def _nodes(places: FloatArray, network: Network, new: BoolArray) -> Spec:
    said = [
        f"{escaped(name)}<br>{'new' if is_new else 'known'}, {counted(degree, 'edge')} drawn"
        for name, is_new, degree in zip(network.ids, new.tolist(), network.neighbours.tolist(), strict=True)
    ]
    return {
        "type": "scatter", "mode": "markers", "x": places[:, 0].astype(np.float32), "y": places[:, 1].astype(np.float32),
        "hovertext": said, "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "symbol": "circle", "size": 0.6 * sizes(network), "opacity": 1.0,
            "color": np.where(new, ASKED, NODE).tolist(),
            "line": {"width": np.where(new, 2.0, 0.0), "color": ASKED},
        },
    }  # fmt: skip
