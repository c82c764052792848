"""Labels as numbers, and whether they are about the items of a kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.labels import as_labels


@dataclass(frozen=True, eq=False)
class Coded(EqualByContent):
    """Labels as numbers: `codes` (n,) int, −1 = unlabelled; `classes` largest first."""

    codes: IntArray
    classes: tuple[str, ...]

    @property
    def labelled(self) -> IntArray:
        """Codes of the labelled items, in their order."""
        return np.asarray(self.codes[self.codes >= 0])


def code_labels(y: ArrayLike) -> Coded:
    """Number the classes, largest first (ties by name).

    Raises
    ------
    InvalidInputError
        Fewer than two classes.
    """
    labels = as_labels(y)
    names, counts = np.unique(labels[labels != ""], return_counts=True)
    if names.size < 2:
        what = f"only class {str(names[0])!r}" if names.size else "no labels"
        raise InvalidInputError(
            "Accuracy needs items of at least two classes",
            what,
            "Bring labels, or select items of more classes",
        )
    order = sorted(range(names.size), key=lambda c: (-counts[c], names[c]))
    rank = {str(names[c]): place for place, c in enumerate(order)}
    codes = np.array([rank.get(str(label), -1) for label in labels], dtype=np.int64)
    return Coded(codes, tuple(str(names[c]) for c in order))


def labels_of(y: Labels | ArrayLike, gram: GramMatrix, *, named: bool) -> NDArray[np.str_]:
    """Labels as an array (n,), refused if they are about other items than the kernel."""
    labels = as_labels(y.y if isinstance(y, Labels) else y, gram.n)
    if named and isinstance(y, Labels) and y.ids != gram.ids:
        at = next(i for i, (a, b) in enumerate(zip(y.ids, gram.ids, strict=True)) if a != b)
        raise InvalidInputError(
            "Labels and kernel have to be about the same items in the same order",
            f"label of {y.ids[at]!r}, similarities of {gram.ids[at]!r} at position {at + 1}",
            "Align them by their ids: align(...)",
        )
    return labels
