"""Head and entries of MatrixMarket files."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.inputs.upload import Upload

_HEAD = re.compile(r"%%MatrixMarket\s+matrix\s+(coordinate|array)\s+(\w+)\s+([\w-]+)\s*\n", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
_UNKNOWN = ["nan", "NaN", "NAN", "-nan"]
_REMEDY = "Write a real symmetric or general matrix: scipy.io.mmwrite(name, K)"


@dataclass(frozen=True)
class MarketSize:
    """What the head of a file says: layout, kind of numbers, symmetry, and size."""

    layout: str
    numbers: str
    symmetry: str
    rows: int
    columns: int
    entries: int
    end: int
    """Where the entries begin."""

    @property
    def n(self) -> int:
        """Rows, where it is square."""
        return self.rows


def market_size(upload: Upload, *, square: bool = True) -> MarketSize:
    """Layout and size from the head, checked against the length of the file: an entry takes two bytes or more."""
    text = upload.text
    head = _HEAD.match(text)
    body = re.compile(
        r"(?:[ \t]*(?:%.*)?\n)*[ \t]*(\d{1,12})[ \t]+(\d{1,12})(?:[ \t]+(\d{1,15}))?[ \t]*(?:\n|$)"
    )
    found = body.match(text, head.end()) if head else None
    if head is None or found is None:
        raise InvalidInputError(
            "A MatrixMarket file begins with its layout, its kind of numbers, its symmetry and its size",
            f"{text[:60]!r} in {upload.filename}",
            _REMEDY,
        )
    layout, numbers, symmetry = (part.lower() for part in head.groups())
    rows, columns = int(found[1]), int(found[2])
    if numbers not in ("real", "double", "integer", "pattern") or symmetry not in ("general", "symmetric"):
        raise InvalidInputError(
            "A MatrixMarket file of real numbers, general or symmetric, is read",
            f"{numbers} {symmetry} in {upload.filename}",
            _REMEDY,
        )
    if rows != columns and (square or symmetry == "symmetric"):
        raise InvalidInputError(
            "A network and similarities have as many rows as columns",
            f"{rows:,} rows and {columns:,} columns in {upload.filename}",
            "If its rows are items and its columns are measurements, read it as vectors",
        )
    if layout == "array":
        entries = rows * (rows + 1) // 2 if symmetry == "symmetric" else rows * columns
    else:
        entries = int(found[3] or 0)
    if 2 * entries > len(text):
        raise InvalidInputError(
            f"{upload.filename} has to be a whole MatrixMarket file",
            f"room for less than the {entries:,} entries that its head announces",
            "Save or transfer it again",
        )
    return MarketSize(layout, numbers, symmetry, rows, columns, entries, found.end())


def market_entries(upload: Upload, size: MarketSize) -> sparse.coo_array | FloatArray:
    """Entries of the file; the other half of a symmetric one is added.

    SciPy's own reader reaches beyond the end of some damaged files (a NUL byte, blanks after the last number), which
    ends the process: the numbers are read by pandas, and what the head announces is held against them.
    """
    numbers = _numbers(upload, size)
    if size.layout == "array":
        if size.symmetry == "general":
            return numbers[:, 0].reshape(size.columns, size.rows).T
        dense = np.zeros((size.n, size.n))
        column, row = np.triu_indices(size.n)  # the lower triangle, column by column
        dense[row, column] = dense[column, row] = numbers[:, 0]
        return dense
    places = numbers[:, :2]
    most = (size.rows, size.columns)
    wrong = np.flatnonzero(((places < 1) | (places > most) | (places != np.floor(places))).any(axis=1))
    if wrong.size:
        row_, column_ = places[wrong[0]]
        of = f"{size.n:,}" if size.rows == size.columns else f"{size.rows:,} × {size.columns:,}"
        raise _damaged(upload, f"entry {wrong[0] + 1:,} at row {row_:g} and column {column_:g} of {of}")
    i, j = places.T.astype(np.int64) - 1
    values = numbers[:, 2] if numbers.shape[1] == 3 else np.ones(i.size)
    if size.symmetry == "symmetric":
        off = i != j
        i, j = np.concatenate([i, j[off]]), np.concatenate([j, i[off]])
        values = np.concatenate([values, values[off]])
    return sparse.coo_array((values, (i, j)), shape=most)


def _numbers(upload: Upload, size: MarketSize) -> FloatArray:
    """One row a line below the head, with as many numbers as the layout has."""
    import pandas as pd

    width = 1 if size.layout == "array" else 2 if size.numbers == "pattern" else 3
    if size.entries == 0:
        return np.zeros((0, width))
    try:
        table = pd.read_csv(
            io.StringIO(upload.text[size.end :]),
            sep=r"\s+",
            header=None,
            comment="%",
            dtype=np.float64,
            keep_default_na=False,
            na_values=_UNKNOWN,
            quoting=csv.QUOTE_NONE,
        )
    except (ValueError, OverflowError):  # pandas' own errors are of the former
        raise _damaged(upload, _first_wrong(upload, size, width)) from None
    if table.shape != (size.entries, width):
        found = f"{len(table):,} lines of {table.shape[1]}"
        raise _damaged(upload, f"{found} numbers instead of {size.entries:,} lines of {width}")
    values: FloatArray = table.to_numpy()
    # a line that lacks its last number looks like one whose number is unknown
    unknown = int(np.isnan(values).sum())
    if unknown and unknown > upload.text.lower().count("nan", size.end):
        raise _damaged(upload, _first_wrong(upload, size, width))
    return values


def _first_wrong(upload: Upload, size: MarketSize, width: int) -> str:
    """Name the first line that is not made of so many numbers."""
    above = upload.text.count("\n", 0, size.end)
    for number, line in enumerate(upload.text[size.end :].splitlines(), above + 1):
        parts = line.partition("%")[0].split()
        if parts and (len(parts) != width or not all(_NUMBER.fullmatch(part) for part in parts)):
            return f"{line[:60]!r} in line {number:,}, where {width} numbers were expected"
    return f"no {size.entries:,} lines of {width} numbers below its head"


def _damaged(upload: Upload, found: str) -> InvalidInputError:
    return InvalidInputError(f"{upload.filename} has to be a whole MatrixMarket file", found, _REMEDY)
