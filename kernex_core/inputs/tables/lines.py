"""Lines of a text, counted before anybody splits them, and cut out of it only as far as somebody asks for them."""

from __future__ import annotations

import csv
import itertools
import operator
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final, overload

import numpy as np

from kernex_core.base.errors import TooLargeError
from kernex_core.base.validation import SAMPLE_LIMIT, check_item_count
from kernex_core.inputs.upload import Upload

# Lines of a text, cut out of it only as far as somebody asks for them: most of them nobody does, one by one.

PIECE: Final = 1 << 18
"""Characters that are split at once."""
LONG: Final = 200
"""Characters that lines have on average from which on a step of Python's own for each costs little."""
_MAYBE_BLANK: Final = np.array([chr(k).isspace() or chr(k) == "?" for k in range(256)])
"""By code: letters of Latin-1 that are white space, and what stands for all others."""


class Lines(Sequence[str]):
    """Lines of a text, as `text.split("\\n")` gives them, from one of them on.

    Parameters
    ----------
    text : str
    start : int
        Where the first of them begins.
    """

    def __init__(self, text: str, start: int = 0) -> None:
        self._text, self._start = text, start
        self._starts = [start]  # of the first lines, as far as they were asked for

    @property
    def text(self) -> str:
        """All of them."""
        return self._text[self._start :]

    def has(self, text: str) -> bool:
        """Whether a text that is not empty stands in them."""
        return self._text.find(text, self._start) >= 0

    @cached_property
    def _length(self) -> int:
        return self._text.count("\n", self._start) + 1

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            if at.stop is None and at.step in (None, 1) and (first := at.start or 0) >= 0:
                with suppress(IndexError):
                    return Lines(self._text, self._start_of(first))
                return ()
            if at.stop is not None and min(at.start or 0, at.stop) >= 0:
                return list(itertools.islice(self, at.start, at.stop, at.step))
            return [self[k] for k in range(len(self))[at]]
        return self._line_at(self._start_of(range(len(self))[at] if at < 0 else at))

    def _start_of(self, line: int) -> int:
        while len(self._starts) <= line:
            end = self._text.find("\n", self._starts[-1])
            if end < 0:
                raise IndexError(line)
            self._starts.append(end + 1)
        return self._starts[line]

    def __iter__(self) -> Iterator[str]:
        at, size = self._start, PIECE >> 6  # few lines are wanted as a rule
        while (end := self._text.find("\n", at + size)) >= 0:
            yield from self._text[at:end].split("\n")
            at, size = end + 1, min(2 * size, PIECE)
        yield from self._text[at:].split("\n")

    def blank_at_first(self) -> Iterator[str]:
        """Those that are empty or begin with white space, and perhaps others."""
        if len(self) * LONG < len(self._text) - self._start:
            for k in range(len(self)):
                start = self._start_of(k)
                if not self._text[start : start + 1].strip():
                    yield self._line_at(start)
            return
        codes = np.frombuffer(self.text.encode("latin-1", "replace") + b"\n", np.uint8)
        starts = np.concatenate([[0], np.flatnonzero(codes[:-1] == ord("\n")) + 1])
        maybe = starts[_MAYBE_BLANK[codes[starts]]]
        yield from map(self._line_at, (self._start + maybe).tolist())

    def _line_at(self, start: int) -> str:
        end = self._text.find("\n", start)
        return self._text[start:] if end < 0 else self._text[start:end]

    def __reversed__(self) -> Iterator[str]:
        end = len(self._text)
        while (at := self._text.rfind("\n", self._start, end)) >= 0:
            yield self._text[at + 1 : end]
            end = at
        yield self._text[self._start : end]


def occurs(mark: str, lines: Sequence[str]) -> bool:
    """Whether any of the lines holds a letter; of very many that is looked at without a step of Python's own for each."""
    if isinstance(lines, Lines):
        return lines.has(mark)
    return any(map(operator.contains, lines, itertools.repeat(mark)))


def begins(mark: str, lines: Sequence[str]) -> bool:
    """Whether any of the lines begins with a letter."""
    if isinstance(lines, Lines):
        return lines.has(mark) and (lines[0].startswith(mark) or lines.has("\n" + mark))
    return any(map(str.startswith, lines, itertools.repeat(mark)))


def joined(lines: Sequence[str]) -> str:
    """The text of lines."""
    return lines.text if isinstance(lines, Lines) else "\n".join(lines)


