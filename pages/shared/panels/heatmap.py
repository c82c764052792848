"""One large matrix with its key and what was chosen in it.

    figure = heatmap_panel(K.values, Items(K.ids, classes, order), key="kernels.map", note="296 items")

Above 576 items cells are means of blocks; a window of it is shown exactly, and what is clicked on always is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from kernex_core.frozen import FloatArray
from pages.shared import workspace
from pages.shared.figures.codes import HeatmapScale, common_scale
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.ink import inked
from pages.shared.figures.picture import Items, Picture, chart_config
from pages.shared.figures.theme import percent
from pages.shared.ground import ground
from pages.shared.matrices.panels import Panel, Room, Words
from pages.shared.panels.chosen_row import Why
from pages.shared.panels.linked import linked
from pages.shared.projected.projector import enlarged
from pages.shared.shown import registry


@st.fragment
def heatmap_panel(
    values: FloatArray,
    items: Items,
    *,
    key: str,
    note: str = "",
    name: str = "the kernel",
    beside: FloatArray | None = None,
    why: Why | None = None,
    room: Room | None = None,
) -> None:
    """Draw the matrix, its key, and what is chosen in it; `values` (n, n), NaN = unknown; `beside`: as it was reported."""
    if beside is None:
        panels = [Panel("Similarity", note, values, common_scale([values]))]
    else:
        scale = common_scale([beside])
        unknown = f"{percent(float(np.isnan(beside).mean()), 1)} unknown"
        panels = [Panel("Filled", note, values, scale), Panel("As reported", unknown, beside, scale)]
    words = Words(f"{workspace.current_name()}: {name}", note)
    linked(panels, items, key=key, words=words, whole_page=True, why=why, room=room)
    if room is None and np.isnan(values if beside is None else beside).any():
        st.caption("Hatched cells are unknown.")


def figure_of(
    values: FloatArray, items: Items, name: str, scale: HeatmapScale | None = None
) -> Callable[[], Picture]:
    """Return what makes the matrix as a figure of its own, for a download."""
    return partial(heatmap, values, items, name=name, scale=scale, height=620)


def draw(picture: Picture, key: str, of: str | None = None) -> None:
    """Show a picture as wide as its column, in the ink of the ground; `of`: the data, as in `registry.file_named`."""
    registry.show(key, lambda: picture)
    st.plotly_chart(
        enlarged(inked(picture.figure, ground())),
        width="stretch",
        theme="streamlit",
        alt=picture.alt,
        config=chart_config(registry.file_named(key.replace(".", " "), of)),
        key=key,
    )
