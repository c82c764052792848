"""The table of items that Kernex writes: id, label, perhaps group, and facts about each item that are no data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

ID: Final = "id"
LABEL: Final = "label"
GROUP: Final = "group"
LETTERS: Final = "letters of "
"""Start of the title of a column that counts the letters of sequences."""
VERTICES: Final = "vertices of "
EDGES: Final = "edges of "
"""Starts of the titles of columns that count those of graphs."""
KNOWN_PAIRS: Final = "known pairs in "
"""Start of the title of a column that counts the known similarities of a kernel."""


def is_item_table(names: Sequence[str]) -> bool:
    """Whether a table has the columns of one that Kernex wrote, so that it is one of labels whatever else it holds."""
    if tuple(names[:2]) != (ID, LABEL):
        return False
    return all(is_fact(name) for name in names[3 if GROUP in names[2:3] else 2 :])


def is_fact(name: str) -> bool:
    """Whether a column of such a table counts something."""
    return name.startswith((LETTERS, VERTICES, EDGES, KNOWN_PAIRS))
