"""Rows and fields of a table: comments and quotes undone, numbers read with care, the odd entry named."""

from __future__ import annotations

import csv
import itertools
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.inputs.options import Answer, Question
from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.dialect import (
    MARK,
    NUMBER,
    SAMPLE,
    Comma,
    Dialect,
    find_dialect,
    header_behind_mark,
    without_comments,
    without_percent,
)
from kernex_core.inputs.tables.lines import Lines, check_counts, joined, occurs
from kernex_core.inputs.upload import Upload

# Fields that a spreadsheet would run, kept from running in the files that people take away, and read back as they were.
#
# A spreadsheet that splits lines at semicolons or tabs makes several fields of one that holds these: each is looked at.

_RUN = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20].+", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_SPLITS = re.compile(r"([;\t])")


def as_text(field: str) -> str:
    """Return a field with an apostrophe before whatever in it a spreadsheet would take for a formula.

    Numbers with a sign stay, and so does a sign alone, which is how people write classes. What has its
    apostrophes before a sign already gets one more, so that `from_text` gives every field back.
    """
    first, *others = _SPLITS.split(field)
    start = "'" if _runs(first) or _runs(field) else ""
    return "".join([start, first, *(f"'{part}" if _runs(part) else part for part in others)])


def from_text(field: str) -> str:
    """Return a field as it was before `as_text`."""
    first, *others = _SPLITS.split(field)
    rest = "".join(part[1:] if part.startswith("'") and _runs(part[1:]) else part for part in others)
    guarded = first.startswith("'") and (_runs(first[1:]) or _runs(first[1:] + rest))
    return (first[1:] if guarded else first) + rest


def _runs(part: str) -> bool:
    return bool(_RUN.fullmatch(part)) and not _NUMBER.fullmatch(part)


DASHES = frozenset({"-", "–", "—", "--"})
"""What people write for an unknown number among numbers; as a label, - is the opposite of +."""
UNKNOWN = frozenset({"", "?", "na", "nan", "n/a", "#n/a", "null", "none"})
"""What people write for an unknown number (compared without case and outer white space)."""
WORDS = [way(word) for word in sorted({*UNKNOWN, *DASHES}) for way in (str, str.upper, str.capitalize)] + [
    "NaN"
]
"""The same in the cases that people write them in: pandas compares letter by letter."""
FIELDS = 20_000
"""Number of fields after which no more rows are looked at, once there are FEWEST."""
FEWEST = 8
NUMERIC, UNKNOWN_MARK, DASH, TEXT = b"NUDT"
_FORTRAN = re.compile(r"[+-]?(\d+\.\d*|\.\d+)[dD][+-]?\d+$")
"""A number of double precision as Fortran writes it: 1.0D+00."""
_INFINITE = frozenset({"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"})


@dataclass(frozen=True)
class Row:
    """One row: its line number in the file (from 1) and its fields."""

    line: int
    fields: list[str]


