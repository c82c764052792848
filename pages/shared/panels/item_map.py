"""The map of the items with its title, the same on every page.

item_map_panel(coordinates, Items(ids, classes), key="kernels.items", axes=MapAxes(shares=inspection.share))
"""

from __future__ import annotations

import streamlit as st
from numpy.typing import ArrayLike

from pages.shared.figures.picture import Items, Picture
from pages.shared.figures.scatter import COMPONENTS, MapAxes, Outlined, item_map
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw


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
    picture = item_map(coordinates, items, axes=axes, outlined=outlined, height=height)
    with st.container(gap="xxsmall"):
        panel_title(title, " · ".join(part for part in (note, picture.note) if part))
        draw(picture, key)
    return picture
