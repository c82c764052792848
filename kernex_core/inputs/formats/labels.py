"""Labels in a file of their own: lines of id, label and perhaps group, or one column of labels."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.inputs.findings.class_notes import class_notes
from kernex_core.inputs.format import SURE, TEXT_ENDINGS, Format, Suggestion, column_at, named_columns
from kernex_core.inputs.items.item_table import is_fact, is_item_table
from kernex_core.inputs.names import listed
from kernex_core.inputs.options import ReadOptions
from kernex_core.inputs.samples import Labels, Note
from kernex_core.inputs.tables.columns import GROUP_NAME, LABEL_NAME, column_words, find_column, header_names
from kernex_core.inputs.tables.dialect import SAMPLE
from kernex_core.inputs.tables.label_values import as_label
from kernex_core.inputs.tables.table import Table
from kernex_core.inputs.tables.workbook import any_table
from kernex_core.inputs.upload import Upload, open_upload
from kernex_core.parameters import parameter

OWN = 0.98
"""Confidence for the table of items that Kernex wrote."""
LOOKED_AT = 3_000
"""Rows in which a label has to repeat for a table to be taken for one of labels."""
MOST_FIELDS = 30_000
"""Fewer rows are looked at where so many fields are passed."""


@dataclass(frozen=True)
class LabelOptions(ReadOptions):
    """How a file of labels is read."""

    label_column: str = parameter(
        "",
        help="Name or number of the column of labels; empty: found by its name, else the second.",
        label="Label column",
    )
    id_column: str = parameter(
        "", help="Name or number of the column of ids; empty: the first.", label="Id column"
    )
    group_column: str = parameter(
        "", help="Name or number of the column of groups; empty: found by its name.", label="Group column"
    )
    header: Literal["auto", "yes", "no"] = parameter(
        "auto",
        help="Whether the first line names the columns.",
        label="Header line",
        choices=("auto", "yes", "no"),
    )


def read_labels(data: bytes | Upload, filename: str, *, sha256: str = "", **options: Any) -> Labels:
    """Read labels: lines of id, label and perhaps group, or one column of labels in the order of the items.

    Parameters
    ----------
    data : bytes
        CSV, TSV, text with semicolons or white space, or .xlsx; also gzipped.
    filename : str
    sha256 : str, optional
        First digits of the SHA-256 that the file has to have.
    **options
        Fields of `LabelOptions`.

    Raises
    ------
    InvalidInputError
        Not a table, or no labels in it.
    """
    return read(open_upload(data, filename, sha256=sha256), LabelOptions(**options))


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a file of labels: just enough where several items share one, and no more.

    A table that Kernex wrote itself is one of labels, whatever it says about the items besides.
    """
    try:
        columns = label_columns(upload)
        if is_item_table(columns.names):
            return OWN
        values = _first_labels(upload, columns)
    except KernexError:
        return 0.0
    # a class for every item is no class
    repeats = len(set(values)) < len(values)
    return SURE + 0.01 if repeats and (columns.id is not None or len(columns.names) == 1) else 0.0


def suggest(upload: Upload) -> Suggestion:
    """The columns of ids, labels and groups that the header names, else the first, the second and the third."""
    columns = label_columns(upload)
    shown = named_columns(columns.names)
    options = LabelOptions(
        label_column=shown[columns.label],
        id_column=column_at(shown, columns.id),
        group_column=column_at(shown, columns.group),
    )
    return Suggestion(
        options, {"label_column": shown, "id_column": ("", *shown), "group_column": ("", *shown)}
    )


def read(upload: Upload, options: LabelOptions) -> Labels:
    """Read labels; see `read_labels`."""
    table = any_table(upload)
    names, header = _names(table, options)
    recipe = replace(upload, kind="", format="").recipe(options, function="read_labels", name="labels")
    where = _columns(names, header, options, table)
    rows = [row for k, row in enumerate(table.rows()) if k >= header]
    short = next((row for row in rows if len(row.fields) <= max(k for k in where if k is not None)), None)
    if short is not None:
        raise InvalidInputError(
            "Every line has to have an id and a label",
            f"{len(short.fields)} fields in line {short.line} of {table.name}",
            "Leave the label empty, behind its separator, where it is unknown",
        )
    item, label, group = where
    y = [as_label(row.fields[label]) for row in rows]
    groups = [row.fields[group].strip() for row in rows] if group is not None else None
    if not any(y):
        raise InvalidInputError("A file of labels needs at least one label", f"none in {table.name}")
    if item is None:
        ids = tuple(str(k + 1) for k in range(len(rows)))
        made = Labels(ids, np.array(y), None, (), recipe, positional=True)
    else:
        made = _by_id([row.fields[item] for row in rows], y, groups, table)
    return replace(made, recipe=recipe, notes=(*made.notes, *class_notes(made)))


