"""Linked matrices with what belongs to them: the cut of their dendrogram above, what was chosen in them below.

linked(panels, items, key="complete.maps", words=Words("Protein world", settings))
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.order import LINKAGES, Dendrogram, Linkage, dendrogram, order_by_similarity
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.studies.map.groups import group_names
from pages.server import workspace
from pages.server.cached import cached
from pages.server.colour_scheme import ground
from pages.server.declared import Setting, everywhere, setting
from pages.server.digits import number
from pages.server.messages import guard, plain
from pages.ui import shown as registry
from pages.ui import widgets
from pages.ui.figures.chart import Items, Picture, chart_config, inked
from pages.ui.figures.heatmap import HeatmapScale, heatmap
from pages.ui.figures.theme import (
    CLASS_COLOURS,
    MOST,
    Classes,
    class_order,
    coloured_of,
    ranked_classes,
    recoloured,
)
from pages.ui.matrices import Drag, Panel, Room, Words, matrices
from pages.ui.panels.item_map import Why, chosen_row
from pages.ui.projector import enlarged

# Order and classes of items in pictures, the same choice on every page.
#
# how = order_box(slot, with_classes=labels is not None)
# items = arranged(how, K, labels)            # ids, classes, order, and the dendrogram where that is the order
# coloured_box(items.classes, key)            # which of more than ten classes are coloured, below the key of a picture

BY_CLASS, BY_SIMILARITY, AS_GIVEN = "class", "similarity", "as given"
TREES: Final[Mapping[str, Linkage]] = {f"dendrogram, {linkage}": linkage for linkage in LINKAGES}
HELP: Final = (
    "How items stand in every matrix. class: largest first, unknown items last. similarity: leaves of an average-linkage "
    "tree. dendrogram: the tree is drawn above the matrices; a branch can be clicked and the tree cut into groups. Two "
    "groups are as far apart as their items are on average, at most (complete) or at least (single); distances are those "
    "of the kernel "
)

COLOURED: Final = "coloured.classes"
COLOURED_HELP: Final = (
    "Classes with a colour and a marker of their own, in every picture of these data and in what is exported; all others "
    "are grey. At most nine: of more colours some look alike. A class keeps its colour while others come and go. With none "
    "chosen, the nine largest have one."
)


def orders(prefix: str = "") -> tuple[Setting, ...]:
    """Declare the order of items, of all pages or under a prefix of one page's own."""
    declare = setting if prefix else everywhere
    return declare(f"{prefix}sort", "Order"), declare(f"{prefix}sort_unlabelled", "Order")


def order_box(
    slot: AbstractContextManager[object], *, with_classes: bool, kernel: str = "as it came", prefix: str = ""
) -> str:
    """Draw the choice of an order and return its name.

    Parameters
    ----------
    slot : container
    with_classes : bool
        Whether items can be sorted by class.
    kernel : str
        Which one distances and similarities are taken from.
    prefix : str
        As it was declared.
    """
    offered = [*([BY_CLASS] if with_classes else []), BY_SIMILARITY, *TREES, AS_GIVEN]
    name = "sort" if with_classes else "sort_unlabelled"
    with slot:
        return widgets.choose(f"{prefix}{name}", offered, help=f"{HELP}{kernel}.")


def arranged(how: str, K: GramMatrix, labels: Labels | None, known: BoolArray | None = None) -> Items:
    """Return the items of a kernel in an order.

    Parameters
    ----------
    how : str
        As `order_box` says it.
    K : GramMatrix
        Whose distances count.
    labels : Labels, optional
    known : (n,) bool, optional
        Items that come first in their class or among all; default: those that K knows.
    """
    tree = tree_of(K, TREES[how]) if how in TREES else None
    order = tree.order if tree is not None else display_order(how, K, labels, known)
    return Items(K.ids, class_list(labels), order, tree)


@cached(public=True)
def tree_of(K: GramMatrix, linkage: Linkage) -> Dendrogram:
    """Dendrogram of the items that a kernel knows."""
    return dendrogram(K.values, K.known, method=linkage, kernel=K.name)


