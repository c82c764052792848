"""Lines over a parameter, with bands or error bars, level lines, a floor and a guide at the current value.

    from pages.shared.figures.curve import Level, Line, curve
    picture = curve(
        [Line("joint", shares, accuracy, "joint", error=sd), Line("zero-fill", shares, filled, "zero-fill")],
        levels=[Level("sequence alone", 72.5, "source"), Level("floor", 34.5, "floor")],
        x_title="hidden share of the structure kernel, %", guide=25, unit="%", bounds=(0, 100),
    )

Lines are named at their ends. Published numbers beside measured ones: `pages.shared.figures.published`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from pages.shared.figures.labels import EndLabel, at_line_ends, margin_for
from pages.shared.figures.picture import Margin, Picture, axis, draw, padded
from pages.shared.figures.theme import GUIDE, Role, number, plain, role_of


@dataclass(frozen=True, eq=False)
class Line:
    """Values `y` at `x`; `error` is half the height of the band or the bars (one standard deviation)."""

    name: str
    x: Any
    y: Any
    role: str | Role = "joint"
    error: Any = None
    bars: bool = False
    markers: bool | None = None

    @property
    def style(self) -> Role:
        return role_of(self.role)

    @property
    def hero(self) -> bool:
        return self.role == "joint"


@dataclass(frozen=True)
class Level:
    """A value that does not depend on the parameter: a kernel alone, or the floor of guessing."""

    name: str
    value: float
    role: str | Role = "floor"


def curve(
    lines: Sequence[Line],
    *,
    x_title: str,
    y_title: str = "",
    levels: Sequence[Level] = (),
    guide: float | None = None,
    unit: str = "",
    decimals: int = 1,
    bounds: tuple[float, float] | None = None,
    x_ticks: Sequence[float] | None = None,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    height: int = 250,
    alt: str = "",
) -> Picture:
    """Line chart with end labels.

    Parameters
    ----------
    lines : drawn in this order; put the hero last. A band goes with `error`, bars with `bars=True`.
    levels : horizontal lines over the whole width.
    guide : where the control stands now; a dotted vertical line.
    bounds : what the values cannot leave (0 and 100 for accuracies in %): bands are cut there.
    x_ticks : default: the places where the lines have values, thinned.

    Raises
    ------
    InvalidInputError
        If a line has values of another length than its places, or there is nothing to draw.
    """
    drawn = [_finite(line) for line in lines]
    places = np.unique(np.concatenate([x for x, _, _ in drawn])) if drawn else np.empty(0)
    if places.size == 0:
        raise InvalidInputError("A chart shows at least one line with a value", "none")
    x_low, x_high = x_range or _span(places, guide)
    y_low, y_high = y_range or _value_range(drawn, levels, bounds)
    labels = _labels(lines, drawn, levels)
    left = 46 if y_title else 32
    margin = Margin(left=left, right=margin_for(labels), top=10, bottom=46)
    layout = {
        "xaxis": axis(x_title, range=[x_low, x_high], showgrid=False, tickvals=ticks_apart(places, x_ticks)),
        "yaxis": axis(y_title, range=[y_low, y_high], nticks=6),
        "annotations": at_line_ends(labels, (y_low, y_high), margin.plot_height(height)),
        "shapes": [] if guide is None else [guide_line(guide)],
    }
    data = level_traces(levels, (x_low, x_high))
    data += [_band(line, part, bounds) for line, part in zip(lines, drawn, strict=True) if _has_band(line)]
    suffix = f" {unit}" if unit else ""
    data += [_trace(line, part, decimals, suffix) for line, part in zip(lines, drawn, strict=True)]
    sentence = alt or _sentence(lines, drawn, levels, x_title, decimals, suffix)
    return Picture(draw(data, height, margin, layout), sentence)


def level_traces(levels: Sequence[Level], span: tuple[float, float]) -> list[dict[str, Any]]:
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


def guide_line(at: float) -> dict[str, Any]:
    """Dotted vertical line at the value the control shows."""
    return {
        "type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "xref": "x", "yref": "paper", "layer": "below",
        "line": GUIDE.line,
    }  # fmt: skip


def _finite(line: Line) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    x, y = np.asarray(line.x, dtype=np.float64).ravel(), np.asarray(line.y, dtype=np.float64).ravel()
    error = None if line.error is None else np.asarray(line.error, dtype=np.float64).ravel()
    if len(x) != len(y) or (error is not None and len(error) != len(y)):
        raise InvalidInputError(
            f"The line {line.name!r} has a value at every place", f"{len(x)} and {len(y)}"
        )
    kept = np.isfinite(x) & np.isfinite(y)
    rank = np.argsort(x[kept], kind="stable")
    return x[kept][rank], y[kept][rank], None if error is None else np.nan_to_num(error[kept][rank])


def _has_band(line: Line) -> bool:
    return line.error is not None and not line.bars


def _band(line: Line, part: tuple[Any, Any, Any], bounds: tuple[float, float] | None) -> dict[str, Any]:
    x, y, error = part
    low, high = bounds or (-np.inf, np.inf)
    top, bottom = np.clip(y + error, low, high), np.clip(y - error, low, high)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([top, bottom[::-1]]),
        "fill": "toself",
        "fillcolor": line.style.band,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _trace(line: Line, part: tuple[Any, Any, Any], decimals: int, suffix: str) -> dict[str, Any]:
    x, y, error = part
    markers = line.hero if line.markers is None else line.markers
    spread = "" if error is None else f" ± %{{customdata:.{decimals}f}}"
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers" if markers or len(x) == 1 else "lines",
        "x": x,
        "y": y,
        "name": plain(line.name),
        "line": line.style.line,
        "marker": {"color": line.style.colour, "size": 6},
        "cliponaxis": False,
        "hovertemplate": f"%{{y:.{decimals}f}}{spread}{suffix} at %{{x}}<extra>%{{fullData.name}}</extra>",
    }
    if error is not None:
        trace["customdata"] = error
    if line.bars and error is not None:
        trace["error_y"] = {
            "type": "data",
            "array": error,
            "color": line.style.colour,
            "thickness": 1,
            "width": 0,
        }
    return trace


def _labels(
    lines: Sequence[Line], drawn: Sequence[tuple[Any, Any, Any]], levels: Sequence[Level]
) -> list[EndLabel]:
    ends = [EndLabel(level.name, level.value, role_of(level.role).colour) for level in levels]
    for line, (x, y, _) in zip(lines, drawn, strict=True):
        if len(x):
            ends.append(EndLabel(line.name, float(y[-1]), line.style.colour, line.hero))
    return ends


def _span(places: FloatArray, guide: float | None) -> tuple[float, float]:
    low, high = float(places.min()), float(places.max())
    if guide is not None:
        low, high = min(low, guide), max(high, guide)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _value_range(
    drawn: Sequence[tuple[Any, Any, Any]], levels: Sequence[Level], bounds: tuple[float, float] | None
) -> tuple[float, float]:
    reach = [np.array([level.value for level in levels])]
    for _, y, error in drawn:
        reach += [y] if error is None else [y - error, y + error]
    values = np.concatenate(reach)
    return padded(np.clip(values, *bounds) if bounds else values)


def ticks_apart(places: FloatArray, wanted: Sequence[float] | None = None) -> list[float]:
    """Return the places that are wanted, or those of `places`, ascending, whose labels do not meet."""
    if wanted is not None:
        return [float(t) for t in wanted]
    room = 0.075 * float(places[-1] - places[0])
    kept = [float(places[0])]
    for place in places[1:]:
        if place - kept[-1] >= room:
            kept.append(float(place))
    return kept


def _sentence(
    lines: Sequence[Line],
    drawn: Sequence[tuple[Any, Any, Any]],
    levels: Sequence[Level],
    x_title: str,
    decimals: int,
    suffix: str,
) -> str:
    parts = []
    for line, (x, y, _) in zip(lines, drawn, strict=True):
        if len(x):
            first, last = (number(float(v), decimals) + suffix for v in (y[0], y[-1]))
            parts.append(f"{line.name} from {first} at {number(x[0])} to {last} at {number(x[-1])}")
    parts += [f"{level.name} {number(level.value, decimals)}{suffix}" for level in levels]
    return f"Lines over {x_title}: " + "; ".join(parts) + "."
