"""Map of the items in three coordinates, turned by hand.

    from pages.shared.figures.maps.space import item_space
    picture = item_space(view.coordinates, Items(ids, classes), ("coordinate 1", "coordinate 2", "coordinate 3"))

Colours are those of the flat map; of its markers WebGL has some, and what it lacks has the nearest one. Streamlit reports no
clicks in three dimensions: items are chosen in a flat map beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.names import counted
from pages.shared.figures.maps.parts import (
    KEY,
    Layers,
    Marked,
    Outlined,
    grouped,
    hover_names,
    key_traces,
    marker_of,
)
from pages.shared.figures.picture import Items, Picture, PlotMargin, Spec, draw, padded
from pages.shared.figures.theme import INK, MARK, TICK_SIZE, ClassStyle, escaped

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
    data = [_trace(style, at, points, names, outlined) for style, at in grouped(items.classes, placed)]
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


def _trace(
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
