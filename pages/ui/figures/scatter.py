"""Map of the items (kernel PCA, LLE, a graph layout): classes by colour and marker, ids on hover.

    from pages.ui.figures.chart import Items
    from pages.ui.figures.scatter import MapAxes, Outlined, item_map
    picture = item_map(
        view.coordinates, Items(ids, classes), axes=MapAxes(shares=view.variance_shares), outlined=Outlined(hidden)
    )
    event = st.plotly_chart(picture.figure, on_select="rerun", selection_mode=("points", "box", "lasso"), ...)
    chosen = sorted(point["customdata"] for point in event.selection.points)      # positions of items

One trace a class, and the position of the item in `customdata`: selections come back as items, not as points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.inputs.names import counted
from pages.server.digits import percent
from pages.ui.figures.chart import Items, Picture, PlotMargin, Spec, axis, draw, padded
from pages.ui.figures.theme import (
    INK,
    MARK,
    TICK_SIZE,
    UNLABELLED,
    ClassStyle,
    class_codes,
    class_styles,
    escaped,
    ranked_classes,
    shortened,
)

# Parts that flat and deep maps have in common: what is outlined, chosen or new, classes in drawing order, and the key.

NEW = "star"
KEY: Spec = {
    "showlegend": True,
    "legend": {
        "orientation": "h", "x": 0, "xanchor": "left", "y": 0, "yref": "container", "yanchor": "bottom",
        "font": {"size": TICK_SIZE, "color": INK}, "itemsizing": "constant", "tracegroupgap": 0,
    },
}  # fmt: skip
"""Layout of a map with a key below it."""
LONGEST = 28
MARKERS: Mapping[str, str] = MappingProxyType(
    {
        "triangle-up": "cross",
        "star": "cross",
        "triangle-down": "x",
        "pentagon": "diamond",
        "hexagon": "square",
    }
)
OUTLINES = ("circle", "diamond", "square")
"""Markers that WebGL has as outlines; the others are drawn as outlined circles."""
_UNLABELLED = ClassStyle("unlabelled", 0, UNLABELLED, "circle")


@dataclass(frozen=True)
class Marked:
    """What is chosen: positions of items, which get a ring, and of a pair, which is joined by a line.

    As `picked`, items are the chart's own selection instead: a click then changes the chart in the browser, which keeps its
    zoom, and the same figure as before is no new chart.
    """

    items: tuple[int, ...] = ()
    pair: tuple[int, int] | None = None
    picked: bool = False


@dataclass(frozen=True, eq=False)
class Outlined:
    """Items that are drawn as outlines: a mask over all items, and what they are (hidden, new)."""

    mask: BoolArray
    name: str = "hidden"


@dataclass(frozen=True, eq=False)
class Added:
    """Points that are no items: names, (m, q) places, and half the length of their error bars (q,), NaN for none."""

    names: Sequence[str]
    places: FloatArray
    within: FloatArray


@dataclass(frozen=True, eq=False)
class Layers:
    """What a map shows beside its items: which are outlined, points that are none, and whether a key names all of it."""

    outlined: Outlined | None = None
    added: Added | None = None
    keyed: bool = False


def grouped(classes: Sequence[str | None] | None, placed: BoolArray) -> Iterator[tuple[ClassStyle, IntArray]]:
    """Unlabelled items first (below), then the classes from large to small, so that small ones stay visible."""
    labels = [None] * len(placed) if classes is None else classes
    codes = class_codes(labels)
    for code, style in enumerate((_UNLABELLED, *class_styles(labels)), start=-1):
        at = np.flatnonzero((codes == code) & placed)
        if at.size:
            yield style, at


def hover_names(items: Items) -> list[str]:
    """Ids as they are written on hover; with the class where its trace stands for several."""
    names = [escaped(name) for name in items.ids]
    if items.classes is None:
        return names
    styles = {style.name for style in class_styles(items.classes)}
    return [
        f"{name}<br>{escaped(kind)}" if kind and kind not in styles else name
        for name, kind in zip(names, items.classes, strict=True)
    ]


def added_trace(added: Added) -> Spec:
    """New points as stars with error bars."""
    made: Spec = {
        "type": "scatter", "mode": "markers", "x": added.places[:, 0], "y": added.places[:, 1], "name": "new",
        "text": [escaped(name) for name in added.names], "hovertemplate": "%{text}<extra>new</extra>",
        "marker": {"symbol": NEW, "size": 11, "color": MARK, "line": {"width": 0.5, "color": "#ffffff"}},
        "unselected": {"marker": {"opacity": 1}}, "selectedpoints": [], "showlegend": False,
    }  # fmt: skip
    for name, half in zip(("error_x", "error_y"), added.within, strict=False):
        if np.isfinite(half):
            bar: Spec = {"array": np.full(len(added.places), half), "color": MARK, "thickness": 1, "width": 3}
            made[name] = bar
    return made


def marker_of(marker: str) -> str:
    """The marker of the flat map, or what stands for it in three dimensions."""
    is_open = marker.endswith("-open")
    made = MARKERS.get(plain := marker.removesuffix("-open"), plain)
    return f"{made if made in OUTLINES else 'circle'}-open" if is_open else made


def key_height(names: int) -> int:
    """Pixels of a key of so many names, two or three of which stand in a line."""
    return 20 * (1 + max(1, -(-names // 3)))


def key_traces(items: Items, outlined: Outlined, added: Added | None, deep: bool = False) -> list[Spec]:
    """Traces without points that name classes and markers in the key, each hiding its class with it."""
    placed = np.ones(len(items.ids), dtype=bool)
    styles = [style for style, _ in grouped(items.classes, placed)] if items.classes else []
    ranked = [*(style for style in styles if style.count), *(style for style in styles if not style.count)]
    made = [_key(style.name, style.colour, style.marker, deep) for style in ranked]
    if outlined.mask.any():
        made.append(_key(outlined.name, UNLABELLED, "circle-open", deep))
    if added is not None:
        made.append(_key("new", MARK, "x" if deep else NEW, deep))
    return made


def _key(name: str, colour: str, marker: str, deep: bool) -> Spec:
    short = shortened(name, LONGEST)
    kind: Spec = {"type": "scatter3d", "z": [None]} if deep else {"type": "scatter"}
    return {
        **kind, "mode": "markers", "x": [None], "y": [None], "name": escaped(short), "showlegend": True,
        "legendgroup": escaped(name), "hoverinfo": "skip",
        "marker": {"color": colour, "symbol": marker_of(marker) if deep else marker, "size": 8},
    }  # fmt: skip


BELOW_BUTTONS = PlotMargin(left=54, right=8, top=30, bottom=44)
"""The chart's buttons stand above the points, and never on them."""
_MOST_SVG_POINTS = 3_000
_OPACITY = 0.9


