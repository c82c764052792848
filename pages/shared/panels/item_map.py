"""The map of the items with its title, the same on every page.

item_map_panel(coordinates, ids=ids, key="kernels.items", classes=classes, share=inspection.share)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.shared.figures.picture import Picture
from pages.shared.figures.scatter import item_map
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw


def item_map_panel(
    coordinates: Any,
    *,
    ids: Sequence[str],
    key: str,
    title: str = "Map",
    note: str = "kernel PCA, components 1 and 2",
    classes: Sequence[str | None] | None = None,
    share: Sequence[float] | None = None,
    hollow: Any = None,
    hollow_name: str = "hidden",
    height: int = 330,
) -> Picture:
    """Draw title and map, and return the picture for downloads.

    Parameters
    ----------
    coordinates : (n, 2) array; items with NaN are left out and counted beside the title.
    classes : class of each item, None = unlabelled.
    share : share of each axis, 0 to 1, printed beside its name.
    hollow : mask of items that are drawn as outlines; `hollow_name` says why.
    """
    picture = item_map(
        coordinates,
        ids=ids,
        classes=classes,
        variance=share,
        hollow=hollow,
        hollow_name=hollow_name,
        height=height,
    )
    with st.container(gap="xxsmall"):
        panel_title(title, " · ".join(part for part in (note, picture.note) if part))
        draw(picture, key)
    return picture
