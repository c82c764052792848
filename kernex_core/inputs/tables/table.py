"""Rows and fields of a table: comments and quotes undone, numbers read with care, the odd entry named."""

from __future__ import annotations

import csv
import itertools
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.tables.dialect import NUMBER, SAMPLE, Dialect, find_dialect, without_comments
from kernex_core.inputs.upload import Upload, check_counts

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


UNKNOWN = frozenset({"", "?", "na", "nan", "n/a", "#n/a", "null", "none"})
"""What people write for an unknown number (compared without case and outer white space)."""
FIELDS = 20_000
"""Number of fields after which no more rows are looked at, once there are FEWEST."""
FEWEST = 8
DASHES = frozenset({"-", "–", "—", "--"})
"""What people write for an unknown number among numbers; as a label, - is the opposite of +."""
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
    lines : tuple of str
        Lines without the comments on top; empty if `given` is set.
    skipped : int
        Number of lines on top that are not in `lines`.
    dialect : Dialect
    given : tuple of Row or None
        Rows that come from a workbook.
    left_out : int or None
        Position of a column that is passed over, because it holds something else than the others (labels).
    """

    name: str
    lines: tuple[str, ...]
    dialect: Dialect
    skipped: int = 0
    given: tuple[Row, ...] | None = None
    left_out: int | None = None

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
        return any("'" in line for line in self.lines)

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
    def n_rows(self) -> int:
        """Number of rows that are not empty."""
        if self.given is not None:
            return len(self.given)
        if self.dialect.quoted and any('"' in line for line in self.lines):
            return sum(1 for _ in self.rows())
        return sum(map(self._is_row, self.lines))

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
        if self.dialect.decimal_comma and "." not in text:
            text = text.replace(",", ".")
        if NUMBER.match(text):
            return float(text)
        if text.lower() in UNKNOWN or text in DASHES:
            return math.nan
        if text.lower() in _INFINITE:
            return float(text)
        raise ValueError(field)

    def is_number(self, field: str) -> bool:
        """Whether a field is a number or infinite (unknown entries do not count)."""
        try:
            return not math.isnan(self.number(field))
        except ValueError:
            return False

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
        if not self.dialect.decimal_comma and "_" not in "".join(fields):
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


def table_of(upload: Upload) -> Table:
    """Find out how the text of an upload is written.

    Raises
    ------
    InvalidInputError
        Not text, or nothing but comments.
    """
    table: Table = upload.remembered("table", lambda: _opened(upload))
    return table


def _opened(upload: Upload) -> Table:
    check_counts(upload, sys.maxsize)  # of items, who reads them knows how many there may be
    body, skipped = without_comments(upload.text.split("\n"))
    table = Table(upload.filename, body, find_dialect(body), skipped)
    if not table.head:
        raise InvalidInputError(
            "A table needs rows",
            f"{upload.filename}, which has only comments or nothing",
            "Choose another file",
        )
    return table