Ends: TypeAlias = tuple[tuple[float, float], tuple[float, float]]
"""Of both axes."""


@dataclass(frozen=True)
class MapAxes:
    """Names of the two axes, and the share (0 to 1) of each, printed beside its name.

    Maps that are compared have the same `ends`, see `ends_of`; without them each shows its own items. Coordinates that have
    a unit each, and no common one, are `apart`: each fills its axis.
    """

    names: tuple[str, str] = ("component 1", "component 2")
    shares: Sequence[float] | FloatArray | None = None
    ends: Ends | None = None
    apart: bool = False

    @property
    def titles(self) -> list[str]:
        """Names with shares."""
        if self.shares is None:
            return list(self.names)
        return [
            f"{name} ({percent(float(share))})" for name, share in zip(self.names, self.shares, strict=False)
        ]


COMPONENTS = MapAxes()


def ends_of(maps: Sequence[FloatArray]) -> Ends:
    """Return ends of axes on which the items of all these maps (n, 2) are seen."""
    points = np.concatenate(maps)
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))


def item_map(
    coordinates: ArrayLike,
    items: Items,
    *,
    axes: MapAxes = COMPONENTS,
    outlined: Outlined | None = None,
    marked: Marked | None = None,
    added: Added | None = None,
    keyed: bool = False,
    height: int = 320,
) -> Picture:
    """Scatter plot of items.

    Parameters
    ----------
    coordinates : array, shape (n, 2)
        Items with a coordinate that is not finite are left out; `note` counts them.
    items : unlabelled ones are drawn grey and below the others; their order plays no part.
    marked : Marked
        Chosen items and pair, drawn above all others; a click on an item then selects it.
    added : Added
        Drawn above all, and never chosen.
    keyed : bool
        Whether a key below the map names classes and markers; a click in it hides a class.

    Raises
    ------
    InvalidInputError
        If the coordinates do not have a row an item and two columns.
    """
    n = len(items.ids)
    points = np.asarray(coordinates, dtype=np.float64)
    if points.shape != (n, 2) or not n:
        raise InvalidInputError(f"A map has two coordinates for {counted(n, 'item')}", f"{points.shape}")
    if outlined is None:
        outlined = Outlined(np.zeros(n, dtype=bool))
    placed = np.asarray(np.isfinite(points).all(axis=1))
    data = traces(points, items, outlined, marked or Marked())
    if added is not None:
        data.append(added_trace(added))
    titles = axes.titles
    seen = points.T if axes.ends is None else np.array(axes.ends)
    square: Spec = (
        {} if axes.apart else {"scaleanchor": "y", "constrain": "domain", "constraintoward": "left"}
    )
    layout: Spec = {
        "xaxis": axis(titles[0], range=_range(seen[0], added, 0), nticks=6, fixedrange=False) | square,
        "yaxis": axis(
            titles[1], range=_range(seen[1], added, 1), nticks=6, fixedrange=False, constrain="domain"
        ),
        "dragmode": "pan",
        "clickmode": "event" if marked is None else "event+select",
    }
    margin = BELOW_BUTTONS
    if keyed:
        names = key_traces(items, outlined, added)
        data, layout, bottom = data + names, layout | KEY, key_height(len(names))
        margin, height = (
            replace(BELOW_BUTTONS, bottom=BELOW_BUTTONS.bottom + bottom),
            height + bottom - key_height(1),
        )
    missing = int(np.count_nonzero(~placed))
    note = f"{counted(missing, 'item')} without a place" if missing else ""
    sentence = _sentence(titles, items.classes, Outlined(outlined.mask & placed, outlined.name), n - missing)
    if marked is not None and marked.items:
        sentence += f" {len(marked.items):,} chosen, {'in pink' if marked.picked else 'with a ring'}."
    if added is not None:
        sentence += f" {counted(len(added.names), 'new item')}, as stars."
    return Picture(draw(data, height, margin, layout), sentence, note)


