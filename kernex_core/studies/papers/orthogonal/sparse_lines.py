"""Lines of sparse files: SVMlight and KDD Cup 2001, each fault told by its line and by what was found there."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.inputs.tables.label_values import as_label

UNPACKED_LIMIT = 1_000_000_000
"""Bytes of text that a compressed file may unpack to: the competition's file of 1909 lines takes 532 MB."""
LINE_LIMIT = 5_000_000
"""Characters of one line."""
INDEX_LIMIT = 2**63 - 1
"""Largest index: only those that occur take memory."""
_GZIP, _UTF_8_MARK, _UTF_16_MARKS = b"\x1f\x8b", b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class SparseLine(NamedTuple):
    """What is not 0 in one line: class, indices from 1, values, and how many features the line speaks of."""

    label: str
    indices: IntArray
    values: FloatArray
    width: int


def text_lines(data: bytes, filename: str) -> Iterator[tuple[int, bytes]]:
    """Number and text of each line that is neither empty nor a comment, unpacked as it is read.

    Raises
    ------
    InvalidInputError
        A damaged gzip file, or UTF-16.
    TooLargeError
        More than `UNPACKED_LIMIT` bytes, or `LINE_LIMIT` in one line.
    """
    raw = io.BytesIO(data)
    stream = gzip.GzipFile(fileobj=raw) if data[:2] == _GZIP else raw
    total = number = 0
    try:
        while line := stream.readline(LINE_LIMIT):
            total, number = total + len(line), number + 1
            if total > UNPACKED_LIMIT or len(line) == LINE_LIMIT:
                raise TooLargeError(
                    f"{filename} may unpack to {UNPACKED_LIMIT:,} bytes and {LINE_LIMIT:,} a line", "more"
                )
            if number == 1 and line.startswith(_UTF_16_MARKS):
                raise InvalidInputError(
                    f"{filename} has to be text in UTF-8", "the mark of UTF-16", "Save it as UTF-8"
                )
            line = line.removeprefix(_UTF_8_MARK).strip() if number == 1 else line.strip()
            if line and not line.startswith(b"#"):
                yield number, line
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(f"{filename} has to be a whole gzip file", str(error)) from error


def is_separated(line: bytes) -> bool:
    """Whether a first line is of the form `label,0,1,...`."""
    return b"," in line.split(b"#", 1)[0]


def class_name(text: str) -> str:
    """Name of a class: numbers that are equal are one class ("+1", "1" and "1.0"); "" for ?, NA and the like."""
    label = as_label(text)
    if not _NUMBER.fullmatch(label):
        return label
    value = float(label)
    if re.fullmatch(r"[+-]?\d+", label, re.ASCII) and len(label) <= 300:
        return str(int(label))
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def read_pairs(line: bytes, number: int, filename: str) -> SparseLine:
    """Read `label index:value index:value ...`; what follows # is a comment."""
    label, *pairs = line.split(b"#", 1)[0].split()
    indices = np.empty(len(pairs), dtype=np.int64)
    values = np.empty(len(pairs), dtype=np.float64)
    for place, pair in enumerate(pairs):
        index, colon, value = pair.partition(b":")
        if not colon or not index.lstrip(b"+-").isdigit():
            raise InvalidInputError(
                f"A line of {filename} is label index:value index:value ..., or label,0,1,0,...",
                f"{_shown(pair)} in line {number}",
            )
        indices[place] = _index(index, number, filename)
        values[place] = _value(value, f"at index {_shown(index, quoted=False)}", number, filename)
    ordered = np.sort(indices)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if twice.size:
        raise InvalidInputError(
            f"In a line of {filename} every index stands once",
            f"index {twice[0]} twice in line {number}",
            "Add up or leave out what is said twice",
        )
    kept = values != 0.0
    return SparseLine(
        _label(label, number, filename), indices[kept], values[kept], int(ordered[-1]) if pairs else 0
    )


def read_separated(line: bytes, number: int, filename: str) -> SparseLine:
    """Read `label,0,1,0,...`, of which what is not 0 is kept."""
    label, _, rest = line.partition(b",")
    digits = np.frombuffer(rest, dtype=np.uint8)
    plain = digits.size % 2 == 1 and not rest.replace(b"0", b"").replace(b"1", b"").replace(b",", b"")
    if plain and (digits[1::2] == ord(",")).all() and (digits[::2] != ord(",")).all():
        # zeros and ones, by far the most of the competition's file, are read without splitting
        values = (digits[::2] == ord("1")).astype(np.float64)
    else:
        fields = rest.split(b",")
        values = np.array(
            [_value(field, f"in column {at}", number, filename) for at, field in enumerate(fields, start=2)]
        )
    places = np.flatnonzero(values)
    return SparseLine(
        _label(label, number, filename), (places + 1).astype(np.int64), values[places], values.size
    )


def _index(text: bytes, number: int, filename: str) -> int:
    digits = text.lstrip(b"+-").lstrip(b"0")
    beyond = len(digits) > len(str(INDEX_LIMIT)) or int(digits or b"0") > INDEX_LIMIT
    if beyond:
        raise InvalidInputError(
            f"An index in {filename} is at most {INDEX_LIMIT:,}",
            f"index {_shown(text, quoted=False)} in line {number}",
            "Number the features from 1 on",
        )
    if not digits or text.startswith(b"-"):
        raise InvalidInputError(
            f"The indices in {filename} begin with 1",
            f"index {_shown(text, quoted=False)} in line {number}",
            "Add 1 to every index of the file",
        )
    return int(digits)


def _value(text: bytes, where: str, number: int, filename: str) -> float:
    try:
        value = float(text) if b"_" not in text else float("nan")
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        found = (
            f"{_shown(text)} {where} of line {number}"
            if text.strip()
            else f"nothing {where} of line {number}"
        )
        raise InvalidInputError(
            f"Every value of {filename} has to be a finite number", found, "Leave out or fill what is unknown"
        )
    return value


def _label(text: bytes, number: int, filename: str) -> str:
    try:
        return class_name(text.decode())
    except UnicodeDecodeError:
        raise InvalidInputError(
            f"The labels of {filename} have to be text in UTF-8", f"{_shown(text)} in line {number}"
        ) from None


def _shown(text: bytes, *, quoted: bool = True) -> str:
    shown = text[:40].decode("utf-8", "replace") + ("…" if len(text) > 40 else "")
    return repr(shown) if quoted else shown
