"""Order and classes of items in a picture."""

from __future__ import annotations

from collections.abc import Sequence

from kernex_core.frozen import BoolArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.order import order_by_similarity
from kernex_core.inputs.samples import Labels
from pages.shared.cached import cached
from pages.shared.figures.theme import class_order


@cached
def item_order(source: GramMatrix, labels: Labels | None, known: BoolArray) -> IntArray:
    """By class where there are labels, else by similarity in the source; unknown items last in their class."""
    if labels is not None and labels.classes:
        return class_order(class_list(labels) or [], unknown=~known)
    return order_by_similarity(source.values, known)


def class_list(labels: Labels | None) -> list[str | None] | None:
    """Class of each item; None = unlabelled."""
    return None if labels is None or not labels.classes else [label or None for label in labels.y]


def class_names(labels: Labels | None) -> Sequence[str | None]:
    """Return the class of each item; None = unlabelled."""
    return [] if labels is None else [label or None for label in labels.y.tolist()]
