"""One dot a kernel with its interval: accuracies side by side, in the order given, from the floor on.

from pages.shared.figures.dots import Dot, dots
picture = dots([Dot("structure", 85.4, low=81.0, high=89.1), Dot("sequence", 71.3)], x_title="accuracy, %", floor=34.5)
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.base.errors import InvalidInputError
from pages.shared.figures.picture import Picture, PlotMargin, Spec, axis, draw
from pages.shared.figures.theme import GUIDE, INK, SERIES, Role, escaped, number, role_of

_ROW = 30
_LONGEST = 34
BREAK = "<br>"
_CHARACTER_WIDTH = 6.4


@dataclass(frozen=True)
class Dot:
    """Name, value and both ends of the interval (NaN = none) of one kernel."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan


def dots(
    rows: Sequence[Dot],
    *,
    x_title: str,
    floor: float | None = None,
    unit: str = "%",
    role: str | Role = SERIES,
    alt: str = "",
    decimals: int = 1,
    tied: Sequence[int] = (),
) -> Picture:
    """Dot plot, the first on top; the axis begins at the floor, a dashed line, unless something lies below it.

    Rows of `tied`, the best among them, are in bold; where there are several, a bar at the right joins them.
    """
    if not rows:
        raise InvalidInputError("A dot plot needs at least one value", "none")
    names = [
        f"<b>{_in_lines(dot.name)}</b>" if k in tied else _in_lines(dot.name) for k, dot in enumerate(rows)
    ]
    values = np.array([dot.value for dot in rows])
    below = values - np.array([dot.low for dot in rows])
    above = np.array([dot.high for dot in rows]) - values
    # the mean over classes of bootstrapped shares need not lie around the value to the last digit
    below, above = np.maximum(np.nan_to_num(below), 0.0), np.maximum(np.nan_to_num(above), 0.0)
    reach = [*(values - below), *(values + above), *([] if floor is None else [floor])]
    look = role_of(role)
    places = np.arange(len(rows))
    trace: Spec = {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": places,
        "marker": {"color": look.colour, "size": 9},
        "error_x": {
            "type": "data", "array": above, "arrayminus": below, "symmetric": False, "color": look.colour,
            "thickness": 1.5, "width": 0,
        },
        "hovertext": [escaped(_hover(dot, unit, decimals)) for dot in rows],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
    }  # fmt: skip
    shapes: list[Spec] = []
    notes: list[Spec] = []
    if floor is not None:
        line: Spec = {"color": GUIDE.colour, "width": 1, "dash": "3px,3px"}
        shapes = [{"type": "line", "x0": floor, "x1": floor, "yref": "paper", "y0": 0, "y1": 1, "line": line}]
        notes = [
            {"text": "floor", "x": floor, "y": 1, "yref": "paper", "yanchor": "bottom", "xanchor": "left", "xshift": -3,
             "showarrow": False, "font": {"color": INK, "size": 11}},
        ]  # fmt: skip
    if len(tied) > 1:
        shapes += _joined(tied)
        notes.append(
            {"text": "not told apart", "x": 1, "y": 1, "xref": "paper", "yref": "paper", "yanchor": "bottom",
             "xanchor": "right", "xshift": 8, "showarrow": False, "font": {"color": INK, "size": 11}}
        )  # fmt: skip
    longest = max(len(line) for dot in rows for line in _in_lines(dot.name).split(BREAK))
    left = 16 + int(_CHARACTER_WIDTH * longest)
    layout: Spec = {
        "xaxis": axis(x_title, range=_span(reach), showgrid=True),
        "yaxis": axis(
            tickvals=places, ticktext=names, range=[len(rows) - 0.4, -0.6], showgrid=False, zeroline=False
        ),
        "shapes": shapes,
        "annotations": notes,
    }
    sentence = "; ".join(f"{dot.name} {number(dot.value, decimals)} {unit}".rstrip() for dot in rows[:12])
    margin = PlotMargin(left=left, right=12, top=18, bottom=46)
    return Picture(draw([trace], 64 + _ROW * len(rows), margin, layout), alt or f"{x_title}: {sentence}.")


def _joined(tied: Sequence[int]) -> list[Spec]:
    """A bar at the right edge along rows that are not told apart; one that is told apart between them leaves a gap."""
    line: Spec = {"color": INK, "width": 3}
    place: Spec = {"type": "line", "xref": "paper", "x0": 1.006, "x1": 1.006, "line": line}
    return [{**place, "y0": k - 0.3, "y1": k + (1.3 if k + 1 in tied else 0.3)} for k in sorted(tied)]


def _in_lines(name: str) -> str:
    """Name of a kernel on two lines where one is too short; of a longer one the middle is left out."""
    lines = textwrap.wrap(name, _LONGEST) or [name]
    if len(lines) > 2:
        lines = [f"{name[: _LONGEST - 1].rstrip()}…", name[1 - _LONGEST :].lstrip()]
    return BREAK.join(escaped(line) for line in lines)


def _span(reach: Sequence[float]) -> list[float]:
    low, high = min(reach), max(reach)
    room = (high - low) or 1.0
    return [low - 0.004 * room, high + 0.04 * room]


def _hover(dot: Dot, unit: str, decimals: int) -> str:
    text = f"{dot.name}: {number(dot.value, decimals)} {unit}".rstrip()
    if math.isnan(dot.low):
        return text
    return f"{text}, {number(dot.low, decimals)} to {number(dot.high, decimals)} {unit}".rstrip()
