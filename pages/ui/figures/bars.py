"""Distributions: entries of a kernel, and trust in every item.

from pages.ui.figures.bars import entry_histogram, trust_bars
picture = entry_histogram(gram.values, name="structure")
picture = trust_bars(view.explained, ids=hidden_ids)
"""

from __future__ import annotations

import base64
import math
import textwrap
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from urllib.parse import quote

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, IntArray
from kernex_core.inputs.names import counted
from pages.server.digits import number, percent
from pages.ui.figures.chart import Picture, PlotMargin, Spec, Value, annotation, axis, draw, indexed_png
from pages.ui.figures.theme import (
    ABOVE,
    BELOW,
    CIVIDIS,
    DIVERGING,
    GUIDE,
    HATCH,
    HATCH_RGBA,
    HATCH_WIDTH,
    INK,
    MARK,
    ROLES,
    SERIES,
    TICK_SIZE,
    UNKNOWN,
    Role,
    escaped,
    rgba,
    role_of,
    shortened,
)

_MARGIN = PlotMargin(left=52, right=8, top=12, bottom=44)


def entry_histogram(
    values: ArrayLike,
    *,
    name: str = "the kernel",
    role: str | Role = "source",
    bins: int = 40,
    x_title: str = "similarity off the diagonal",
    height: int = 200,
    alt: str = "",
) -> Picture:
    """Histogram of the known entries above the diagonal of a symmetric matrix, or of a plain vector."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 2 and array.shape[0] == array.shape[1] and len(array) > 1:
        array = array[np.triu_indices(len(array), 1)]
    entries = array[np.isfinite(array)].ravel()
    if entries.size == 0:
        raise InvalidInputError("A histogram shows at least one known entry", "none")
    low, high = float(entries.min()), float(entries.max())
    counts, edges = np.histogram(
        entries, bins=bins, range=(low, high) if high > low else (low - 0.5, low + 0.5)
    )
    trace: Spec = {
        "type": "bar",
        "x": 0.5 * (edges[:-1] + edges[1:]),
        "y": counts,
        "width": float(edges[1] - edges[0]) * 0.96,
        "customdata": np.stack([edges[:-1], edges[1:]], axis=1),
        "marker": {"color": role_of(role).colour, "line": {"width": 0}},
        "hovertemplate": "%{y:,d} pairs from %{customdata[0]:.3~g} to %{customdata[1]:.3~g}<extra></extra>",
    }
    layout: Spec = {
        "xaxis": axis(x_title, showgrid=False),
        "yaxis": axis("pairs", nticks=5, rangemode="tozero"),
    }
    middle = number(float(np.median(entries)))
    sentence = (
        f"Histogram of {counted(entries.size, 'entry')} of {name} off the diagonal, "
        f"from {number(low)} to {number(high)}, median {middle}."
    )
    return Picture(draw([trace], height, _MARGIN, layout), alt or sentence)


def trust_bars(
    trust: ArrayLike,
    *,
    ids: Sequence[str],
    name: str = "explained by the known items",
    y_title: str = "explained, %",
    role: str | Role = "extrapolated",
    height: int = 180,
    alt: str = "",
    marked: Collection[str] = (),
) -> Picture:
    """One bar an item, from the most to the least trusted, with the median; values are shares from 0 to 1.

    Items without a value (NaN) are left out and counted in `note`; those of `marked` have the colour of chosen items.
    """
    shares = np.asarray(trust, dtype=np.float64).ravel()
    if len(shares) != len(ids):
        raise InvalidInputError(f"One value for each of {counted(len(ids), 'item')}", f"{len(shares)} values")
    known = np.flatnonzero(np.isfinite(shares))
    if known.size == 0:
        raise InvalidInputError("Trust is shown for at least one item", "no value")
    order = known[np.argsort(-shares[known], kind="stable")]
    colours = [MARK if ids[k] in marked else role_of(role).colour for k in order]
    n, median = len(order), float(np.median(shares[known]))
    trace: Spec = {
        "type": "bar",
        "x": np.arange(1, n + 1),
        "y": 100 * shares[order],
        "width": 1 if n > 80 else 0.9,
        "hovertext": [escaped(ids[k]) for k in order],
        "marker": {"color": colours if marked else role_of(role).colour, "line": {"width": 0}},
        "hovertemplate": "%{hovertext}: %{y:.1f} %<extra></extra>",
    }
    low, high = min(0.0, 100 * float(shares[known].min())), max(100.0, 100 * float(shares[known].max()))
    layout: Spec = {
        "xaxis": axis(f"items, sorted ({n:,})", range=[0.5, n + 0.5], showgrid=False, nticks=8),
        "yaxis": axis(y_title, range=[low * 1.05, high * 1.02], nticks=5),
        "bargap": 0,
        "shapes": [{"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": 100 * median, "y1": 100 * median,
                    "line": GUIDE.line}],
        "annotations": [annotation(f"median {percent(median)}", x=1, y=100 * median, yref="y", xanchor="right",
                                   yanchor="bottom", yshift=2)],
    }  # fmt: skip
    missing = len(ids) - n
    sentence = (
        f"Share {name} for {counted(n, 'item')}, sorted: from {percent(float(shares[order[0]]))} "
        f"down to {percent(float(shares[order[-1]]))}, median {percent(median)}."
    )
    note = f"{counted(missing, 'item')} without a value" if missing else ""
    return Picture(draw([trace], height, _MARGIN, layout), alt or sentence, note)


# The parts of a heatmap that are no cells: class strips, colour bar and hatch, as images and one shape.
#
#     from pages.ui.figures.bars import class_strips
#     images = class_strips(codes_in_order, colours, pixels=180)      # for layout.images
#
# Images are SVG data URIs: a quarter of the time that one shape a class takes.

STRIP, STRIP_GAP, BAR, BAR_GAP = 4, 2, 5, 7
_HATCH_PITCH = 8.0
_LARGEST_STRIP = 600
_SVG = "data:image/svg+xml,"


def colour_scale(diverging: bool, first: float, last: float) -> list[tuple[float, str]]:
    """Plotly colour scale on the share of the codes: transparent at 0, the first colour at `first`."""
    stops = [(first + (last - first) * share, colour) for share, colour in _stops(diverging)]
    return [(0.0, UNKNOWN), (first / 2, UNKNOWN), *stops, *([(1.0, stops[-1][1])] if last < 1 else [])]


def class_strips(codes: IntArray, colours: Sequence[str], pixels: float) -> list[Spec]:
    """Two images, along the top and the left edge, for items in display order; code −1 leaves a gap."""
    shown = codes
    if len(codes) > _LARGEST_STRIP and np.count_nonzero(np.diff(codes)) > _LARGEST_STRIP:
        shown = codes[np.linspace(0, len(codes) - 1, _LARGEST_STRIP).round().astype(np.int64)]
    edges = np.flatnonzero(np.diff(shown)) + 1
    runs = list(zip([0, *edges], [*edges, len(shown)], strict=True))
    thick, gap = STRIP / pixels, STRIP_GAP / pixels
    top, left = (
        _paths(shown, runs, colours, "M{0} 0h{1}v1h-{1}z"),
        _paths(shown, runs, colours, "M0 {0}h1v{1}h-1z"),
    )
    n = len(shown)
    return [
        _image(_svg(n, 1, top), x=0, y=1 + gap, sizex=1, sizey=thick, yanchor="bottom"),
        _image(_svg(1, n, left), x=-gap, y=1, sizex=thick, sizey=1, xanchor="right"),
    ]


def colour_bar(texts: Sequence[str], diverging: bool, pixels: float) -> tuple[Spec, list[Spec]]:
    """The bar below the matrix and its texts at the left, in the middle and at the right."""
    stops = "".join(
        f'<stop offset="{share:.4g}" stop-color="{_solid(colour)}" stop-opacity="{_alpha(colour):g}"/>'
        for share, colour in _stops(diverging)
    )
    body = f'<linearGradient id="g">{stops}</linearGradient>{_rect(0, 0, 100, 1, "url(#g)")}'
    image = _image(_svg(100, 1, body), x=0, y=-BAR_GAP / pixels, sizex=1, sizey=BAR / pixels)
    anchors = ("left", "center", "right")
    ticks = [
        annotation(
            text, x=0.5 * k, y=0, xref="x domain", yref="y domain", xanchor=anchors[k], yanchor="top",
            yshift=-(BAR_GAP + BAR + 2), font={"size": TICK_SIZE},
        )
        for k, text in enumerate(texts)
    ]  # fmt: skip
    return image, ticks


def hatch(pixels: float) -> Spec:
    """Lines at 45° below all cells, as one path; unknown cells are transparent and show it."""
    lines = max(round(pixels / _HATCH_PITCH), 4)
    path = "".join(
        f"M{max(-c, 0):.3g},{max(c, 0):.3g}L{min(1 - c, 1):.3g},{min(1 + c, 1):.3g}"
        for c in np.arange(1 - lines, lines) / lines
    )
    return {
        "type": "path", "path": path, "xref": "x domain", "yref": "y domain", "layer": "below",
        "line": {"color": HATCH, "width": HATCH_WIDTH},
    }  # fmt: skip


def hatch_image(unknown: BoolArray) -> Spec:
    """The hatch on the unknown cells only, for scales whose known cells may be transparent too."""
    n = unknown.shape[0]
    zoom = max(round(700 / n), 1)
    cells = np.kron(unknown, np.ones((zoom, zoom), dtype=bool)) if zoom > 1 else unknown
    side = cells.shape[0]
    pitch = max(round(side * _HATCH_PITCH / 180), 6)
    lines = (np.add.outer(np.arange(side), np.arange(side)) % pitch) < max(pitch // 7, 1)
    png = indexed_png((cells & lines).astype(np.uint8), np.array([(0, 0, 0, 0), HATCH_RGBA], dtype=np.uint8))
    source = "data:image/png;base64," + base64.b64encode(png).decode("ascii")
    return _image(source, x=0, y=1, sizex=1, sizey=1) | {"layer": "below"}


def _paths(codes: IntArray, runs: Sequence[tuple[int, int]], colours: Sequence[str], rectangle: str) -> str:
    """One path a class: a tenth of the text that a rectangle a run takes where items are not sorted."""
    drawn: dict[int, list[str]] = {}
    for start, end in runs:
        drawn.setdefault(int(codes[start]), []).append(rectangle.format(start, end - start))
    return "".join(
        f'<path fill="{colours[k]}" d="{"".join(d)}"/>' for k, d in sorted(drawn.items()) if k >= 0
    )


def _stops(diverging: bool) -> list[tuple[float, str]]:
    if diverging:
        return [(share, rgba(colour)) for share, colour in DIVERGING]
    return [(k / (len(CIVIDIS) - 1), colour) for k, colour in enumerate(CIVIDIS)]


def _solid(colour: str) -> str:
    return colour if colour.startswith("#") else "rgb(" + colour[5:-1].rsplit(",", 1)[0] + ")"


def _alpha(colour: str) -> float:
    return 1.0 if colour.startswith("#") else float(colour[5:-1].rsplit(",", 1)[1])


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>'


def _svg(width: int, height: int, body: str, rendering: str = "crispEdges") -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" preserveAspectRatio="none" shape-rendering="{rendering}">'
    )
    return _SVG + quote(f"{head}{body}</svg>", safe=" =:/'(),.")


def _image(source: str, **where: Value) -> Spec:
    return {
        "source": source, "xref": "x domain", "yref": "y domain", "sizing": "stretch", "layer": "above", **where
    }  # fmt: skip


# One dot a kernel with its interval: accuracies side by side, in the order given, from the floor on.
#
# from pages.ui.figures.bars import Dot, dots
# picture = dots([Dot("structure", 85.4, low=81.0, high=89.1), Dot("sequence", 71.3)], x_title="accuracy, %", floor=34.5)

_ROW = 30
_LONGEST = 34
BREAK = "<br>"
_CHARACTER_WIDTH = 6.4
_NOTE_WIDTH = 5.4


@dataclass(frozen=True)
class Dot:
    """Name, value and both ends of the interval (NaN = none) of one kernel; `note` stands at the right of its row."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    note: str = ""


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
    notes += [
        {"text": escaped(dot.note), "x": 1, "y": k, "xref": "paper", "xanchor": "left", "xshift": 14, "showarrow": False,
         "font": {"color": INK, "size": 11}}
        for k, dot in enumerate(rows) if dot.note
    ]  # fmt: skip
    noted = max(len(dot.note) for dot in rows)
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
    right = 12 + (8 + int(_NOTE_WIDTH * noted) if noted else 0)
    margin = PlotMargin(left=left, right=right, top=18, bottom=46)
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


# Signed weights of named features as bars; the ones that matter in colour.
#
# from pages.ui.figures.bars import signed_bars, weight_bars
# picture = weight_bars(lesson.response, names=[str(j) for j in range(1, 11)], highlighted=[0])
# picture = signed_bars([0.4, -0.7], names=["TAT", "GCG"], x_title="weight")

LONGEST_NAME = 14
_weights_MARGIN = PlotMargin(left=52, right=8, top=10, bottom=44)


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
    return Picture(
        draw([trace], height, _weights_MARGIN, layout), alt or f"Bars of signed weights: {listed}."
    )


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
    shown = [shortened(name, LONGEST_NAME) for name in names]
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
