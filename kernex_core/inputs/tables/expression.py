"""Tables of measurements in the form of their tools: GEO series matrices, GCT, featureCounts, Orange's .tab files."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.tables.dialect import Dialect
from kernex_core.inputs.tables.table import Row, Table
from kernex_core.inputs.upload import Upload

_BEGIN: Final = "!series_matrix_table_begin"
_END: Final = "!series_matrix_table_end"
_GENES: Final = ("chr", "start", "end", "strand", "length")
"""Columns of featureCounts behind the id of a gene."""
_TYPES: Final = frozenset({"c", "d", "s", "m", "t", "continuous", "discrete", "string", "meta", "time", ""})
_ROLES: Final = frozenset({"class", "meta", "ignore", "i", "m", "c", ""})


@dataclass(frozen=True)
class KnownTable:
    """A table of a tool: names of columns on top, one row an item (or, `items` = "columns", one column).

    Attributes
    ----------
    table : Table
    tool : str
        For notes.
    item, label : int or None
        Columns of ids and of classes.
    items : {"rows", "columns"}
        What the tool takes for items.
    classes : tuple of str
        Class of each column, where the table says so.
    """

    table: Table
    tool: str
    item: int | None = 0
    label: int | None = None
    items: str = "rows"
    classes: tuple[str, ...] = ()


def known_table(upload: Upload) -> KnownTable | None:
    """The table of a tool, or None.

    Raises
    ------
    InvalidInputError
        A form that is known, but with something missing.
    """
    if not upload.is_text:
        return None
    found: KnownTable | None = upload.remembered("known table", lambda: _found(upload))
    return found


def _found(upload: Upload) -> KnownTable | None:
    text = upload.text
    if re.match(r"\s*!(Series|Sample)_", text):
        return _series(upload)
    if re.match(r"#1\.[23][ \t]*\n\d+\t\d+", text):
        return _gct(upload)
    lines = text[:20_000].split("\n")
    at = next((k for k, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if at is None:
        return None
    first = [field.strip().lower() for field in lines[at].split("\t")]
    if first[:1] == ["geneid"] and tuple(first[1:6]) == _GENES:
        return _counts(upload, at)
    return _orange(upload) if len(lines) > 3 else None


def transposed(table: Table) -> Table:
    """Columns as rows."""
    rows = list(table.rows())
    widths = {len(row.fields) for row in rows}
    if len(widths) > 1:
        odd = next(row for row in rows if len(row.fields) != len(rows[0].fields))
        raise InvalidInputError(
            "Every row has to have as many entries",
            f"{len(odd.fields)} in line {odd.line} of {table.name}, {len(rows[0].fields)} in the first",
            "Write NA where an entry is unknown",
        )
    columns = tuple(
        Row(k, list(fields)) for k, fields in enumerate(zip(*(row.fields for row in rows), strict=True), 1)
    )
    return replace(table, lines=(), given=columns, skipped=0, left_out=None)


def _rows(lines: Sequence[str], first: int) -> tuple[Row, ...]:
    """Rows of tabs, with quotation marks around fields or without."""
    read = csv.reader(lines, delimiter="\t")
    try:
        return tuple(
            Row(first + read.line_num, [field.strip() for field in fields])
            for fields in read
            if any(map(str.strip, fields))
        )
    except csv.Error as error:
        raise InvalidInputError(
            "A table has to have whole fields",
            f"{error} near line {first + read.line_num}",
            "Look for a quotation mark",
        ) from None


def _table(upload: Upload, rows: tuple[Row, ...]) -> Table:
    return Table(upload.filename, (), Dialect("\t"), given=rows, titled=True)


def _series(upload: Upload) -> KnownTable:
    """GEO: attributes of the samples above, and between two marks a table of probes by samples."""
    lines = upload.text.split("\n")
    marks = [line.strip().lower() for line in lines]
    if _BEGIN not in marks:
        raise InvalidInputError(
            "A GEO series matrix has a table below !series_matrix_table_begin",
            f"none in {upload.filename}",
            "Bring the file GSE…_series_matrix.txt with its values; some series keep them in supplementary files",
        )
    begin = marks.index(_BEGIN)
    end = marks.index(_END) if _END in marks else len(lines)
    rows = _rows(lines[begin + 1 : end], begin + 1)
    if len(rows) < 2:
        raise InvalidInputError(
            "A GEO series matrix has values between its marks",
            f"none in {upload.filename}",
            "Bring the supplementary file of the series",
        )
    said = [
        row.fields for row in _rows([x for x in lines[:begin] if x.startswith("!Sample_characteristics")], 0)
    ]
    classes = next((made for fields in said if (made := _classes(fields[1:]))), ())
    return KnownTable(
        _table(upload, rows),
        "a GEO series matrix",
        items="columns",
        classes=classes if len(classes) + 1 == len(rows[0].fields) else (),
    )


def _classes(fields: Sequence[str]) -> tuple[str, ...]:
    """Values of a characteristic ("tissue: lung") that may be classes: several, of which one repeats."""
    values = tuple(field.partition(": ")[2] or field for field in fields)
    return values if 1 < len(set(values)) < len(values) else ()


def _gct(upload: Upload) -> KnownTable:
    """GCT of GenePattern: version, sizes, and a table of genes by samples with a column of descriptions."""
    rows = _rows(upload.text.split("\n")[2:], 2)
    kept = tuple(Row(row.line, [row.fields[0], *row.fields[2:]]) for row in rows)
    return KnownTable(_table(upload, kept), "a GCT file", items="columns")


def _counts(upload: Upload, at: int) -> KnownTable:
    """The table of featureCounts without the places of the genes."""
    rows = _rows(upload.text.split("\n")[at:], at)
    kept = tuple(Row(row.line, [row.fields[0], *row.fields[6:]]) for row in rows)
    return KnownTable(_table(upload, kept), "featureCounts (without the places of the genes)")


def _orange(upload: Upload) -> KnownTable | None:
    """Orange's .tab: names, types and roles of the columns in three lines."""
    head = [[field.strip() for field in line.split("\t")] for line in upload.text[:200_000].split("\n")[:4]]
    names, types, roles = head[:3]
    width = len(names)
    listed = [kind for kind in types if kind not in _TYPES]
    if width < 2 or not len(types) == len(roles) == width or not any(types) or not any(roles):
        return None
    # a type may be the list of its values
    plain = all(kind.lower() in _TYPES for kind in types if " " not in kind)
    if not plain or (listed and not any(kind.lower() in _TYPES - {""} for kind in types)):
        return None
    given = [role.split()[0].lower() if role else "" for role in roles]
    if any(role not in _ROLES and "=" not in role for role in given):
        return None
    rows = _rows(upload.text.split("\n"), 0)
    kept = [k for k in range(width) if given[k] not in ("ignore", "i")]
    of_text = [k for k in kept if types[k].lower() in ("s", "string")]
    item = next((k for k in of_text if given[k] in ("meta", "m")), None)
    label = next((k for k in kept if given[k] in ("class", "c")), None)
    body = tuple(
        Row(row.line, [row.fields[k] for k in kept])
        for row in (rows[0], *rows[3:])
        if len(row.fields) == width
    )
    return KnownTable(
        _table(upload, body),
        "Orange (names, types and roles of the columns in three lines)",
        None if item is None else kept.index(item),
        None if label is None else kept.index(label),
    )
