"""One number beside another of the same thing: published and measured, or predicted and measured with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from pages.server.digits import number, percent
from pages.ui.figures.chart import (
    GAP,
    EndLabel,
    Picture,
    PlotMargin,
    Spec,
    annotation,
    axis,
    draw,
    padded,
    ticks_apart,
)
from pages.ui.figures.curve import Level, level_traces
from pages.ui.figures.theme import ABOVE, GUIDE, INK, ROLES, Role, role_of, symbol

# Published numbers beside measured ones: open circles with ±, filled ones joined by a line.
#
# from pages.ui.figures.published import ChartRow, ChartScale, common_range, published_measured
# rows = [ChartRow(lams, published, plus_minus, measured), ...]          # one a row of the table
# scale = ChartScale(common_range(rows, levels))
# pictures = [published_measured(row, scale, levels=levels, key=k == 0, name_levels=row is rows[-1]) ...]

ONE_LINE = 16
"""Letters of all names up to which they stand side by side."""
DECIMALS = 1
"""Of values on hover and in the sentence."""
_MARGIN = PlotMargin(left=30, right=4, top=8, bottom=46)
_DATA_SHARE = 0.74


@dataclass(frozen=True, eq=False)
class ChartRow:
    """One row of a table: places, published values with their printed ±, measured values (NaN = not yet)."""

    x: ArrayLike
    published: ArrayLike
    plus_minus: ArrayLike | None
    measured: ArrayLike
    measured_error: ArrayLike | None = None

    def columns(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The four columns as arrays; a missing ± is 0."""
        x, published, measured = (
            np.asarray(part, dtype=np.float64).ravel() for part in (self.x, self.published, self.measured)
        )
        error = (
            np.zeros_like(published) if self.plus_minus is None else np.asarray(self.plus_minus, dtype=float)
        )
        if not len(x) == len(published) == len(measured) == len(error) > 0:
            raise InvalidInputError(
                "Published and measured values stand at the same places",
                f"{len(x)} places, {len(published)} published, {len(measured)} measured",
            )
        return x, published, np.nan_to_num(error), measured


def common_range(
    rows: Sequence[ChartRow], levels: Sequence[Level] = (), bounds: tuple[float, float] | None = None
) -> tuple[float, float]:
    """One range of values for all small charts of a table, with room for the key below the data."""
    reach = [np.array([level.value for level in levels])]
    for row in rows:
        _, published, error, measured = row.columns()
        own = np.zeros_like(measured) if row.measured_error is None else np.nan_to_num(row.measured_error)
        reach += [published - error, published + error, measured - own, measured + own]
    values = np.concatenate(reach)
    low, high = padded(np.clip(values, *bounds) if bounds else values, 0.04)
    return high - (high - low) / (_DATA_SHARE + 0.1), high


@dataclass(frozen=True)
class ChartScale:
    """What the small charts of a table have in common.

    Attributes
    ----------
    y_range : (float, float), optional
        See `common_range`; that of the row itself if none is given.
    x_title : str
        λ if none is given.
    x_decimals : int
        Of the ticks.
    height : int
        In pixels.
    role : str or Role
        Of what is measured.
    """

    y_range: tuple[float, float] | None = None
    x_title: str = ""
    x_decimals: int = 2
    height: int = 210
    role: str | Role = "joint"


def published_measured(
    row: ChartRow,
    scale: ChartScale | None = None,
    *,
    levels: Sequence[Level] = (),
    key: bool = True,
    name_levels: bool = True,
) -> Picture:
    """Small chart of one row of a table; `key` explains the marks, `name_levels` names the level lines."""
    scale = scale or ChartScale()
    x, published, error, measured = row.columns()
    low, high = scale.y_range or common_range([row], levels)
    pad = 0.12 * float(np.ptp(x)) or 0.5
    span = (float(x.min()) - pad, float(x.max()) + pad)
    notes = _key(bool(np.isfinite(published).any()), role_of(scale.role).colour) if key else []
    if name_levels:
        notes += _level_names(levels, len(notes))
    layout: Spec = {
        "xaxis": axis(
            scale.x_title or symbol("λ"), range=list(span), tickvals=ticks_apart(np.unique(x)), showgrid=False, standoff=4,
            tickformat=f".{scale.x_decimals}f",
        ),
        "yaxis": axis(range=[low, high], nticks=5),
        "annotations": notes,
    }  # fmt: skip
    data = [
        *level_traces(levels, span),
        *_marks(row, (x, published, error, measured), role_of(scale.role).colour),
    ]
    return Picture(draw(data, scale.height, _MARGIN, layout), _sentence(x, published, measured))


