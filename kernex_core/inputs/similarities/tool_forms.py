"""Square matrices in the forms of their tools: PHYLIP, Mash, FastANI, Clustal, Orange, NEXUS, R's dist, bare triangles."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from math import isqrt

from kernex_core.inputs.similarities.tool_rows import (
    Line,
    ToolMatrix,
    ToolRow,
    is_entry,
    nexus,
    row_of,
    split_row,
)
from kernex_core.inputs.tables.dialect import NUMBER
from kernex_core.inputs.tables.table import UNKNOWN
from kernex_core.inputs.upload import Upload

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


R_DIST = "distances as R prints or writes them"
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
    return None if ids is None else _dist_triangle(ids, left, cells, lines)


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
    if not _begins_with_second(lines[0][1], lines[min(1, len(lines) - 1)][1], separator):
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


def _dist_triangle(
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
    return ToolMatrix(R_DIST, tuple(rows))


_CLUSTAL = re.compile(r"\s*\d+:\s+\S")
_COUNT = re.compile(r"\s*(\d+)\s*$")
NAME = 10
"""Characters of a name in PHYLIP's strict form."""
LARGE = 20.0
"""Distances that are expected numbers of changes are smaller; identities in per cent are not."""
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
    strict = ""
    if (
        len(lines) == n + 1
        and not _plain_rows(lines[1:], n)
        and (glued := _strict_rows(lines[1:], n)) is not None
    ):
        rows, lines, strict = (
            glued,
            lines[:1],
            "Names are the first ten characters of their rows, as PHYLIP has them.",
        )
    for number, line in lines[1:]:
        fields = split_row(line)
        continued = (
            bool(rows) and len(rows[-1].fields) < n and all(map(is_entry, fields)) and line[:1].isspace()
        )
        if continued and "\t" not in line:
            rows[-1] = ToolRow(rows[-1].line, rows[-1].name, (*rows[-1].fields, *fields))
        else:
            rows.append(_named(number, fields, line, (len(rows), n)))
    if len(rows) != n or not all(map(is_entry, (field for row in rows[:SHOWN] for field in row.fields))):
        return None
    percent = _percent(rows)
    distances = None if percent is None else not percent
    return ToolMatrix(
        "PHYLIP, Mash and FastANI", tuple(rows), distances=distances, zeros=bool(percent), said=strict
    )


def _plain_rows(lines: Sequence[Line], n: int) -> bool:
    """Whether every row but the first has a number behind its first field, and no name has one glued to it."""
    words = [line.split() for _, line in lines]
    sizes = [len(fields) - 1 for fields in words]
    k = range(n)
    forms = ([n] * n, list(k), [i + 1 for i in k], [n - 1 - i for i in k], [n - i for i in k])
    return sizes in forms or any("\t" in line for _, line in lines)


def _strict_rows(lines: Sequence[Line], n: int) -> list[ToolRow] | None:
    """Rows whose names are the first ten characters, numbers perhaps glued to them, or None if they are not such."""
    rows = [ToolRow(number, line[:NAME].strip(), tuple(line[NAME:].split())) for number, line in lines]
    sizes, k = [len(row.fields) for row in rows], range(n)
    fits = sizes in ([n] * n, list(k), [i + 1 for i in k], [n - 1 - i for i in k], [n - i for i in k])
    entries = all(is_entry(field) for row in rows for field in row.fields)
    return rows if fits and entries and all(row.name for row in rows) else None


def _named(number: int, fields: Sequence[str], line: str, place: tuple[int, int]) -> ToolRow:
    """A row whose name may hold blanks: numbers are counted from its end, by tabs, or by tabs and blanks alike."""
    if "\t" in line:
        row = row_of(number, fields, True)
        words, before = line.split(), len(fields[0].split())
        if before > 1 and is_entry(
            fields[0].split()[-1]
        ):  # a number before the first tab, or a name that ends in one
            k, n = place
            sizes = [size for size in (n, k + 1, k) if 0 < size < len(words) and len(words) - size < before]
            fitting = [size for size in sizes if all(map(is_entry, words[-size:]))]
            if len(row.fields) not in (n, k + 1, k) and fitting:
                at = len(words) - fitting[0]
                return ToolRow(number, " ".join(words[:at]), tuple(words[at:]))
        return row if any(row.fields) else ToolRow(number, row.name, ())
    at = len(fields)
    while at > 1 and is_entry(fields[at - 1]):
        at -= 1
    return ToolRow(number, " ".join(fields[:at]), tuple(fields[at:]))


