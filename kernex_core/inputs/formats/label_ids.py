"""The column of a file of labels that holds ids of items which are there already, whatever it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kernex_core.inputs.format import Suggestion, column_at, named_columns
from kernex_core.inputs.formats.labels import suggest
from kernex_core.inputs.items.label_columns import LabelOptions, columns_of, names_of
from kernex_core.inputs.items.match import bare
from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.table import Table
from kernex_core.inputs.tables.workbook import any_table
from kernex_core.inputs.upload import Upload


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
