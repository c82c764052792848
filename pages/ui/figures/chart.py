"""What every figure builder returns, and the layout all figures share.

from pages.ui.figures.spectrum import eigenvalue_bars
picture = eigenvalue_bars(view.eigenvalues)
st.plotly_chart(picture.figure, width="stretch", theme="streamlit", alt=picture.alt, config=chart_config("spectrum"))
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypedDict

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.basedatatypes import BaseFigure

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.gram.order import Dendrogram
from kernex_core.inputs.names import counted
from pages.ui.figures.theme import CLASS_COLOURS, GROUND, GUIDE, INK, TICK_SIZE, TITLE_SIZE, Role, escaped

# A figure as plotly's own dictionary, which is not checked on its way to the browser.
#
#     chart = Chart([{"type": "scatter", "x": places, "y": values}], {"height": 222})
#     st.plotly_chart(chart)
#
# Building `go.Figure` checks and copies every part of a figure: three quarters of what a move of a slider cost. What is
# built here has fixed parts, so tests check them once: `chart.data` and `chart.layout` are those of a checked figure.

Value: TypeAlias = "bool | float | str | NDArray[np.generic] | Sequence[Value] | Mapping[str, Value] | None"
"""What plotly takes as a value; arrays go to the browser as base64."""
Spec: TypeAlias = dict[str, Value]
"""A trace, an axis, an annotation, a shape, an image or a layout, by the names of plotly."""


class FigureDict(TypedDict):
    """A whole figure, by the names of plotly."""

    data: list[Spec]
    layout: Spec


TYPES: Final = {
    "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "float32": "f4",
    "float64": "f8",
}  # fmt: skip
"""Arrays that go to the browser as bytes, by the names that plotly has for them."""
PLAIN: Final = frozenset({str, int, float, bool, type(None)})
SMALLER: Final = (np.int8, np.int16, np.int32)


class Chart(BaseFigure):  # type: ignore[misc]
    """Traces and layout; of `plotly`'s kind, so that whatever takes a figure takes it."""

    def __init__(self, data: Sequence[Mapping[str, Value]], layout: Mapping[str, Value]) -> None:
        # not the base's, which is what takes the time
        self._data, self._layout = list(data), dict(layout)

    def to_dict(self) -> FigureDict:
        """Return the figure as the browser gets it: arrays of numbers as base64."""
        return {"data": [_chart_parts(trace) for trace in self._data], "layout": _chart_parts(self._layout)}

    to_plotly_json = to_dict

    def with_layout(self, layout: Mapping[str, Value]) -> Chart:
        """Return the same with parts of its layout changed; parts of parts stay."""
        return Chart(self._data, merged(self._layout, layout))

    @cached_property
    def _checked(self) -> go.Figure:
        return go.Figure(data=self._data, layout=self._layout)

    @property
    def data(self) -> Any:
        """Traces of the figure, checked."""
        return self._checked.data

    @property
    def layout(self) -> Any:
        """Layout of the figure, checked."""
        return self._checked.layout


def merged(parts: Mapping[str, Value], changes: Mapping[str, Value]) -> dict[str, Value]:
    """Return parts with changes; where both hold a mapping, it is merged, too."""
    both = dict(parts)
    for name, value in changes.items():
        known = both.get(name)
        both[name] = (
            merged(known, value) if isinstance(known, Mapping) and isinstance(value, Mapping) else value
        )
    return both


def _chart_parts(part: Mapping[str, Value]) -> Spec:
    return {name: encoded(value) for name, value in part.items()}


def encoded(part: Value) -> Value:
    """Return a copy of a part of a figure in which arrays of numbers are base64, and other arrays lists."""
    if isinstance(part, Mapping):
        return _chart_parts(part)
    if isinstance(part, np.ndarray):
        return _array(part)
    if isinstance(part, list | tuple):
        # ids and colours, one an item: nothing in them is encoded
        return list(part) if PLAIN.issuperset(map(type, part)) else [encoded(value) for value in part]
    return part


def _array(values: NDArray[np.generic]) -> Value:
    if values.dtype == np.int64 and values.size:  # the browser has no 64-bit integers
        low, high = int(values.min()), int(values.max())
        fitting = (kind for kind in SMALLER if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)
        values = values.astype(next(fitting, np.float64))
    kind = TYPES.get(str(values.dtype))
    if kind is None or values.size == 0:
        listed: Value = values.tolist()
        return listed
    body = base64.b64encode(values.tobytes()).decode("ascii")
    shape = {"shape": ", ".join(map(str, values.shape))} if values.ndim > 1 else {}
    return {"dtype": kind, "bdata": body, **shape}


