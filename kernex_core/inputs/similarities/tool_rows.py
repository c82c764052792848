"""Rows of the square matrices and triangles that tools write, and the distances of NEXUS files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.tables.dialect import NUMBER
from kernex_core.inputs.tables.table import DASHES, UNKNOWN

# Rows of the square matrices and triangles that tools write.

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
    distances : bool or None
        The form is one of distances; None: it does not say.
    labels : tuple of str
        Classes, where the form has them.
    zeros : bool
        A zero says that there is no value: the tool found nothing to compare.
    said : str
        What is odd about how the rows were found.
    """

    title: str
    rows: tuple[ToolRow, ...]
    top: tuple[str, ...] = ()
    distances: bool | None = True
    labels: tuple[str, ...] = ()
    zeros: bool = False
    said: str = ""


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


# Distances of NEXUS files: the block DISTANCES, in every triangle and with or without diagonal and names.

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
