"""Lines of sparse files (SVMlight, LIBSVM): label index:value index:value …, each fault told by its line."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.tables.class_column import as_label

INDEX_LIMIT = 2**63 - 1
"""Largest index that there is."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_PLAIN = re.compile(r"(?:\s++\d{1,18}+:[^\s:_]++)*+\s*", re.ASCII)
"""Pairs without anything odd: they are read all at once."""


class SparseLine(NamedTuple):
    """What is not 0 in one line.

    Attributes
    ----------
    label : str
        "" for none.
    group : str
        Behind `qid:`; "" for none.
    indices : (k,) int
        As they stand.
    values : (k,) float
    comment : str
        Behind #, without blanks around it.
    width : int
        How many features the line speaks of, indices beginning with 1; 0 where nothing is said.
    least : int
        Smallest index, also of a 0 that is listed; 1 where none is.
    """

    label: str
    indices: IntArray
    values: FloatArray
    width: int
    group: str = ""
    comment: str = ""
    least: int = 1


def class_name(text: str) -> str:
    """Name of a class: numbers that are equal are one class ("+1", "1" and "1.0"); "" for ?, NA and the like."""
    label = as_label(text)
    if not _NUMBER.fullmatch(label):
        return label
    value = float(label)
    if re.fullmatch(r"[+-]?\d+", label, re.ASCII) and len(label) <= 300:
        return str(int(label))
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def read_pairs(line: str, number: int, filename: str, *, first_index: int = 1) -> SparseLine:
    """Read `label index:value index:value ...`; what follows # is a comment.

    A line may begin with a pair, and has no label then; `qid:3` behind the label is the group of the item.

    Parameters
    ----------
    line : str
    number : int
    filename : str
        For messages.
    first_index : int
        Smallest index that is taken, 0 or 1.

    Raises
    ------
    InvalidInputError
        Something else, an index that is too small, too large or there twice, or a value that is no finite number.
    """
    body, _, comment = line.partition("#")
    label, rest = _first_word(body)
    if ":" in label:
        label, rest = "", body
    word, behind = _first_word(rest) if "qid:" in rest[:100] else ("", "")
    group = word[4:] if word.startswith("qid:") else ""
    rest = behind if group else rest
    indices, values = _pairs(rest, number, filename)
    order = np.argsort(indices, kind="stable")
    if (np.diff(order) != 1).any():
        indices, values = indices[order], values[order]
    twice = indices[1:][indices[1:] == indices[:-1]]
    if twice.size:
        raise InvalidInputError(
            f"In a line of {filename} every index stands once",
            f"index {twice[0]} twice in line {number}",
            "Add up or leave out what is said twice",
        )
    least = int(indices[0]) if indices.size else 1
    if least < first_index:
        raise InvalidInputError(
            f"The indices in {filename} begin with {first_index}",
            f"index {least} in line {number}",
            "Add 1 to every index of the file" if least == 0 else "Number the features from 1 on",
        )
    width = int(indices[-1]) if indices.size else 0
    kept = values != 0.0
    if not kept.all():
        indices, values = indices[kept], values[kept]
    return SparseLine(class_name(label), indices, values, width, group, comment.strip(), least)


def _first_word(text: str) -> tuple[str, str]:
    """The first word, and what is behind it."""
    first, *rest = text.split(None, 1) or [""]
    return first, rest[0] if rest else ""


def _bits(text: str) -> IntArray | None:
    """Indices where every value is written 1, as of fingerprints: half of the numbers need not be read."""
    closed = f"{text.rstrip()} "
    count = closed.count(":")
    if closed.count(":1 ") != count or "_" in closed or not closed.isascii():
        return None
    words = closed.replace(":1 ", " ").split()
    try:
        return np.fromiter(map(int, words), np.int64, len(words)) if len(words) == count else None
    except (ValueError, OverflowError):  # said below, with what it is and where
        return None


def _pairs(text: str, number: int, filename: str) -> tuple[IntArray, FloatArray]:
    bits = _bits(text)
    if bits is not None:
        return bits, np.ones(bits.size)
    if _PLAIN.fullmatch(f" {text}"):
        words = text.replace(":", " ").split()
        try:
            indices = np.fromiter(map(int, words[::2]), np.int64, len(words) // 2)
            values = np.fromiter(map(float, words[1::2]), np.float64, len(words) // 2)
        except ValueError:  # said below, with what it is and where
            values = np.array([np.nan])
        if np.isfinite(values).all():
            return indices, values
    pairs = text.split()
    indices, values = np.empty(len(pairs), dtype=np.int64), np.empty(len(pairs), dtype=np.float64)
    for place, pair in enumerate(pairs):
        index, colon, value = pair.partition(":")
        if not colon or not re.fullmatch(r"[+-]?\d+", index, re.ASCII):
            raise InvalidInputError(
                f"A line of {filename} is label index:value index:value ..., or label,0,1,0,...",
                f"{_shown(pair)} in line {number}",
            )
        indices[place] = _index(index, number, filename)
        values[place] = number_of(value, f"at index {_shown(index, quoted=False)}", number, filename)
    return indices, values


def _index(text: str, number: int, filename: str) -> int:
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > len(str(INDEX_LIMIT)) or int(digits or "0") > INDEX_LIMIT:
        raise InvalidInputError(
            f"An index in {filename} is at most {INDEX_LIMIT:,}",
            f"index {_shown(text, quoted=False)} in line {number}",
            "Number the features from 1 on",
        )
    return -int(digits or "0") if text.startswith("-") else int(digits or "0")


def number_of(text: str, where: str, number: int, filename: str) -> float:
    """The finite number that a text is.

    Raises
    ------
    InvalidInputError
        None: the line is named, and where it stands there.
    """
    try:
        value = float(text) if "_" not in text else float("nan")
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


def _shown(text: str, *, quoted: bool = True) -> str:
    shown = text[:40] + ("…" if len(text) > 40 else "")
    return repr(shown) if quoted else shown