@dataclass(frozen=True)
class LabelColumns:
    """Columns of a file of labels, and which of them is what.

    Attributes
    ----------
    names : tuple of str
    id, label, group : int or None
        Positions in `names`.
    """

    names: tuple[str, ...]
    id: int | None
    label: int
    group: int | None


def label_columns(upload: Upload) -> LabelColumns:
    """Columns of a file of labels as `read_labels` takes them by default.

    Raises
    ------
    InvalidInputError
        Not a table, or one without a column of labels.
    """
    table = any_table(upload)
    names, header = _names(table, LabelOptions())
    return LabelColumns(tuple(names), *_columns(names, header, LabelOptions(), table))


def _first_labels(upload: Upload, columns: LabelColumns) -> list[str]:
    """Labels of the first rows, without the empty ones."""
    table = any_table(upload)
    _, header = _names(table, LabelOptions())
    most = min(LOOKED_AT, MOST_FIELDS // len(columns.names))
    rows = itertools.islice(table.rows(), header, header + max(most, SAMPLE))
    fields = [row.fields[columns.label] for row in rows if len(row.fields) > columns.label]
    return [label for label in map(as_label, fields) if label]


def _names(table: Table, options: LabelOptions) -> tuple[list[str], int]:
    first = table.head[0].fields
    header = options.header == "yes" or (options.header == "auto" and header_names(first))
    width = max(len(row.fields) for row in table.head)
    names = [f.strip() for f in first] if header else []
    if header and len(names) == width - 1:  # R writes no field for the corner
        names = ["", *names]
    return names + [f"column {k + 1}" for k in range(len(names), width)], int(header)


def _columns(
    names: Sequence[str], header: int, options: LabelOptions, table: Table
) -> tuple[int | None, int, int | None]:
    """Positions of ids, labels and groups."""
    item: int | None = 0 if len(names) > 1 else None
    if options.id_column:
        item = find_column(options.id_column, names, "The id column", table.name)
    own = is_item_table(names)
    others = [k for k in range(len(names)) if k != item and not (own and is_fact(names[k]))]
    if not others:
        raise InvalidInputError("A file of labels needs a column of labels", f"only ids in {table.name}")
    named = [k for k in others if header and LABEL_NAME.match(column_words(names[k]))]
    label = (named or others)[0]
    if options.label_column:
        label = find_column(options.label_column, names, "The label column", table.name)
    grouped = [k for k in others if k != label and header and GROUP_NAME.match(column_words(names[k]))]
    group = grouped[0] if grouped else None
    if options.group_column:
        group = find_column(options.group_column, names, "The group column", table.name)
    elif group is None and len(names) == 3 and not header and label == 1:
        group = 2
    return item, label, group


def _by_id(ids: Sequence[str], y: Sequence[str], groups: Sequence[str] | None, table: Table) -> Labels:
    """One label an id; an id with different labels is left unlabelled and named."""
    blank = next((k for k, name in enumerate(ids) if not name.strip()), None)
    if blank is not None:
        raise InvalidInputError("Every label needs an id", f"none for label {blank + 1} of {table.name}")
    first: dict[str, int] = {}
    repeated: dict[str, bool] = {}
    for k, name in enumerate(ids):
        at = first.setdefault(name, k)
        if at != k:
            same = y[at] == y[k] and (groups is None or groups[at] == groups[k])
            repeated[name] = repeated.get(name, True) and same
    conflicting = tuple(name for name, same in repeated.items() if not same)
    labels = ["" if name in set(conflicting) else y[k] for name, k in first.items()]
    kept = None if groups is None else np.array([groups[k] for k in first.values()])
    notes = []
    if len(repeated) > len(conflicting):
        same_again = [name for name, same in repeated.items() if same]
        notes.append(
            Note(
                f"Ids on several lines with the same label: {len(same_again):,} ({listed(same_again)}).",
                "One line of each is kept.",
            )
        )
    if conflicting:
        notes.append(
            Note(
                f"Ids with different labels on different lines: {len(conflicting):,} ({listed(conflicting)}).",
                "They are left without a label.",
                "Correct the file.",
                "warning",
            )
        )
    return Labels(
        tuple(first),
        np.array(labels),
        kept,
        tuple(notes),
        duplicates=tuple(repeated),
        conflicting=conflicting,
    )


FORMAT = Format(
    "labels",
    "Labels (table of id and label)",
    "labels",
    (*TEXT_ENDINGS, "xlsx"),
    sniff,
    suggest,
    read,
    LabelOptions,
)
