"""Which items: positions from a mask or a list, and ids that are one distinct name an item."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import IntArray


def as_positions(items: ArrayLike, n: int) -> IntArray:
    """Positions of selected items from a mask or from positions, in the order given.

    Raises
    ------
    InvalidInputError
        Nothing selected, or out of range.
    """
    try:
        given = np.asarray(items)
    except ValueError as error:
        raise InvalidInputError("A selection has to be a mask or a list of positions", str(error)) from None
    if given.ndim != 1 or (given.size and given.dtype.kind not in "bui"):
        raise InvalidInputError(
            "A selection has to be a mask or a list of whole numbers", f"{given.dtype} of shape {given.shape}"
        )
    positions = np.flatnonzero(given) if given.dtype == np.bool_ else given.astype(np.int64)
    if given.dtype == np.bool_ and given.size != n:
        raise InvalidInputError(f"A selection has to say yes or no for each of {n} items", str(given.size))
    if positions.size == 0:
        raise InvalidInputError("At least one item has to be selected", "none")
    if positions.min() < 0 or positions.max() >= n:
        raise InvalidInputError(f"Selected positions have to lie in 0 to {n - 1}", str(positions))
    return positions.astype(np.int64)


def check_ids(ids: Sequence[str], n: int) -> None:
    """Refuse ids that are not one distinct name an item.

    Raises
    ------
    InvalidInputError
        Naming the first repeated id.
    """
    if len(ids) != n:
        raise InvalidInputError(f"There has to be one id an item ({n})", f"{len(ids)} ids")
    if len(set(ids)) != n:
        seen: set[str] = set()
        twice = next(i for i in ids if i in seen or seen.add(i))  # type: ignore[func-returns-value]
        raise InvalidInputError("Ids have to be distinct", f"{twice!r} occurs more than once")
