"""Lines over a parameter, with bands or error bars, level lines, a floor and a guide at the current value.

    from pages.shared.figures.axes import Across, Values
    from pages.shared.figures.curve import Level, Line, curve
    picture = curve(
        [Line("joint", shares, accuracy, "joint", error=sd), Line("zero-fill", shares, filled, "zero-fill")],
        Across("hidden share of the structure kernel, %", guide=25),
        Values("accuracy", unit="%", bounds=(0, 100)),
        levels=[Level("sequence alone", 72.5, "source"), Level("floor", 34.5, "floor")],
    )

Lines are named at their ends. Published numbers beside measured ones: `pages.shared.figures.published`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from pages.shared.figures.axes import Across, Values, guide_line, x_axis, y_axis
from pages.shared.figures.labels import EndLabel, annotation, at_line_ends, margin_for
from pages.shared.figures.picture import Picture, PlotMargin, Spec, draw, padded
from pages.shared.figures.theme import SERIES, Role, escaped, number, role_of

_DECIMALS = 1


@dataclass(frozen=True, eq=False)
class Line:
    """Values `y` at `x`; `error` is half the height of the band or the bars (one standard deviation), or (2, n): how far an
    interval goes below and above. A line of one place is a mark, whose `symbol` tells it from those that it may lie on."""

    name: str
    x: ArrayLike
    y: ArrayLike
    role: str | Role = "joint"
    error: ArrayLike | None = None
    bars: bool = False
    markers: bool | None = None
    symbol: str = "circle"

    @property
    def style(self) -> Role:
        return role_of(self.role)

    @property
    def hero(self) -> bool:
        return self.style in (role_of("joint"), SERIES)


_Part: TypeAlias = tuple[FloatArray, FloatArray, FloatArray | None]
"""Places, values and errors (2, n) of one line, finite and in order."""


@dataclass(frozen=True)
class Level:
    """A value that does not depend on the parameter: a kernel alone, or the floor of guessing."""

    name: str
    value: float
    role: str | Role = "floor"


_PLAIN = Values()


def curve(
    lines: Sequence[Line],
    across: Across,
    values: Values = _PLAIN,
    *,
    levels: Sequence[Level] = (),
    heading: str = "",
    height: int = 250,
) -> Picture:
    """Line chart with end labels.

    Parameters
    ----------
    lines : drawn in this order; put the hero last. A band goes with `error`, bars with `bars=True`.
    across : the horizontal axis.
    values : the vertical axis.
    levels : horizontal lines over the whole width.
    heading : stands above the plot, where no line runs.

    Raises
    ------
    InvalidInputError
        If a line has values of another length than its places, or there is nothing to draw.
    """
    drawn = [_finite(line) for line in lines]
    places = np.unique(np.concatenate([x for x, _, _ in drawn])) if drawn else np.empty(0)
    if places.size == 0:
        raise InvalidInputError("A chart shows at least one line with a value", "none")
    span = across.range or _span(places, across.guide)
    value_range = _value_range(drawn, levels, values.bounds)
    labels = _labels(lines, drawn, levels)
    margin = PlotMargin(
        left=46 if values.title else 32, right=margin_for(labels), top=28 if heading else 10, bottom=46
    )
    named = at_line_ends(labels, value_range, margin.plot_height(height))
    layout: Spec = {
        "xaxis": x_axis(across, places, span),
        "yaxis": y_axis(values, value_range),
        "annotations": [*named.texts, *_above(heading)],
        "shapes": [*named.samples, *([] if across.guide is None else [guide_line(across.guide)])],
    }
    data = level_traces(levels, span)
    pairs = list(zip(lines, drawn, strict=True))
    data += [band for line, part in pairs for band in _bands(line, part, values.bounds)]
    data += [_trace(line, part, values.suffix) for line, part in pairs]
    sentence = _sentence(lines, drawn, levels, across.title, values.suffix)
    return Picture(draw(data, height, margin, layout), f"{heading}. {sentence}" if heading else sentence)


def _above(heading: str) -> list[Spec]:
    return [annotation(heading, x=0, y=1, xanchor="left", yanchor="bottom", yshift=5)] if heading else []


def level_traces(levels: Sequence[Level], span: tuple[float, float]) -> list[Spec]:
    """Horizontal lines; no hover, for their names stand at their ends."""
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": list(span),
            "y": [level.value, level.value],
            "line": role_of(level.role).line,
            "hoverinfo": "skip",
        }
        for level in levels
    ]


def _finite(line: Line) -> _Part:
    x, y = np.asarray(line.x, dtype=np.float64).ravel(), np.asarray(line.y, dtype=np.float64).ravel()
    error = None if line.error is None else np.atleast_2d(np.asarray(line.error, dtype=np.float64))
    if len(x) != len(y) or (error is not None and error.shape[1] != len(y)):
        raise InvalidInputError(
            f"The line {line.name!r} has a value at every place", f"{len(x)} and {len(y)}"
        )
    kept = np.isfinite(x) & np.isfinite(y)
    rank = np.argsort(x[kept], kind="stable")
    if error is None:
        return x[kept][rank], y[kept][rank], None
    both = np.broadcast_to(error, (2, len(x)))[:, kept][:, rank]
    return x[kept][rank], y[kept][rank], np.maximum(np.nan_to_num(both), 0.0)


def _bands(line: Line, part: _Part, bounds: tuple[float, float] | None) -> list[Spec]:
    x, y, error = part
    if error is None or line.bars:
        return []
    low, high = bounds or (-np.inf, np.inf)
    top, bottom = np.clip(y + error[1], low, high), np.clip(y - error[0], low, high)
    band: Spec = {
        "type": "scatter",
        "mode": "lines",
        "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([top, bottom[::-1]]),
        "fill": "toself",
        "fillcolor": line.style.band,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    return [band]


def _trace(line: Line, part: _Part, suffix: str) -> Spec:
    x, y, error = part
    markers = line.hero if line.markers is None else line.markers
    spread = "" if error is None else f" ± %{{customdata:.{_DECIMALS}f}}"
    interval = line.error is not None and np.ndim(line.error) == 2
    if interval:
        spread = f" [%{{customdata[0]:.{_DECIMALS}f}}, %{{customdata[1]:.{_DECIMALS}f}}]"
    trace: Spec = {
        "type": "scatter",
        "mode": "lines+markers" if markers or len(x) == 1 else "lines",
        "x": x,
        "y": y,
        "name": escaped(line.name),
        "line": line.style.line,
        "marker": {
            "color": line.style.colour,
            "size": 6 if line.symbol == "circle" else 10,
            "symbol": line.symbol,
        },
        "cliponaxis": False,
        "hovertemplate": f"%{{y:.{_DECIMALS}f}}{spread}{suffix} at %{{x}}<extra>%{{fullData.name}}</extra>",
    }
    if error is not None:
        trace["customdata"] = np.column_stack([y - error[0], y + error[1]]) if interval else error[1]
    if line.bars and error is not None:
        trace["error_y"] = {
            "type": "data",
            "array": error[1],
            **({"arrayminus": error[0], "symmetric": False} if interval else {}),
            "color": line.style.colour,
            "thickness": 1,
            "width": 0,
        }
    return trace


def _labels(lines: Sequence[Line], drawn: Sequence[_Part], levels: Sequence[Level]) -> list[EndLabel]:
    ends = [EndLabel(level.name, level.value, role_of(level.role)) for level in levels]
    for line, (x, y, _) in zip(lines, drawn, strict=True):
        if len(x):
            ends.append(EndLabel(line.name, float(y[-1]), line.style, line.hero))
    return ends


def _span(places: FloatArray, guide: float | None) -> tuple[float, float]:
    low, high = float(places.min()), float(places.max())
    if guide is not None:
        low, high = min(low, guide), max(high, guide)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _value_range(
    drawn: Sequence[_Part], levels: Sequence[Level], bounds: tuple[float, float] | None
) -> tuple[float, float]:
    reach = [np.array([level.value for level in levels])]
    for _, y, error in drawn:
        reach += [y] if error is None else [y - error[0], y + error[1]]
    values = np.concatenate(reach)
    return padded(np.clip(values, *bounds) if bounds else values)


def _sentence(
    lines: Sequence[Line],
    drawn: Sequence[_Part],
    levels: Sequence[Level],
    x_title: str,
    suffix: str,
) -> str:
    parts = []
    for line, (x, y, _) in zip(lines, drawn, strict=True):
        if len(x):
            first, last = (number(float(v), _DECIMALS) + suffix for v in (y[0], y[-1]))
            parts.append(f"{line.name} from {first} at {number(x[0])} to {last} at {number(x[-1])}")
    parts += [f"{level.name} {number(level.value, _DECIMALS)}{suffix}" for level in levels]
    return f"Lines over {x_title}: " + "; ".join(parts) + "."
