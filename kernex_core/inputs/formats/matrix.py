"""Square matrices as text: any separator, ids on both axes, on one or on none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import TEXT_ENDINGS, Format, Suggestion
from kernex_core.inputs.names import listed
from kernex_core.inputs.options import (
    Commas,
    IdsStand,
    SimilarityOptions,
    comma_option,
    ids_option,
    label_option,
)
from kernex_core.inputs.samples import Labels, Note, Similarity
from kernex_core.inputs.similarities.finish import similarity
from kernex_core.inputs.tables.class_column import MatrixTable, take_apart
from kernex_core.inputs.tables.expression import known_table
from kernex_core.inputs.tables.layout import (
    MOSTLY,
    Layout,
    column_order,
    looks_symmetric,
    missing_ids,
    numeric_share,
    one_axis,
    one_short,
    shared_axis,
)
from kernex_core.inputs.tables.table import Row, Table, table_of
from kernex_core.inputs.upload import Upload

LETTERS = 15
"""From so many one-letter ids on a matrix looks like scores of letters."""


@dataclass(frozen=True)
class MatrixOptions(SimilarityOptions):
    """How a matrix of text is read."""

    ids: IdsStand = ids_option("items")
    comma: Commas = comma_option()
    label_column: str = label_option("one beside the matrix, by its name or its repeated text", hidden=True)


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a square matrix of text."""
    found: float = upload.remembered("matrix", lambda: _sniffed(upload))
    return found


def _sniffed(upload: Upload) -> float:
    if not upload.is_text or known_table(upload) is not None:
        return 0.0
    return sniff_table(table_of(upload))


def sniff_table(table: Table) -> float:
    """Confidence that a table is a square matrix."""
    if not table.head:
        return 0.0
    found = take_apart(table)
    table, layout = found.table, found.layout
    share = numeric_share(table, layout)
    if share >= MOSTLY and one_short(table, layout):
        return 0.9
    if not layout.square or layout.n_columns < 2:
        return 0.05 if share >= MOSTLY else 0.0
    if layout.header and layout.first_column:
        shared = shared_axis(table, layout)
        if shared < 1.0 and share >= MOSTLY and one_axis(table, layout):
            return 0.9
        return 0.95 if shared == 1.0 else 0.7 if shared else 0.4 if share >= 0.5 else 0.0
    if share >= MOSTLY:
        # as many items as measurements can be chance in a small table
        return 0.9 if looks_symmetric(table, layout) else 0.65 if layout.n_columns >= 10 else 0.5
    # a square table with some text in it is a matrix with mistakes, which reading it will name
    return 0.3 if share >= 0.5 else 0.0


