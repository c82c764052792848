"""Square matrices in the forms of their tools: PHYLIP, Mash, FastANI, Clustal, Orange, NEXUS, R's dist, bare triangles."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.tables.dialect import NUMBER
from kernex_core.inputs.tables.table import UNKNOWN
from kernex_core.inputs.upload import Upload

Line = tuple[int, str]
_ORANGE = re.compile(r"\d+(?:\s+(?:axis=[01]|labell?ed|row_labels|col_labels))+\s*$")
_CLUSTAL = re.compile(r"\s*\d+:\s+\S")
_COUNT = re.compile(r"\s*(\d+)\s*$")
_FEWEST = 3
"""Rows from which a triangle is known by its shape alone."""
SHOWN = 20
"""Lines that are looked at to know a form."""
HEAD = 200_000


@dataclass(frozen=True)
class ToolRow:
    """One row: its line in the file, its id ("" = none) and its numbers as text."""

    line: int
    name: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class ToolMatrix:
    """What stands in the file of a tool.

    Attributes
    ----------
    title : str
        The form, for notes.
    rows : tuple of ToolRow
    top : tuple of str
        Ids on top, where there are any.
    distances : bool
        The form is one of distances.
    """

    title: str
    rows: tuple[ToolRow, ...]
    top: tuple[str, ...] = ()
    distances: bool = True


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


def _fields(line: str) -> list[str]:
    """Fields of a line: by tabs where it has any, else by commas or semicolons, else by white space."""
    separator = next((mark for mark in "\t;," if mark in line), None)
    fields = [field.strip().strip('"') for field in line.rstrip(" ").split(separator)]
    return fields if separator else [field for field in fields if field] or [""]


def _is_entry(field: str) -> bool:
    return NUMBER.match(field) is not None or field.strip().lower() in UNKNOWN


def _row(number: int, fields: Sequence[str], named: bool) -> ToolRow:
    return ToolRow(number, fields[0] if named else "", tuple(fields[1:] if named else fields))


def _orange(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """Orange: "3 axis=1 row_labels", then perhaps labels on top, then rows with labels."""
    said, body = lines[0][1], list(lines[1:])
    top = tuple(_fields(body.pop(0)[1])) if "col_labels" in said and body else ()
    named = "row_labels" in said or "labelled" in said or "labeled" in said
    rows = tuple(
        _row(number, line.rstrip().split("\t") if "\t" in line else line.split(), named)
        for number, line in body
    )
    return ToolMatrix("Orange's distance file (.dst)", rows, tuple(name for name in top if name))


def _clustal(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """Clustal: comments, then "1: name 100.00 45.20"."""
    body = [(number, line) for number, line in lines if not line.startswith("#")]
    if len(body) < 2 or not all(_CLUSTAL.match(line) for _, line in body):
        return None
    rows = tuple(_row(number, line.split(":", 1)[1].split(), True) for number, line in body)
    return ToolMatrix("Clustal's percent identity matrix (.pim)", rows, distances=False)


def _nexus(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """NEXUS: the block DISTANCES."""
    upper = [line.strip().upper() for _, line in lines]
    begin = next((k for k, line in enumerate(upper) if re.match(r"BEGIN\s+DISTANCES", line)), None)
    start = begin and next((k for k in range(begin, len(upper)) if upper[k].startswith("MATRIX")), None)
    if begin is None or start is None:
        raise InvalidInputError(
            "A NEXUS file has to have a block DISTANCES with a MATRIX",
            f"none in {filename}",
            "Export distances, or the sequences as FASTA",
        )
    named = not any(re.search(r"\bNOLABELS\b", line) for line in upper[begin:start])
    rows = []
    for number, line in lines[start:]:
        text = re.sub(r"\[[^\]]*\]", "", re.sub(r"^\s*matrix", "", line, flags=re.IGNORECASE))
        fields = [field.strip("'") for field in text.split(";")[0].split()]
        if fields:
            rows.append(_row(number, fields, named))
        if ";" in text:
            break
    return ToolMatrix("NEXUS distances", tuple(rows))


def _counted(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """PHYLIP, Mash and FastANI: the number of items, then a row an item: a square or a triangle, rows perhaps broken."""
    count = _COUNT.match(lines[0][1])
    if count is None or not 2 <= int(count[1]) < len(lines):
        return None
    n, rows = int(count[1]), list[ToolRow]()
    for number, line in lines[1:]:
        fields = _fields(line)
        continued = (
            bool(rows) and len(rows[-1].fields) < n and all(map(_is_entry, fields)) and line[:1].isspace()
        )
        if continued and "\t" not in line:
            rows[-1] = ToolRow(rows[-1].line, rows[-1].name, (*rows[-1].fields, *fields))
        else:
            rows.append(_named(number, fields, line))
    if len(rows) != n or not all(map(_is_entry, (field for row in rows[:SHOWN] for field in row.fields))):
        return None
    return ToolMatrix("PHYLIP, Mash and FastANI", tuple(rows), distances=not _percent(rows))


def _named(number: int, fields: Sequence[str], line: str) -> ToolRow:
    """A row whose name may hold blanks: numbers are counted from its end."""
    if "\t" in line:
        return _row(number, fields, True)
    at = len(fields)
    while at > 1 and _is_entry(fields[at - 1]):
        at -= 1
    return ToolRow(number, " ".join(fields[:at]), tuple(fields[at:]))


def _percent(rows: Sequence[ToolRow]) -> bool:
    """Whether the numbers are identities in per cent: all between 50 and 100, and no zero for an item with itself."""
    known = [float(field) for row in rows for field in row.fields if NUMBER.match(field)]
    return bool(known) and min(known) >= 50.0 and max(known) <= 100.0


def _triangle(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """A triangle without any word before it (gkm-SVM), with ids or without; or with ids on top, as R prints a dist."""
    top, body = _heads(lines)
    named = bool(top) or all(not _is_entry(_fields(line)[0]) for _, line in body[:SHOWN])
    rows: dict[object, ToolRow] = {}
    for number, line in body:
        row = _row(number, [field for field in _fields(line) if field] or [""], named)
        # R prints a wide matrix in blocks of columns: a row goes on where its name stands again
        key = row.name if top else number
        before = rows.get(key)
        rows[key] = row if before is None else ToolRow(before.line, row.name, (*before.fields, *row.fields))
    sizes = [len(row.fields) for row in rows.values()]
    entries = [field for row in list(rows.values())[:SHOWN] for field in row.fields]
    if len(sizes) < _FEWEST - bool(top) or not entries or not all(map(_is_entry, entries)):
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
    return tuple(name for line in heads for name in _fields(line) if name), [
        each for each in lines if not _is_head(each[1])
    ]


def _is_head(line: str) -> bool:
    fields = _fields(line)
    return (len(fields) > 1 or line[:1].isspace()) and not any(map(NUMBER.match, fields))


def _like_triangle(head: Sequence[str]) -> bool:
    body = [_fields(line) for line in head if not _is_head(line)][:2]
    sizes = [len(fields) for fields in body]  # empty fields make a whole table of a triangle
    return len(sizes) == 2 and abs(sizes[1] - sizes[0]) == 1


_FORMS: tuple[
    tuple[Callable[[Sequence[str]], bool], Callable[[Sequence[Line], str], ToolMatrix | None]], ...
] = (
    (lambda head: _ORANGE.match(head[0]) is not None, _orange),
    (lambda head: any(_CLUSTAL.match(line) for line in head), _clustal),
    (lambda head: head[0].strip().upper().startswith("#NEXUS"), _nexus),
    (lambda head: _COUNT.match(head[0]) is not None, _counted),
    (_like_triangle, _triangle),
)
