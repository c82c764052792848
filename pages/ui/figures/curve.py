"""Lines over a parameter, with bands or error bars, level lines, a floor and a guide at the current value.

    from pages.ui.figures.chart import Across, Values
    from pages.ui.figures.curve import Level, Line, curve
    picture = curve(
        [Line("joint", shares, accuracy, "joint", error=sd), Line("zero-fill", shares, filled, "zero-fill")],
        Across("hidden share of the structure kernel, %", guide=25),
        Values("accuracy", unit="%", bounds=(0, 100)),
        levels=[Level("sequence alone", 72.5, "source"), Level("floor", 34.5, "floor")],
    )

Lines are named at their ends. Published numbers beside measured ones: `pages.ui.figures.published`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.names import counted
from pages.server.digits import number
from pages.ui.figures.chart import (
    BARE_AXIS,
    Across,
    EndLabel,
    Picture,
    PlotMargin,
    Spec,
    Values,
    annotation,
    at_line_ends,
    axis,
    draw,
    guide_line,
    margin_for,
    padded,
    x_axis,
    y_axis,
)
from pages.ui.figures.theme import (
    CLASS_COLOURS,
    DIVERGING,
    GUIDE,
    INK,
    SERIES,
    Role,
    escaped,
    rgba,
    role_of,
    shortened,
)

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


# Pictures along sequences: a signed value at every letter, and what two sequences have in common.
#
#     from pages.ui.figures.curve import Shared, marks_along, weights_along
#     picture = weights_along(evidence.along, string, hover=texts)
#     picture = marks_along(("d1abc", "d2xyz"), (57, 60), [Shared("TATA", (3,), (7, 30), 4, ((3, 7), (3, 30)))])
#
# Positions are counted from 0 in arguments and from 1 in pictures.

ROW = 80
"""Letters in one row: each has twelve pixels then."""
MOST_LETTERS = 400
"""Above so many, letters are not drawn one by one."""
MOST_BARS = 600
_ROW_HEIGHT, _LETTERS_HEIGHT = 78, 44
_LONGEST_NAME = 14


@dataclass(frozen=True)
class Shared:
    """One thing that two sequences share: where it starts in each, its width in letters, and what belongs together."""

    name: str
    first: Sequence[int]
    second: Sequence[int]
    width: int = 1
    links: Sequence[tuple[int, int]] = ()


def weights_along(
    values: ArrayLike,
    letters: str,
    *,
    hover: Sequence[str] | None = None,
    start: int = 0,
    y_title: str = "contribution",
    alt: str = "",
) -> Picture:
    """One bar a letter, up or down from 0, in rows with the letters below; of long sequences means of blocks.

    Parameters
    ----------
    values : (n,) array
    letters : str of length n
    hover : n texts, optional
        What is said about each letter besides its position and value.
    start : int
        Position of the first letter in its sequence.

    Raises
    ------
    InvalidInputError
        Not one finite value a letter, or none at all.
    """
    array = np.asarray(values, dtype=np.float64).ravel()
    if len(array) != len(letters) or not array.size or not np.isfinite(array).all():
        raise InvalidInputError(
            f"One finite value for each of {len(letters)} letters", f"{array.size} values"
        )
    low, high = int(array.argmin()), int(array.argmax())
    sentence = alt or (
        f"Bars along {counted(array.size, 'letter')}: from {number(float(array[low]))} at {start + low + 1} "
        f"to {number(float(array[high]))} at {start + high + 1}."
    )
    if array.size > MOST_LETTERS:
        return _blocks(array, start, y_title, sentence)
    return _rows(array, letters, hover or [""] * array.size, start, y_title, sentence)


def _rows(
    values: FloatArray, letters: str, hover: Sequence[str], start: int, y_title: str, sentence: str
) -> Picture:
    rows = math.ceil(values.size / ROW)
    each = math.ceil(values.size / rows)
    share = 1.0 / (rows * (_ROW_HEIGHT + _LETTERS_HEIGHT) - _LETTERS_HEIGHT)
    reach = 1.08 * (float(np.abs(values).max()) or 1.0)
    data: list[Spec] = []
    layout: Spec = {"bargap": 0.15}
    for row in range(rows):
        part = slice(row * each, min((row + 1) * each, values.size))
        at = np.arange(part.start, part.stop) + start + 1
        name = "" if row == 0 else str(row + 1)
        top = 1.0 - row * (_ROW_HEIGHT + _LETTERS_HEIGHT) * share
        texts = [
            f"<b>{escaped(letter)}</b> at {place}{'<br>' + escaped(more) if more else ''}"
            for letter, place, more in zip(letters[part], at.tolist(), hover[part], strict=True)
        ]
        data.append(_bars(at, values[part], reach) | {
            "xaxis": f"x{name}", "yaxis": f"y{name}", "hovertext": texts,
            "hovertemplate": "%{hovertext}<br>%{y:+.4~g}<extra></extra>",
        })  # fmt: skip
        ticks = [
            f"{escaped(letter)}<br>{place}" if place % 10 == 0 or place == start + 1 else escaped(letter)
            for letter, place in zip(letters[part], at.tolist(), strict=True)
        ]
        first = float(part.start + start) + 0.5
        layout[f"xaxis{name}"] = axis(
            range=[first, first + each], tickvals=at, ticktext=ticks, tickangle=0, showgrid=False,
            ticks="", anchor=f"y{name}",
        )  # fmt: skip
        layout[f"yaxis{name}"] = axis(
            y_title if row == (rows - 1) // 2 else "", range=_along_span(values), nticks=5,
            anchor=f"x{name}", domain=[max(top - _ROW_HEIGHT * share, 0.0), top],
        ) | {"zeroline": True}  # fmt: skip
    margin = PlotMargin(left=60, right=8, top=6, bottom=_LETTERS_HEIGHT - 4)
    height = rows * (_ROW_HEIGHT + _LETTERS_HEIGHT) - _LETTERS_HEIGHT + margin.top + margin.bottom
    return Picture(draw(data, height, margin, layout), sentence)


def _blocks(values: FloatArray, start: int, y_title: str, sentence: str) -> Picture:
    width = math.ceil(values.size / MOST_BARS)
    edges = np.arange(0, values.size, width)
    sizes = np.diff([*edges, values.size])
    means = np.add.reduceat(values, edges) / sizes
    reach = 1.08 * (float(np.abs(means).max()) or 1.0)
    middles = edges + start + (sizes + 1) / 2.0
    ends = np.stack([edges + start + 1, edges + start + sizes], axis=1)
    what = (
        "Letter %{customdata[0]:d}"
        if width == 1
        else "Letters %{customdata[0]:d} to %{customdata[1]:d}, mean"
    )
    trace: Spec = _bars(middles, means, reach) | {
        "width": width, "customdata": ends, "hovertemplate": what + ": %{y:+.4~g}<extra></extra>"
    }  # fmt: skip
    layout: Spec = {
        "bargap": 0,
        "xaxis": axis(
            "position", range=[start + 0.5, start + values.size + 0.5], showgrid=False, tickformat=",d"
        ),
        "yaxis": axis(y_title, range=_along_span(means), nticks=5) | {"zeroline": True},
    }
    note = f"each bar is the mean of {width} letters" if width > 1 else ""
    return Picture(draw([trace], 190, PlotMargin(left=60, right=8, top=6, bottom=44), layout), sentence, note)


def _along_span(values: FloatArray) -> list[float]:
    """Range of an axis that holds 0 and all values."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    pad = 0.06 * (high - low) or 1.0
    return [low - pad, high + pad]


