"""Where the ids of a square table stand: on top, on the left, on both or nowhere."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.table import DASHES, UNKNOWN, Row, Table

# Ids on top of a square table brought in line with those on the left, also where a program changed some of them.

_NUMBERED = re.compile(r"(?:V|X|C|col|column|row|R)?[ _.]?(\d+)$", re.IGNORECASE)
_RESERVED = frozenset(
    {"if", "else", "repeat", "while", "function", "for", "next", "break", "in", "TRUE", "FALSE", "NULL"}
)
"""Words of R that are no names."""


def numbered(names: Sequence[str]) -> bool:
    """Whether names say nothing but their place: V1, V2, … (R), 1, 2, …, or 0, 1, …."""
    numbers = [match and int(match[1]) for match in map(_NUMBERED.match, names)]
    return len(numbers) > 0 and numbers in (list(range(1, len(numbers) + 1)), list(range(len(numbers))))


def mangled(name: str) -> str:
    """What R's make.names (check.names = TRUE) makes of a name: a valid name of a variable.

    Examples
    --------
    >>> mangled("1abc-A"), mangled("HLA-DRA"), mangled("g 3")
    ('X1abc.A', 'HLA.DRA', 'g.3')
    """
    made = re.sub(r"[^\w.]", ".", name)
    if not re.match(r"[^\W\d_]|\.(?!\d)", made):
        made = "X" + made
    return made + "." if made in _RESERVED else made


def column_order(
    top: Sequence[str], left: Sequence[str], filename: str
) -> tuple[list[int], list[str], tuple[Note, ...]]:
    """Order of the columns that brings them in line with the rows, the ids that count, and what is said about it.

    Parameters
    ----------
    top, left : sequence of str
        Ids on both axes.
    filename : str

    Raises
    ------
    InvalidInputError
        Different items on the two axes.
    """
    above, beside = [name.strip() for name in top], [name.strip() for name in left]
    as_they_are = list(range(len(above)))
    if above == beside:
        return as_they_are, list(left), ()
    if sorted(above) == sorted(beside):
        place = {name: position for position, name in enumerate(above)}
        note = Note(
            "Rows and columns are in a different order.",
            "The columns are brought into the order of the rows, by id.",
        )
        return [place[name] for name in beside], list(left), (note,)
    changed = [mangled(name) for name in beside]
    if sorted(above) == sorted(changed) and len(set(changed)) == len(changed):
        place = {name: position for position, name in enumerate(above)}
        example = next(k for k, name in enumerate(beside) if name != changed[k])
        note = Note(
            f"R changed ids on top into names of variables: {changed[example]!r} for {beside[example]!r}.",
            "The ids on the left count.",
            "Write the table with check.names = FALSE.",
        )
        return [place[name] for name in changed], list(left), (note,)
    if numbered(above) or numbered(beside):
        told = beside if numbered(above) else above
        note = Note(
            f"The ids on {'top' if told is beside else 'the left'} only count the items "
            f"({listed(above if told is beside else beside, 2)}), as R writes where it has no names.",
            f"The items are called as on {'the left' if told is beside else 'top'} ({listed(told, 2)}), in the same order.",
        )
        return as_they_are, list(left if told is beside else top), (note,)
    only_left = [name for name in beside if name not in set(above)] or beside
    raise InvalidInputError(
        "The ids on top and on the left have to be the same",
        f"{only_left[0]!r} on the left of {filename} more often than on top",
        "A similarity matrix compares its items with themselves",
    )


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


def one_short(table: Table, layout: Layout) -> bool:
    """Whether the ids of one axis are some of those of the other: a square that lost rows or columns, or a part of one."""
    if (
        layout.square
        or not (layout.header and layout.first_column)
        or min(layout.n_rows, layout.n_columns) < 2
    ):
        return False
    top, left = _axes(table, layout)
    shorter, longer = sorted((top, left), key=len)
    return len(shorter) > 1 and shorter <= longer and len(table.head) > layout.n_rows


def missing_ids(table: Table, layout: Layout) -> tuple[str, list[str]]:
    """ "row" or "column", and the ids that have none."""
    top, left = _axes(table, layout)
    names = [field.strip() for field in table.head[0].fields[-layout.n_columns :]]
    if len(left) < len(top):
        return "row", [name for name in names if name not in left]
    return "column", [row.fields[0].strip() for row in table.head[1:] if row.fields[0].strip() not in top]


def _axes(table: Table, layout: Layout) -> tuple[set[str], set[str]]:
    top = {field.strip() for field in table.head[0].fields[-layout.n_columns :]}
    return top, {row.fields[0].strip() for row in table.head[1 : layout.n_rows + 1]}


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