def _percent(rows: Sequence[ToolRow]) -> bool | None:
    """Whether the numbers are identities in per cent; None: they may be, or be distances.

    They are where all but zeros lie between 50 and 100, and no item has 0 with itself. They may be where nothing says what
    an item has with itself, and some number is above LARGE and none above 100.
    """
    known = [float(field) for row in rows for field in row.fields if NUMBER.match(field)]
    sizes = [len(row.fields) for row in rows]
    own = sizes not in (list(range(len(rows))), list(range(len(rows)))[::-1])
    positive = [value for value in known if value != 0.0]
    if not positive or max(positive) > 100.0 or (own and len(positive) < len(known)):
        return False
    if min(positive) >= 50.0:
        return True
    return None if not own and max(positive) > LARGE else False


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
    mark = next((mark for mark in "\t;," if mark in head[0]), "")
    return _begins_with_second(head[0], head[min(1, len(head) - 1)], mark) if mark else head[0][:1].isspace()


def _begins_with_second(top: str, below: str, separator: str) -> bool:
    """Whether the first row is that of the second item, and not whole: every table has a separator."""
    head, first = _split(top, separator), _split(below, separator)
    names = head[1:] if len(head) == len(first) else head
    return first[0] in names[1:2] and first[-1].lower() in UNKNOWN


_INDEXED = re.compile(r"\s*\d+:[^\s:]+(\s+\d+:[^\s:]+)*\s*$")
PRECOMPUTED = re.compile(r"\s*[+-]?\d[\d.]*\s+0:\d+(\s+\d+:[^\s:]+)+\s*$")
"""A row of LIBSVM's precomputed kernels: a class, the number of the row behind 0:, and entries."""


def _indexed(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """Rows of numbered entries: GaKCo's kernels, and LIBSVM's precomputed ones with a class and 0:row before them."""
    labelled = PRECOMPUTED.match(lines[0][1]) is not None
    rows, labels = list[ToolRow](), list[str]()
    for k, (number, line) in enumerate(lines, 1):
        words = line.split()
        if labelled:
            labels.append(words[0])
            if len(words) < 3 or words[1] != f"0:{k}":
                return None
            words = words[2:]
        pairs = [word.partition(":") for word in words]
        if [place for place, _, _ in pairs] != [str(j) for j in range(1, len(pairs) + 1)]:
            return None
        rows.append(ToolRow(number, "", tuple(value for _, _, value in pairs)))
    if {len(row.fields) for row in rows} != {len(rows)} or len(rows) < 2:
        return None
    title = "LIBSVM's precomputed kernel" if labelled else "GaKCo's kernel"
    return ToolMatrix(title, tuple(rows), distances=False, labels=tuple(labels))


_GRM = re.compile(r"\s*\d+\s+\d+\s+[\d.eE+]+\s+\S+\s*$")


def _grm(lines: Sequence[Line], filename: str) -> ToolMatrix | None:
    """GCTA's relationship matrix (.grm): row, column, number of markers, value: the lower triangle with the diagonal."""
    n = isqrt(2 * len(lines))
    if n * (n + 1) != 2 * len(lines) or n < 2:
        return None
    fields = [line.split() for _, line in lines]
    places = [(str(i), str(j)) for i in range(1, n + 1) for j in range(1, i + 1)]
    if any(len(row) != 4 for row in fields) or [(row[0], row[1]) for row in fields] != places:
        return None
    rows, at = [], 0
    for i in range(1, n + 1):
        rows.append(ToolRow(lines[at][0], "", tuple(row[3] for row in fields[at : at + i])))
        at += i
    return ToolMatrix("GCTA's relationship matrix (.grm)", tuple(rows), distances=False)


_FORMS: tuple[
    tuple[Callable[[Sequence[str]], bool], Callable[[Sequence[Line], str], ToolMatrix | None]], ...
] = (
    (lambda head: FLAGGED.match(head[0]) is not None, orange),
    (lambda head: any(_CLUSTAL.match(line) for line in head), _clustal),
    (lambda head: head[0].strip().upper().startswith("#NEXUS"), nexus),
    (lambda head: _COUNT.match(head[0]) is not None, unflagged),
    (lambda head: _COUNT.match(head[0]) is not None, _counted),
    (lambda head: all(_INDEXED.match(line) or PRECOMPUTED.match(line) for line in head), _indexed),
    (lambda head: all(map(_GRM.match, head)) and head[0].split()[:2] == ["1", "1"], _grm),
    (_like_r, r_dist),
    (_like_triangle, _triangle),
)