@dataclass(frozen=True)
class Table:
    """A table of text fields, read row by row.

    Attributes
    ----------
    name : str
        File name, for messages.
    lines : sequence of str
        Lines without the comments on top; empty if `given` is set.
    skipped : int
        Number of lines on top that are not in `lines`.
    dialect : Dialect
    given : tuple of Row or None
        Rows that come from a workbook.
    left_out : int or None
        Position of a column that is passed over, because it holds something else than the others (labels).
    titled : bool
        The first row is known to hold the names of the columns.
    titles : tuple of str
        Lines of words above the table that are left out.
    """

    name: str
    lines: Sequence[str]
    dialect: Dialect
    skipped: int = 0
    given: tuple[Row, ...] | None = None
    left_out: int | None = None
    titled: bool = False
    titles: tuple[str, ...] = ()

    def rows(self) -> Iterator[Row]:
        """Every row that is not empty, without the column that is left out.

        Raises
        ------
        InvalidInputError
            A quote that is never closed.
        """
        at = self.left_out
        for row in self._all_rows():
            yield row if at is None else Row(row.line, [*row.fields[:at], *row.fields[at + 1 :]])

    def _all_rows(self) -> Iterator[Row]:
        if self.given is not None:
            yield from self.given
            return
        space = self.dialect.separator == " "
        lines = (line.strip() + "\n" for line in self.lines) if space else (x + "\n" for x in self.lines)
        reader = csv.reader(
            lines,
            delimiter=self.dialect.separator,
            skipinitialspace=space or self.dialect.padded,
            quoting=self.dialect.quoting,
        )
        try:
            for found in reader:
                fields = list(map(from_text, found)) if self._has_apostrophes else found
                for k in self.dialect.percent:
                    # a title of a column has no number to lack its sign
                    if k < len(fields) and (reader.line_num > 1 or fields[k].rstrip().endswith("%")):
                        fields[k] = without_percent(fields[k])
                # a line of nothing but separators is a row of unknown entries
                if len(fields) > 1 or (fields and fields[0].strip()):
                    yield Row(self.skipped + reader.line_num, fields)
        except csv.Error as error:
            raise InvalidInputError(
                f"{self.name} has to be a table",
                f"a field without end near line {self.skipped + reader.line_num} ({error})",
                "Look for a quotation mark that is not closed",
            ) from None

    @cached_property
    def _has_apostrophes(self) -> bool:
        """Whether some field may have been kept from running in a spreadsheet; few files have any."""
        return occurs("'", self.lines)

    @cached_property
    def head(self) -> list[Row]:
        """The first rows; fewer of them where they are long."""
        found: list[Row] = []
        size = 0
        for row in itertools.islice(self.rows(), SAMPLE):
            found.append(row)
            size += len(row.fields)
            if size > FIELDS and len(found) >= FEWEST:
                break
        return found

    @cached_property
    def marks(self) -> list[bytes]:
        """What the fields of `head` are, each N(umber), U(nknown), D(ash) or T(ext): several formats ask for it."""
        return [self._marks(row.fields) for row in self.head]

    def _marks(self, fields: list[str]) -> bytes:
        numbers = fields[1:]
        if self.dialect.plain_numbers and _OF_NUMBERS.fullmatch("".join(numbers)):
            with suppress(ValueError):  # as in most rows: a name, perhaps, and numbers
                list(map(float, numbers))
                return bytes((*map(self._mark, fields[:1]), *(NUMERIC,) * len(numbers)))
        return bytes(map(self._mark, fields))

    def text_columns(self, first: int) -> BoolArray:
        """Which columns hold text rather than numbers, in the first rows from row `first` on; found once for all of them."""
        found = self._text_columns
        if first not in found:
            rows = self.marks[first:]
            marks = np.zeros((len(rows), max(map(len, rows), default=0)), dtype=np.uint8)
            for k, row in enumerate(rows):
                marks[k, : len(row)] = np.frombuffer(row, np.uint8)
            there = {mark: (marks == mark).any(axis=0) for mark in (TEXT, DASH, NUMERIC)}
            # dashes among numbers are unknown numbers
            found[first] = there[TEXT] | (there[DASH] & ~there[NUMERIC])
        return found[first]

    @cached_property
    def _text_columns(self) -> dict[int, BoolArray]:
        return {}

    def _mark(self, field: str) -> int:
        if self.is_number(field):
            return NUMERIC
        text = field.strip()
        return UNKNOWN_MARK if text.lower() in UNKNOWN else DASH if text in DASHES else TEXT

    @cached_property
    def n_rows(self) -> int:
        """Number of rows that are not empty."""
        if self.given is not None:
            return len(self.given)
        if self.dialect.quoted and occurs('"', self.lines):
            return sum(1 for _ in self.rows())
        blank = self.lines.blank_at_first() if isinstance(self.lines, Lines) else self.lines
        return len(self.lines) - sum(not self._is_row(line) for line in blank)

    @cached_property
    def n_blank_at_end(self) -> int:
        """Number of rows at the end that hold nothing but separators."""
        count = 0
        for line in reversed(self.lines):
            if line.strip(self.dialect.separator + " "):
                break
            count += self._is_row(line)
        return count

    def _is_row(self, line: str) -> bool:
        """Whether `rows` makes a row of a line: it holds something, be it only separators."""
        return bool(line.strip()) or (self.dialect.separator == "\t" and "\t" in line)

    def number(self, field: str) -> float:
        """A field as a number, NaN if unknown.

        Raises
        ------
        ValueError
            If it is neither.
        """
        text = field.strip()
        if not self.dialect.plain_numbers:
            text = self.dialect.plain(text)
        if NUMBER.match(text):
            return float(text)
        if text.lower() in UNKNOWN or text in DASHES:
            return math.nan
        if text.lower() in _INFINITE:
            return float(text)
        if _FORTRAN.match(text):
            return float(text.upper().replace("D", "E"))
        raise ValueError(field)

    def is_number(self, field: str) -> bool:
        """Whether a field is a number or infinite (unknown entries do not count)."""
        try:
            return not math.isnan(self.number(field))
        except ValueError:
            return False

    def check_commas(self) -> None:
        """Refuse to read numbers whose commas may be decimal marks or divide thousands.

        Raises
        ------
        InvalidInputError
            Naming one of them, and the option that says what it is.
        """
        if self.dialect.comma not in ("open", "open points"):
            return
        mark, name = (",", "comma") if self.dialect.comma == "open" else (".", "point")
        row, field = next(
            (row, field.strip())
            for row in self.head
            for field in row.fields[int(mark == ".") :]
            if mark in field and self.is_number(field)
        )
        value, other = field.replace(mark, ""), f"{float(field.replace(mark, '.', 1)):g}"
        raise Question(
            "comma",
            f"It has to be clear what a {name} in a number is",
            f"{field!r} in line {row.line} (no number tells)",
            (
                Answer("thousands", f"{value}: it divides thousands"),
                Answer("decimal", f"{other}: it is a decimal mark"),
            ),
        ).refusal(self.name)

    def numbers(
        self, row: Row, fields: Sequence[str], where: Callable[[int], str], offset: int
    ) -> list[float]:
        """Fields of a row as numbers.

        Parameters
        ----------
        row : Row
            Where they stand.
        fields : sequence of str
        where : function of int
            What the place of a field is called, for messages.
        offset : int
            Number of columns before the first of `fields`.

        Raises
        ------
        InvalidInputError
            Naming row, column and ids of a field that is no number.
        """
        # Python's float also takes 1_000, which nobody means as a number here
        self.check_commas()
        if self.dialect.plain_numbers and "_" not in "".join(fields):
            try:
                return list(map(float, fields))
            except ValueError:
                pass
        values: list[float] = []
        for index, field in enumerate(fields):
            try:
                values.append(self.number(field))
            except ValueError:
                title = f" ({where(index)})" if where(index) else ""
                raise InvalidInputError(
                    "Every entry has to be a number, or NaN, NA, ? or empty if it is unknown",
                    f"{field.strip()[:40]!r} in line {row.line}, column {offset + index + 1}{title} of {self.name}",
                    "Correct that entry",
                ) from None
        return values

    def block(self, header: bool, first_column: bool, n: int) -> tuple[FloatArray, list[str]] | None:
        """All numbers below the header at once, with the first column as text, as `rows` and `numbers` give them.

        Parameters
        ----------
        header : bool
            The first row holds names.
        first_column : bool
            The first column holds ids.
        n : int
            Number of rows, and of columns of numbers.

        Returns
        -------
        (n, n) float and list of str, or None
            None where something needs a second look, row by row: a quote around more than an id, a word that may be a
            number, a row of another length.
        """
        mark, plain = self.dialect.separator, self.dialect.plain_numbers and not self.dialect.percent
        if n < 1 or self.given is not None or self.left_out is not None or not plain or self._has_apostrophes:
            return None
        ids = list[str]()

        def numbers(words: bool) -> Iterator[str]:
            """Each line without its id, as it is read: no second copy of all of them is made."""
            blank = mark == " "
            for k, line in enumerate(itertools.islice(filter(self._is_row, self.lines), int(header), None)):
                if k >= n:
                    if line.strip(mark + " "):
                        raise ValueError(line)
                    continue
                rest = line.strip() if blank else line
                if first_column:
                    one = _FIRST[blank].match(rest) if self.dialect.quoted and '"' in rest else None
                    name, _, rest = (one[1], "", rest[one.end() :]) if one else rest.partition(mark)
                    ids.append(name)
                    if self.dialect.quoted and not one and '"' in name:
                        raise ValueError(name)
                # without words pandas refuses a line that is too short, or too long
                count = len(rest.split()) if blank else rest.count(mark) + 1 if words else n
                if count != n or any(odd in rest for odd in _NO_NUMBER) or (blank and "\t" in rest):
                    raise ValueError(rest)
                yield rest

        separator = r"\s+" if mark == " " else mark
        for words in (False, True):
            ids.clear()
            with suppress(ValueError):  # who reads row by row says which entry it is
                return _numbers(numbers(words), separator, n, words=words), ids
        return None


