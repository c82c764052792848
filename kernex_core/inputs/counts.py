"""Counts that are cheap come first: what is refused for a count is refused before anybody splits it into fields.

Lines, columns of the first line and records are counted in the bytes of a text. Whoever reads it counts again, with care.
"""

from __future__ import annotations

import csv
import re
from typing import Final

from kernex_core.base.errors import TooLargeError
from kernex_core.base.validation import SAMPLE_LIMIT, check_item_count
from kernex_core.inputs.upload import Upload

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
