"""A picture on the page, and a matrix as a figure of its own.

draw(picture, "kernels.spectrum")
figure_of(K.values, items, K.name)        what a download makes
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from kernex_core.base.frozen import FloatArray
from pages.shared.figures.codes import HeatmapScale
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.ink import inked
from pages.shared.figures.picture import Items, Picture, chart_config
from pages.shared.ground import ground
from pages.shared.projected.projector import enlarged
from pages.shared.shown import registry


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
