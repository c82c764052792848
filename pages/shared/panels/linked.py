"""Linked matrices with what belongs to them: the cut of their dendrogram above, what was chosen in them below.

linked(panels, items, key="complete.maps", words=Words("Protein world", settings))
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from kernex_core.base.frozen import IntArray
from kernex_core.gram.order import Dendrogram
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from pages.shared import workspace
from pages.shared.declared.settings import setting
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number
from pages.shared.matrices.component import matrices
from pages.shared.matrices.panels import Drag, Panel, Room, Words
from pages.shared.messages import guard, plain
from pages.shared.panels.arrangement import coloured_box
from pages.shared.panels.chosen_row import Why, chosen_row
from pages.shared.settings import widgets
from pages.shared.shown import registry

SIDE = 360
"""Pixels of a matrix that is taken away, with its colour bar."""
SHARE = 70
"""Per cent of the tallest merge where a tree is cut at first."""
KEPT = "groups.toast"
KEEP_HELP = (
    "A copy of this data set whose classes are these groups, on every page. They are made from this kernel: how well a "
    "kernel finds them again says nothing about anything else, and every accuracy says so."
)


SETTINGS = (setting("cut", "Cut the tree"),)


def linked(
    panels: Sequence[Panel],
    items: Items,
    *,
    key: str,
    words: Words,
    drag: Drag | None = None,
    whole_page: bool = False,
    why: Why | None = None,
    room: Room | None = None,
) -> None:
    """Draw matrices on the same items, with the cut of their tree and what is chosen in them; see `matrices`.

    Where the page shows what is chosen in them (`Room.opens`, `Room.elsewhere`), it is not shown here.
    """
    said: str | None = workspace.recall(KEPT, None)
    if said is not None:
        workspace.remember(KEPT, None)
        st.toast(said)
    cut = None if items.tree is None else _cut(items, items.tree, key)
    matrices(panels, items, key=key, words=words, drag=drag, cut=cut, whole_page=whole_page, room=room)
    coloured_box(items.classes, key)
    for place, panel in enumerate(panels):
        make = partial(heatmap, panel.values, items, name=panel.title, scale=panel.scale, height=SIDE)
        registry.show(f"{key}.{place}", make, title=panel.title, note=panel.note, classes=items.classes)
    if room is None or not (room.opens or room.elsewhere):
        chosen_row(panels, items, key, why)


def _cut(items: Items, tree: Dendrogram, key: str) -> float | None:
    """Draw the height where the tree is cut, and what becomes of the groups; return it."""
    if not tree.heights.size:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        share = widgets.slide(
            "cut", 0, 100, 1, default=SHARE, key=f"{key}.cut", format="%d %%", width=260,
            help="Height in per cent of the tallest merge. Items that are joined below the cut are one group.",
        )  # fmt: skip
        height = tree.top * share / 100.0
        groups = tree.groups(height)
        found = int(groups.max(initial=0))
        distance = f"at distance {number(height)}" + (f" in {plain(tree.kernel)}" if tree.kernel else "")
        st.markdown(f"**{counted(found, 'group')}** :gray[{distance}]", width="content")
        if found > 1 and st.button(
            "Keep groups as labels", key=f"{key}.groups", icon=":material/bookmark:", help=KEEP_HELP
        ):
            keep_groups(items.ids, groups, tree, height)
    return height


def keep_groups(ids: Sequence[str], groups: IntArray, tree: Dendrogram, height: float) -> None:
    """Add a copy of the data set whose classes are groups of items, and go on with it."""
    dataset = workspace.current()
    if dataset is None:
        return
    with guard():
        name = workspace.add(with_groups(dataset, ids, groups, tree, height))
        workspace.remember(KEPT, f"Kept as the data set {plain(name)}, which is open now.")
        st.rerun()


def with_groups(
    dataset: DataSet, ids: Sequence[str], groups: IntArray, tree: Dendrogram, height: float
) -> DataSet:
    """Return the data set with groups as classes, under a name that says what they are.

    Parameters
    ----------
    dataset : DataSet
    ids : sequence of str
        Of the items that are grouped; others stay without a class.
    groups : (n,) int
        From 1; 0 = in no group.
    tree, height
        Where they come from.
    """
    found = int(groups.max(initial=0))
    wide = len(str(found))
    of = {item: f"group {group:0{wide}d}" for item, group in zip(ids, groups.tolist(), strict=True) if group}
    y = np.array([of.get(item, "") for item in dataset.ids], dtype=np.str_)
    origin = f"{tree.linkage} linkage on {tree.kernel or 'a kernel'}, cut at distance {number(height)}"
    labels = Labels(dataset.ids, y, made_from=origin)
    name = f"{dataset.name}, {found} groups of {tree.kernel or 'a kernel'}"
    return dataclasses.replace(dataset.with_labels(labels), name=name)