def suggest(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand; the page offers a conversion where the numbers look like distances."""
    return Suggestion(MatrixOptions())


def read(upload: Upload, options: MatrixOptions) -> Similarity:
    """Read a square matrix of text.

    Raises
    ------
    InvalidInputError
        Not square, ids that differ between the axes, or an entry that is no number.
    TooLargeError
        More items than the limit, before room for them is taken.
    """
    return read_table(table_of(upload), upload, options)


def read_table(table: Table, upload: Upload, options: MatrixOptions) -> Similarity:
    """Read a square matrix from rows of fields, whatever file they come from."""
    values, ids, notes, found = square_of(table, options)
    if upload.is_text and upload.encoding == "latin-1":
        notes = (*notes, Note("The text is not UTF-8.", "It is read as Latin-1.", "Save it as UTF-8."))
    if _of_letters(ids):
        note = Note(
            "Every id is a single letter: this looks like a substitution matrix, not like similarities of items.",
            "It is read as similarities all the same.",
            "Choose it beside Smith-Waterman or local alignment on the page Strings instead.",
            "warning",
        )
        notes = (*notes, note)
    both = found.layout.header and found.layout.first_column
    classes = None if found.column is None else _Classes(_column(found), found.labels() or [])
    del table, found
    upload.let_go_of_text()
    made = similarity(values, ids or None, upload, options, notes, guessed=not both)
    return made if classes is None else _labelled(made, classes)


def square_of(
    table: Table, options: MatrixOptions
) -> tuple[FloatArray, list[str], tuple[Note, ...], MatrixTable]:
    """Numbers (n, n) of a square table as they are written, the ids, notes on them, and how the table was taken apart.

    Raises
    ------
    InvalidInputError, TooLargeError
        See `read`.
    """
    found = take_apart(table, options.ids, options.label_column)
    table, layout = found.table, found.layout
    check_item_count(max(layout.n_rows, layout.n_columns), options.limit)
    if one_short(table, layout):
        missing = missing_ids(table, layout)
        raise InvalidInputError(
            "A similarity matrix has a row and a column for each item",
            f"no {missing[0]} for {listed([repr(name) for name in missing[1]])} in {table.name}",
            "Add what is missing; if columns are measurements, upload it as vectors",
        )
    if not layout.square:
        raise InvalidInputError(
            "A similarity matrix has as many rows as columns",
            f"{layout.n_rows} rows and {layout.n_columns} columns of numbers in {table.name}",
            "If its rows are items and its columns are measurements, upload it as vectors",
        )
    values, top, left = _numbers(table, layout)
    notes: tuple[Note, ...] = ()
    if options.ids == "auto" and len(left) > 1 and not top and all(name.strip().isdecimal() for name in left):
        notes = (
            Note(
                f"The first column holds the whole numbers {left[0]}, {left[1]}, …, each once.",
                "They are read as ids, because the rest is square and symmetric.",
                'If they are similarities, say that ids stand "nowhere"; the matrix is then one row short.',
            ),
        )
    if top and left and top != left:
        order, left, found_order = column_order(top, left, table.name)
        values, notes = values[:, order], (*notes, *found_order)
    return values, left or top, notes, found


def _of_letters(ids: Sequence[str]) -> bool:
    """Whether ids are the letters of a substitution matrix: at least 15 of them, each once."""
    names = [name.strip() for name in ids]
    return len(names) >= LETTERS and all(len(name) == 1 and not name.isdigit() for name in names)


def _column(found: MatrixTable) -> str:
    return repr(found.title) if found.title else str((found.column or 0) + 1)


class _Classes(NamedTuple):
    """A column of classes beside a matrix: what it is called, and what stands in it."""

    column: str
    texts: list[str]


def _labelled(made: Similarity, classes: _Classes) -> Similarity:
    """The similarities with the labels of the column beside them."""
    recipe = made.recipe and part(made.recipe, "labels")
    labels = Labels(made.ids, np.array(classes.texts, dtype=np.str_), recipe=recipe)
    note = Note(
        f"Column {classes.column} beside the matrix holds {len(labels.classes)} classes.",
        "It is read as the labels.",
        "Leave the column out of the file if it is something else.",
        "fine",
    )
    return replace(made, labels=labels, notes=(*made.notes, note))


def _numbers(table: Table, layout: Layout) -> tuple[FloatArray, list[str], list[str]]:
    """All numbers (n, n), with the ids on top and on the left."""
    n, rows = layout.n_columns, table.rows()
    top = next(rows).fields[-n:] if layout.header else []
    table.check_commas()
    if (block := table.block(layout.header, layout.first_column, n)) is not None:
        return block[0], top, block[1]
    values, left = np.full((n, n), np.nan), list[str]()
    position = 0
    for row in rows:
        if position >= n and not any(field.strip() for field in row.fields):
            continue
        fields = _row_fields(row, n, layout, table)
        if layout.first_column:
            left.append(row.fields[0])
        if position < n:
            values[position] = table.numbers(row, fields, _place(top, left), int(layout.first_column))
        position += 1
    if position != n:
        raise InvalidInputError(
            "A similarity matrix has as many rows as columns",
            f"{position} rows and {n} columns in {table.name}",
        )
    return values, top, left


def _place(top: Sequence[str], left: Sequence[str]) -> Callable[[int], str]:
    """Name of an entry of the current row by the ids that there are."""

    def name(column: int) -> str:
        parts = [f"row {left[-1]!r}"] if left else []
        return ", ".join([*parts, f"column {top[column]!r}"] if column < len(top) else parts)

    return name


def _row_fields(row: Row, n: int, layout: Layout, table: Table) -> list[str]:
    fields = row.fields[layout.first_column :]
    if len(fields) != n:
        name = f" (id {row.fields[0]!r})" if layout.first_column else ""
        raise InvalidInputError(
            "Every row has to have as many entries",
            f"{len(fields)} in line {row.line}{name} of {table.name}, {n} elsewhere",
            "Write NA where an entry is unknown",
        )
    return fields


FORMAT = Format(
    "matrix", "Similarity matrix (text)", "similarity", TEXT_ENDINGS, sniff, suggest, read, MatrixOptions
)
