"""Which column of a file of labels is what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.items.join import is_fact, is_item_table
from kernex_core.inputs.names import listed
from kernex_core.inputs.options import (
    HeaderLine,
    ReadOptions,
    column_option,
    header_option,
    id_option,
    label_option,
)
from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.columns import (
    GROUP_NAME,
    PLAIN_LABEL_NAME,
    called_id,
    called_label,
    column_words,
    find_column,
    guessed_header,
    is_cluster_table,
    is_text_column,
    may_be_labels,
    measured_column,
    plainly_header,
    unique_ids,
)
from kernex_core.inputs.tables.table import Table
from kernex_core.inputs.tables.workbook import any_table
from kernex_core.inputs.upload import Upload


@dataclass(frozen=True)
class LabelOptions(ReadOptions):
    """How a file of labels is read."""

    label_column: str = label_option("found by its name, else by values that repeat")
    id_column: str = id_option()
    group_column: str = column_option("groups", "Group column")
    header: HeaderLine = header_option()


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
    names, header = names_of(table, LabelOptions())
    return LabelColumns(tuple(names), *columns_of(names, header, LabelOptions(), table))


def names_of(table: Table, options: LabelOptions) -> tuple[list[str], int]:
    """Names of the columns, and the number of lines that hold them (0 or 1)."""
    first = table.head[0].fields
    header = options.header == "yes" or (
        options.header == "auto" and (plainly_header(table) or guessed_header(table))
    )
    width = max(len(row.fields) for row in table.head)
    names = [f.strip() for f in first] if header else []
    if header and len(names) == width - 1:  # R writes no field for the corner
        names = ["", *names]
    return names + [f"column {k + 1}" for k in range(len(names), width)], int(header)


def columns_of(
    names: Sequence[str], header: int, options: LabelOptions, table: Table
) -> tuple[int | None, int, int | None]:
    """Positions of ids, labels and groups: what is asked for, else what the header calls so, in any order."""
    titled = names if header else [""] * len(names)
    label_asked = options.label_column and find_column(
        options.label_column, names, "The label column", table.name
    )
    item: int | None
    if options.id_column:
        item = find_column(options.id_column, names, "The id column", table.name)
    else:
        item = _id_column(titled, header, table, None if label_asked == "" else int(label_asked))
    own = is_item_table(names)
    others = [k for k in range(len(names)) if k != item and not (own and is_fact(names[k]))]
    if not others:
        raise InvalidInputError("A file of labels needs a column of labels", f"only ids in {table.name}")
    label = int(label_asked) if label_asked != "" else _label_column(titled, header, table, others)
    grouped = [k for k in others if k != label and GROUP_NAME.match(column_words(titled[k]))]
    group = grouped[0] if grouped else None
    if options.group_column:
        group = find_column(options.group_column, names, "The group column", table.name)
    elif group is None and len(names) == 3 and not header and (item, label) == (0, 1):
        group = 2
    return item, label, group


def _id_column(titled: Sequence[str], header: int, table: Table, label: int | None) -> int | None:
    """The column that is called so, one without repetitions first; else the first that is not called a label.

    If values of that one repeat, while another column of text holds each of its values once, the other.
    """
    if len(titled) < 2:
        return None
    columns = [k for k in range(len(titled)) if k != label]
    called = [k for k in columns if called_id(titled[k])]
    once = [k for k in called if not _repeats(table, k, header)]
    free = [k for k in columns if not called_label(titled[k])]
    first = (free or columns)[0]
    measured = measured_column(table, first, header)
    if called or not (measured or _repeats(table, first, header)):
        return (once or called or [first])[0]
    textual = [k for k in free or columns if measured or len(titled) == 2 or is_text_column(table, k, header)]
    # measurements that repeat name nothing
    other = None if measured and _repeats(table, first, header) else first
    return next((k for k in textual if unique_ids(table, k, header)), other)


def _label_column(titled: Sequence[str], header: int, table: Table, others: Sequence[int]) -> int:
    """The column that is called so; else the first in which a value repeats; else the first."""
    named = [k for k in others if called_label(titled[k])]
    named.sort(key=lambda k: PLAIN_LABEL_NAME.match(column_words(titled[k])) is None)
    groups = {k for k in others if GROUP_NAME.match(column_words(titled[k]))}
    free = [k for k in others if k not in groups]
    possible = [k for k in free if header and may_be_labels(table, k, header)]
    return (named or possible or free or list(others))[0]


def _repeats(table: Table, position: int, first: int) -> bool:
    fields = [row.fields[position] for row in table.head[first:] if position < len(row.fields)]
    return len(set(fields)) < len(fields)


def choice_note(
    names: Sequence[str], where: tuple[int | None, int, int | None], table: Table, header: int
) -> list[Note]:
    """Which column is taken for the labels, where several may be."""
    item, label, group = where
    own = is_item_table(names)
    possible = [
        k
        for k in range(len(names))
        if k == label
        or (k not in (item, group) and not (own and is_fact(names[k])) and may_be_labels(table, k, header))
    ]
    called = [name or f"column {k + 1}" for k, name in enumerate(names)]
    notes = []
    if len(possible) > 1:
        notes.append(
            Note(
                f"Columns that may be the labels: {listed([called[k] for k in possible], 8)}.",
                f"{called[label]} is taken.",
                "Choose another label column.",
            )
        )
    left = [
        called[k]
        for k in range(len(names))
        if k not in (item, label, group, *possible) and not own and not is_text_column(table, k, header)
    ]
    if left:
        notes.append(
            Note(
                f"Columns of numbers: {listed(left, 8)}.",
                "They are left out.",
                "Read the file as vectors if they are measurements, or choose one as the label.",
            )
        )
    return notes


def cluster_note(table: Table, item: int, label: int) -> list[Note]:
    """What clusters with their representatives are read as."""
    if (item, label) != (1, 0) or not is_cluster_table(table):
        return []
    return [
        Note(
            "Every line has an item, and before it another of them, which stands beside itself, too: clusters with their "
            "representatives, as MMseqs2 writes them.",
            "The label of an item is the representative of its cluster.",
            "Read the file as a list of edges if it is a network.",
            "fine",
        )
    ]


def guess_notes(names: Sequence[str], where: tuple[int | None, int, int | None], table: Table) -> list[Note]:
    """What was guessed from the data where no name says it: the header, and the column of ids."""
    item, label, _ = where
    first, title = table.head[0].fields, [name or f"column {k + 1}" for k, name in enumerate(names)]
    guessed = not plainly_header(table) and [name.strip() for name in first] == list(names)
    notes = []
    if not guessed and not plainly_header(table) and _perhaps_header(table, label):
        notes.append(
            Note(
                f"The first line ({listed(first, 8)}) may hold names of columns: no other has the label {first[label]}.",
                "It is taken for an item.",
                "Say that there is a header line if it names columns.",
            )
        )
    if guessed:
        notes.append(
            Note(
                f"No name in the first line ({listed(title, 8)}) is known, and it is unlike the lines below.",
                "It is taken for the names of the columns.",
                "Say that there is no header line if it is an item.",
            )
        )
    if item is not None and not called_id(names[item]) and (item > 0 or guessed):
        notes.append(
            Note(
                f"No column is called id; the values of {title[item]} do not repeat.",
                f"{title[item]} is taken for the ids, {title[label]} for the labels.",
                f"Choose another id column, such as {title[label]}.",
            )
        )
    return notes


def _perhaps_header(table: Table, label: int) -> bool:
    """Whether the label of the first line is the only one that does not come again."""
    fields = [row.fields[label].strip() for row in table.head if label < len(row.fields)]
    return len(fields) > 3 and [value for value in fields if fields.count(value) == 1] == fields[:1]
