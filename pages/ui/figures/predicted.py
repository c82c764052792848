"""Predicted values against measured ones, each with its interval: how well what was hidden is found again, and how surely.

picture = predicted_measured(predicted, measured, half, names)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from pages.server.digits import number, percent
from pages.ui.figures.chart import Picture, PlotMargin, Spec, axis, draw, padded
from pages.ui.figures.theme import ABOVE, GUIDE, ROLES

MOST: Final = 400
"""Points with an interval that can be told apart; of more so many are drawn, evenly over the predictions."""
_MARGIN = PlotMargin(left=56, right=10, top=10, bottom=44)


def predicted_measured(
    predicted: ArrayLike,
    measured: ArrayLike,
    half: ArrayLike,
    names: Sequence[str],
    *,
    height: int = 300,
) -> Picture:
    """Points around the line of equal values, with horizontal intervals; those that miss it in another colour and shape.

    Parameters
    ----------
    predicted, measured : (p,) float
    half : (p,) float
        Half of each interval; NaN = not known.
    names : p str
        On hover.

    Raises
    ------
    InvalidInputError
        Nothing to draw.
    """
    x, y, reach = (np.asarray(values, dtype=np.float64) for values in (predicted, measured, half))
    if not x.size:
        raise InvalidInputError("A picture of predictions shows at least one pair that was hidden", "none")
    order = np.argsort(x, kind="stable")
    shown = order[np.unique(np.linspace(0, x.size - 1, min(MOST, x.size)).astype(np.int64))]
    inside = ~(np.abs(y - x) > reach)
    ends = padded(np.concatenate([x[shown], y[shown]]))
    line: Spec = {
        "type": "scatter", "mode": "lines", "x": list(ends), "y": list(ends), "line": GUIDE.line, "hoverinfo": "skip",
    }  # fmt: skip
    traces = [line]
    for name, at, colour, symbol in (
        ("within", shown[inside[shown]], ROLES["extrapolated"].colour, "circle"),
        ("outside", shown[~inside[shown]], ABOVE, "x"),
    ):
        if at.size:
            bars: Spec = {
                "type": "data", "array": np.nan_to_num(reach[at]), "thickness": 0.8, "width": 0, "color": colour,
            }  # fmt: skip
            traces.append(
                {
                    "type": "scatter", "mode": "markers", "x": x[at], "y": y[at], "error_x": bars, "name": name,
                    "text": [names[k] for k in at],
                    "marker": {"color": colour, "symbol": symbol, "size": 5},
                    "hovertemplate": "%{text}<br>predicted %{x:.3~g}, measured %{y:.3~g}<extra>%{fullData.name}</extra>",
                }
            )  # fmt: skip
    layout: Spec = {
        "xaxis": axis("predicted, with 90 % interval", range=list(ends), nticks=6),
        "yaxis": axis("measured", range=list(ends), nticks=6),
    }
    off = number(float(np.sqrt(np.mean((x - y) ** 2))), 3)
    covered = (
        "" if np.isnan(reach).all() else f", {percent(float(inside.mean()))} of them within their intervals"
    )
    alt = f"{x.size:,} hidden pairs, predicted against measured, root mean square error {off}{covered}."
    return Picture(draw(traces, height, _MARGIN, layout), alt)
