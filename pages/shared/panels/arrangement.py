"""Order and classes of items in pictures, the same choice on every page.

how = order_box(slot, with_classes=labels is not None)
items = arranged(how, K, labels)            # ids, classes, order, and the dendrogram where that is the order
coloured_box(items.classes, key)            # which of more than ten classes are coloured, below the key of a picture
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import BoolArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.order import LINKAGES, Dendrogram, Linkage, dendrogram, order_by_similarity
from kernex_core.inputs.samples import Labels
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.declared.settings import Setting, everywhere, setting
from pages.shared.figures.classes import MOST, Classes, coloured_of, recoloured
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import CLASS_COLOURS, class_order, ranked_classes
from pages.shared.settings import widgets

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
