"""Predicted beside true, with the diagonal on which both are equal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.frozen import FloatArray
from pages.shared.figures.picture import Picture, PlotMargin, Spec, axis, draw, padded
from pages.shared.figures.theme import GUIDE, SERIES, escaped

_HEIGHT = 320


def agreement(
    across: ArrayLike,
    up: ArrayLike,
    *,
    titles: tuple[str, str],
    hover: Sequence[str],
    alt: str,
    errors: FloatArray | None = None,
    lines: bool = False,
) -> Picture:
    """Points with the diagonal; `errors` (2, n) go below and above, `lines` joins the points in their order."""
    x, y = np.asarray(across, dtype=np.float64), np.asarray(up, dtype=np.float64)
    reach = [x, y] if errors is None else [x, y - errors[0], y + errors[1]]
    low, high = padded(np.concatenate(reach))
    points: Spec = {
        "type": "scatter",
        "mode": "lines+markers" if lines else "markers",
        "x": x,
        "y": y,
        "marker": {"color": SERIES.colour, "size": 8 if lines else 6, "opacity": 1.0 if lines else 0.6},
        "line": {"color": SERIES.colour, "width": 1.5},
        "hovertext": [escaped(each) for each in hover],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
    }
    if errors is not None:
        points["error_y"] = {
            "type": "data", "array": errors[1], "arrayminus": errors[0], "symmetric": False, "color": SERIES.colour,
            "thickness": 1, "width": 0,
        }  # fmt: skip
    diagonal: Spec = {
        "type": "line", "x0": low, "y0": low, "x1": high, "y1": high,
        "line": {"color": GUIDE.colour, "width": 1, "dash": "3px,3px"},
    }  # fmt: skip
    layout: Spec = {
        "xaxis": axis(titles[0], range=[low, high], showgrid=True),
        "yaxis": axis(titles[1], range=[low, high], showgrid=True),
        "shapes": [diagonal],
    }
    return Picture(draw([points], _HEIGHT, PlotMargin(left=64, right=12, top=12, bottom=46), layout), alt)
