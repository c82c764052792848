"""Where the ids of a square table stand: on top, on the left, on both or nowhere."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.inputs.tables.axes import mangled, numbered
from kernex_core.inputs.tables.table import DASHES, UNKNOWN, Row, Table

MOSTLY = 0.9
"""Share of numbers from which a table is taken for one of numbers."""


@dataclass(frozen=True)
class Layout:
    """Where the ids of a table stand.

    Attributes
    ----------
    header, first_column : bool
        There are ids on top, and on the left.
    n_rows, n_columns : int
        Of numbers.
    """

    header: bool
    first_column: bool
    n_rows: int
    n_columns: int

    @property
    def square(self) -> bool:
        """As many rows as columns."""
        return self.n_rows == self.n_columns


def find_layout(table: Table, ids: str = "auto") -> Layout:
    """Find out where the ids of a table stand, from its first rows and its shape.

    Rows of nothing but separators at the end, as Excel writes them, are left out where that makes the table square.
    """
    whole = _layout(table, table.n_rows, ids)
    if whole.square or not 0 < table.n_blank_at_end < table.n_rows:
        return whole
    cut = _layout(table, table.n_rows - table.n_blank_at_end, ids)
    return cut if cut.square else whole


def _layout(table: Table, n_rows: int, ids: str) -> Layout:
    head = table.head[:n_rows]
    width = max(len(row.fields) for row in head[1:] or head)
    if ids == "auto":
        header, first_column = _guess(table, head, width, n_rows)
    else:
        header, first_column = ids in ("both", "columns"), ids in ("both", "rows")
    return Layout(header, first_column, n_rows - header, width - first_column)


def _guess(table: Table, head: Sequence[Row], width: int, n_rows: int) -> tuple[bool, bool]:
    """Whether there are ids on top, and on the left."""
    first, names = head[0].fields, [row.fields[0].strip() for row in head[1:]]
    text = [not table.is_number(field) and field.strip().lower() not in UNKNOWN for field in first]
    left_named = any(name.lower() not in UNKNOWN and not table.is_number(name) for name in names)
    if len(first) == width - 1:  # R writes no field for the corner
        return True, True
    no_corner = not first[0].strip() or text[0]
    if no_corner and n_rows == width and _may_be_ids(first[1:]):
        same = [field.strip() for field in first[1 : len(names) + 1]] == names
        if same or any(text[1:]) or left_named:
            return True, True
    header = sum(text[1:]) > (len(first) - 1) / 2 or (n_rows == width + 1 and any(text) and not left_named)
    if left_named or header:
        return header, left_named or (n_rows == width and no_corner)
    # ids that are numbers show in the shape only, and only if what is left is symmetric
    top = n_rows == width + 1 and _numbered(first) and _symmetric(table, head[1:], 0)
    left = width == n_rows + 1 and _numbered([row.fields[0] for row in head]) and _symmetric(table, head, 1)
    return top, left


def _may_be_ids(names: Sequence[str]) -> bool:
    return any(name.strip() for name in names) and len(set(names)) == len(names)


def _numbered(names: Sequence[str]) -> bool:
    """Whether names are distinct whole numbers."""
    return all(name.strip().isdecimal() for name in names) and len(set(names)) == len(names)


def _symmetric(table: Table, rows: Sequence[Row], offset: int) -> bool:
    """Whether the first rows look like those of a symmetric matrix; unknown entries fit anything.

    So does a triangle of zeros, at least 3 of them, below or above the diagonal.
    """
    rows = rows[:20]
    try:
        pairs = [
            (table.number(rows[i].fields[j + offset]), table.number(rows[j].fields[i + offset]))
            for i, j in itertools.combinations(range(len(rows)), 2)
        ]
    except (ValueError, IndexError):
        return False
    above, below = [a for a, _ in pairs], [b for _, b in pairs]
    empty = len(pairs) >= 3 and (not any(above) or not any(below)) and any(above) != any(below)
    return empty or not any(abs(a - b) > 1e-6 for a, b in pairs)


def shared_axis(table: Table, layout: Layout) -> float:
    """Share of the first ids on the left that stand on top, too; 0 if there are none on one of both."""
    if not (layout.header and layout.first_column):
        return 0.0
    top = {field.strip() for field in table.head[0].fields[-layout.n_columns :]}
    left = [row.fields[0].strip() for row in table.head[1 : layout.n_rows + 1]]
    return sum(name in top for name in left) / len(left) if left else 0.0


def one_axis(table: Table, layout: Layout) -> bool:
    """Whether ids on top and on the left that differ can be those of the same items.

    R changed the ones into the others, or the first rows are symmetric and one side only counts its items.
    """
    top = [field.strip() for field in table.head[0].fields[-layout.n_columns :]]
    left = [row.fields[0].strip() for row in table.head[1 : layout.n_rows + 1]]
    if {mangled(name) for name in left} <= set(top):
        return True
    # two measurements of two items are alike by chance
    return layout.n_rows > 2 and (numbered(top) or numbered(left)) and looks_symmetric(table, layout)


def looks_symmetric(table: Table, layout: Layout) -> bool:
    """Whether the first rows of a square table are those of a symmetric matrix."""
    return _symmetric(
        table, table.head[layout.header : layout.header + layout.n_rows], int(layout.first_column)
    )


def numeric_share(table: Table, layout: Layout) -> float:
    """Share of what should be numbers that are numbers or unknown, in the first rows."""
    fields = [
        field for row in table.head[layout.header :][:20] for field in row.fields[layout.first_column :][:50]
    ]
    good = sum(table.is_number(field) or field.strip().lower() in UNKNOWN | DASHES for field in fields)
    return good / len(fields) if fields else 0.0
