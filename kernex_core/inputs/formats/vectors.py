"""Vectors: a table of numbers with one row an item, perhaps with ids and with a column of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import owned
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import TEXT_ENDINGS, Format, Suggestion, column_at, named_columns
from kernex_core.inputs.health import class_like_notes, vector_notes
from kernex_core.inputs.names import alike, counted, distinct
from kernex_core.inputs.options import (
    Answer,
    Commas,
    Question,
    SampleOptions,
    comma_option,
    id_option,
    label_option,
)
from kernex_core.inputs.r_objects import ENDINGS
from kernex_core.inputs.samples import Labels, Note, Vectors
from kernex_core.inputs.sparse_vectors import VALUE_LIMIT
from kernex_core.inputs.tables.class_column import as_label, without_sentinels
from kernex_core.inputs.tables.columns import (
    PLAIN_ID_NAME,
    PLAIN_LABEL_NAME,
    called_id,
    column_words,
    find_column,
    header_names,
    is_text_column,
    may_be_labels,
    measured_column,
    says_label,
    unique_ids,
)
from kernex_core.inputs.tables.expression import known_table, transposed
from kernex_core.inputs.tables.table import UNKNOWN, Row, Table
from kernex_core.inputs.tables.workbook import any_table, has_table, sheet_names
from kernex_core.inputs.upload import Upload

FEWEST = 3
"""Rows, and columns of numbers, from which on it tells something that one column alone has no fractions."""
KNOWN = 0.985
"""Confidence where a tool's lines on top say it."""


@dataclass(frozen=True)
class VectorOptions(SampleOptions):
    """How a table of vectors is read."""

    label_column: str = label_option()
    id_column: str = id_option("found by its name, else by its text")
    skip: str = parameter(
        "", help="Names or numbers of columns to leave out, with commas between.", label="Leave out"
    )
    items: Literal["auto", "rows", "columns"] = parameter(
        "auto",
        help="Whether rows or columns are the items; auto: rows, but the samples of GEO and GCT files.",
        label="Items are the",
        choices=("auto", "rows", "columns"),
    )
    sheet: str = parameter(
        "", help="Name of the sheet, or of the data frame of R; empty: the first.", label="Sheet"
    )
    comma: Commas = comma_option()