def _range(values: FloatArray, added: Added | None, column: int) -> tuple[float, float]:
    """Ends of an axis: all items, and new points unless they lie further away than the items are wide."""
    low, high = padded(values)
    if added is None:
        return low, high
    return padded(
        np.append(np.clip(added.places[:, column], 2 * low - high, 2 * high - low), [low, high]), 0.02
    )


def traces(points: FloatArray, items: Items, outlined: Outlined, marked: Marked) -> list[Spec]:
    """Items (n, 2) as points, a trace a class, and what is chosen above them; those without a place are left out."""
    placed = np.asarray(np.isfinite(points).all(axis=1))
    names = hover_names(items)
    data = [_trace(style, at, points, names, outlined) for style, at in grouped(items.classes, placed)]
    if marked.picked:
        chosen = np.isin(np.arange(len(points)), marked.items)
        data = [{**trace, **_picked(trace, chosen)} for trace in data]
        marked = replace(marked, items=())
    return data + _marks(marked, points, placed)


def _picked(trace: Spec, chosen: BoolArray) -> Spec:
    """The chart's own selection: chosen items in the colour of the mark, and no other fades."""
    made: Spec = {
        "selected": {"marker": {"color": MARK, "size": 10, "opacity": 1}},
        "unselected": {"marker": {"opacity": _OPACITY}},
    }
    if chosen.any():
        made["selectedpoints"] = np.flatnonzero(chosen[trace["customdata"]]).tolist()  # type: ignore[index]
    return made


