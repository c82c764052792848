"""A table of nodes: ids, columns of numbers, and perhaps labels, for a network that is there already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.inputs.format import named_columns
from kernex_core.inputs.formats import labels
from kernex_core.inputs.items.label_columns import LabelOptions, names_of
from kernex_core.inputs.names import listed
from kernex_core.inputs.options import ReadOptions, id_option, label_option
from kernex_core.inputs.samples import Note, Vectors
from kernex_core.inputs.tables.columns import find_column
from kernex_core.inputs.tables.table import DASHES, UNKNOWN, Row, Table
from kernex_core.inputs.tables.workbook import any_table
from kernex_core.inputs.upload import Upload, open_upload


@dataclass(frozen=True)
class NodeOptions(ReadOptions):
    """How a table of nodes is read."""

    id_column: str = id_option()
    label_column: str = label_option("none")
    columns: tuple[str, ...] = parameter(
        (), help="Names or numbers of the columns of numbers.", label="Attributes", hidden=True
    )


def read_nodes(data: bytes | Upload, filename: str, *, sha256: str = "", **options: Any) -> Vectors:
    """Read a table of nodes: ids, columns of numbers, and perhaps labels, in any order.

    Parameters
    ----------
    data : bytes
        CSV, TSV, text with semicolons or white space, or .xlsx; also gzipped.
    filename : str
    sha256 : str, optional
        First digits of the SHA-256 that the file has to have.
    **options
        Fields of `NodeOptions`.

    Raises
    ------
    InvalidInputError
        Not a table, no such column, or text among the numbers.

    Examples
    --------
    >>> from kernex_core import read_nodes
    >>> table = b"name,kind,size\\na,x,3\\nb,y,\\n"
    >>> made = read_nodes(table, "nodes.csv", id_column="name", label_column="kind", columns=("size",))
    >>> made.ids, made.X.ravel().tolist(), made.labels.y.tolist()
    (('a', 'b'), [3.0, nan], ['x', 'y'])
    """
    return read(open_upload(data, filename, sha256=sha256), NodeOptions(**options))


def number_columns(upload: Upload) -> tuple[str, ...]:
    """Names of the columns of a table that hold numbers, unknown entries apart.

    Raises
    ------
    InvalidInputError
        Not a table.

    Examples
    --------
    >>> from kernex_core.inputs.nodes import number_columns
    >>> from kernex_core.inputs.upload import open_upload
    >>> number_columns(open_upload(b"id,kind,size\\na,x,3\\nb,y,NA\\n", "nodes.csv"))
    ('size',)
    """
    return tuple(name for name, numbers, odd in _looked_over(upload) if numbers and odd is None)


def nearly_number_columns(upload: Upload) -> tuple[Note, ...]:
    """Notes on columns that hold more numbers than text: which entry keeps them from being attributes.

    Raises
    ------
    InvalidInputError
        Not a table.

    Examples
    --------
    >>> from kernex_core.inputs.nodes import nearly_number_columns
    >>> from kernex_core.inputs.upload import open_upload
    >>> nearly_number_columns(open_upload(b"id,size\\na,3\\nb,4\\nc,oops\\n", "nodes.csv"))[0].text
    "The column size holds numbers, but 'oops' in line 4."
    """
    return tuple(
        Note(
            f"The column {name} holds numbers, but {odd}.",
            "It is no attribute.",
            "Write a number, or leave the entry empty if it is unknown.",
        )
        for name, numbers, odd in _looked_over(upload)
        if odd is not None and numbers > 0
    )


def _looked_over(upload: Upload) -> list[tuple[str, int, str | None]]:
    """Name of each column, how many more numbers than texts it holds, and its first entry that is text."""
    table = any_table(upload)
    names, header = names_of(table, LabelOptions())
    more = [0] * len(names)
    odd: list[str | None] = [None] * len(names)
    for row in list(table.rows())[header:]:
        for k, field in enumerate(row.fields[: len(names)]):
            if table.is_number(field):
                more[k] += 1
            elif field.strip().lower() not in UNKNOWN and field.strip() not in DASHES:
                more[k] -= 1
                odd[k] = odd[k] or f"{field.strip()[:40]!r} in line {row.line}"
    return list(zip(named_columns(names), more, odd, strict=True))


def read(upload: Upload, options: NodeOptions) -> Vectors:
    """Read a table of nodes; see `read_nodes`."""
    table = any_table(upload)
    names, header = names_of(table, LabelOptions())
    item = find_column(options.id_column or names[0], names, "The id column", table.name)
    at = [find_column(name, names, "A column of attributes", table.name) for name in options.columns]
    if not at:
        raise InvalidInputError("At least one column of numbers is needed", f"none of {table.name} was named")
    rows = list(table.rows())[header:]
    values = np.array([_numbers(table, row, at, names) for row in rows]).reshape(len(rows), len(at))
    if np.isinf(values).any():
        k, column = (int(place) for place in np.argwhere(np.isinf(values))[0])
        raise InvalidInputError(
            "Numbers of nodes have to be finite",
            f"{values[k, column]:g} in line {rows[k].line} ({names[at[column]]}) of {table.name}",
            "Leave the entry empty if it is unknown",
        )
    ids, X, notes = _by_id([_field(row, item) for row in rows], values, table)
    made = None
    if options.label_column:
        asked = LabelOptions(label_column=options.label_column, id_column=names[item])
        made = labels.read(upload, asked)
        notes += made.notes
    recipe = replace(upload, kind="", format="").recipe(options, function="read_nodes", name="nodes")
    return Vectors(ids, X, tuple(names[k] for k in at), made, notes, recipe)


def _field(row: Row, k: int) -> str:
    return row.fields[k].strip() if k < len(row.fields) else ""


def _numbers(table: Table, row: Row, at: Sequence[int], names: Sequence[str]) -> list[float]:
    return table.numbers(row, [_field(row, k) for k in at], lambda index: names[at[index]], 0)


def _by_id(
    ids: Sequence[str], X: FloatArray, table: Table
) -> tuple[tuple[str, ...], FloatArray, tuple[Note, ...]]:
    """One row an id; numbers that differ between lines of one id are unknown, and that is said."""
    blank = next((k for k, name in enumerate(ids) if not name), None)
    if blank is not None:
        raise InvalidInputError("Every node needs an id", f"none in row {blank + 1} of {table.name}")
    first: dict[str, int] = {}
    made, differing = X.copy(), []
    for k, name in enumerate(ids):
        at = first.setdefault(name, k)
        other = ~((made[at] == X[k]) | (np.isnan(made[at]) & np.isnan(X[k])))
        if other.any():
            made[at, other] = np.nan
            differing.append(name)
    notes: tuple[Note, ...] = ()
    if differing:
        whose = list(dict.fromkeys(differing))
        text = f"Nodes with different numbers on different lines: {len(whose):,} ({listed(whose)})."
        notes = (Note(text, "Those numbers are unknown.", "Correct the file.", "warning"),)
    return tuple(first), made[list(first.values())], notes
