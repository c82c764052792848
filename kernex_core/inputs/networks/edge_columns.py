"""Columns of a list of edges: two of nodes, perhaps one of weights, with or without a header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.networks.options import NetworkOptions
from kernex_core.inputs.table_options import HeaderLine, column_option, header_option
from kernex_core.inputs.tables.columns import find_column
from kernex_core.inputs.tables.table import UNKNOWN, Table, table_of
from kernex_core.inputs.upload import Upload
from kernex_core.parameters import parameter

SOURCES = frozenset({
    "source", "from", "node1", "node 1", "node_1", "src", "protein1", "gene1", "id1", "nodea", "node_a", "vertex1",
    "fromnode", "fromid", "from_id", "source_id", "interactor_a", "interactor a", "protein a", "tail",
})  # fmt: skip
TARGETS = frozenset({
    "target", "to", "node2", "node 2", "node_2", "dst", "protein2", "gene2", "id2", "nodeb", "node_b", "vertex2",
    "tonode", "toid", "to_id", "target_id", "interactor_b", "interactor b", "protein b", "head", "destination",
})  # fmt: skip
"""Titles of the columns of both ends."""
WEIGHTS = ("weight", "weights", "w", "combined_score", "score", "strength", "value", "confidence")
WIDEST = 200


@dataclass(frozen=True)
class EdgeOptions(NetworkOptions):
    """How a list of edges is read."""

    source_column: str = column_option("one end", "From", "found by its name, else the first")
    target_column: str = column_option("the other end", "To", "found by its name, else the next")
    weight_column: str = column_option(
        "weights", "Weights", "found by its name, or a third column of numbers"
    )
    weights: Literal["use", "ignore"] = parameter(
        "use",
        help="Whether weights count, or every edge alike.",
        label="Weights count",
        choices=("use", "ignore"),
        names=("yes", "no, every edge is 1"),
    )
    header: HeaderLine = header_option()


@dataclass(frozen=True)
class EdgeColumns:
    """Which column is what; `said` tells whether the header names both ends."""

    names: tuple[str, ...]
    header: bool
    source: int
    target: int
    weight: int | None
    said: bool


def edge_columns(upload: Upload, options: EdgeOptions) -> EdgeColumns:
    """Find out which columns hold what.

    Raises
    ------
    InvalidInputError
        Fewer than two columns, or a column that is not there.
    """
    table = table_of(upload)
    widths = [len(row.fields) for row in table.head]
    width = max(widths, key=lambda size: (widths.count(size), size)) if widths else 0
    if not 2 <= width <= WIDEST:
        raise InvalidInputError(
            "A list of edges has two columns of nodes, and perhaps one of weights",
            f"{width} columns in {upload.filename}",
            "Write one edge a line",
        )
    first = [field.strip() for field in table.head[0].fields]
    plain = [field.lower() for field in first]
    said = any(name in SOURCES for name in plain) and any(name in TARGETS for name in plain)
    header = _header(table, first, width, said) if options.header == "auto" else options.header == "yes"
    names = tuple(
        (first if header else []) + [f"column {k + 1}" for k in range(width)][len(first) if header else 0 :]
    )
    ends = _ends(plain, said and header)
    # a column that was chosen stays that column when the first line becomes, or is no more, a header
    other = tuple(f"column {k + 1}" for k in range(width)) if header else tuple(first)
    known = (names, other)
    source = _column(options.source_column, known, "The column of one end", ends[0], upload)
    target = _column(options.target_column, known, "The column of the other end", ends[1], upload)
    if source == target:
        raise InvalidInputError(
            "The two ends of an edge stand in two columns",
            f"column {names[source]!r} for both",
            "Choose another one",
        )
    weight = None
    if options.weight_column:
        weight = _column(options.weight_column, known, "The column of weights", 0, upload)
    elif options.weights == "use":
        weight = _weight(table, names, (source, target), header, said)
    return EdgeColumns(
        names, header, source, target, weight if options.weights == "use" else None, said and header
    )


def _ends(plain: Sequence[str], said: bool) -> tuple[int, int]:
    if not said:
        return 0, 1
    return (
        next(k for k, name in enumerate(plain) if name in SOURCES),
        next(k for k, name in enumerate(plain) if name in TARGETS),
    )


def _column(wanted: str, known: Sequence[Sequence[str]], title: str, default: int, upload: Upload) -> int:
    """Position of a column by its name, or by the name that it would have with the other choice of header."""
    names, other = known
    if wanted and wanted not in names and wanted in other and not wanted.isdecimal():
        return list(other).index(wanted)
    return find_column(wanted, names, title, upload.filename) if wanted else default


def _header(table: Table, first: Sequence[str], width: int, said: bool) -> bool:
    """A header names both ends, or stands as text over a column of numbers that is not the first."""
    if said or len(table.head) < 2 or len(first) < width:
        return said
    return any(
        not table.is_number(first[k]) and first[k].lower() not in UNKNOWN and _numbers(table, k, 1)
        for k in range(width)
    )


def _numbers(table: Table, position: int, start: int) -> bool:
    fields = [row.fields[position] for row in table.head[start:] if position < len(row.fields)]
    return bool(fields) and all(table.is_number(field) for field in fields)


def _weight(
    table: Table, names: Sequence[str], ends: tuple[int, int], header: bool, said: bool
) -> int | None:
    """A column that is called so; without names of both ends also the third of three, if it holds numbers.

    A column called weight is one even where a field of it is no number, which reading it will name.
    """
    others = [k for k in range(len(names)) if k not in ends]
    numeric = [k for k in others if _numbers(table, k, int(header))]
    if header:
        called = {names[k].strip().lower(): k for k in reversed(others)}
        for wanted in WEIGHTS:
            if wanted in called and (called[wanted] in numeric or wanted.startswith("weight")):
                return called[wanted]
    return numeric[0] if len(names) == 3 and numeric and not said else None
