"""Relations of items that are alike, each as the place of the first item of its set."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from kernex_core.frozen import IntArray


def first_of(keys: Iterable[Hashable]) -> IntArray:
    """(n,) place of the first equal key."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(key, i) for i, key in enumerate(keys)], dtype=np.int64)


def joined(*relations: IntArray) -> IntArray:
    """(n,) place of the first item that each one is joined with by any of the relations, or by several in a row.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.alike import joined
    >>> joined(np.array([0, 0, 2, 3]), np.array([0, 1, 1, 3])).tolist()
    [0, 0, 0, 3]
    """
    found = relations[0].copy()
    while True:
        before = found
        for relation in relations:
            # every item takes the first of its set, and the set that of its items
            least = np.full(found.size, found.size, dtype=np.int64)
            np.minimum.at(least, relation, found)
            found = least[relation]
        if np.array_equal(found, before):
            return found
