"""Labels in a file of their own: lines of id, label and perhaps group, or one column of labels."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.inputs.format import SURE, TEXT_ENDINGS, Format, Suggestion, column_at, named_columns
from kernex_core.inputs.health import class_notes
from kernex_core.inputs.items.join import is_item_table
from kernex_core.inputs.items.label_columns import (
    LabelColumns,
    LabelOptions,
    choice_note,
    cluster_note,
    columns_of,
    guess_notes,
    label_columns,
    names_of,
)
from kernex_core.inputs.items.match import bare
from kernex_core.inputs.names import listed
from kernex_core.inputs.r_objects import ENDINGS
from kernex_core.inputs.samples import Labels, Note
from kernex_core.inputs.tables.class_column import as_label, sentinel_notes
from kernex_core.inputs.tables.columns import is_cluster_table, is_edge_list, may_be_labels
from kernex_core.inputs.tables.dialect import SAMPLE
from kernex_core.inputs.tables.expression import known_table
from kernex_core.inputs.tables.table import Table, table_of
from kernex_core.inputs.tables.workbook import any_table
from kernex_core.inputs.upload import Upload, open_upload

OWN = 0.98
"""Confidence for the table of items that Kernex wrote."""
CALLED_SO = 0.62
"""Confidence for a file that is called so: above that for a table of numbers."""
CLUSTERS = 0.9
"""Confidence for clusters with their representatives, see `is_cluster_table`."""
LOOKED_AT = 3_000
"""Rows in which a label has to repeat for a table to be taken for one of labels."""
MOST_FIELDS = 30_000
"""Fewer rows are looked at where so many fields are passed."""


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

    Examples
    --------
    >>> from kernex_core import read_labels
    >>> labels = read_labels(b"id,class\\nd1,kinase\\nd2,protease\\nd3,kinase\\n", "labels.csv")
    >>> labels.classes
    (('kinase', 2), ('protease', 1))
    """
    return read(open_upload(data, filename, sha256=sha256), LabelOptions(**options))


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a file of labels: just enough where several items share one, or each has a number.

    A table that Kernex wrote itself is one of labels, whatever it says about the items besides.
    """
    try:
        if known_table(upload) is not None:
            return 0.0
        columns = label_columns(upload)
        if is_item_table(columns.names):
            return OWN
        values = _first_labels(upload, columns)
    except KernexError:
        return 0.0
    if _edges(upload, columns) or (columns.id is None and len(columns.names) > 1) or _prose(upload):
        return 0.0
    if len(set(values)) == len(values):
        return SURE + 0.01 if _one_each(upload, columns, values) else 0.0
    if len(columns.names) == 2 and is_cluster_table(any_table(upload)):
        return CLUSTERS
    return CALLED_SO if _called_so(upload, columns) else SURE + 0.01


def _prose(upload: Upload) -> bool:
    """Whether blanks divide words, and not every line into as many: a text, a script or settings are no table."""
    if not upload.is_text:
        return False
    if upload.text.startswith("#!"):
        return True
    table = table_of(upload)
    fields = [row.fields for row in table.head]
    return table.dialect.separator == " " and (
        len({len(each) for each in fields}) > 1
        or any(
            len(each) > 1 and {row[k] for row in fields} <= _SIGNS
            for each in fields[:1]
            for k in range(len(each))
        )
    )


_SIGNS = frozenset({"=", ":", "->", "=>", "-", ">", "|", ":=", "==", "&"})


def _edges(upload: Upload, columns: LabelColumns) -> bool:
    """Whether two columns hold pairs of the same items; see `is_edge_list`."""
    return len(columns.names) == 2 and is_edge_list(any_table(upload))


def _one_each(upload: Upload, columns: LabelColumns, values: Sequence[str]) -> bool:
    """Whether ids and values that are all different say something about items all the same.

    A class for every item is no class, unless the file is called so; numbers may be learned, if a header or fractions tell
    them from ids.
    """
    if len(columns.names) != 2 or columns.id is None or len(values) < 2:
        return False
    if _said(upload):
        return True
    try:
        numbers = np.array([float(value) for value in values])
    except ValueError:
        return False
    _, header = names_of(any_table(upload), LabelOptions())
    return bool(np.isfinite(numbers).all()) and bool(header or (numbers % 1.0 != 0.0).any())


def _said(upload: Upload) -> bool:
    """Whether the name of the file says that it holds labels."""
    return re.search(r"label|class|annotation", upload.stem.lower()) is not None


def _called_so(upload: Upload, columns: LabelColumns) -> bool:
    """The same, and every column beside the ids may be one."""
    others = [k for k in range(len(columns.names)) if k not in (columns.id, columns.group)]
    table = any_table(upload)
    return _said(upload) and columns.id is not None and all(may_be_labels(table, k, 1) for k in others)


def suggest(upload: Upload) -> Suggestion:
    """The columns of ids, labels and groups that the header names, in any order; else the first three."""
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
    names, header = names_of(table, options)
    recipe = replace(upload, kind="", format="").recipe(options, function="read_labels", name="labels")
    where = columns_of(names, header, options, table)
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
    said = sentinel_notes([row.fields[label] for row in rows])
    guessed = [] if options.id_column or options.header != "auto" else guess_notes(names, where, table)
    clusters = [] if item is None else cluster_note(table, item, label)
    chosen = [*said, *clusters, *guessed, *choice_note(names, where, table, header)]
    return replace(made, recipe=recipe, notes=(*made.notes, *chosen, *class_notes(made)))


def _first_labels(upload: Upload, columns: LabelColumns) -> list[str]:
    """Labels of the first rows, without the empty ones."""
    table = any_table(upload)
    _, header = names_of(table, LabelOptions())
    most = min(LOOKED_AT, MOST_FIELDS // len(columns.names))
    rows = itertools.islice(table.rows() if most > SAMPLE else table.head, header, header + most)
    fields = [row.fields[columns.label] for row in rows if len(row.fields) > columns.label]
    known = {field: as_label(field) for field in set(fields)}
    return [label for label in map(known.__getitem__, fields) if label]


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
    (*TEXT_ENDINGS, "xlsx", "npy", "npz", "mat", *ENDINGS),
    sniff,
    suggest,
    read,
    LabelOptions,
)


# The column of a file of labels that holds ids of items which are there already, whatever it is called.


def suggest_for(upload: Upload, items: Sequence[str]) -> Suggestion:
    """Options to start from for labels of these items: the ids are the column whose values name most of them.

    What the file itself says (`labels.suggest`) stays where no other column names more items. Only where no column has
    any of them as they are written are ids compared without what programs put around them (`items.match.bare`).

    Parameters
    ----------
    upload : Upload
    items : sequence of str
        Ids of the data that the labels are for.

    Raises
    ------
    InvalidInputError
        Not a table, or one without a column of labels.
    """
    made = suggest(upload)
    assert isinstance(made.options, LabelOptions)
    table = any_table(upload)
    names, header = names_of(table, made.options)
    found = _named(table, header, len(names), items, str.strip)
    if not any(found):
        found = _named(table, header, len(names), items, lambda name: bare(name)[0].casefold())
    shown = named_columns(names)
    guess = shown.index(made.options.id_column) if made.options.id_column else None
    best = max(range(len(names)), key=lambda k: (found[k], k == guess, -k))
    before = 0 if guess is None else found[guess]
    if len(names) < 2 or found[best] <= before:
        return made
    asked = LabelOptions(id_column=shown[best])
    _, label, group = columns_of(names, header, asked, table)
    options = replace(asked, label_column=shown[label], group_column=column_at(shown, group))
    instead = f"; of the column {shown[guess]}: {before:,}" if guess is not None else ""
    note = Note(
        f"Values of the column {shown[best]} that are ids of the data: {found[best]:,} of {len(set(items)):,}{instead}.",
        f"{shown[best]} is taken for the ids, {shown[label]} for the labels.",
        "Choose another id column.",
    )
    return replace(made, options=options, notes=(note,))


def _named(
    table: Table, header: int, width: int, items: Sequence[str], form: Callable[[str], str]
) -> list[int]:
    """How many of the items each column names."""
    wanted = {form(name) for name in items}
    there: list[set[str]] = [set() for _ in range(width)]
    for k, row in enumerate(table.rows()):
        if k >= header:
            for values, field in zip(there, row.fields, strict=False):
                if (name := form(field)) in wanted:
                    values.add(name)
    return [len(values) for values in there]