@dataclass(frozen=True)
class ColumnPlan:
    """Which column of the table is what."""

    names: list[str]
    header: bool
    id: int | None
    label: int | None
    numbers: list[int]
    dropped: list[int]
    classes: tuple[str, ...] = ()


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a table of vectors."""
    if not has_table(upload):
        return 0.0
    if known_table(upload) is not None:
        return KNOWN
    table = any_table(upload)
    if len(table.head) < 2:
        return 0.0
    plan, width = plan_columns(table, VectorOptions()), len(table.head[1].fields)
    # a class and a measurement of each item are vectors with classes; numbers without fractions may be groups of labels,
    # and those beside a class that was predicted say how sure it is
    measured = [k for k in plan.numbers if measured_column(table, k, int(plan.header))]
    said = plan.header and (
        plan.label is None or plan.names[plan.label].strip().casefold() != "predicted class"
    )
    beside = sum(k is not None for k in (plan.id, plan.label)) if said and measured == plan.numbers else 0
    several, of_numbers = said and len(measured) > 1, len(plan.numbers)
    few = of_numbers < width / 2 and of_numbers <= (width - beside) / 2
    if not of_numbers or (few and not several):
        return 0.0
    return 0.6 if width >= 2 else 0.2


def suggest(upload: Upload) -> Suggestion:
    """The columns of ids and of labels that the names or the texts of the columns point to."""
    table, plan, _ = _planned(upload, VectorOptions())
    shown = named_columns(plan.names)
    chosen = VectorOptions(id_column=column_at(shown, plan.id), label_column=column_at(shown, plan.label))
    sheets = sheet_names(upload)[1:]
    choices = {"id_column": ("", *shown), "label_column": ("", *shown)}
    if table.titled and known_table(upload) is not None:
        chosen, choices = VectorOptions(), {}
    return Suggestion(
        chosen, {**choices, "sheet": ("", *sheets)} if sheets else choices, idle=() if sheets else ("sheet",)
    )


def read(upload: Upload, options: VectorOptions, *, fewest: int = 2) -> Vectors:
    """Read a table of vectors, of at least so many rows.

    Raises
    ------
    InvalidInputError
        Rows of different length, text among the numbers, infinite values, or repeated ids.
    TooLargeError
        More rows or values than the limits.
    """
    table, plan, said = _planned(upload, options)
    n = table.n_rows - plan.header
    check_item_count(n, options.limit)
    check_size(n, len(plan.numbers), upload.filename, fewest)
    X = np.full((n, len(plan.numbers)), np.nan)
    ids: list[str] = []
    labels: list[str] = []
    titles = [plan.names[k] for k in plan.numbers]
    rows = table.rows()
    if plan.header:
        next(rows)
    for position, row in enumerate(rows):
        fields = _fields(row, plan, table)
        if plan.id is not None:
            ids.append(fields[plan.id])
        if plan.label is not None:
            labels.append(as_label(fields[plan.label]))
        X[position] = table.numbers(row, [fields[k] for k in plan.numbers], titles.__getitem__, 0)
    names, repeated = distinct(ids) if ids else (tuple(str(i + 1) for i in range(n)), [])
    if plan.classes:
        labels = list(plan.classes)
    X, odd = without_sentinels(X, "Values")
    _check_vectors(X, names, titles, table)
    few = [plan.names[k] for k in plan.numbers if plan.header and may_be_labels(table, k, int(plan.header))]
    recipe = upload.recipe(options)
    made = None
    if labels:
        made = Labels(names, np.array(labels))
        made = replace(made, recipe=part(recipe, "labels"))
    return Vectors(
        names,
        owned(X),
        tuple(titles),
        made,
        (
            *said,
            *repeated,
            *(alike(names) if ids else ()),
            *odd,
            *vector_notes(X, names, plan.names, plan.label, plan.dropped),
            *class_like_notes(few, made is not None),
        ),
        recipe,
    )


def ask(upload: Upload, given: Mapping[str, object]) -> tuple[Question, ...]:
    """What whole numbers in the first or the last column are, where no column has a name and all others have fractions."""
    if not has_table(upload) or known_table(upload) is not None or given.get("items") == "columns":
        return ()
    table = any_table(upload, str(given.get("sheet", "")))
    plan = plan_columns(table, VectorOptions())
    if plan.header or len(plan.numbers) < FEWEST or given.get("skip"):
        return ()
    whole = [k for k in plan.numbers if not measured_column(table, k, 0)]
    if len(whole) != 1 or whole[0] not in (0, len(plan.names) - 1) or len(table.head) < FEWEST:
        return ()
    k = whole[0]
    name, value = plan.names[k], table.head[0].fields[k].strip()
    measured = Answer("", f"{value} is a measurement")
    if plan.id is None and k == 0 and unique_ids(table, k, 0):
        answer, option = Answer(name, f"{value} is the id of the first item"), "id_column"
    elif plan.label is None and may_be_labels(table, k, 0):
        answer, option = Answer(name, f"{value} is the class of the first item"), "label_column"
    else:
        return ()
    if given.get(option):
        return ()
    return (
        Question(
            option,
            f"Column {k + 1} has no name and holds whole numbers, all others fractions",
            f"{value} in the first row",
            (answer, measured),
        ),
    )


def _planned(upload: Upload, options: VectorOptions) -> tuple[Table, ColumnPlan, list[Note]]:
    """The table with one row an item, which column is what, and what is said about that."""
    known = known_table(upload)
    table = any_table(upload, options.sheet) if known is None else known.table
    tool = "" if known is None else known.items
    columns = options.items == "columns" or (options.items == "auto" and tool == "columns")
    if columns:
        width = max(len(row.fields) for row in table.head)
        check_item_count(width - 1, options.limit)
        check_size(width, table.n_rows, upload.filename, 1)
        table = transposed(table)
    said = []
    if known is not None:
        said.append(
            Note(
                f"The file is of the form of {known.tool}.",
                "Its columns are the items." if columns else "Its rows are the items.",
                f"Say that {'rows' if columns else 'columns'} are the items if they are.",
            )
        )
    if known is None or options.id_column or options.label_column or options.skip:
        return table, plan_columns(table, options), said
    names = [name or f"column {k + 1}" for k, name in enumerate(table.head[0].fields)]
    item, label = (0, None) if columns else (known.item, known.label)
    classes = known.classes if columns else ()
    of_text = [k for k in range(len(names)) if k not in (item, label) and is_text_column(table, k, 1)]
    numbers = [k for k in range(len(names)) if k not in (item, label, *of_text)]
    return table, ColumnPlan(names, True, item, label, numbers, of_text, classes), said


def plan_columns(table: Table, options: VectorOptions) -> ColumnPlan:
    """Find out which column is what."""
    first = table.head[0].fields
    lengths = [len(row.fields) for row in table.head[1:] or table.head]
    width = max(lengths, key=lengths.count)
    text = [not table.is_number(f) and f.strip().lower() not in UNKNOWN for f in first]
    below = [is_text_column(table, k, 1) for k in range(width)]
    # a header is text where the column below it holds numbers
    header = (
        table.titled or any(t and not b for t, b in zip(text, below, strict=False)) or header_names(first)
    )
    if len(first) == width - 1 and header:  # R writes no field for the corner
        first = ["", *first]
    names = [f.strip() for f in first] if header else [f"column {k + 1}" for k in range(width)]
    names = (names + [f"column {k + 1}" for k in range(len(names), width)])[:width]
    columns = [k for k in range(width) if is_text_column(table, k, int(header))]
    label = _label_column(options, names, columns, header, table)
    item = _id_column(options, names, columns, label, table, header)
    skipped = {
        find_column(name, names, "A column to leave out", table.name)
        for name in options.skip.split(",")
        if name.strip()
    }
    dropped = [k for k in columns if k not in (label, item) and k not in skipped]
    numbers = [k for k in range(width) if k not in {label, item, *skipped, *columns}]
    return ColumnPlan(names, header, item, label, numbers, dropped)


def _label_column(
    options: VectorOptions, names: Sequence[str], text: Sequence[int], header: bool, table: Table
) -> int | None:
    if options.label_column:
        return find_column(options.label_column, names, "The label column", table.name)
    words = [column_words(name) for name in names]
    # y beside x is a coordinate
    named = [
        k
        for k, w in enumerate(words)
        if header and says_label(w, table, k) and not (w == "y" and "x" in words)
    ]
    named.sort(key=lambda k: PLAIN_LABEL_NAME.match(words[k]) is None)
    if named:
        return named[0]
    # a gene that is listed twice is an id all the same
    return next(
        (k for k in text if not _distinct(table, k, header) and not (header and called_id(names[k]))), None
    )


def _id_column(
    options: VectorOptions,
    names: Sequence[str],
    text: Sequence[int],
    label: int | None,
    table: Table,
    header: bool,
) -> int | None:
    if options.id_column:
        return find_column(options.id_column, names, "The id column", table.name)
    # a blank corner or a name such as "id" says it; else the first text that never repeats
    if header and label != 0 and (not names[0] or PLAIN_ID_NAME.match(column_words(names[0]))):
        return 0
    candidates = [k for k in text if k != label and _distinct(table, k, header)]
    called = [k for k in text if k != label and header and called_id(names[k])]
    return next(iter([*candidates, *called]), None)


def _distinct(table: Table, position: int, header: bool) -> bool:
    fields = [row.fields[position] for row in table.head[header:] if position < len(row.fields)]
    return len(set(fields)) == len(fields) and all(field.strip() for field in fields)


def _fields(row: Row, plan: ColumnPlan, table: Table) -> list[str]:
    if len(row.fields) != len(plan.names):
        raise InvalidInputError(
            "Every row has to have as many entries",
            f"{len(row.fields)} in line {row.line} of {table.name}, {len(plan.names)} elsewhere",
            "Write NA where an entry is unknown",
        )
    return row.fields


def check_size(n: int, d: int, filename: str, fewest: int) -> None:
    """Refuse too few rows, no column, or more values than there is room for."""
    if n < fewest or d == 0:
        few = "one row (an item)" if fewest == 1 else "two rows (items)"
        raise InvalidInputError(
            f"Vectors need at least {few} and one column of numbers",
            f"{counted(n, 'row')} and {counted(d, 'column')} of numbers in {filename}",
            "Upload a table with one row an item; a similarity matrix, too, needs at least two items",
        )
    if n * d > VALUE_LIMIT:
        raise TooLargeError(
            f"At most {VALUE_LIMIT:,} values fit the limit of this Kernex",
            f"{n:,} rows of {d:,} columns in {filename}, {8 * n * d / 1e9:.1f} GB",
            "Select fewer rows or columns",
        )


def _check_vectors(X: np.ndarray, ids: Sequence[str], columns: Sequence[str], table: Table) -> None:
    if np.isinf(X).any():
        row, column = (int(k) for k in np.argwhere(np.isinf(X))[0])
        raise InvalidInputError(
            "Values have to be finite",
            f"{X[row, column]} for item {ids[row]!r}, column {columns[column]!r} of {table.name}",
            "Replace it by a number, or by NA if it is unknown",
        )
    if np.isnan(X).all():
        raise InvalidInputError("At least some values have to be known", f"{table.name}, without any number")


FORMAT = Format(
    "vectors",
    "Vectors (table)",
    "vectors",
    (*TEXT_ENDINGS, "xlsx", "parquet", "feather", *ENDINGS),
    sniff,
    suggest,
    read,
    VectorOptions,
    ask=ask,
)