def _marks(
    row: ChartRow, columns: tuple[FloatArray, FloatArray, FloatArray, FloatArray], colour: str
) -> list[Spec]:
    x, published, error, measured = columns
    bars: Spec = {
        "type": "data",
        "array": error,
        "color": "rgba(128,132,138,0.6)",
        "thickness": 1,
        "width": 0,
    }
    value = f"%{{y:.{DECIMALS}f}}"
    made: Spec = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": x,
        "y": measured,
        "line": {"color": colour, "width": 1.5},
        "marker": {"color": colour, "size": 7},
        "connectgaps": False,
        "hovertemplate": f"measured {value}<extra></extra>",
    }
    if row.measured_error is not None:
        own = np.nan_to_num(np.asarray(row.measured_error, dtype=np.float64))
        made["error_y"] = {**bars, "array": own, "color": colour}
        made |= {
            "customdata": own,
            "hovertemplate": f"measured {value} ± %{{customdata:.{DECIMALS}f}}<extra></extra>",
        }
    printed: Spec = {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": published,
        "error_y": bars,
        "customdata": error,
        "marker": {"symbol": "circle-open", "size": 9, "color": INK, "line": {"width": 1.5}},
        "hovertemplate": f"published {value} ± %{{customdata:.{DECIMALS}f}}<extra></extra>",
    }
    return [printed, made]


def _key(with_published: bool, colour: str) -> list[Spec]:
    entries = [f'<span style="color:{colour}">●</span> <b>measured</b>']
    if with_published:
        entries.append("○ published")
    text = "     ".join(entries)
    return [annotation(text, x=0, y=0, xanchor="left", yanchor="bottom", xshift=6, yshift=4)]


def _level_names(levels: Sequence[Level], above: int) -> list[Spec]:
    """Names in the room below the data, highest line first: beside their lines they would lie over error bars.

    On one line where they are short, so that no grid line runs through them.
    """
    ordered = sorted(levels, key=lambda level: level.value)
    marked = [EndLabel(level.name, level.value, role_of(level.role)).markup for level in ordered]
    if sum(len(level.name) for level in levels) <= ONE_LINE:
        marked = ["     ".join(reversed(marked))] if marked else []
    return [
        annotation(text, x=0, y=0, xanchor="left", yanchor="bottom", xshift=6, yshift=4 + GAP * (row + above))
        for row, text in enumerate(marked)
    ]


def _sentence(x: FloatArray, published: FloatArray, measured: FloatArray) -> str:
    parts = [
        f"{number(b, DECIMALS)} against {number(a, DECIMALS)} published at {number(place)}"
        for place, a, b in zip(x.tolist(), published.tolist(), measured.tolist(), strict=True)
    ]
    return "Measured against published values: " + "; ".join(parts) + "."


# Predicted values against measured ones, each with its interval: how well what was hidden is found again, and how surely.
#
# picture = predicted_measured(predicted, measured, half, names)

MOST: Final = 400
"""Points with an interval that can be told apart; of more so many are drawn, evenly over the predictions."""
_PREDICTED_MARGIN = PlotMargin(left=56, right=10, top=10, bottom=44)


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
    for name, at, colour, mark in (
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
                    "marker": {"color": colour, "symbol": mark, "size": 5},
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
    return Picture(draw(traces, height, _PREDICTED_MARGIN, layout), alt)
