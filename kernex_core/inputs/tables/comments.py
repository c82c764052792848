"""Lines that begin with #: comments, or rows whose first field begins so."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from kernex_core.inputs.tables.dialect import find_dialect

MARK = "#"


def without_comments(lines: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Lines of a table without its comments, and the number of lines on top that were left out.

    Lines that begin with # are comments where all of them stand before the data. Below, one is a row if it has as many
    fields as the others (a blank behind the # speaks against it where blanks divide fields); and if one below is a row,
    those on top of the same form are rows, too. Comments below become empty lines, so that the others keep their numbers.
    """
    skipped = 0
    while skipped < len(lines) and (lines[skipped].startswith(MARK) or not lines[skipped].strip(" ")):
        skipped += 1
    below = [k for k in range(skipped, len(lines)) if lines[k].startswith(MARK)]
    plain = [line for line in lines[skipped:] if line.strip() and not line.startswith(MARK)]
    if not below and plain:
        return tuple(lines[skipped:]), skipped
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


def _is_row(line: str, separator: str, width: int) -> bool:
    return 1 < width == _width(line, separator) and not (separator == " " and line[1:2].isspace())


def _width(line: str, separator: str) -> int:
    if '"' in line:  # a separator inside a field divides nothing
        return len(next(csv.reader([line], delimiter=separator, skipinitialspace=separator == " "), []))
    return len(line.split()) if separator == " " else 1 + line.count(separator)
