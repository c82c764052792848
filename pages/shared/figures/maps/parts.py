"""Parts that flat and deep maps have in common: what is outlined, chosen or new, classes in drawing order, and the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from pages.shared.figures.picture import Items, Spec
from pages.shared.figures.theme import (
    INK,
    MARK,
    TICK_SIZE,
    UNLABELLED,
    ClassStyle,
    class_codes,
    class_styles,
    escaped,
)

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
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    kind: Spec = {"type": "scatter3d", "z": [None]} if deep else {"type": "scatter"}
    return {
        **kind, "mode": "markers", "x": [None], "y": [None], "name": escaped(short), "showlegend": True,
        "legendgroup": escaped(name), "hoverinfo": "skip",
        "marker": {"color": colour, "symbol": marker_of(marker) if deep else marker, "size": 8},
    }  # fmt: skip
