"""Positions of chosen items that know how they were chosen, so that a script says so and does not list them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kernex_core.frozen import IntArray, ReadOnlyArrays
from kernex_core.gram.provenance import Call


@dataclass(frozen=True, eq=False)
class ChosenItems(ReadOnlyArrays):
    """What `take` and `select` accept in place of positions.

    Attributes
    ----------
    at : (k,) int
        Positions, rising.
    recipe : Call
        How they can be found again.
    """

    at: IntArray
    recipe: Call

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.generic]:
        return np.array(self.at, dtype=dtype)


def as_written(items: ArrayLike | ChosenItems, at: IntArray) -> IntArray | ChosenItems:
    """What a recipe says about chosen items: how they were chosen where they know, else their positions."""
    return items if isinstance(items, ChosenItems) else at