def _marks(marked: Marked, points: FloatArray, placed: BoolArray) -> list[Spec]:
    """Rings around chosen items and a line between the two of a pair; without hover, so that items keep theirs."""
    base: Spec = {"type": "scatter", "hoverinfo": "skip", "showlegend": False}
    made = []
    pair = [k for k in marked.pair or () if placed[k]]
    if len(pair) == 2:
        line: Spec = {"color": MARK, "width": 1.5}
        made.append({**base, "mode": "lines", "x": points[pair, 0], "y": points[pair, 1], "line": line})
    at = [k for k in dict.fromkeys((*marked.items, *pair)) if placed[k]]
    if at:
        ring: Spec = {"symbol": "circle-open", "size": 11, "color": MARK, "line": {"width": 1.5}}
        made.append({**base, "mode": "markers", "x": points[at, 0], "y": points[at, 1], "marker": ring})
    return made


def _trace(
    style: ClassStyle, at: IntArray, points: FloatArray, names: Sequence[str], outlined: Outlined
) -> Spec:
    open_here = outlined.mask[at]
    symbols: str | list[str] = style.marker
    texts = [names[k] for k in at]
    if open_here.any():
        symbols = [style.marker + ("-open" if is_open else "") for is_open in open_here]
        texts = [f"{text} ({outlined.name})" if o else text for text, o in zip(texts, open_here, strict=True)]
    return {
        "type": "scatter" if len(names) <= _MOST_SVG_POINTS else "scattergl",
        "mode": "markers",
        "x": points[at, 0],
        "y": points[at, 1],
        "customdata": at.tolist(),
        "text": texts,
        "name": escaped(style.name),
        "legendgroup": escaped(style.name),
        "showlegend": False,
        "marker": {"color": style.colour, "symbol": symbols, "size": 7, "opacity": _OPACITY},
        "hovertemplate": "%{text}<extra>%{fullData.name}</extra>",
        "unselected": {"marker": {"opacity": 0.2}},
    }


def _sentence(titles: Sequence[str], classes: Sequence[str | None] | None, outlined: Outlined, n: int) -> str:
    parts = [f"Map of {counted(n, 'item')}, {titles[0]} against {titles[1]}"]
    if classes is not None:
        parts.append(f"{counted(len(ranked_classes(classes)), 'class')} by colour and marker")
    if outlined.mask.any():
        parts.append(f"{int(outlined.mask.sum())} {outlined.name}, drawn as outlines")
    return ", ".join(parts) + "."


# Map of the items in three coordinates, turned by hand.
#
#     from pages.ui.figures.scatter import item_space
#     picture = item_space(view.coordinates, Items(ids, classes), ("coordinate 1", "coordinate 2", "coordinate 3"))
#
# Colours are those of the flat map; of its markers WebGL has some, and what it lacks has the nearest one. Streamlit
# reports no clicks in three dimensions: items are chosen in a flat map beside it.

_MARGIN = PlotMargin(left=0, right=0, top=0, bottom=0)
_CAMERA: Spec = {"eye": {"x": 1.8, "y": -2.0, "z": 0.9}, "center": {"x": 0, "y": 0, "z": -0.08}}
_GRID = "rgba(128,132,138,0.35)"