# a template of our own keeps plotly's default (9 kB, 4 ms) out; Streamlit fills in its theme in the browser
_TEMPLATE: Spec = {"layout": {"colorway": CLASS_COLOURS}}


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure, the sentence that says what it shows, and a short note for beside its title ("" if none)."""

    figure: Chart
    alt: str
    note: str = ""

    def __post_init__(self) -> None:
        if not self.alt.strip():
            raise ValueError("a picture needs a sentence that says what it shows")

    def with_layout(self, layout: Mapping[str, Value]) -> Picture:
        """Return the same picture with parts of its layout changed, such as the range of an axis."""
        return replace(self, figure=self.figure.with_layout(layout))


@dataclass(frozen=True, eq=False)
class Items:
    """What a picture knows of its items.

    Attributes
    ----------
    ids : n unique names, on hover.
    classes : n class names, optional
        Coloured and counted; None or "" = unlabelled.
    order : positions in display order, optional
        See `theme.class_order`; may be a selection. Default: as given.
    tree : Dendrogram, optional
        Whose leaves are in this order.

    Raises
    ------
    InvalidInputError
        An id that occurs twice, or classes of another number.
    """

    ids: Sequence[str]
    classes: Sequence[str | None] | None = None
    order: Sequence[int] | IntArray | None = None
    tree: Dendrogram | None = None

    def __post_init__(self) -> None:
        if len(set(self.ids)) != len(self.ids):
            raise InvalidInputError("Ids have to be unique", "an id that occurs twice")
        if self.classes is not None and len(self.classes) != len(self.ids):
            raise InvalidInputError(
                f"Classes of {counted(len(self.ids), 'item')}", counted(len(self.classes), "class")
            )

    @property
    def positions(self) -> IntArray:
        """Positions in display order."""
        return np.arange(len(self.ids)) if self.order is None else np.asarray(self.order, dtype=np.int64)


@dataclass(frozen=True)
class PlotMargin:
    """Pixels around the plot area; fixed, so that labels can be placed by pixel."""

    left: int
    right: int
    top: int
    bottom: int

    def plot_height(self, height: int) -> float:
        return float(max(height - self.top - self.bottom, 1))


def chart_config(file: str) -> dict[str, Value]:
    """One button, on hover: the chart as SVG, made in the browser, in a file of that name."""
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": file},
        "responsive": True,
    }


def draw(data: Sequence[Spec], height: int, margin: PlotMargin, layout: Mapping[str, Value]) -> Chart:
    """The figure, with what all have in common."""
    base: Spec = {
        "template": _TEMPLATE,
        "height": height,
        "margin": {"l": margin.left, "r": margin.right, "t": margin.top, "b": margin.bottom, "pad": 0},
        "font": {"size": TITLE_SIZE, "color": INK},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
    }
    return Chart(data, {**base, **layout})


def axis(title: str = "", *, standoff: int = 8, **more: Value) -> Spec:
    """An axis with chart ink; grid and ground colours are the theme's business."""
    made: Spec = {
        "tickfont": {"size": TICK_SIZE, "color": INK},
        "ticklabelstandoff": 4,
        "automargin": False,
        "zeroline": False,
        "fixedrange": True,
        "separatethousands": True,
        "exponentformat": "power",
        "minexponent": 5,
    }
    if title:
        made["title"] = {
            "text": title,
            "font": {"size": TITLE_SIZE, "color": INK},
            "standoff": standoff,
        }
    return {**made, **more}


BARE_AXIS: Mapping[str, Value] = MappingProxyType(
    {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "automargin": False}
)


def padded(values: ArrayLike, share: float = 0.06) -> tuple[float, float]:
    """Range of the finite values with a margin of `share` on both sides."""
    finite = np.asarray(values, dtype=np.float64).ravel()
    finite = finite[np.isfinite(finite)]
    if finite.size == 0:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    pad = share * (high - low) or share * abs(high) or 0.5
    return low - pad, high + pad


# Ink of charts on both grounds: no single grey reaches a contrast of 4.5 on white and on black.
#
#     from pages.ui.figures.chart import inked
#     st.plotly_chart(inked(picture.figure, st.context.theme.type or "light"))
#
# Figures are made once, in the ink of the light theme; only where the ground is dark it is replaced.

INKS: Final[Mapping[str, str]] = MappingProxyType({"light": INK, "dark": "#8d939b"})
GROUNDS: Final[Mapping[str, str]] = MappingProxyType({"light": GROUND, "dark": "#131518"})


def inked(figure: Chart, theme: str) -> Chart:
    """Return the figure in the ink of a theme; that of the light one is the figure itself."""
    ink = INKS.get(theme, INK)
    if ink == INK:
        return figure
    spec = figure.to_plotly_json()
    drawn = {INK: ink, GROUND: GROUNDS[theme]}
    return Chart([_parts(trace, drawn) for trace in spec["data"]], _parts(spec["layout"], drawn))


