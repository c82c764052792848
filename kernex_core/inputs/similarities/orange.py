"""Orange's distance files: a number of items, flags, perhaps labels on top, and rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kernex_core.inputs.similarities.tool_rows import Line, ToolMatrix, ToolRow, is_entry

_FLAGS = r"axis=\d|labell?ed|row_labels|col_labels|symmetric|asymmetric"
FLAGGED = re.compile(rf"\s*\d+(?:\s+(?:{_FLAGS}))+\s*$", re.IGNORECASE)
TITLE = "Orange's distance file (.dst)"


def orange(lines: Sequence[Line], filename: str) -> ToolMatrix:
    """A file with flags: "3 axis=1 symmetric row_labels", perhaps labels on top, then rows, perhaps with labels.

    In a symmetric file what stands above the diagonal does not count.
    """
    said, body = lines[0][1].lower().split(), list(lines[1:])
    top = _cells(body.pop(0)[1]) if "col_labels" in said and body else []
    named = any(flag in said for flag in ("row_labels", "labelled", "labeled"))
    rows = []
    for k, (number, line) in enumerate(body):
        cells = _cells(line)
        name, values = (cells[0], cells[1:]) if named else ("", cells)
        rows.append(ToolRow(number, name, tuple(values[: k + 1] if "symmetric" in said else values)))
    return ToolMatrix(TITLE, tuple(rows), tuple(name for name in top if name))


def unflagged(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """A file with the number of items alone on top, and numbers without names: a square, or a lower triangle.

    A triangle may also be PHYLIP's, in which numbers on the left are names: it is taken for Orange's where the file is
    called so, or where it ends every row with 0.
    """
    top, body = lines[0][1].strip(), lines[1:]
    n = int(top) if top.isdecimal() and len(top) < 9 else 0
    if n < 2 or len(body) != n:
        return None
    cells = [_cells(line) for _, line in body]
    sizes = [len(row) for row in cells]
    called = filename.lower().removesuffix(".gz").endswith(".dst")
    lower = sizes == [k + 1 for k in range(n)] and (called or all(_is_zero(row[-1]) for row in cells))
    if not (lower or sizes == [n] * n) or not all(is_entry(cell) for row in cells for cell in row):
        return None
    return ToolMatrix(
        TITLE, tuple(ToolRow(k, "", tuple(row)) for (k, _), row in zip(body, cells, strict=True))
    )


def _is_zero(cell: str) -> bool:
    return is_entry(cell) and cell.strip(" 0.-+") == ""


def _cells(line: str) -> list[str]:
    return line.rstrip().split("\t") if "\t" in line else line.split()
