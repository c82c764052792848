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

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.inputs.names import counted
from pages.shared.figures.maps.parts import (
    KEY,
    Added,
    Marked,
    Outlined,
    added_trace,
    grouped,
    hover_names,
    key_height,
    key_traces,
)
from pages.shared.figures.picture import Items, Picture, PlotMargin, Spec, axis, draw, padded
from pages.shared.figures.theme import (
    MARK,
    ClassStyle,
    escaped,
    percent,
    ranked_classes,
)

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