def _parts(part: Mapping[str, Value], drawn: Mapping[str, str]) -> Spec:
    return {key: value if key == "source" else _replaced(value, drawn) for key, value in part.items()}


def _replaced(node: Value, drawn: Mapping[str, str]) -> Value:
    if isinstance(node, str):
        for light, here in drawn.items():
            node = node.replace(light, here)
        return node
    if isinstance(node, Mapping):
        return _parts(node, drawn)
    if isinstance(node, list | tuple) and not _is_data(node):
        return [_replaced(value, drawn) for value in node]
    return node


def _is_data(node: Sequence[object]) -> bool:
    """Numbers of a trace; texts on hover are no drawn ones."""
    return len(node) > 0 and isinstance(node[0], float | int)


# What a chart runs over and what its lines show: titles, ticks, the guide at the current value.
#
# from pages.ui.figures.chart import Across, Values
# across, values = Across("hidden share, %", guide=25), Values("accuracy, %", bounds=(0, 100))


@dataclass(frozen=True)
class Across:
    """What a chart runs over.

    Attributes
    ----------
    title : str
        Of the axis.
    guide : float, optional
        Where the control stands now; a dotted vertical line.
    ticks : sequence of float, optional
        Default: the places where the lines have values, thinned.
    texts : sequence of str, optional
        What stands at the ticks instead of their numbers.
    range : (float, float), optional
        Default: from the first place to the last, the guide among them.
    """

    title: str
    guide: float | None = None
    ticks: Sequence[float] | None = None
    texts: Sequence[str] | None = None
    range: tuple[float, float] | None = None


@dataclass(frozen=True)
class Values:
    """What the lines of a chart show.

    Attributes
    ----------
    title : str
        Of the axis.
    unit : str
        Behind a value on hover, with a space.
    bounds : (float, float), optional
        What the values cannot leave (0 and 100 for accuracies in %): bands are cut there.
    ticks, texts : as in `Across`; default: round numbers.
    """

    title: str = ""
    unit: str = ""
    bounds: tuple[float, float] | None = None
    ticks: Sequence[float] | None = None
    texts: Sequence[str] | None = None

    @property
    def suffix(self) -> str:
        """Unit with the space before it."""
        return f" {self.unit}" if self.unit else ""


def x_axis(across: Across, places: FloatArray, span: tuple[float, float]) -> Spec:
    """Return the horizontal axis over `span` for lines with values at `places`, ascending."""
    made = axis(
        across.title,
        range=list(span),
        showgrid=False,
        tickangle=0,
        tickvals=ticks_apart(places, across.ticks),
    )
    return made if across.texts is None else made | {"ticktext": list(across.texts)}


def y_axis(values: Values, value_range: tuple[float, float]) -> Spec:
    """Return the vertical axis over `value_range`."""
    made = axis(values.title, range=list(value_range), nticks=6)
    if values.ticks is not None:
        made["tickvals"] = list(values.ticks)
    if values.texts is not None:
        made["ticktext"] = list(values.texts)
    return made


def guide_line(at: float) -> Spec:
    """Dotted vertical line at the value the control shows."""
    return {
        "type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "xref": "x", "yref": "paper", "layer": "below",
        "line": GUIDE.line,
    }  # fmt: skip


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


# Labels at the ends of lines instead of legends: a piece of the line itself and the name, spread where they collide.
#
# from pages.ui.figures.chart import EndLabel, at_line_ends
# named = at_line_ends([EndLabel("joint", 63.5, role_of("joint"), bold=True)], (30, 95), plot_height=180)
# layout = {"annotations": named.texts, "shapes": named.samples}

GAP = 15.0
_DASH = "━"
_SAMPLE = 22
"""Pixels of a piece of line: the longest dash fits once and more."""
_MIDDLE = 9
"""Pixels from the top of a line of text to its middle."""
_CHARACTER_WIDTH = 6.4


@dataclass(frozen=True)
class EndLabel:
    """Name of a line, the value at its end, and how the line is drawn."""

    text: str
    value: float
    role: Role
    bold: bool = False

    @property
    def name(self) -> str:
        """The name as markup."""
        return f"<b>{escaped(self.text)}</b>" if self.bold else escaped(self.text)

    @property
    def markup(self) -> str:
        """The name behind a dash of its colour, where a solid line is named within a text."""
        return f'<span style="color:{self.role.colour}">{_DASH}</span> {self.name}'


@dataclass(frozen=True)
class NamedLines:
    """Names as annotations, and beside each a piece of its line, with its dash and width, as a shape."""

    texts: list[Spec]
    samples: list[Spec]


