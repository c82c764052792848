"""Order and classes of items in the pictures of matrices, the same choice on every page.

how = order_box(slot, with_classes=labels is not None)
items = arranged(how, K, labels)            # ids, classes, order, and the dendrogram where that is the order
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from kernex_core.frozen import BoolArray, IntArray
from kernex_core.gram.dendrogram import LINKAGES, Dendrogram, Linkage, dendrogram
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.order import order_by_similarity
from kernex_core.inputs.samples import Labels
from pages.shared.cached import cached
from pages.shared.coloured import class_list
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import class_order

BY_CLASS, BY_SIMILARITY, AS_GIVEN = "class", "similarity", "as given"
TREES: Final[Mapping[str, Linkage]] = {f"dendrogram, {linkage}": linkage for linkage in LINKAGES}
HELP: Final = (
    "How items stand in every matrix. class: largest first, unknown items last. similarity: leaves of an average-linkage "
    "tree. dendrogram: the tree is drawn above the matrices; a branch can be clicked and the tree cut into groups. Two "
    "groups are as far apart as their items are on average, at most (complete) or at least (single); distances are those "
    "of the kernel "
)


def order_box(
    slot: DeltaGenerator, *, with_classes: bool, kernel: str = "as it came", key: str = "", bound: bool = True
) -> str:
    """Draw the choice of an order and return its name.

    Parameters
    ----------
    slot : container
    with_classes : bool
        Whether items can be sorted by class.
    kernel : str
        Which one distances and similarities are taken from.
    key : str
        Prefix of the widget's key.
    bound : bool
        Whether it stands in the address.
    """
    orders = [*([BY_CLASS] if with_classes else []), BY_SIMILARITY, *TREES, AS_GIVEN]
    how = slot.selectbox(
        "Order", orders, key=f"{key}{'sort' if with_classes else 'sort_unlabelled'}", persist_state="session",
        bind="query-params" if bound else None, help=f"{HELP}{kernel}.",
    )  # fmt: skip
    return str(how)


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