_OF_NUMBERS = re.compile(r"[0-9+\-.eE]*")
_FIRST = {False: re.compile(r'"([^"\t,;|]*)"[\t,;|]'), True: re.compile(r'"([^"\s]*)"\s+')}
"""An id in quotes that hides no separator, by whether that is a blank."""
_NO_NUMBER = ('"', "_", "u", "U", "s", "S")
"""Letters in what pandas reads as numbers (True, False), or Python's csv or `float` as a part of one, and nobody means."""


class _Lines:
    """Lines as a file that pandas reads in pieces."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines, self._left = lines, ""

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def read(self, size: int = -1) -> str:
        """The next characters: whole lines, as many as fit."""
        pieces, length = [self._left], len(self._left)
        while size < 0 or length < size:
            line = next(self._lines, None)
            if line is None:
                break
            pieces += [line, "\n"]
            length += len(line) + 1
        text = "".join(pieces)
        if size < 0:
            self._left = ""
            return text
        self._left = text[size:]
        return text[:size]


AT_ONCE = 2_000_000
"""Numbers that are read before they are put in their place, 16 MB: each piece costs some time a column."""


def _numbers(lines: Iterator[str], separator: str, n: int, *, words: bool) -> FloatArray:
    """Lines of n numbers as an array (n, n); pandas 3.1 rounds each correctly, as Python does.

    Parameters
    ----------
    words : bool
        Whether entries may be words for unknown numbers, which pandas has to look for in each.

    Raises
    ------
    ValueError
        An entry is neither a number nor such a word, or there are more or fewer lines.
    """
    import pandas as pd

    source: Any = _Lines(lines)
    values, at = np.empty((n, n)), 0
    with pd.read_csv(
        source,
        sep=separator,
        header=None,
        dtype=np.float64,
        na_filter=words,
        na_values=WORDS if words else None,
        keep_default_na=False,
        skipinitialspace=True,
        quoting=csv.QUOTE_NONE,
        skip_blank_lines=False,
        low_memory=False,
        chunksize=max(1, AT_ONCE // n),
    ) as pieces:
        for piece in pieces:
            if piece.shape[1] != n:
                raise ValueError(f"{piece.shape[1]} columns")
            values[at : at + len(piece)] = piece.to_numpy(dtype=np.float64)
            at += len(piece)
    if at != n:
        raise ValueError(f"{at} lines")
    return values


def table_of(upload: Upload) -> Table:
    """Find out how the text of an upload is written.

    Raises
    ------
    InvalidInputError
        Not text, or nothing but comments.
    """
    table: Table = upload.remembered("table", lambda: _opened(upload))
    return table


def with_commas(upload: Upload, comma: str) -> Upload:
    """The upload with what its reader was told about commas in numbers; "auto": as found out."""
    if comma == "auto" or not upload.is_text:
        return upload
    table = table_of(upload)
    if not table.dialect.comma:
        return upload
    points = table.dialect.comma == "open points"
    told: Comma = (
        ("points" if points else "thousands") if comma == "thousands" else "" if points else "decimal"
    )
    decided = replace(table, dialect=replace(table.dialect, comma=told))
    return replace(upload, memory={**upload.memory, "table": decided})


def table_notes(table: Table) -> tuple[Note, ...]:
    """What was found out about how a table is written and changes its numbers or its rows."""
    notes = []
    if table.titles:
        shown = "; ".join(title[:60] for title in table.titles)
        notes.append(Note(f"Lines of words above the table: {shown}.", "They are left out.", "", "fine"))
    if table.dialect.comma == "thousands":
        notes.append(
            Note(
                "Commas divide thousands: 1,200 is 1200.",
                "Numbers beside them have a decimal point.",
                "Say that commas are decimal marks.",
            )
        )
    if table.dialect.percent:
        notes.append(
            Note("All numbers are per cent: 45.2% is 45.2.", "", "Divide by 100 for fractions.", "fine")
        )
    return tuple(notes)


_SAID = re.compile(r"\"?sep=(.)\"?\s*$", re.IGNORECASE)
"""What Excel takes for the separator, in the first line."""
MOST_TITLES = 5


def _opened(upload: Upload) -> Table:
    check_counts(upload, sys.maxsize)  # of items, who reads them knows how many there may be
    lines = Lines(upload.text)
    told = _SAID.match(lines[0])
    separator = told[1] if told is not None else ""
    if told is not None:
        lines = Lines(upload.text[len(lines[0]) :])
    body, skipped = without_comments(lines)
    at = header_behind_mark(lines[:skipped], body)
    if at is not None:
        top = lines[at].lstrip(MARK) + "\n" * (skipped - at)
        body, skipped = Lines(top + joined(body)), at
    dialect = find_dialect(body, separator)
    table = Table(
        upload.filename, _without_empty_columns(body, dialect), dialect, skipped, titled=at is not None
    )
    if not table.head:
        raise InvalidInputError(
            "A table needs rows",
            f"{upload.filename}, which has only comments or nothing",
            "Choose another file",
        )
    count = title_rows([row.fields for row in table.head], table.is_number)
    if not count:
        return table
    first = table.head[count].line - 1 - skipped
    titles = tuple(
        " ".join(field.strip() for field in row.fields if field.strip()) for row in table.head[:count]
    )
    body = table.lines[first:]
    return Table(upload.filename, body, find_dialect(body, separator), skipped + first, titles=titles)


def _without_empty_columns(lines: Sequence[str], dialect: Dialect) -> Sequence[str]:
    """Lines without the separators that end all of them: columns with nothing in them, as spreadsheets write them."""
    mark = dialect.separator
    if mark == " " or not lines or not lines[0].endswith(mark) or mark not in lines[0].rstrip(mark):
        return lines
    filled = [line for line in lines if line.strip()]
    empty = min(len(line) - len(line.rstrip(mark)) for line in filled if line.strip(mark))
    return [line[:-empty] if line.strip() else line for line in lines] if empty else lines


def title_rows(rows: Sequence[Sequence[str]], is_number: Callable[[str], bool]) -> int:
    """How many rows on top are words above the table: few fields each, then a row of names, then one with numbers."""
    for k in range(1, min(MOST_TITLES, len(rows) - 2) + 1):
        words = [field for field in rows[k - 1] if field.strip()]
        if len(words) > 2 or any(map(is_number, words)):
            return 0
        names = [field for field in rows[k] if field.strip()]
        wide = len(rows[k]) > 2 and len(names) >= max(2, len(rows[k]) - 1, 2 * len(words))
        fits = len(rows[k + 1]) in (len(rows[k]), len(rows[k]) + 1)
        if wide and fits and not any(map(is_number, names)) and any(map(is_number, rows[k + 1])):
            return k
    return 0
