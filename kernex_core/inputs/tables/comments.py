"""Lines that begin with #: comments, or rows whose first field begins so."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from contextlib import suppress

from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.dialect import DECIMAL_COMMA, NUMBER, find_dialect

MARK = "#"
LOOKED_AT = 3_000
"""Lines in which an id is looked for."""


def without_comments(lines: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Lines of a table without its comments, and the number of lines on top that were left out.

    Lines that begin with # are comments where all of them stand before the data, unless they have the columns of the
    table and their first field occurs again as another field: then it is an id. Below, one is a row if it has as many
    fields as the others (a blank behind the # speaks against it where blanks divide fields); and if one below is a row,
    those on top of the same form are rows, too. Comments below become empty lines, so that the others keep their numbers.
    """
    skipped = 0
    while skipped < len(lines) and (lines[skipped].startswith(MARK) or not lines[skipped].strip(" ")):
        skipped += 1
    below = [k for k in range(skipped, len(lines)) if lines[k].startswith(MARK)]
    plain = [line for line in lines[skipped:] if line.strip() and not line.startswith(MARK)]
    if not below and plain:
        first = _first_row(lines, skipped, plain)
        return tuple(lines[first:]), first
    marked = [line for line in lines if line.startswith(MARK)]
    separator = find_dialect(plain or marked).separator
    widths = [_width(line, separator) for line in (plain or marked)]
    # of comments alone nothing is a row unless all have the same fields
    width = max(set(widths), key=widths.count, default=0) if plain or len(set(widths)) == 1 else 0
    rows = {k for k, line in enumerate(lines) if line.startswith(MARK) and _is_row(line, separator, width)}
    if not plain and len(rows) < len(marked):
        return (), len(lines)
    first = (
        next((k for k in range(skipped) if k in rows), skipped)
        if rows.intersection(below) or not plain
        else skipped
    )
    kept = tuple(
        "" if line.startswith(MARK) and first + k not in rows else line
        for k, line in enumerate(lines[first:])
    )
    return kept, first


def like_rows(lines: Sequence[str], plain: Sequence[str]) -> list[int]:
    """Those of some lines that begin with # and have the columns of the others, numbers where these have numbers."""
    separator = find_dialect(plain).separator
    rows = [_fields(line, separator) for line in plain[:LOOKED_AT]]
    widths = [len(fields) for fields in rows]
    width = max(widths, key=widths.count)
    whole = [fields for fields in rows if len(fields) == width]
    numeric = [k for k in range(1, width) if all(_numeric(fields[k]) for fields in whole[-20:])]
    return [
        k
        for k, line in enumerate(lines)
        if _is_row(line, separator, width)
        and (
            all(_numeric(_fields(line, separator)[k]) for k in numeric)
            or any(field.strip().startswith(MARK) for field in _fields(line, separator)[1:])
        )
    ]


def comment_notes(on_top: Sequence[str], kept: Sequence[str]) -> tuple[Note, ...]:
    """A note on the lines on top that begin with # and are left out, though they look like the rows that are kept."""
    plain = [line for line in kept[:LOOKED_AT] if line.strip()]
    marked = [line for line in on_top if line.startswith(MARK)]
    rows = like_rows(marked, plain) if plain else []
    if not rows or not any(map(_numeric, marked[rows[0]].split())):
        return ()
    first = marked[rows[0]][:40]
    return (
        Note(
            f"Lines on top that begin with # and have the columns of the table: {len(rows):,} ({first!r}).",
            "They are left out as comments, because no such id occurs again.",
            "If they are items, write their ids without #, or put these lines further down.",
            "warning",
        ),
    )


def _first_row(lines: Sequence[str], skipped: int, plain: Sequence[str]) -> int:
    """Where the table begins: at the first line on top that holds ids, else behind all that begin with #."""
    if not skipped:
        return 0
    found = like_rows(lines[:skipped], plain)
    if not found or found != list(range(found[0], skipped)):
        return skipped
    separator = find_dialect(plain).separator
    on_top = [[field.strip() for field in _fields(lines[k], separator)] for k in found]
    others = {field.strip() for line in plain[:LOOKED_AT] for field in _fields(line, separator)[1:]}
    others.update(field for fields in on_top for field in fields[1:])
    again = any(fields[0] in others for fields in on_top) or any(
        field.startswith(MARK) for fields in on_top for field in fields[1:]
    )
    return found[0] if again else skipped


def _numeric(field: str) -> bool:
    text = field.strip()
    return NUMBER.match(text) is not None or DECIMAL_COMMA.match(text) is not None


def _is_row(line: str, separator: str, width: int) -> bool:
    return 1 < width == _width(line, separator) and not (separator == " " and line[1:2].isspace())


def _width(line: str, separator: str) -> int:
    if '"' in line:  # a separator inside a field divides nothing
        return len(_fields(line, separator))
    return len(line.split()) if separator == " " else 1 + line.count(separator)


def _fields(line: str, separator: str) -> list[str]:
    if '"' in line:
        with suppress(csv.Error):  # a field without end: whoever reads the table says so
            return next(csv.reader([line], delimiter=separator, skipinitialspace=separator == " "), [])
    return line.split() if separator == " " else line.split(separator)
