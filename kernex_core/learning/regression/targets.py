"""Numbers that are to be predicted: one an item, NaN where there is none."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.learners.contract import LARGEST_TARGET, as_targets

_LEAST = 3
"""Different numbers from which on a column of labels may be meant as numbers: 0 and 1 are classes."""


def are_numbers(labels: Labels) -> bool:
    """Whether every label is a finite number, of at least three different ones: it may be learned as one.

    Examples
    --------
    >>> are_numbers(Labels(("a", "b", "c", "d"), ["1.5", "2", "", "-3e2"]))
    True
    """
    try:
        values = _parsed(labels)
    except InvalidInputError:
        return False
    return np.unique(values[~np.isnan(values)]).size >= _LEAST


def rather_numbers(labels: Labels) -> bool:
    """Whether labels are numbers of which hardly any two items share one: rather a measurement than classes.

    Examples
    --------
    >>> rather_numbers(Labels(("a", "b", "c", "d"), ["1.5", "2", "2.5", "3"]))
    True
    >>> rather_numbers(Labels(tuple("abcdef"), list("123123")))
    False
    """
    return 2 * len(labels.classes) > int(labels.labelled.sum()) and are_numbers(labels)


def kinds_counted(labels: Labels) -> str:
    """How many labels there are, as pages say it: "9 classes", or of a measurement "52 different numbers".

    Examples
    --------
    >>> kinds_counted(Labels(("a", "b", "c", "d"), ["x", "y", "y", ""]))
    '2 classes'
    """
    count = len(labels.classes)
    return f"{count:,} different numbers" if rather_numbers(labels) else counted(count, "class")


def numbers_of(y: Labels | ArrayLike, gram: GramMatrix, *, named: bool = True) -> FloatArray:
    """(n,) numbers, NaN = none, refused if they are about other items than the kernel.

    Raises
    ------
    InvalidInputError
        Labels that are no numbers, infinities, another number of items or other ids.
    """
    if named and isinstance(y, Labels) and y.ids != gram.ids:
        raise InvalidInputError(
            "Targets and kernel have to be about the same items in the same order",
            "other ids",
            "Align them by their ids: align(...)",
        )
    values = as_targets(_parsed(y) if isinstance(y, Labels) else y, gram.n, allow_nan=True)
    known = values[~np.isnan(values)]
    if known.size < 2 or np.ptp(known) * LARGEST_TARGET < 1.0:
        raise InvalidInputError(
            "Numbers can be learned where at least two of them differ",
            "none that do" if np.unique(known).size < 2 else f"differences of at most {np.ptp(known):.3g}",
            "" if np.unique(known).size < 2 else "Multiply them by a common number",
        )
    return values


def _parsed(labels: Labels) -> FloatArray:
    values = np.full(len(labels.ids), np.nan)
    for i in np.flatnonzero(labels.labelled):
        try:
            values[i] = float(labels.y[i])
        except ValueError:
            values[i] = np.inf
        if not np.isfinite(values[i]):
            raise InvalidInputError(
                "Every label has to be a number to be learned as one",
                f"{str(labels.y[i])!r} of {labels.ids[i]!r}",
            )
    return values
