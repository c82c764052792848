"""Distances as R prints them, by the columns in which they stand; and half tables of them."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence

from kernex_core.inputs.similarities.tool_rows import Line, ToolMatrix, ToolRow, is_entry
from kernex_core.inputs.tables.table import UNKNOWN

TITLE = "distances as R prints or writes them"
Cells = dict[tuple[str, str], str]


def r_dist(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """One triangle of distances with ids on top and on the left, printed by R (perhaps in blocks) or written as CSV.

    The last id may be missing on top and the first on the left. A square of which all is written is no such file.
    """
    head = lines[0][1]
    if "\t" in head or "," in head or ";" in head:
        found = _separated(lines, next(mark for mark in "\t;," if mark in head))
    else:
        found = _printed(lines) if head[:1].isspace() else None
    if found is None:
        return None
    top, left, cells = found
    ids = _items(top, left)
    return None if ids is None else _triangle(ids, left, cells, lines)


def _printed(lines: Sequence[Line]) -> tuple[list[str], list[str], Cells] | None:
    """Ids on top, ids on the left and entries: R ends all entries of a column where its id ends."""
    first = lines[1][1].split() if len(lines) > 1 else []
    names = lines[0][1].split()
    if not first or (first[0] == names[0] and len(first) == len(names) + 1 > 2):
        return None  # a whole row is no half, and large squares are left alone
    top, left, cells = list[str](), list[str](), Cells()
    ends: dict[int, str] = {}
    for _, line in lines:
        words = list(re.finditer(r"\S+", line))
        if line[:1].isspace():
            ends = {word.end(): word[0] for word in words}
            top.extend(ends.values())
            continue
        if words[0][0] not in left:
            left.append(words[0][0])
        for word in words[1:]:
            if word.end() not in ends or not is_entry(word[0]):
                return None
            cells[words[0][0], ends[word.end()]] = word[0]
    return (top, left, cells) if left else None


def _separated(lines: Sequence[Line], separator: str) -> tuple[list[str], list[str], Cells] | None:
    """Ids and entries of a table whose first row is that of the second item: tables with the first are squares."""
    head, first = (_split(lines[k][1], separator) for k in (0, min(1, len(lines) - 1)))
    names = head[1:] if len(head) == len(first) else head
    if first[0] not in names[1:2] or first[-1].lower() not in UNKNOWN:
        return None
    rows = [_split(line, separator) for _, line in lines]
    width = len(rows[-1])
    top = rows[0][1:] if len(rows[0]) == width else rows[0]
    if len(top) != width - 1 or width < 2 or any(len(row) != width for row in rows[1:]):
        return None
    cells = {
        (row[0], name): field
        for row in rows[1:]
        for name, field in zip(top, row[1:], strict=True)
        if field.lower() not in UNKNOWN
    }
    if not all(map(is_entry, cells.values())):
        return None
    return top, [row[0] for row in rows[1:]], cells


def _split(line: str, separator: str) -> list[str]:
    try:
        return [field.strip() for field in next(csv.reader([line], delimiter=separator), [""])]
    except csv.Error:  # a field without end is no distance, and no name
        return [""]


def _items(top: Sequence[str], left: Sequence[str]) -> list[str] | None:
    """All ids in their order, if those on top and on the left are of one list."""
    if not top or not left:
        return None
    if left[0] == top[0]:
        ids = list(top if len(top) >= len(left) else left)
        fits = list(top) == ids[: len(top)] and list(left) == ids[: len(left)]
        return ids if (fits and len(top) != len(left)) or (fits and len(ids) > 1) else None
    ids = [top[0], *left]
    if len(ids) < 2 or list(top) not in (ids, ids[:-1]) or len(set(ids)) < len(ids):
        return None
    return ids


def _triangle(
    ids: Sequence[str], left: Sequence[str], cells: Mapping[tuple[str, str], str], lines: Sequence[Line]
) -> ToolMatrix | None:
    """The lower triangle, if one of both is written, whole, and the other not at all; or all but the diagonal."""
    n = len(ids)
    lower = sum((ids[i], ids[j]) in cells for i in range(n) for j in range(i))
    upper = sum((ids[j], ids[i]) in cells for i in range(n) for j in range(i))
    own = sum((name, name) in cells for name in ids)
    half = n * (n - 1) // 2
    if own not in (0, n) or sorted((lower, upper)) not in ([0, half], [half, half]):
        return None
    if lower == upper and (own or any(cells[a, b] != cells[b, a] for a in ids for b in ids if a != b)):
        return None
    number = {name: lines[k + 1][0] for k, name in enumerate(left) if k + 1 < len(lines)}
    rows = []
    for i, name in enumerate(ids):
        fields = [cells.get((name, other)) or cells[other, name] for other in ids[:i]]
        rows.append(ToolRow(number.get(name, 1), name, (*fields, *([cells[name, name]] if own else []))))
    return ToolMatrix(TITLE, tuple(rows))
