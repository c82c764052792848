"""The map of the items with its title, the same on every page: it shows what is chosen, and items are chosen in it.

item_map_panel(coordinates, Items(ids, classes), key="kernels.items", axes=MapAxes(shares=inspection.share))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st
from numpy.typing import ArrayLike

from pages.shared import chosen, workspace
from pages.shared.figures.ink import inked
from pages.shared.figures.picture import Items, Picture, chart_config
from pages.shared.figures.scatter import COMPONENTS, MapAxes, Marked, Outlined, item_map
from pages.shared.files.names import file_stem
from pages.shared.frame import panel_title
from pages.shared.ground import ground
from pages.shared.shown import registry

HOW: Final = "A click chooses an item on every page, lasso and box several."
BUTTONS: Final = ("lasso2d", "select2d", "pan2d", "resetScale2d", "toImage")


def item_map_panel(
    coordinates: ArrayLike,
    items: Items,
    *,
    key: str,
    title: str = "Map",
    note: str = "kernel PCA, components 1 and 2",
    axes: MapAxes = COMPONENTS,
    outlined: Outlined | None = None,
    height: int = 330,
) -> Picture:
    """Draw title and map, and return the picture for downloads; arguments as in `figures.scatter.item_map`."""
    at = Marked(chosen.chosen(items.ids), chosen.pair(items.ids))
    picture = item_map(coordinates, items, axes=axes, outlined=outlined, height=height, marked=at)
    # dragging moves the map: while it draws a lasso, Streamlit reports no clicks
    # a new chart after every choice: the rings say what is chosen, and the chart's own selection would fade the others
    turn: int = workspace.recall(f"{key}.turn", 0)
    file = file_stem(f"{workspace.current_name() or 'kernex'} {key.replace('.', ' ')}")
    config = {**chart_config(file), "displayModeBar": True, "modeBarButtons": [list(BUTTONS)]}
    with st.container(gap="xxsmall"):
        panel_title(title, " · ".join(part for part in (note, picture.note) if part))
        registry.show(key, lambda: picture, classes=items.classes)
        st.plotly_chart(
            inked(picture.figure, ground()), width="stretch", theme="streamlit", alt=f"{picture.alt} {HOW}", config=config,
            key=f"{key}.{turn}", on_select=partial(_on_select, key, turn, tuple(items.ids)),
            selection_mode=("points", "box", "lasso"),
        )  # fmt: skip
    return picture


def _on_select(key: str, turn: int, ids: tuple[str, ...]) -> None:
    """Points were clicked, or surrounded."""
    selection = workspace.told(f"{key}.{turn}", "selection")
    chosen.choose([ids[k] for k in places(selection, len(ids))])
    workspace.remember(f"{key}.turn", turn + 1)


def places(selection: object, n: int) -> list[int]:
    """Positions of the items that a chart says are selected; what is none is left out."""
    points = selection.get("points", []) if isinstance(selection, Mapping) else []
    told = [point.get("customdata") for point in points if isinstance(point, Mapping)]
    flat = [each[0] if isinstance(each, Sequence) and len(each) == 1 else each for each in told]
    return sorted({k for k in flat if isinstance(k, int) and not isinstance(k, bool) and 0 <= k < n})
