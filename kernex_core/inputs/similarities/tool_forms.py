"""Square matrices in the forms of their tools: PHYLIP, Mash, FastANI, Clustal, Orange, NEXUS, R's dist, bare triangles."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.tables.dialect import NUMBER
from kernex_core.inputs.tables.table import DASHES, UNKNOWN
from kernex_core.inputs.upload import Upload

Line = tuple[int, str]
"""Its number in the file and its text."""


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


def split_row(line: str) -> list[str]:
    """Fields of a line: by tabs where it has any, else by commas or semicolons, else by white space."""
    separator = next((mark for mark in "\t;," if mark in line), None)
    parts = [field.strip().strip('"') for field in line.rstrip(" ").split(separator)]
    return parts if separator else [field for field in parts if field] or [""]


def is_entry(field: str) -> bool:
    """Whether a field is a number, or says that there is none."""
    return NUMBER.match(field) is not None or field.strip().lower() in UNKNOWN | DASHES


def row_of(number: int, fields: Sequence[str], named: bool) -> ToolRow:
    """A row whose first field is its id, or one of numbers alone."""
    return ToolRow(number, fields[0] if named else "", tuple(fields[1:] if named else fields))


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


# Distances as R prints them, by the columns in which they stand; and half tables of them.

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


# NEXUS: the block DISTANCES, in every triangle and with or without diagonal and names.

_TOKEN = re.compile(r"\[[^\]]*\]|'(?:[^']|'')*'|\"[^\"]*\"|;|[^\s;\[]+")
_OTHER_WAY = "Export distances as a table (CSV), or the sequences as FASTA"


@dataclass(frozen=True)
class _Word:
    """A word of a command with its line; without its quotes."""

    line: int
    text: str


@dataclass(frozen=True)
class _Form:
    """What DIMENSIONS, TAXLABELS and FORMAT say."""

    n: int
    names: tuple[str, ...]
    triangle: str
    diagonal: bool
    labels: str
    missing: str

    def sizes(self, n: int) -> list[int]:
        """Numbers in each row, for n items."""
        own = int(self.diagonal)
        if self.triangle == "both":
            return [n - 1 + own] * n
        lower = [k + own for k in range(n)]
        return lower if self.triangle == "lower" else lower[::-1]


def nexus(lines: Sequence[Line], filename: str) -> ToolMatrix:
    """Rows of the first block DISTANCES.

    Raises
    ------
    InvalidInputError
        There is none, it is interleaved, or its numbers do not fit what its FORMAT says.
    """
    commands = _commands(lines)
    begin = next((k for k, words in enumerate(commands) if _begins(words, "BEGIN", "DISTANCES")), None)
    matrix = begin is not None and next(
        (words for words in commands[begin:] if _begins(words, "MATRIX")), None
    )
    if begin is None or not matrix:
        raise InvalidInputError(
            "A NEXUS file has to have a block DISTANCES with a MATRIX", f"none in {filename}", _OTHER_WAY
        )
    form = _form(commands, begin, filename)
    body = [_Word(word.line, "NA" if word.text == form.missing else word.text) for word in matrix[1:]]
    rows = _by_count(body, form)
    if rows is None and form.labels != "no":
        rows = _by_line(body, form)
    if rows is None or (form.n and len(rows) != form.n):
        shape = {"both": "square"}.get(form.triangle, f"{form.triangle} triangle")
        raise InvalidInputError(
            f"The MATRIX of a NEXUS file has to hold what its FORMAT says: the {shape} of {form.n or 'all'} items "
            f"{'with' if form.diagonal else 'without'} the diagonal, {'without' if form.labels == 'no' else 'with'} names",
            f"{len(body):,} words in {filename}",
            "Correct NTAX, TRIANGLE, DIAGONAL or LABELS, or export the distances as CSV",
        )
    return ToolMatrix("NEXUS distances", tuple(rows))


def _commands(lines: Sequence[Line]) -> list[list[_Word]]:
    """Words between semicolons, without comments."""
    numbers, text = [number for number, _ in lines], "\n".join(line for _, line in lines)
    commands: list[list[_Word]] = [[]]
    at, line = 0, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", at, token.start())
        at = token.start()
        word = token[0]
        if word == ";":
            commands.append([])
        elif word[0] != "[":
            quoted = word[0] in "'\"" and len(word) > 1
            bare = word[1:-1].replace("''", "'") if quoted else word
            commands[-1].append(_Word(numbers[line], bare))
    if commands[0] and commands[0][0].text.upper() == "#NEXUS":
        del commands[0][0]
    return commands


def _begins(words: Sequence[_Word], *expected: str) -> bool:
    return [word.text.upper() for word in words[: len(expected)]] == list(expected)


def _form(commands: Sequence[Sequence[_Word]], begin: int, filename: str) -> _Form:
    """What the block says, and the block TAXA where it does not."""
    end = next((k for k in range(begin, len(commands)) if _begins(commands[k], "MATRIX")), len(commands))
    own, before = commands[begin:end], commands[:begin]
    said = " ".join(word.text for words in own if _begins(words, "FORMAT") for word in words).upper()
    if re.search(r"\bINTERLEAVE\b(?!\s*=\s*NO)", said):
        raise InvalidInputError(
            "The rows of a NEXUS matrix have to stand in one piece each",
            f"INTERLEAVE in {filename}",
            f"Save it without INTERLEAVE. {_OTHER_WAY}",
        )
    sizes = [
        int(found[1])
        for words in (*own, *before)
        if _begins(words, "DIMENSIONS")
        and (found := re.search(r"NTAX\s*=\s*(\d+)", " ".join(w.text for w in words), re.IGNORECASE))
    ]
    lists = [words[1:] for words in (*own, *before) if _begins(words, "TAXLABELS")]
    names = tuple(word.text for word in lists[0]) if lists else ()
    triangle = re.search(r"TRIANGLE\s*=\s*(LOWER|UPPER|BOTH)", said)
    missing = re.search(r"MISSING\s*=\s*(\S)", said)
    labels = re.search(r"\bNO\s*LABELS\b|\bLABELS\s*=\s*(NO|LEFT|RIGHT)\b", said)
    where = "left" if labels is None else (labels[1] or "no").lower()
    diagonal = re.search(r"\bNO\s*DIAGONAL\b|\bDIAGONAL\s*=\s*NO\b", said) is None
    return _Form(
        sizes[0] if sizes else len(names),
        names,
        triangle[1].lower() if triangle else "lower",
        diagonal,
        where,
        missing[1] if missing else "?",
    )


def _by_count(body: Sequence[_Word], form: _Form) -> list[ToolRow] | None:
    """Rows by the number of words that each has by the FORMAT, wherever lines end; None if they do not fit."""
    named = int(form.labels != "no")
    n = form.n or _nexus_items(len(body), form)
    sizes = form.sizes(n)
    if sum(sizes) + named * n != len(body) or (form.names and len(form.names) != n):
        return None
    rows, at = [], 0
    for k, size in enumerate(sizes):
        words = body[at : at + size + named]
        at += size + named
        name = form.names[k] if form.names and not named else ""
        if named:
            words, label = (words[1:], words[0]) if form.labels == "left" else (words[:-1], words[-1])
            name = label.text
        line = words[0].line if words else body[min(at, len(body) - 1)].line
        fields = [word.text for word in words]
        if form.triangle == "both" and not form.diagonal:
            fields.insert(k, "")
        rows.append(ToolRow(line, name, tuple(fields)))
    return rows


def _nexus_items(words: int, form: _Form) -> int:
    """How many items make so many words."""
    largest = isqrt(2 * words) + 2
    named = int(form.labels != "no")
    return next((n for n in range(1, largest) if sum(form.sizes(n)) + named * n == words), 0)


def _by_line(body: Sequence[_Word], form: _Form) -> list[ToolRow]:
    """Rows by their lines, for files that say another form than they have."""
    lines: dict[int, list[str]] = {}
    for word in body:
        lines.setdefault(word.line, []).append(word.text)
    if form.labels == "right":
        return [ToolRow(line, words[-1], tuple(words[:-1])) for line, words in lines.items()]
    return [ToolRow(line, words[0], tuple(words[1:])) for line, words in lines.items()]


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