# Counts that are cheap come first: what is refused for a count is refused before anybody splits it into fields.
#
# Lines, columns of the first line and records are counted in the bytes of a text. Whoever reads it counts again, with
# care.

MOST_COLUMNS: Final = 500_000
"""A wider line is refused before every format has looked at it, which takes minutes for a line of megabytes."""
MOST_LINES: Final = 5_000_000
"""As many as edges are read; of items there are never so many."""
MOST_OF_A_FIELD: Final = 4 * csv.field_size_limit()
"""Bytes without a separator or an end of line: no table takes so many letters as one field."""
_HEAD: Final = 100_000
_SHOWN: Final = 50
"""Lines that are looked at."""
_MARKUP: Final = re.compile(
    rb"\xef?\xbb?\xbf?\s*<|(#[^\n]*\n|\s|Creator[^\n]*\n|Version[^\n]*\n)*graph\s*\[", re.IGNORECASE
)
"""How GraphML and GML begin, which may stand on one line: their elements are counted by those who read them."""
_SEPARATORS: Final = (b",", b";", b"\t", b" ")
_ENDS: Final = (*_SEPARATORS, b"\n", b"\r")


def check_counts(upload: Upload, limit: int = SAMPLE_LIMIT) -> None:
    """Refuse a text that has more columns, lines, letters a field, or items one a line than anything is read of.

    Parameters
    ----------
    upload : Upload
    limit : int
        Of items; pairs of them may be more.

    Raises
    ------
    TooLargeError
    """
    data = upload.data
    if b"\0" in data[:1024] or data.startswith(b"PK") or not upload.is_text or _MARKUP.match(data[:_HEAD]):
        return
    end = b"\n" if b"\n" in data else b"\r"
    shown = [line.strip() for line in data[:_HEAD].split(end)[:_SHOWN]]
    first = next((line for line in shown if line and not line.startswith((b";", b"#"))), b"")
    records = first.startswith(b">")  # of FASTA: a sequence may stand on one line, however long it is
    lines = upload.remembered("lines", lambda: _checked_lines(data, end, upload.filename, fields=not records))
    if lines <= min(limit, MOST_LINES):
        return
    if records:
        check_item_count(data.count(end + b">") + data.startswith(b">"), limit)
        return
    if lines > MOST_LINES:
        raise TooLargeError(
            f"A text may have at most {MOST_LINES:,} lines",
            f"{lines:,} in {upload.filename}",
            "Bring a part of it",
        )
    if not any(
        mark in line for line in shown for mark in _SEPARATORS
    ):  # one item a line, pairs they cannot be
        check_item_count(lines - data.count(2 * end), limit)


def _checked_lines(data: bytes, end: bytes, filename: str, *, fields: bool) -> int:
    """Number of lines, once none of them, and no field, is too long."""
    _check_width(data, filename)
    if fields:
        _check_fields(data, filename)
    return data.count(end)


def _check_width(data: bytes, filename: str) -> None:
    """Count separators of every line that is long enough to have too many."""
    at, end = 0, b"\n" if b"\n" in data else b"\r"
    while at + MOST_COLUMNS < len(data):
        last = data.rfind(end, at, at + MOST_COLUMNS)
        if last < 0:  # not one line ends there
            last = data.find(end, at + MOST_COLUMNS)
            last = len(data) if last < 0 else last
            columns = 1 + max(data.count(mark, at, last) for mark in _SEPARATORS)
            if columns > MOST_COLUMNS:
                raise TooLargeError(
                    f"A table may have at most {MOST_COLUMNS:,} columns",
                    f"{columns:,} in line {data.count(end, 0, at) + 1:,} of {filename}",
                    "Write one item a line, and end the lines with a line feed",
                )
        at = last + 1


def _check_fields(data: bytes, filename: str) -> None:
    """Go from separator to separator in steps as long as a field may be."""
    at = 0
    while at + MOST_OF_A_FIELD < len(data):
        last = max(data.rfind(mark, at, at + MOST_OF_A_FIELD) for mark in _ENDS)
        if last < 0:
            line = data.count(b"\n", 0, at) + 1
            raise TooLargeError(
                f"A field of a table may have at most {csv.field_size_limit():,} characters",
                f"more than {MOST_OF_A_FIELD:,} bytes without a separator, from line {line:,} of {filename} on",
                "Look for a quotation mark that is not closed; break long sequences into lines",
            )
        at = last + 1
