"""Square matrices in the forms of their tools: PHYLIP, Mash, FastANI, Clustal, Orange, NEXUS, R's dist, bare triangles."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence

from kernex_core.inputs.similarities.nexus import nexus
from kernex_core.inputs.similarities.orange import FLAGGED, orange, unflagged
from kernex_core.inputs.similarities.r_dist import r_dist
from kernex_core.inputs.similarities.tool_rows import Line, ToolMatrix, ToolRow, is_entry, row_of, split_row
from kernex_core.inputs.tables.dialect import NUMBER
from kernex_core.inputs.upload import Upload

_CLUSTAL = re.compile(r"\s*\d+:\s+\S")
_COUNT = re.compile(r"\s*(\d+)\s*$")
_FEWEST = 3
"""Rows from which a triangle is known by its shape alone."""
SHOWN = 20
"""Lines that are looked at to know a form."""
HEAD = 200_000


def tool_matrix(upload: Upload) -> ToolMatrix | None:
    """Rows of a file in one of these forms, or None if it has none of them.

    Raises
    ------
    InvalidInputError
        A form that is known, but with something missing.
    """
    made: ToolMatrix | None = upload.remembered("tool matrix", lambda: _found(upload))
    return made


def _found(upload: Upload) -> ToolMatrix | None:
    head = [line for line in upload.text[:HEAD].split("\n")[:SHOWN] if line.strip()]
    likely = [form for known, form in _FORMS if head and known(head)]
    if not likely:
        return None
    lines = [(k, line) for k, line in enumerate(upload.text.split("\n"), 1) if line.strip()]
    found = (form(lines, upload.filename) for form in likely)
    return next((made for made in found if made is not None), None)


def _clustal(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """Clustal: comments, then "1: name 100.00 45.20"."""
    body = [(number, line) for number, line in lines if not line.startswith("#")]
    if len(body) < 2 or not all(_CLUSTAL.match(line) for _, line in body):
        return None
    rows = tuple(row_of(number, line.split(":", 1)[1].split(), True) for number, line in body)
    return ToolMatrix("Clustal's percent identity matrix (.pim)", rows, distances=False)


def _counted(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """PHYLIP, Mash and FastANI: the number of items, then a row an item: a square or a triangle, rows perhaps broken."""
    count = _COUNT.match(lines[0][1])
    if count is None or not 2 <= int(count[1]) < len(lines):
        return None
    n, rows = int(count[1]), list[ToolRow]()
    for number, line in lines[1:]:
        fields = split_row(line)
        continued = (
            bool(rows) and len(rows[-1].fields) < n and all(map(is_entry, fields)) and line[:1].isspace()
        )
        if continued and "\t" not in line:
            rows[-1] = ToolRow(rows[-1].line, rows[-1].name, (*rows[-1].fields, *fields))
        else:
            rows.append(_named(number, fields, line))
    if len(rows) != n or not all(map(is_entry, (field for row in rows[:SHOWN] for field in row.fields))):
        return None
    return ToolMatrix("PHYLIP, Mash and FastANI", tuple(rows), distances=not _percent(rows))


def _named(number: int, fields: Sequence[str], line: str) -> ToolRow:
    """A row whose name may hold blanks: numbers are counted from its end."""
    if "\t" in line:
        return row_of(number, fields, True)
    at = len(fields)
    while at > 1 and is_entry(fields[at - 1]):
        at -= 1
    return ToolRow(number, " ".join(fields[:at]), tuple(fields[at:]))


def _percent(rows: Sequence[ToolRow]) -> bool:
    """Whether the numbers are identities in per cent: all between 50 and 100, and no zero for an item with itself."""
    known = [float(field) for row in rows for field in row.fields if NUMBER.match(field)]
    return bool(known) and min(known) >= 50.0 and max(known) <= 100.0


def _triangle(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """A triangle without any word before it (gkm-SVM), with ids or without; or with ids on top, as R prints a dist."""
    top, body = _heads(lines)
    named = bool(top) or all(not is_entry(split_row(line)[0]) for _, line in body[:SHOWN])
    rows: dict[object, ToolRow] = {}
    for number, line in body:
        row = row_of(number, [field for field in split_row(line) if field] or [""], named)
        # R prints a wide matrix in blocks of columns: a row goes on where its name stands again
        key = row.name if top else number
        before = rows.get(key)
        rows[key] = row if before is None else ToolRow(before.line, row.name, (*before.fields, *row.fields))
    sizes = [len(row.fields) for row in rows.values()]
    entries = [field for row in list(rows.values())[:SHOWN] for field in row.fields]
    if len(sizes) < _FEWEST - bool(top) or not entries or not all(map(is_entry, entries)):
        return None
    if {b - a for a, b in itertools.pairwise(sizes)} not in ({1}, {-1}):
        return None
    title = "a triangle with ids on top, as R prints distances" if top else "a triangle"
    return ToolMatrix(title, tuple(rows.values()), top, bool(top))


def _heads(lines: Sequence[Line]) -> tuple[tuple[str, ...], list[Line]]:
    """Ids on top, of all blocks of columns, and the lines of numbers."""
    if not _is_head(lines[0][1]):
        return (), list(lines)
    heads = [line for _, line in lines if _is_head(line)]
    return tuple(name for line in heads for name in split_row(line) if name), [
        each for each in lines if not _is_head(each[1])
    ]


def _is_head(line: str) -> bool:
    fields = split_row(line)
    return (len(fields) > 1 or line[:1].isspace()) and not any(map(NUMBER.match, fields))


def _like_triangle(head: Sequence[str]) -> bool:
    body = [split_row(line) for line in head if not _is_head(line)][:2]
    sizes = [len(fields) for fields in body]  # empty fields make a whole table of a triangle
    return len(sizes) == 2 and abs(sizes[1] - sizes[0]) == 1


def _like_r(head: Sequence[str]) -> bool:
    """Whether ids stand on top in R's way, behind a blank or an empty corner or with one field less."""
    return head[0][:1].isspace() or any(mark in head[0] for mark in "\t;,")


_FORMS: tuple[
    tuple[Callable[[Sequence[str]], bool], Callable[[Sequence[Line], str], ToolMatrix | None]], ...
] = (
    (lambda head: FLAGGED.match(head[0]) is not None, orange),
    (lambda head: any(_CLUSTAL.match(line) for line in head), _clustal),
    (lambda head: head[0].strip().upper().startswith("#NEXUS"), nexus),
    (lambda head: _COUNT.match(head[0]) is not None, unflagged),
    (lambda head: _COUNT.match(head[0]) is not None, _counted),
    (_like_r, r_dist),
    (_like_triangle, _triangle),
)