def item_space(
    coordinates: ArrayLike,
    items: Items,
    titles: Sequence[str],
    *,
    layers: Layers | None = None,
    marked: Marked | None = None,
    height: int = 430,
) -> Picture:
    """Scatter plot of items in three dimensions.

    Parameters
    ----------
    coordinates : array, shape (n, 3)
    items : unlabelled ones are drawn grey; their order plays no part.
    titles : three names of axes.
    layers : what is outlined, new points, and whether there is a key.
    marked : chosen items get a ring.

    Raises
    ------
    InvalidInputError
        If the coordinates do not have a row an item and three columns.
    """
    n, layers = len(items.ids), layers or Layers()
    points = np.asarray(coordinates, dtype=np.float64)
    if points.shape != (n, 3) or not n:
        raise InvalidInputError(f"A map has three coordinates for {counted(n, 'item')}", f"{points.shape}")
    outlined = layers.outlined or Outlined(np.zeros(n, dtype=bool))
    placed = np.asarray(np.isfinite(points).all(axis=1))
    names = hover_names(items)
    data = [_space_trace(style, at, points, names, outlined) for style, at in grouped(items.classes, placed)]
    at = [k for k in (marked.items if marked else ()) if placed[k]]
    if at:
        data.append(_ring(points[at]))
    if layers.added is not None:
        data.append(_stars(layers.added.places, layers.added.names, layers.added.within))
    if layers.keyed:
        data += key_traces(items, outlined, layers.added, deep=True)
    axes = {
        f"{name}axis": _axis(title, points[:, c])
        for c, (name, title) in enumerate(zip("xyz", titles, strict=True))
    }
    scene: Spec = {
        **axes,
        "aspectmode": "data",
        "camera": _CAMERA,
        "dragmode": "turntable",
        "bgcolor": "rgba(0,0,0,0)",
    }
    layout: Spec = {"scene": scene, "uirevision": "map", **(KEY if layers.keyed else {})}
    n_placed = counted(int(placed.sum()), "item")
    sentence = f"Map of {n_placed} in three dimensions, {', '.join(titles)}; it turns when it is dragged."
    if at:
        sentence += f" {len(at):,} chosen, with a ring."
    return Picture(draw(data, height, _MARGIN, layout), sentence)


def _space_trace(
    style: ClassStyle, at: IntArray, points: FloatArray, names: Sequence[str], outlined: Outlined
) -> Spec:
    is_open = outlined.mask[at]
    symbols = [marker_of(style.marker + ("-open" if here else "")) for here in is_open.tolist()]
    texts = [
        f"{names[k]} ({outlined.name})" if o else names[k]
        for k, o in zip(at.tolist(), is_open.tolist(), strict=True)
    ]
    return {
        **_at(points[at]), "text": texts, "name": escaped(style.name), "legendgroup": escaped(style.name),
        "showlegend": False,
        "marker": {"color": style.colour, "symbol": symbols if is_open.any() else marker_of(style.marker), "size": 4},
        "hovertemplate": "%{text}<extra>%{fullData.name}</extra>",
    }  # fmt: skip


def _at(points: FloatArray) -> Spec:
    x, y, z = points.astype(np.float32).T
    return {"type": "scatter3d", "mode": "markers", "x": x.copy(), "y": y.copy(), "z": z.copy()}


def _ring(points: FloatArray) -> Spec:
    marker: Spec = {"symbol": "circle-open", "color": MARK, "size": 10, "line": {"width": 2, "color": MARK}}
    return {**_at(points), "hoverinfo": "skip", "showlegend": False, "marker": marker}


def _stars(places: FloatArray, names: Sequence[str], within: FloatArray) -> Spec:
    bars: Spec = {
        f"error_{axis}": {"type": "constant", "value": float(half), "color": MARK, "thickness": 1, "width": 2}
        for axis, half in zip("xyz", within, strict=False)
        if np.isfinite(half)
    }
    return {
        **_at(places), **bars, "text": [escaped(name) for name in names], "name": "new", "showlegend": False,
        "marker": {"symbol": "x", "color": MARK, "size": 5}, "hovertemplate": "%{text}<extra>new</extra>",
    }  # fmt: skip


def _axis(title: str, values: FloatArray) -> Spec:
    font: Spec = {"size": TICK_SIZE, "color": INK}
    return {
        "title": {"text": title, "font": font}, "tickfont": font, "nticks": 5, "range": padded(values),
        "showbackground": False, "gridcolor": _GRID, "zeroline": False, "showspikes": False, "color": INK,
    }  # fmt: skip
