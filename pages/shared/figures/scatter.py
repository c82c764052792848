"""Map of the items (kernel PCA, LLE, a graph layout): classes by colour and marker, ids on hover.

    from pages.shared.figures.picture import Items
    from pages.shared.figures.scatter import MapAxes, Outlined, item_map
    picture = item_map(
        view.coordinates, Items(ids, classes), axes=MapAxes(shares=view.variance_shares), outlined=Outlined(hidden)
    )
    event = st.plotly_chart(picture.figure, on_select="rerun", selection_mode=("points", "box", "lasso"), ...)
    chosen = sorted(point["customdata"] for point in event.selection.points)      # positions of items

One trace a class, and the position of the item in `customdata`: selections come back as items, not as points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.inputs.names import counted
from pages.shared.figures.picture import Items, Picture, PlotMargin, Spec, axis, draw, padded
from pages.shared.figures.theme import (
    MARK,
    UNLABELLED,
    ClassStyle,
    class_codes,
    class_styles,
    escaped,
    percent,
    ranked_classes,
)

_MARGIN = PlotMargin(left=54, right=8, top=8, bottom=44)
_MOST_SVG_POINTS = 3_000
_UNLABELLED = ClassStyle("unlabelled", 0, UNLABELLED, "circle")


@dataclass(frozen=True)
class MapAxes:
    """Names of the two axes, and the share (0 to 1) of each, printed beside its name."""

    names: tuple[str, str] = ("component 1", "component 2")
    shares: Sequence[float] | FloatArray | None = None

    @property
    def titles(self) -> list[str]:
        """Names with shares."""
        if self.shares is None:
            return list(self.names)
        return [
            f"{name} ({percent(float(share))})" for name, share in zip(self.names, self.shares, strict=False)
        ]


@dataclass(frozen=True)
class Marked:
    """What is chosen: positions of items, which get a ring, and of a pair, which is joined by a line."""

    items: tuple[int, ...] = ()
    pair: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Outlined:
    """Items that are drawn as outlines: a mask over all items, and what they are (hidden, new)."""

    mask: BoolArray
    name: str = "hidden"


COMPONENTS = MapAxes()


def item_map(
    coordinates: ArrayLike,
    items: Items,
    *,
    axes: MapAxes = COMPONENTS,
    outlined: Outlined | None = None,
    marked: Marked | None = None,
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
    titles = axes.titles
    square: Spec = {"scaleanchor": "y", "constrain": "domain", "constraintoward": "left"}
    layout: Spec = {
        "xaxis": axis(titles[0], range=padded(points[:, 0]), nticks=6, fixedrange=False) | square,
        "yaxis": axis(titles[1], range=padded(points[:, 1]), nticks=6, fixedrange=False, constrain="domain"),
        "dragmode": "pan",
        "clickmode": "event" if marked is None else "event+select",
    }
    missing = int(np.count_nonzero(~placed))
    note = f"{counted(missing, 'item')} without a place" if missing else ""
    sentence = _sentence(titles, items.classes, Outlined(outlined.mask & placed, outlined.name), n - missing)
    if marked is not None and marked.items:
        sentence += f" {len(marked.items):,} chosen, with a ring."
    return Picture(draw(data, height, _MARGIN, layout), sentence, note)


def traces(points: FloatArray, items: Items, outlined: Outlined, marked: Marked) -> list[Spec]:
    """Items (n, 2) as points, a trace a class, and what is chosen above them; those without a place are left out."""
    placed = np.asarray(np.isfinite(points).all(axis=1))
    names = _names(items)
    data = [_trace(style, at, points, names, outlined) for style, at in _groups(items.classes, placed)]
    return data + _marks(marked, points, placed)


def _names(items: Items) -> list[str]:
    """Ids as they are written on hover; with the class where its trace stands for several."""
    names = [escaped(name) for name in items.ids]
    if items.classes is None:
        return names
    styles = {style.name for style in class_styles(items.classes)}
    return [
        f"{name}<br>{escaped(kind)}" if kind and kind not in styles else name
        for name, kind in zip(names, items.classes, strict=True)
    ]


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


def _groups(classes: Sequence[str | None] | None, placed: BoolArray) -> Iterator[tuple[ClassStyle, IntArray]]:
    """Unlabelled items first (below), then the classes from large to small, so that small ones stay visible."""
    labels = [None] * len(placed) if classes is None else classes
    codes = class_codes(labels)
    for code, style in enumerate((_UNLABELLED, *class_styles(labels)), start=-1):
        at = np.flatnonzero((codes == code) & placed)
        if at.size:
            yield style, at


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
        "marker": {"color": style.colour, "symbol": symbols, "size": 7, "opacity": 0.9},
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