def spread(wanted: Sequence[float], gap: float = GAP, low: float = 0.0, high: float = np.inf) -> list[float]:
    """Positions at least `gap` apart, in the order of `wanted` and nearest to it in least squares.

    Pool adjacent violators on `wanted` minus the gaps, then clip: both keep the optimum. Where the room
    between `low` and `high` is too small for all of them, the gap shrinks to what there is.
    """
    if not len(wanted):
        return []
    rank = np.argsort(np.asarray(wanted, dtype=np.float64), kind="stable")
    steps = np.arange(len(wanted))
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    pools: list[tuple[float, int]] = []
    for target in np.asarray(wanted, dtype=np.float64)[rank] - gap * steps:
        mean, size = float(target), 1
        while pools and pools[-1][0] > mean:
            other, members = pools.pop()
            mean, size = (mean * size + other * members) / (size + members), size + members
        pools.append((mean, size))
    pooled = np.concatenate([np.full(size, mean) for mean, size in pools])
    placed = np.empty(len(wanted))
    placed[rank] = np.clip(pooled, low, max(high - gap * (len(wanted) - 1), low)) + gap * steps
    return [float(p) for p in placed]


def at_line_ends(
    labels: Sequence[EndLabel], value_range: tuple[float, float], plot_height: float
) -> NamedLines:
    """Labels in the right margin, at the height of the values but never on top of each other."""
    low, high = value_range
    pixels = [plot_height * (high - label.value) / (high - low) for label in labels]
    placed = spread(pixels, GAP, 0.0, plot_height - 5)
    heights = [1 - p / plot_height for p in placed]
    texts = [
        annotation(label.name, x=1, y=y, xanchor="left", yanchor="middle", xshift=12 + _SAMPLE)
        for label, y in zip(labels, heights, strict=True)
    ]
    samples = [_sample(label, 8, 8 + _SAMPLE, y0=y, y1=y) for label, y in zip(labels, heights, strict=True)]
    return NamedLines(texts, samples)


def stacked(labels: Sequence[EndLabel]) -> NamedLines:
    """Labels below each other in the upper right corner of the plot, which falling lines leave free."""
    texts = [
        # on a ground of their own, so that no line of the grid strikes them through
        annotation(
            label.name,
            x=1,
            y=1,
            xanchor="right",
            yanchor="top",
            xshift=-6 - _SAMPLE,
            yshift=-GAP * k,
            bgcolor=GROUND,
        )
        for k, label in enumerate(labels)
    ]
    samples = [
        _sample(
            label, -_SAMPLE, 0, ysizemode="pixel", yanchor=1, y0=-_MIDDLE - GAP * k, y1=-_MIDDLE - GAP * k
        )
        for k, label in enumerate(labels)
    ]
    return NamedLines(texts, samples)


def _sample(label: EndLabel, start: int, end: int, **height: Value) -> Spec:
    """Piece of a line, so many pixels right of the plot's right edge."""
    across: Spec = {
        "xref": "paper",
        "yref": "paper",
        "xsizemode": "pixel",
        "xanchor": 1,
        "x0": start,
        "x1": end,
    }
    return {"type": "line", **across, **height, "line": label.role.line}


def annotation(text: str, **where: Value) -> Spec:
    """Plain text in chart ink at a place given in shares of the plot area, or as `where` says."""
    return {
        "text": text,
        "showarrow": False,
        "xref": "paper",
        "yref": "paper",
        "align": "left",
        "borderpad": 0,
        "font": {"size": TITLE_SIZE, "color": INK},
        **where,
    }


def margin_for(labels: Sequence[EndLabel]) -> int:
    """Pixels the longest label needs at the right of the plot."""
    longest = max((len(label.text) * (1.07 if label.bold else 1) for label in labels), default=0)
    return int(20 + _SAMPLE + _CHARACTER_WIDTH * longest) if labels else 8


# A PNG with a palette, from the standard library: one byte a pixel, transparency included.
#
# from pages.ui.figures.chart import indexed_png
# data = indexed_png(indices, palette)      # uint8 (height, width), uint8 (colours, 4)


def indexed_png(indices: NDArray[np.uint8], palette: NDArray[np.uint8]) -> bytes:
    """PNG of the picture `indices` (height, width) into `palette`, rows of red, green, blue and alpha.

    Two colours take one bit a pixel. Filter 0 on every row: palette indices do not gain from prediction.
    """
    height, width = indices.shape
    depth = 1 if len(palette) <= 2 else 8
    rows = np.packbits(indices, axis=1) if depth == 1 else np.ascontiguousarray(indices)
    filtered = np.concatenate([np.zeros((height, 1), dtype=np.uint8), rows], axis=1)
    header = struct.pack(">IIBBBBB", width, height, depth, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette[:, :3].tobytes()),
            _chunk(b"tRNS", palette[:, 3].tobytes()),
            _chunk(b"IDAT", zlib.compress(filtered.tobytes(), 6)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