@cached(public=True)
def display_order(how: str, K: GramMatrix, labels: Labels | None, known: BoolArray | None = None) -> IntArray:
    """Return display positions by class, by similarity or as given; unknown items last."""
    first = K.known if known is None else known
    if how == BY_CLASS and labels is not None:
        return class_order(labels.y.tolist(), unknown=~first)
    if how == BY_SIMILARITY:
        return order_by_similarity(K.values, first)
    return np.arange(K.n)


def choice(labels: Labels) -> tuple[str, ...]:
    """Return the classes that the visitor chose for the open data; empty where that is none of these."""
    nothing: tuple[str, ...] = ()
    chosen = workspace.setting(f"{COLOURED}.{workspace.current_name()}", nothing)
    return chosen if any(name in set(chosen) for name, _ in labels.classes) else ()


def class_list(labels: Labels | None) -> Sequence[str | None] | None:
    """Class of each item, for pictures; None = unlabelled."""
    if labels is None or not labels.classes:
        return None
    names = [label or None for label in labels.y.tolist()]
    coloured = choice(labels)
    return Classes(tuple(names), coloured) if coloured else names


def coloured_box(classes: Sequence[str | None] | None, key: str) -> None:
    """Ask which classes are coloured, where not all can be.

    Parameters
    ----------
    classes : sequence of str or None
        Of the items of the picture, as `class_list` has them.
    key : str
        Of the picture.
    """
    ranked = [name for name, _ in ranked_classes(classes or ())]
    coloured = coloured_of(classes or ())
    if not coloured and len(ranked) <= len(CLASS_COLOURS):
        return
    now = coloured or tuple(ranked[:MOST])
    shown = [name for name in now if name in ranked]
    box = f"{key}.coloured.{workspace.current_name()}"
    workspace.show_in(box, shown)  # another page, or tab, may have changed it
    st.multiselect(
        "Coloured classes", ranked, key=box, max_selections=MOST, placeholder="The nine largest", help=COLOURED_HELP,
        on_change=partial(_choose, box, now, tuple(ranked), key),
    )  # fmt: skip
    if workspace.recall(f"{key}.recoloured", False):
        workspace.remember(f"{key}.recoloured", False)
        st.rerun()  # pictures outside this fragment follow


def _choose(box: str, now: tuple[str, ...], here: tuple[str, ...], key: str) -> None:
    told = workspace.widget_says(box)
    wanted = [name for name in told if isinstance(name, str)] if isinstance(told, list) else []
    if wanted:  # those of items that are not shown stay as they are
        wanted += [name for name in now if name and name not in here]
    chosen = recoloured(now, wanted) if wanted else ()
    workspace.put(f"{COLOURED}.{workspace.current_name()}", chosen)
    workspace.remember(f"{key}.recoloured", True)


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
            of = tree.kernel or "a kernel"
            keep_groups(
                items.ids, groups, f"{tree.linkage} linkage on {of}, cut at distance {number(height)}", of
            )
    return height


def keep_groups(ids: Sequence[str], groups: IntArray, origin: str, of: str) -> None:
    """Add a copy of the data set whose classes are groups of items, and go on with it."""
    dataset = workspace.current()
    if dataset is None:
        return
    with guard():
        name = workspace.add(with_groups(dataset, ids, groups, origin, of))
        workspace.remember(KEPT, f"Kept as the data set {plain(name)}, which is open now.")
        st.rerun()


def with_groups(dataset: DataSet, ids: Sequence[str], groups: IntArray, origin: str, of: str) -> DataSet:
    """Return the data set with groups as classes, under a name that says what they are.

    Parameters
    ----------
    dataset : DataSet
    ids : sequence of str
        Of the items that are grouped; others stay without a class.
    groups : (n,) int
        From 1; 0 = in no group.
    origin, of : str
        How they were made, and of what.
    """
    named = dict(zip(ids, group_names(groups).tolist(), strict=True))
    y = np.array([named.get(item, "") for item in dataset.ids], dtype=np.str_)
    labels = Labels(dataset.ids, y, made_from=origin)
    name = f"{dataset.name}, {int(groups.max(initial=0))} groups of {of}"
    return dataclasses.replace(dataset.with_labels(labels), name=name)


# A picture on the page, and a matrix as a figure of its own.
#
# draw(picture, "kernels.spectrum")
# figure_of(K.values, items, K.name)        what a download makes


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