def _bars(x: FloatArray | IntArray, y: FloatArray, reach: float) -> Spec:
    scale = [(share, rgba(colour)) for share, colour in DIVERGING]
    colour: Spec = {"color": y, "colorscale": scale, "cmin": -reach, "cmax": reach, "line": {"width": 0}}
    return {"type": "bar", "x": x, "y": y, "marker": colour}


def marks_along(
    names: tuple[str, str],
    lengths: tuple[int, int],
    shared: Sequence[Shared],
    *,
    height: int = 190,
    alt: str = "",
) -> Picture:
    """Two sequences as lines, and on both the places of what they share, the first of `shared` on top.

    The first ten have colours and are named below the picture; links join what belongs together.
    """
    data = [_track(names[k], lengths[k], 1.0 - k) for k in (0, 1)]
    for rank in reversed(range(len(shared))):
        data += _marks(shared[rank], CLASS_COLOURS[rank] if rank < len(CLASS_COLOURS) else INK, names)
    longest = max(*lengths, 1)
    key = "  ".join(
        f'<span style="color:{CLASS_COLOURS[rank]}">━</span> {escaped(shortened(each.name, _LONGEST_NAME))}'
        for rank, each in enumerate(shared[: len(CLASS_COLOURS)])
    )
    if len(shared) > len(CLASS_COLOURS):
        key += f'  <span style="color:{INK}">━</span> others'
    layout: Spec = {
        "xaxis": axis("position", range=[0.5, longest + 0.5], showgrid=False, nticks=10, tickformat=",d"),
        "yaxis": {**BARE_AXIS, "range": [-0.4, 1.3], "fixedrange": True},
        "annotations": [
            *(
                annotation(escaped(shortened(names[k], 24)), x=0, y=1.0 - k, yref="y", xanchor="left",
                           yanchor="bottom" if k == 0 else "top", yshift=9 if k == 0 else -9)
                for k in (0, 1)
            ),
            annotation(key, x=0, y=0, yshift=-44, xanchor="left", yanchor="top"),
        ],
    }  # fmt: skip
    sentence = f"{escaped(names[0])} and {escaped(names[1])} as lines, with the places of {counted(len(shared), 'part')}."
    return Picture(draw(data, height, PlotMargin(8, 8, 4, 68), layout), alt or sentence)


def _track(name: str, length: int, level: float) -> Spec:
    return {
        "type": "scatter", "mode": "lines", "x": [0.5, length + 0.5], "y": [level, level], "hoverinfo": "skip",
        "line": {"color": GUIDE.colour, "width": 1}, "name": escaped(name),
    }  # fmt: skip


def _marks(each: Shared, colour: str, names: tuple[str, str]) -> list[Spec]:
    x: list[float | None] = []
    y: list[float | None] = []
    texts: list[str | None] = []
    for k, places in enumerate((each.first, each.second)):
        for at in places:
            x += [at + 0.5, at + 0.5 + each.width, None]
            y += [1.0 - k, 1.0 - k, None]
            texts += [f"{escaped(each.name)} at {at + 1} of {escaped(names[k])}"] * 2 + [None]
    middle = each.width / 2.0 + 0.5
    link_x = [v for a, b in each.links for v in (a + middle, b + middle, None)]
    links: Spec = {
        "type": "scatter", "mode": "lines", "x": link_x, "y": [0.94, 0.06, None] * len(each.links),
        "line": {"color": colour, "width": 0.8}, "opacity": 0.55, "hoverinfo": "skip",
    }  # fmt: skip
    marks: Spec = {
        "type": "scatter", "mode": "lines+markers", "x": x, "y": y, "line": {"color": colour, "width": 7},
        "marker": {"symbol": "line-ns", "size": 11, "line": {"color": colour, "width": 1.5}},
        "hovertext": texts, "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip
    return [links, marks]
