"""Signed weights of named features as bars; the ones that matter in colour.

from pages.shared.figures.weights import signed_bars, weight_bars
picture = weight_bars(lesson.response, names=[str(j) for j in range(1, 11)], highlighted=[0])
picture = signed_bars([0.4, -0.7], names=["TAT", "GCG"], x_title="weight")
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from pages.shared.figures.picture import Picture, PlotMargin, Spec, axis, draw
from pages.shared.figures.theme import ABOVE, BELOW, ROLES, escaped, number

LONGEST_NAME = 14
_MARGIN = PlotMargin(left=52, right=8, top=10, bottom=44)


def weight_bars(
    weights: ArrayLike,
    *,
    names: Sequence[str],
    highlighted: Collection[int] = (),
    x_title: str = "feature",
    y_title: str = "weight",
    limit: float | None = None,
    height: int = 210,
    alt: str = "",
) -> Picture:
    """One bar a feature, up or down from 0; `limit` is the end of a symmetric axis, for charts side by side."""
    values = np.asarray(weights, dtype=np.float64).ravel()
    if len(values) != len(names) or not len(values) or not np.isfinite(values).all():
        raise InvalidInputError(
            f"One finite weight for each of {len(names)} features", f"{len(values)} weights"
        )
    reach = 1.08 * (limit or float(np.abs(values).max()) or 1.0)
    colours = [ABOVE if place in highlighted else ROLES["target"].colour for place in range(len(values))]
    trace: Spec = {
        "type": "bar",
        "x": np.arange(1, len(values) + 1),
        "y": values,
        "hovertext": [escaped(name) for name in names],
        "marker": {"color": colours, "line": {"width": 0}},
        "hovertemplate": "%{hovertext}: %{y:.3~f}<extra></extra>",
    }
    ticks: Spec = {
        "tickvals": list(range(1, len(values) + 1)),
        "ticktext": [escaped(name) for name in names],
    }
    layout: Spec = {
        "xaxis": axis(x_title, showgrid=False) | ticks,
        "yaxis": axis(y_title, range=[-reach, reach], nticks=5) | {"zeroline": True},
        "bargap": 0.25,
    }
    listed = ", ".join(
        f"{name} {number(value, 3)}" for name, value in zip(names, values.tolist(), strict=True)
    )
    return Picture(draw([trace], height, _MARGIN, layout), alt or f"Bars of signed weights: {listed}.")


def signed_bars(
    weights: ArrayLike, *, names: Sequence[str], x_title: str = "weight", alt: str = ""
) -> Picture:
    """Horizontal bars below each other in the order given, to the right above 0 and to the left below; long names fit."""
    values = np.asarray(weights, dtype=np.float64).ravel()
    if len(values) != len(names) or not len(values) or not np.isfinite(values).all():
        raise InvalidInputError(
            f"One finite weight for each of {len(names)} features", f"{len(values)} weights"
        )
    reach = 1.08 * (float(np.abs(values).max()) or 1.0)
    shown = [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in names]
    trace: Spec = {
        "type": "bar",
        "orientation": "h",
        "x": values,
        "y": np.arange(len(values)),
        "hovertext": [escaped(name) for name in names],
        "marker": {
            "color": [ABOVE if value > 0 else BELOW for value in values.tolist()],
            "line": {"width": 0},
        },
        "hovertemplate": "%{hovertext}: %{x:.4~g}<extra></extra>",
    }
    layout: Spec = {
        "xaxis": axis(x_title, range=[-reach, reach], nticks=5) | {"zeroline": True},
        "yaxis": axis(
            range=[len(values) - 0.5, -0.5], tickvals=list(range(len(values))),
            ticktext=[escaped(name) for name in shown], showgrid=False, ticks="",
        ),
        "bargap": 0.25,
    }  # fmt: skip
    margin = PlotMargin(left=18 + 9 * max(map(len, shown)), right=8, top=4, bottom=44)
    listed = ", ".join(
        f"{name} {number(value, 3)}" for name, value in zip(names, values.tolist(), strict=True)
    )
    height = 17 * len(values) + margin.top + margin.bottom
    return Picture(draw([trace], height, margin, layout), alt or f"Bars of signed weights: {listed}.")
