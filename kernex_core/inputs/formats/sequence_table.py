"""Sequences in a column of a table, with ids and perhaps labels in columns beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import TEXT_ENDINGS, Format, Suggestion, column_at, named_columns
from kernex_core.inputs.items.label_columns import LabelOptions, columns_of
from kernex_core.inputs.options import column_option, id_option, label_option
from kernex_core.inputs.samples import Labels, Note, Sequences
from kernex_core.inputs.sequences.finish import SequenceOptions, sequences_of
from kernex_core.inputs.tables.class_column import as_label
from kernex_core.inputs.tables.columns import column_words, find_column, plainly_header
from kernex_core.inputs.tables.expression import known_table
from kernex_core.inputs.tables.table import Table
from kernex_core.inputs.tables.workbook import any_table, has_table
from kernex_core.inputs.upload import Upload

CALLED = {
    "sequence": 1, "seq": 1, "sequences": 1, "seqs": 1, "peptide": 1, "dna": 1, "rna": 1, "residues": 1, "protein": 10,
}  # fmt: skip
"""Last words of the titles of columns that hold sequences, with the least letters: a protein may be a name."""
LONG = 20
"""Letters from which a text without blanks is a sequence, where no title says so."""
MOSTLY = 0.9


@dataclass(frozen=True)
class SequenceTableOptions(SequenceOptions):
    """How a table of sequences is read."""

    sequence_column: str = column_option(
        "sequences", "Sequence column", "found by its name, or by its long words"
    )
    label_column: str = label_option()
    id_column: str = id_option()


@dataclass(frozen=True)
class _Plan:
    names: tuple[str, ...]
    header: int
    sequence: int
    item: int | None
    label: int | None


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a table with a column of sequences."""
    if not has_table(upload) or known_table(upload) is not None:
        return 0.0
    return 0.0 if _plan(any_table(upload), SequenceTableOptions()) is None else 0.98


def suggest(upload: Upload) -> Suggestion:
    """The columns of sequences, ids and labels that names or long words point to."""
    plan = _planned(any_table(upload), SequenceTableOptions())
    shown = named_columns(plan.names)
    options = SequenceTableOptions(
        sequence_column=shown[plan.sequence],
        id_column=column_at(shown, plan.item),
        label_column=column_at(shown, plan.label),
    )
    return Suggestion(
        options, {"sequence_column": shown, "id_column": ("", *shown), "label_column": ("", *shown)}
    )


def read(upload: Upload, options: SequenceTableOptions) -> Sequences:
    """Read a table of sequences.

    Raises
    ------
    InvalidInputError
        No column of sequences, or a row that ends before it.
    TooLargeError
        More sequences than the limit.
    """
    table = any_table(upload)
    plan = _planned(table, options)
    rows = [row for k, row in enumerate(table.rows()) if k >= plan.header]
    check_item_count(len(rows), options.limit)
    needed = max(k for k in (plan.sequence, plan.item, plan.label) if k is not None)
    short = next((row for row in rows if len(row.fields) <= needed), None)
    if short is not None:
        raise InvalidInputError(
            f"Every row has to have the columns of ids, sequences and labels ({needed + 1} or more)",
            f"{len(short.fields)} in line {short.line} of {table.name}",
            "Leave a field empty, behind its separator, where it is unknown",
        )
    kept = [row for row in rows if row.fields[plan.sequence].strip()]
    strings = ["".join(row.fields[plan.sequence].split()) for row in kept]
    item = plan.item
    ids = [
        f"sequence_{k}" if item is None else row.fields[item].strip() or f"sequence_{k}"
        for k, row in enumerate(kept, 1)
    ]
    if len(kept) < 2:
        raise InvalidInputError(
            "At least two sequences are needed to compare them",
            f"{len(kept)} in {upload.filename}",
            "Upload all sequences in one file",
        )
    made = sequences_of(ids, strings, upload, options)
    if len(kept) < len(rows):
        note = Note(f"Rows without a sequence: {len(rows) - len(kept):,}.", "They are left out.")
        made = replace(made, notes=(note, *made.notes))
    return made if plan.label is None else _labelled(made, [as_label(row.fields[plan.label]) for row in kept])


def _labelled(made: Sequences, y: Sequence[str]) -> Sequences:
    recipe = made.recipe and part(made.recipe, "labels")
    return replace(made, labels=Labels(made.ids, np.array(y, dtype=np.str_), recipe=recipe))


def _planned(table: Table, options: SequenceTableOptions) -> _Plan:
    plan = _plan(table, options)
    if plan is None:
        raise InvalidInputError(
            "A table of sequences has a column of them, called sequence or holding long words of letters",
            f"none in {table.name}",
            "Name the column, or choose it",
        )
    return plan


def _plan(table: Table, options: SequenceTableOptions) -> _Plan | None:
    """Which column is what, or None without a column of sequences."""
    head = [row.fields for row in table.head]
    widths = [len(fields) for fields in head]
    width = max(widths)
    if widths.count(width) < MOSTLY * len(head) or any(fields[0].startswith(">") for fields in head):
        return None  # no table, or FASTA
    first = [field.strip() for field in head[0]]
    called = [k for k, title in enumerate(first) if _holds(head[1:], k, CALLED.get(column_words(title), 0))]
    header = int(bool(called) or bool(options.sequence_column) or plainly_header(table))
    names = (first if header else []) + [f"column {k + 1}" for k in range(len(first) if header else 0, width)]
    if options.sequence_column:
        at = find_column(options.sequence_column, names, "The sequence column", table.name)
    else:
        # a name on top is text over any column
        text = np.flatnonzero(table.text_columns(1 if len(head) > 1 else 0)).tolist() if width > 1 else []
        long = [k for k in text if _holds(head[header:], k, LONG)]
        if not called and len(long) != 1:
            return None
        at = (called or long)[0]
    item, label = _beside(table, names, at, header, options)
    return _Plan(tuple(names), header, at, item, label)


def _beside(
    table: Table, names: Sequence[str], sequence: int, header: int, options: SequenceTableOptions
) -> tuple[int | None, int | None]:
    """Columns of ids and of labels among the others."""
    others = [k for k in range(len(names)) if k != sequence]
    item = find_column(options.id_column, names, "The id column", table.name) if options.id_column else None
    label = (
        find_column(options.label_column, names, "The label column", table.name)
        if options.label_column
        else None
    )
    rest = replace(table, left_out=sequence)
    if not others or (item is not None and label is not None):
        return item, label
    if len(others) == 1:
        return (others[0] if item is None and label is None else item), label
    kept = [names[k] for k in others]
    found = columns_of(kept, header, LabelOptions(), rest)
    item = (None if found[0] is None else others[found[0]]) if item is None else item
    named = others[found[1]]
    return item, named if label is None and named != item else label


def _holds(rows: Sequence[Sequence[str]], column: int, least: int) -> bool:
    """Whether nearly all known fields of a column are words of at least so many letters (0: never)."""
    if not least:
        return False
    fields = [row[column].strip() for row in rows if column < len(row) and row[column].strip()]
    good = sum(len(field) >= least and field.rstrip("*").replace("-", "").isalpha() for field in fields)
    return bool(fields) and good >= MOSTLY * len(fields)


FORMAT = Format(
    "sequence_table",
    "Sequences (column of a table)",
    "sequences",
    (*TEXT_ENDINGS, "xlsx"),
    sniff,
    suggest,
    read,
    SequenceTableOptions,
)
