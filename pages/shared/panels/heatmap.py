"""A large heatmap with its key, and its exact numbers by choice of a range or of ids.

    picture = heatmap_panel(K.values, ids=K.ids, key="kernels.map", title="Similarity", note="296 items",
                            order=order, classes=classes)

Above 576 items cells are means of blocks, which the title says; the numbers under "Exact values" never are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from pages.shared.figures.codes import HeatmapScale, common_scale
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.key import class_key
from pages.shared.figures.picture import CONFIG, Picture
from pages.shared.figures.zoom import zoom
from pages.shared.frame import panel_title
from pages.shared.messages import guard

LARGEST_ZOOM: Final = 120
FIRST_ZOOM: Final = 12
KEY_COLUMNS: Final = 5
RANGE, IDS = "a range", "chosen ids"


def heatmap_panel(
    values: Any,
    *,
    ids: Sequence[str],
    key: str,
    title: str = "Similarity",
    note: str = "",
    name: str = "the kernel",
    order: Any = None,
    classes: Sequence[str | None] | None = None,
    scale: HeatmapScale | None = None,
    height: int = 560,
) -> Picture:
    """Draw title, heatmap, key and the closed panel of exact values; return the picture for downloads.

    Parameters
    ----------
    values : (n, n) array, NaN = unknown.
    order : positions in display order; as given by default.
    classes : class of each item, None = unlabelled.
    scale : by default that of this matrix.
    """
    matrix = np.asarray(values, dtype=np.float64)
    positions = np.arange(len(ids)) if order is None else np.asarray(order)
    scale = common_scale([matrix]) if scale is None else scale
    picture = heatmap(
        matrix, ids=ids, name=name, order=positions, classes=classes, scale=scale, exact=True, height=height
    )
    with st.container(gap="xxsmall"):
        panel_title(title, " · ".join(part for part in (note, picture.note) if part))
        draw(picture, f"{key}.heatmap")
        unknown = bool(np.isnan(matrix).any())
        if classes is not None or unknown:
            labels = [None] * len(ids) if classes is None else classes
            if classes is None:
                st.caption("Hatched cells are unknown.")
            else:
                draw(class_key(labels, unknown=unknown, columns=KEY_COLUMNS), f"{key}.key")
    _exact(matrix, ids, positions, scale, key, name)
    return picture


def draw(picture: Picture, key: str, **more: Any) -> Any:
    """Show a picture as wide as its column."""
    return st.plotly_chart(
        picture.figure,
        width="stretch",
        theme="streamlit",
        alt=picture.alt,
        config=dict(CONFIG),
        key=key,
        **more,
    )


@st.fragment
def _exact(matrix: Any, ids: Sequence[str], order: Any, scale: HeatmapScale, key: str, name: str) -> None:
    panel = st.expander("Exact values", icon=":material/zoom_in:", on_change="rerun", key=f"{key}.exact")
    if not panel.open:
        return
    with panel, guard():
        at = _chosen(ids, order, key)
        if at is None:
            st.caption("Choose at least one item.")
            return
        draw(zoom(matrix, at, at, ids=ids, name=name, scale=scale), f"{key}.zoom")


def _chosen(ids: Sequence[str], order: Any, key: str) -> Any:
    """Positions to show, or None: a range in display order, or items by id."""
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
