"""The map of the items with its title, the same on every page: it shows what is chosen, and items are chosen in it.

item_map_panel(coordinates, Items(ids, classes), key="kernels.items", axes=MapAxes(shares=inspection.share))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypedDict

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.base.digests import digest
from kernex_core.base.frozen import FloatArray
from pages.shared import chosen, workspace
from pages.shared.figures.classes import coloured_of
from pages.shared.figures.ink import inked
from pages.shared.figures.maps.parts import Added, Layers, Marked, Outlined
from pages.shared.figures.picture import Items, Picture, chart_config
from pages.shared.figures.scatter import COMPONENTS, MapAxes, item_map
from pages.shared.frame import panel_title
from pages.shared.ground import ground
from pages.shared.projected.projector import enlarged
from pages.shared.shown import registry

HOW: Final = "A click chooses an item on every page, lasso and box several."
BUTTONS: Final = ("lasso2d", "select2d", "pan2d", "resetScale2d", "toImage")
NOTHING_MORE: Final = Layers()


class LayersOfMap(TypedDict):
    """What the figure on the page and the one on the sheet have in common."""

    axes: MapAxes
    outlined: Outlined | None
    added: Added | None
    height: int


def item_map_panel(
    coordinates: ArrayLike,
    items: Items,
    *,
    key: str,
    title: str = "Map",
    note: str = "kernel PCA, components 1 and 2",
    axes: MapAxes = COMPONENTS,
    layers: Layers = NOTHING_MORE,
    height: int = 330,
) -> Picture:
    """Draw title and map, and return the picture for downloads; arguments as in `figures.scatter.item_map`."""
    more: LayersOfMap = {"axes": axes, "outlined": layers.outlined, "added": layers.added, "height": height}
    marked = Marked(chosen.chosen(items.ids), chosen.pair(items.ids))
    names = tuple(items.ids[k] for k in marked.items)
    chart = drawn_chart(
        key, _of(np.asarray(coordinates, dtype=np.float64), items, layers, axes, marked.pair), names
    )
    inside = set(chart.items)
    at = replace(marked, items=tuple(k for k, item in enumerate(items.ids) if item in inside), picked=True)
    picture = item_map(coordinates, items, marked=at, keyed=layers.keyed, **more)
    # dragging moves the map: while it draws a lasso, Streamlit reports no clicks
    config = {
        **chart_config(registry.file_named(key.replace(".", " "))),
        "displayModeBar": True,
        "modeBarButtons": [list(BUTTONS)],
    }
    with st.container(gap="xxsmall"):
        panel_title(title, " · ".join(part for part in (note, picture.note) if part))
        registry.show(key, lambda: item_map(coordinates, items, marked=marked, **more), classes=items.classes)
        st.plotly_chart(
            enlarged(inked(picture.figure, ground())),
            width="stretch", theme="streamlit", alt=f"{picture.alt} {HOW}", config=config,
            key=f"{key}.{chart.turn}", on_select=partial(on_select, key, chart.turn, tuple(items.ids)),
            selection_mode=("points", "box", "lasso"),
        )  # fmt: skip
    return picture


@dataclass(frozen=True)
class DrawnChart:
    """A chart as it was last drawn.

    Attributes
    ----------
    turn : int
        How many there were before it.
    of : str
        What tells its figure from others, but for what is chosen.
    items : tuple of str
        Chosen items that its figure shows.
    own : tuple of str or None
        What was chosen in it since: the browser shows it already.
    """

    turn: int = 0
    of: str = ""
    items: tuple[str, ...] = ()
    own: tuple[str, ...] | None = None


def _of(points: FloatArray, items: Items, layers: Layers, axes: MapAxes, pair: tuple[int, int] | None) -> str:
    """What tells this map from others, but for the chosen items."""
    outlined, added = layers.outlined, layers.added
    masks = [] if outlined is None else [outlined.mask, outlined.name]
    stars = [] if added is None else [list(added.names), added.places, added.within]
    return digest(
        points,
        list(items.ids),
        list(items.classes or ()),
        coloured_of(items.classes or ()),
        masks,
        stars,
        [axes.titles, axes.ends, axes.apart],
        list(pair or ()),
        ground(),
    )


def drawn_chart(key: str, of: str, names: tuple[str, ...]) -> DrawnChart:
    """The chart to draw where these are chosen.

    The same as before where they were chosen in it: it keeps its zoom. Another choice, or another map, makes another one.
    """
    last: DrawnChart = workspace.recall(f"{key}.drawn", DrawnChart())
    if last.of == of and set(names) == set(last.items if last.own is None else last.own):
        return last
    made = DrawnChart(last.turn + 1, of, names)
    workspace.remember(f"{key}.drawn", made)
    return made


def on_select(key: str, turn: int, ids: tuple[str, ...]) -> None:
    """Points of a chart were clicked, or surrounded; or no longer."""
    selection = workspace.told(f"{key}.{turn}", "selection")
    names = tuple(ids[k] for k in places(selection, len(ids)))
    chosen.choose(names, again_is_none=False)
    last: DrawnChart = workspace.recall(f"{key}.drawn", DrawnChart())
    if last.turn == turn:
        workspace.remember(f"{key}.drawn", replace(last, own=names))


def places(selection: object, n: int) -> list[int]:
    """Positions of the items that a chart says are selected; what is none is left out."""
    points = selection.get("points", []) if isinstance(selection, Mapping) else []
    told = [point.get("customdata") for point in points if isinstance(point, Mapping)]
    flat = [each[0] if isinstance(each, Sequence) and len(each) == 1 else each for each in told]
    return sorted({k for k in flat if isinstance(k, int) and not isinstance(k, bool) and 0 <= k < n})
