"""Labels as numbers, and whether they are about the items of a kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Labels
from kernex_core.labels import as_labels
from kernex_core.learning.folds import LEAVE_ONE_OUT, CrossValidation


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


def fold_notes(classes: tuple[str, ...], codes: IntArray, config: CrossValidation) -> tuple[str, ...]:
    """Return what labels and folds mean for classes that are small, and for items without a label, in words.

    Parameters
    ----------
    classes : tuple of str
    codes : (n,) int
        Positions in `classes`; -1 = no label.
    config : CrossValidation
    """
    sizes = np.bincount(codes[codes >= 0], minlength=len(classes))
    single = [name for name, size in zip(classes, sizes, strict=True) if size == 1]
    few = [name for name, size in zip(classes, sizes, strict=True) if 1 < size < config.folds]
    unlabelled = int((codes < 0).sum())
    notes: tuple[str, ...] = ()
    if unlabelled:
        notes += (
            f"{unlabelled:,} of {codes.size:,} items have no label: they are in no fold and not counted.",
        )
    if single:
        notes += (f"Classes with one member can never be found when it is tested: {listed(single, most=6)}.",)
    if config.folds == LEAVE_ONE_OUT and not config.grouped:
        notes += (
            "Leave-one-out takes an item from its own class: a kernel that knows nothing then names another one and falls "
            "below the floor, with classes of one size to 0 %.",
        )
    if few and config.folds != LEAVE_ONE_OUT:
        notes += (f"Classes with fewer members than folds are missing from some folds: {', '.join(few)}.",)
    return notes
