"""A column of classes beside a square matrix: found by its name or because its text repeats, and taken out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.columns import LABEL_NAME, column_words, find_column, is_text_column
from kernex_core.inputs.tables.layout import Layout, find_layout, looks_symmetric, shared_axis
from kernex_core.inputs.tables.table import UNKNOWN, Table

# Numbers that stand for "unknown" or "overflow": what programs write in place of a missing value.

LARGEST = 1e300
"""No measurement is as large; 1e308 and the largest double are overflows."""
LIMITS = (-(2.0**31), 2.0**31 - 1, 2.0**32 - 1, -(2.0**63), 2.0**63, 2.0**64)
"""Smallest and largest whole numbers of 32 and 64 bits."""
LARGEST_SINGLE = float(np.finfo(np.float32).max)
"""Largest float of 32 bits, of either sign; printed with six digits."""
NINES = (-999.0, -9999.0, -99999.0, -999999.0)
"""Unknown in the manner of surveys, where everything else is further from it than from 0."""
APART = 10.0


def sentinels(values: FloatArray) -> BoolArray:
    """Mask of the entries that stand for unknown ones.

    Parameters
    ----------
    values : float array
        NaN = unknown, not in the mask.
    """
    low, high = _range(values)
    found: BoolArray = np.zeros(values.shape, dtype=np.bool_)
    if max(-low, high) >= LIMITS[1]:
        size = np.abs(values)
        found = ((size >= LARGEST) & np.isfinite(values)) | np.isin(values, LIMITS)
        found |= np.abs(size - LARGEST_SINGLE) <= 1e-5 * LARGEST_SINGLE
    if low > NINES[0]:
        return found
    for nine in NINES:
        there = values == nine
        others = np.where(there | found, np.nan, values)
        if there.any() and _range(others)[0] > nine / APART and not np.isnan(others).all():
            found |= there
    return found


def without_sentinels(values: FloatArray, noun: str = "Entries") -> tuple[FloatArray, tuple[Note, ...]]:
    """Values in which sentinels are unknown, with a note that says which numbers and how many."""
    found = sentinels(values)
    count = int(found.sum())
    if not count:
        return values, ()
    shown = ", ".join(f"{value:.17g}" for value in np.unique(values[found])[:4])
    note = Note(
        f"{noun} that are {shown}, as programs write where they have no value: {count:,}.",
        "They are unknown.",
        "If they were measured, write them in another unit.",
        "warning",
    )
    return np.where(found, np.nan, values), (note,)


def far_notes(distances: FloatArray) -> tuple[Note, ...]:
    """A note on distances of 999, 9999 and so on, more than ten times all others: perhaps "too far", or unknown."""
    _, high = _range(distances)
    if high not in [-nine for nine in NINES]:
        return ()
    there = distances == high
    _, next_one = _range(np.where(there, np.nan, distances))
    if next_one <= 0.0 or high <= APART * next_one:
        return ()
    return (
        Note(
            f"Distances that are {high:.17g}, while all others are at most {next_one:.6g}: {int(there.sum()):,} entries.",
            "They are read as they stand.",
            "Write NA in their place if they mean unknown or too far.",
            "warning",
        ),
    )


def _range(values: FloatArray) -> tuple[float, float]:
    """Smallest and largest known value; 0 and 0 if none is."""
    if values.size == 0:
        return 0.0, 0.0
    low, high = float(np.fmin.reduce(values, axis=None)), float(np.fmax.reduce(values, axis=None))
    return (low, high) if low <= high else (0.0, 0.0)


_NO_LABEL = UNKNOWN - {"none"}
_LIKE_UNKNOWN = frozenset({"<na>", "n.a.", "na.", "-nan", "na_character_", "na_integer_"})


def as_label(field: str) -> str:
    """Label of a field without outer white space; "" (unlabelled) for an empty field, ?, NA, -2147483648 and the like."""
    label = field.strip()
    return "" if label.lower() in _NO_LABEL or is_sentinel(label) else label


def is_sentinel(label: str) -> bool:
    """Whether a label is what programs write where they have none: the smallest whole number, -999, the largest float."""
    if label.lower() in _LIKE_UNKNOWN:
        return True
    if len(label) < 4 or label[-1] not in "0123456789":
        return False
    try:
        value = float(label)
    except ValueError:
        return False
    return value in LIMITS or value in NINES or abs(value) >= LARGEST


def sentinel_notes(fields: Sequence[str]) -> list[Note]:
    """A note on the labels that stand for none without being empty."""
    found = [field.strip() for field in fields if is_sentinel(field.strip())]
    if not found:
        return []
    text = f"Labels that are {listed(sorted(set(found)))}, as programs write where they have none: {len(found):,}."
    return [Note(text, "These items have no label.", "Rename the class if it was meant.", "warning")]


FEWEST_FIELDS = 3
"""Two items and their class: with fewer fields in a row there is no matrix beside a column."""


@dataclass(frozen=True)
class MatrixTable:
    """A table of a matrix, with the column of classes taken apart.

    Attributes
    ----------
    table : Table
        Without that column.
    layout : Layout
        Of the rest.
    whole : Table
    column : int or None
        Position of the column of classes.
    """

    table: Table
    layout: Layout
    whole: Table
    column: int | None = None

    @property
    def title(self) -> str:
        """What the column is called on top, if there is a line on top."""
        first = self.whole.head[0].fields
        named = self.layout.header and self.column is not None and self.column < len(first)
        return first[self.column].strip() if named and self.column is not None else ""

    def labels(self) -> list[str] | None:
        """Class of every row, or None without such a column."""
        at = self.column
        if at is None:
            return None
        rows = list(self.whole.rows())[int(self.layout.header) :][: self.layout.n_rows]
        return [as_label(row.fields[at]) if at < len(row.fields) else "" for row in rows]


def take_apart(table: Table, ids: str = "auto", label_column: str = "") -> MatrixTable:
    """Find a column of classes whose removal leaves a square matrix.

    A column is taken for classes if it is asked for, if the line on top calls it label, class, target, superfamily or
    the like, if it holds text that repeats, which ids must not, or if the rest has the same ids on top and on the left;
    and only where the rest is square. A table that is a matrix as it stands is left alone unless its left column
    repeats: such text cannot be the ids of rows.

    Parameters
    ----------
    table : Table
    ids : str
        See MatrixOptions.
    label_column : str
        Name or number of the column, if the user says which.

    Raises
    ------
    InvalidInputError
        A column that is asked for and does not exist.
    """
    whole = MatrixTable(table, find_layout(table, ids), table)
    if label_column:
        width = max(len(row.fields) for row in table.head)
        names = [field.strip() for field in table.head[0].fields]
        asked = find_column(label_column, names + [""] * (width - len(names)), "The label column", table.name)
        return _without(table, asked, ids)
    beside = int(whole.layout.first_column)
    among_numbers = [k for k in _text_columns(table) if k >= beside]
    if whole.layout.square and not among_numbers and not (beside and _repeats(table, 0)):
        return whole
    candidates = (_without(table, k, ids) for k in _candidates(table))
    return next((made for made in candidates if _is_matrix(made)), whole)


def _without(table: Table, column: int, ids: str) -> MatrixTable:
    rest = replace(table, left_out=column)
    return MatrixTable(rest, find_layout(rest, ids), table, column)


def _is_matrix(made: MatrixTable) -> bool:
    if not made.layout.square or made.layout.n_columns < 2:
        return False
    if made.layout.header and made.layout.first_column and shared_axis(made.table, made.layout) == 1.0:
        return True
    # without ids on both axes to tell, as many measurements as items can be chance
    called = LABEL_NAME.match(column_words(made.title)) is not None
    return looks_symmetric(made.table, made.layout) and (called or _repeats(made.whole, made.column or 0))


def _candidates(table: Table) -> list[int]:
    """Columns of text that may be classes: those that are called so, those that repeat, all others."""
    widths = [len(row.fields) for row in table.head]
    # far more rows than columns are no matrix, whichever column is left out: nobody counts them again for each
    if min(widths) < FEWEST_FIELDS or table.n_rows - table.n_blank_at_end > max(widths) + 1:
        return []
    first = table.head[0].fields
    text = _text_columns(table)
    named = [k for k in text if k < len(first) and LABEL_NAME.match(column_words(first[k]))]
    repeated = [k for k in text if k not in named and _repeats(table, k)]
    return [*named, *repeated, *(k for k in text if k not in named and k not in repeated)]


def _text_columns(table: Table) -> list[int]:
    width = max(len(row.fields) for row in table.head[:20])
    return [k for k in range(width) if is_text_column(table, k, 1)]


def _repeats(table: Table, column: int) -> bool:
    fields: Sequence[str] = [row.fields[column] for row in table.head if column < len(row.fields)]
    known = [field.strip() for field in fields if field.strip()]
    return len(set(known)) < len(known)
