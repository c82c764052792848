"""A large heatmap with its key, and its exact numbers by choice of a range or of ids.

    picture = heatmap_panel(K.values, Items(K.ids, classes, order), key="kernels.map", note="296 items")

Above 576 items cells are means of blocks, which the title says; the numbers under "Exact values" never are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.frozen import FloatArray
from pages.shared.figures.codes import HeatmapScale, common_scale
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.key import class_key
from pages.shared.figures.picture import CONFIG, Items, Picture
from pages.shared.figures.zoom import zoom
from pages.shared.frame import panel_title
from pages.shared.messages import guard

LARGEST_ZOOM: Final = 120
FIRST_ZOOM: Final = 12
KEY_COLUMNS: Final = 5
RANGE, IDS = "a range", "chosen ids"


def heatmap_panel(
    values: FloatArray,
    items: Items,
    *,
    key: str,
    title: str = "Similarity",
    note: str = "",
    name: str = "the kernel",
    scale: HeatmapScale | None = None,
    height: int = 560,
) -> Picture:
    """Draw title, heatmap, key and the closed panel of exact values; return the picture for downloads.

    Parameters
    ----------
    values : (n, n) array, NaN = unknown.
    items : ids, classes and display order.
    scale : by default that of this matrix.
    """
    scale = common_scale([values]) if scale is None else scale
    picture = heatmap(values, items, name=name, scale=scale, exact=True, height=height)
    with st.container(gap="xxsmall"):
        panel_title(title, " · ".join(part for part in (note, picture.note) if part))
        draw(picture, f"{key}.heatmap")
        unknown = bool(np.isnan(values).any())
        if items.classes is not None:
            draw(class_key(items.classes, unknown=unknown, columns=KEY_COLUMNS), f"{key}.key")
        elif unknown:
            st.caption("Hatched cells are unknown.")
    _exact(values, items, scale, key, name)
    return picture


def draw(picture: Picture, key: str) -> None:
    """Show a picture as wide as its column."""
    st.plotly_chart(
        picture.figure,
        width="stretch",
        theme="streamlit",
        alt=picture.alt,
        config=dict(CONFIG),
        key=key,
    )


@st.fragment
def _exact(values: FloatArray, items: Items, scale: HeatmapScale, key: str, name: str) -> None:
    panel = st.expander("Exact values", icon=":material/zoom_in:", on_change="rerun", key=f"{key}.exact")
    if not panel.open:
        return
    with panel, guard():
        at = _chosen(items, key)
        if at is None:
            st.caption("Choose at least one item.")
            return
        draw(zoom(values, at, at, ids=items.ids, name=name, scale=scale), f"{key}.zoom")


def _chosen(items: Items, key: str) -> Sequence[int] | None:
    """Positions to show, or None: a range in display order, or items by id."""
    ids = items.ids
    order: list[int] = items.positions.tolist()
    n = len(order)
    how = st.segmented_control(
        "Which items", (RANGE, IDS), default=RANGE, required=True, label_visibility="collapsed",
        key=f"{key}.how", persist_state="session",
    )  # fmt: skip
    if how == IDS:
        names = st.multiselect(
            "Items", ids, default=list(ids[: min(3, n)]), max_selections=60, key=f"{key}.ids"
        )
        position = {item: k for k, item in enumerate(ids)}
        return [position[item] for item in names] or None
    if n == 1:
        return order
    first, last = st.slider(
        "Places in the heatmap", 1, n, (1, min(FIRST_ZOOM, n)), key=f"{key}.range.{n}",
        help=f"Counted from the top left. At most {LARGEST_ZOOM} at once: what lies beyond is left out.",
    )  # fmt: skip
    if last - first >= LARGEST_ZOOM:
        st.caption(f"The first {LARGEST_ZOOM} of {last - first + 1} places are shown.")
    return order[first - 1 : min(last, first - 1 + LARGEST_ZOOM)]
