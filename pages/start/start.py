"""The page See what your similarities know: one's own data first, then demos by what they ask.

Of a demo come picture, question and link; the pictures come last: nothing waits for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.conditioning.repairs import repair_psd
from kernex_core.datasets.catalogue import DATASETS, BundledDataSet
from pages.server.cached import cached
from pages.server.digits import unbroken
from pages.server.navigation import PAGES, PageEntry, go_to
from pages.ui import files as waiting
from pages.ui.figures.heatmap import block_means, error_scale, thumbnail
from pages.ui.figures.theme import class_order
from pages.ui.frame import demo, open_demo, open_page

OPENS_ON: Final = {
    "completion": "complete",
    "repair": "kernels",
    "diagonal": "power",
    "network": "networks",
    "features": "features",
    "map": "map",
    "graphs": "graphs",
    "many": "many",
    "views": "together",
    "edges": "edges",
}
"""Address of the page that a demo opens on, by what it is about."""
FIRST: Final = {
    "Protein world": "How much structure can be hidden before sequence fails?",
    "An indefinite matrix": "My similarity is no kernel: what does each repair cost?",
    "Karate club": "Does who meets whom foretell who goes with whom?",
    "Three sources": "Which of three kernels deserves how much weight?",
}
"""Demos that are seen at once, with what each asks; one of every kind of data."""
KINDS: Final = (
    ("Matrices and hits", ":material/grid_on:", ("completion", "repair", "diagonal")),
    ("Several kernels", ":material/join:", ("many", "views")),
    ("Networks and graphs", ":material/hub:", ("network", "features", "edges", "graphs")),
    ("Vectors", ":material/scatter_plot:", ("map",)),
)
"""Where the others are folded away: name, icon, and what such demos are about."""
BLOCK: Final = 3
"""Items a side of a block; single entries of the negative part look like noise."""


def questions() -> list[DeltaGenerator]:
    """Draw the first demos without their pictures, and return the places for `fill`."""
    places: list[DeltaGenerator] = []
    with st.container(horizontal=True, gap="medium", key="questions"):
        columns = [st.container(width="stretch", gap="xsmall") for _ in FIRST]
    for column, (title, question) in zip(columns, FIRST.items(), strict=True):
        with column:
            places.append(st.container(key=f"thumb{len(places)}"))
            st.markdown(f"**{unbroken(question)}**")
            _link(_demo(title))
    return places


def others() -> None:
    """Draw all other demos, folded by kind of data."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="others"):
        st.markdown(":gray[More demos]", width="content")
        for name, icon, about in KINDS:
            found = [each for each in DATASETS if each.about in about and each.title not in FIRST]
            button = st.popover(f"{name} · {len(found)}", icon=icon, width="content")
            with button, st.container(width=420, gap="small"):
                for each in found:
                    with st.container(gap=None):
                        _link(each)
                        st.markdown(f":small[:gray[{unbroken(each.question)}]]")


def fill(places: list[DeltaGenerator]) -> None:
    """Put the pictures where they belong."""
    for place, (png, alt) in zip(places, pictures(), strict=True):
        place.image(png, width="stretch", alt=alt)


def pictures() -> Iterator[tuple[bytes, str]]:
    """Yield the picture of each of the first demos, made once for all visitors."""
    for title in FIRST:
        yield picture(title, _demo(title).about == "repair")


def _demo(title: str) -> BundledDataSet:
    return next(each for each in DATASETS if each.title == title)


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
        bundled.title,
        key=f"start.{bundled.name}",
        type="tertiary",
        icon=":material/arrow_forward:",
        icon_position="right",
        on_click=open_demo,
        args=(bundled.title,),
    ):
        go_to(page.url_path)


def _page(bundled: BundledDataSet) -> PageEntry:
    return next(entry for entry in PAGES if entry.url_path == OPENS_ON[bundled.about])


def run() -> None:
    """Draw the page in its frame."""
    open_page(
        "See what your similarities know",
        "Kernex completes similarity matrices that are partly unknown, combines them, "
        "and tells how far the result can be trusted.",
        shows_data=False,
    )
    with st.container(gap="xxsmall", key="bring"):
        st.markdown(
            "**Your own data** :small[:gray[a similarity matrix with gaps, a hit table, sequences, vectors, edges or "
            "graphs, and labels; all files at once]]",
            help=waiting.limits(),
        )
        if waiting.upload_box("start.upload"):
            go_to("data")
    st.markdown(f"**Or begin with a question** :small[:gray[{len(DATASETS)} demos]]")
    places = questions()
    others()
    fill(places)
