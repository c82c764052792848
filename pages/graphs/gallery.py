"""All graphs drawn, some a page: a click on one chooses it, here and on every page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import IntArray
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from pages.graphs.cards import cards
from pages.graphs.component import draw_cards
from pages.graphs.styles import label_note
from pages.shared import chosen, workspace
from pages.shared.declared.settings import of_items, setting
from pages.shared.figures.picture import Items
from pages.shared.frame import panel_title
from pages.shared.panels.arrangement import class_list
from pages.shared.panels.chosen_row import chosen_items
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets

PER_PAGE: Final = 24
KEY: Final = "graphs.gallery"
EVERY, ONLY_CHOSEN = "all", "chosen"


@st.fragment
def gallery(dataset: DataSet, graphs: GraphSet, name: str) -> None:
    """Draw filters, a page of cards, and what is chosen."""
    classes = class_list(dataset.labels)
    at = _filtered(graphs, classes, f"{dataset.name}.{name}")
    panel_title("Graphs", _words(graphs, len(at)))
    if not len(at):
        st.markdown("No graph is like that. Take a filter back.")
        return
    pages = -(-len(at) // PER_PAGE)
    page = 1
    if pages > 1:
        page = st.pagination(pages, key=f"{KEY}.page.{dataset.name}.{name}.{pages}", persist_state="session")
    shown = at[(page - 1) * PER_PAGE : page * PER_PAGE].tolist()
    made = cards(graphs, shown, classes, set(chosen.chosen(graphs.ids)))
    draw_cards(made, KEY, partial(_picked, graphs.ids))
    notes = " ".join(label_note(graphs))
    st.caption(
        f"A click chooses a graph, another one lets go of it. Places follow the distances in the graph. {notes}"
    )
    chosen_items(Items(graphs.ids, classes), KEY)


def _words(graphs: GraphSet, found: int) -> str:
    whole, sizes = counted(graphs.n, "graph"), graphs.n_nodes
    between = f"{sizes.min():,} to {counted(int(sizes.max()), 'vertex')}"
    if sizes.min() == sizes.max():
        between = counted(int(sizes[0]), "vertex")
    return f"{whole} of {between}" if found == graphs.n else f"{found:,} of {whole}"


SETTINGS = of_items("classes", "Classes"), setting("sizes", "Vertices"), setting("which", "Show")


def _filtered(graphs: GraphSet, classes: Sequence[str | None] | None, key: str) -> IntArray:
    """Draw the filters and return the positions of the graphs that pass all of them."""
    kinds = sorted({kind for kind in classes or () if kind})
    low, high = int(graphs.n_nodes.min()), int(graphs.n_nodes.max())
    search, kind, size, only = places(200, 260, 260, "content", align="bottom")
    passed = np.ones(graphs.n, dtype=bool)
    text = search.text_input(
        "Search", key=f"{KEY}.search", persist_state="session", placeholder="part of an id",
        help="Shows the graphs whose id has these letters in it.",
    )  # fmt: skip
    if text.strip():
        wanted = text.strip().lower()
        passed &= np.array([wanted in name.lower() for name in graphs.ids])
    if len(kinds) > 1 and classes is not None:
        with kind:
            picked = widgets.several("classes", kinds, key=f"{KEY}.classes.{key}", placeholder="all")
        if picked:
            passed &= np.array([name in picked for name in classes])
    if low < high:
        with size:
            ends = widgets.between(
                "sizes", low, high, default=(low, high), key=f"{KEY}.sizes.{key}.{low}.{high}",
                help="Shows the graphs with so many vertices.",
            )  # fmt: skip
        passed &= (graphs.n_nodes >= ends[0]) & (graphs.n_nodes <= ends[1])
    marked = chosen.chosen(graphs.ids)
    if marked:
        with only:
            whole = widgets.pick(
                "which", (EVERY, ONLY_CHOSEN), key=f"{KEY}.which",
                help="chosen: those that were chosen in any picture, on any page.",
            )  # fmt: skip
        if whole == ONLY_CHOSEN:
            passed &= np.isin(np.arange(graphs.n), marked)
    return np.flatnonzero(passed)


def _picked(ids: tuple[str, ...]) -> None:
    """A card was clicked: it is chosen besides the others, or no longer."""
    name = workspace.told(KEY, "picked")
    if not isinstance(name, str) or name not in ids:
        return
    before = chosen.chosen_ids()
    after = tuple(each for each in before if each != name) if name in before else (*before, name)
    chosen.choose(after, again_is_none=False)
