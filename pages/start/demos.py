"""The demos of the page Start: picture, name, question, link. The pictures come last: nothing waits for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.conditioning.catalogue import repair_psd
from kernex_core.datasets.catalogue import DATASETS, BundledDataSet
from pages.shared.cached import cached
from pages.shared.digits import unbroken
from pages.shared.figures.codes import block_means, error_scale
from pages.shared.figures.theme import class_order
from pages.shared.figures.thumbnails import thumbnail
from pages.shared.frame import demo, open_demo
from pages.shared.navigation import PAGES, PageEntry, go_to

OPENS_ON: Final = {
    "completion": "complete",
    "repair": "kernels",
    "diagonal": "diagonals",
    "network": "networks",
    "features": "features",
    "map": "map",
    "graphs": "graphs",
    "many": "many",
    "views": "many",
    "edges": "edges",
}
"""Address of the page that a demo opens on, by what it is about."""
ROW: Final = 4
"""Demos side by side."""
BLOCK: Final = 3
"""Items a side of a block; single entries of the negative part look like noise."""


def demo_row() -> list[DeltaGenerator]:
    """Draw the demos without their pictures, and return the places for `fill`."""
    places = []
    rows = -(-len(DATASETS) // ROW)
    columns = [column for _ in range(rows) for column in st.columns(ROW, gap="medium")]
    for column, bundled in zip(columns, DATASETS, strict=False):
        with column, st.container(gap="xsmall"):
            place = st.empty()
            place.skeleton(height=240)
            places.append(place)
            st.markdown(f"**{bundled.title}**  \n:small[:gray[{unbroken(bundled.question)}]]")
            _link(bundled)
    return places


def fill(places: list[DeltaGenerator]) -> None:
    """Put the pictures where they belong."""
    for place, (png, alt) in zip(places, pictures(), strict=True):
        place.image(png, width="stretch", alt=alt)


def pictures() -> Iterator[tuple[bytes, str]]:
    """Yield the picture of each demo, made once for all visitors."""
    for bundled in DATASETS:
        yield picture(bundled.title, bundled.about == "repair")


@cached(shared=True)
def picture(title: str, negative_part: bool) -> tuple[bytes, str]:
    """Thumbnail of the demo's target kernel, its classes side by side, and a sentence that says what it shows."""
    data = demo(title, title)
    K = data.kernels[data.target or list(data.kernels)[-1]]
    classes = [] if data.labels is None else [label or None for label in data.labels.y.tolist()]
    order = class_order(classes) if classes else None
    what = f"{title}: the kernel {K.name} of {K.n} items" + (
        f" in {len(set(classes))} classes" if classes else ""
    )
    if negative_part and K.unknown.complete:
        # where an indefinite matrix differs from the nearest kernel, which looks the same as it
        below = K.values - np.asarray(repair_psd(K, "clip").gram)
        means = block_means(below, BLOCK, order)
        words = f"{what}; what its negative eigenvalues hold, in means of blocks."
        return thumbnail(means, scale=error_scale([means])), words
    hatched = "." if K.unknown.complete else "; hatched pairs are unknown."
    return thumbnail(K.values, order=order), what + hatched


def _link(bundled: BundledDataSet) -> None:
    page = _page(bundled)
    if st.button(
        f"Open in {page.title}",
        key=f"start.{bundled.name}",
        type="tertiary",
        icon=":material/arrow_forward:",
        icon_position="right",
        on_click=open_demo,
        args=(bundled.title,),
    ):
        go_to(page.path)


def _page(bundled: BundledDataSet) -> PageEntry:
    return next(entry for entry in PAGES if entry.url_path == OPENS_ON[bundled.about])
