"""Columns of a list of edges: two of nodes, perhaps one of weights, with or without a header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.inputs.names import alike, listed
from kernex_core.inputs.networks.network import Network, structure_notes
from kernex_core.inputs.options import (
    Commas,
    HeaderLine,
    SampleOptions,
    column_option,
    comma_option,
    header_option,
)
from kernex_core.inputs.samples import Labels, Note, Vectors
from kernex_core.inputs.tables.columns import find_column
from kernex_core.inputs.tables.table import UNKNOWN, Table, table_of
from kernex_core.inputs.upload import Upload

EDGE_LIMIT = 5_000_000
"""Largest number of lines of edges that are read."""


@dataclass(frozen=True)
class NetworkOptions(SampleOptions):
    """Options of every format that holds a network."""

    repeated: Literal["max", "sum", "mean"] = parameter(
        "max",
        help="What counts where the same two nodes are joined more than once, in either direction.",
        label="Repeated edges",
        choices=("max", "sum", "mean"),
        names=("the largest weight", "the sum", "the mean"),
    )
    negative: Literal["keep", "absolute", "drop"] = parameter(
        "keep",
        help="What a negative weight becomes; kernels of the Laplacian refuse them.",
        label="Negative weights",
        choices=("keep", "absolute", "drop"),
        names=("stay", "their size counts", "are no edges"),
    )


SOURCES = frozenset({
    "source", "from", "node1", "node 1", "node_1", "src", "protein1", "gene1", "id1", "nodea", "node_a", "vertex1",
    "fromnode", "fromid", "from_id", "source_id", "interactor_a", "interactor a", "protein a", "tail",
    "official symbol interactor a", "alt_id_a", "geneid1",
})  # fmt: skip
TARGETS = frozenset({
    "target", "to", "node2", "node 2", "node_2", "dst", "protein2", "gene2", "id2", "nodeb", "node_b", "vertex2",
    "tonode", "toid", "to_id", "target_id", "interactor_b", "interactor b", "protein b", "head", "destination",
    "official symbol interactor b", "alt_id_b", "geneid2",
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
    comma: Commas = comma_option()


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
    if table.titled:
        return True
    return any(
        not table.is_number(first[k]) and first[k].lower() not in UNKNOWN and _numbers(table, k, 1)
        for k in range(width)
    )


def _numbers(table: Table, position: int, start: int) -> bool:
    fields = [row.fields[position] for row in table.head[start:] if position < len(row.fields)]
    return bool(fields) and all(table.is_number(field) for field in fields)


def weight_columns(upload: Upload) -> tuple[str, ...]:
    """Names of the columns that may be the weight, where several may and none is called so."""
    columns = edge_columns(upload, EdgeOptions())
    if columns.weight is not None:
        return ()
    table, start = table_of(upload), int(columns.header)
    return tuple(
        name
        for k, name in enumerate(columns.names)
        if k not in (columns.source, columns.target)
        and _numbers(table, k, start)
        and not _counts(table, k, name, start)
    )


_NO_WEIGHT = re.compile(
    r"(.*[\s_.]|)(year|date|time|timestamp|id|ids|index|no|nr|taxid|taxon|pmid|interactor [ab])$",
    re.IGNORECASE,
)


def _counts(table: Table, position: int, name: str, start: int) -> bool:
    """Whether a column counts the lines, or is called like what no weight is: a year, a number of a record."""
    if _NO_WEIGHT.match(name.strip()):
        return True
    fields = [row.fields[position].strip() for row in table.head[start:] if position < len(row.fields)]
    return (
        len(fields) > 1
        and any(fields == [str(k + first) for k in range(len(fields))] for first in (0, 1))
        and position < 1
    )


def _weight(
    table: Table, names: Sequence[str], ends: tuple[int, int], header: bool, said: bool
) -> int | None:
    """A column that is called so; without names of both ends also the third of three, if it holds numbers.

    A column called weight is one even where a field of it is no number, which reading it will name.
    """
    others = [k for k in range(len(names)) if k not in ends and not _counts(table, k, names[k], int(header))]
    numeric = [k for k in others if _numbers(table, k, int(header))]
    if header:
        called = {names[k].strip().lower(): k for k in reversed(others)}
        for wanted in WEIGHTS:
            if wanted in called and (called[wanted] in numeric or wanted.startswith("weight")):
                return called[wanted]
    # which of several is asked (`weight_columns`); the only column of numbers is it, whatever it is called
    return numeric[0] if len(numeric) == 1 and (header or len(names) == 3) else None


# The last stretch of every network format: from listed edges to a Network, with the rules and a note on each.


@dataclass(frozen=True, eq=False)
class Edges(EqualByContent):
    """Edges as a file lists them.

    Attributes
    ----------
    ids : sequence of str
        Of all nodes.
    source, target : (m,) int
        Positions in `ids`.
    weights : (m,) float or None
        None: every edge counts 1.
    directed : bool
        The file says that edges have a direction.
    notes : tuple of Note
        What was found while it was read.
    """

    ids: Sequence[str]
    source: IntArray
    target: IntArray
    weights: FloatArray | None = None
    directed: bool = False
    notes: tuple[Note, ...] = field(default=())


def check_network_size(n: int, m: int, limit: int, filename: str) -> None:
    """Refuse more nodes or edges than are read, before room for them is taken.

    Raises
    ------
    TooLargeError
    """
    if n > limit or m > EDGE_LIMIT:
        raise TooLargeError(
            f"At most {limit:,} nodes and {EDGE_LIMIT:,} edges are read",
            f"{n:,} nodes and {m:,} edges in {filename}",
            "Bring the part of the network that the question is about",
        )


def network_of(
    edges: Edges,
    upload: Upload,
    options: NetworkOptions,
    *,
    labels: Labels | None = None,
    attributes: Vectors | None = None,
) -> Network:
    """Make an undirected network of listed edges.

    Self loops and weights of 0 are dropped; edges that join the same nodes, in either direction, become one.

    Raises
    ------
    InvalidInputError
        No edge, blank ids, or weights that are unknown or infinite (the nodes are named).
    TooLargeError
        More nodes or edges than the limits.
    """
    ids = tuple(edges.ids)
    check_network_size(len(ids), edges.source.size, options.limit, upload.filename)
    if len(ids) < 2:
        raise InvalidInputError("A network needs at least two nodes", f"{len(ids)} in {upload.filename}")
    source, target, weights, notes = _kept(edges, ids, upload.filename, options)
    half, repeated = _merged(
        np.minimum(source, target), np.maximum(source, target), weights, len(ids), options.repeated
    )
    if repeated:
        how = {"max": "largest weight", "sum": "sum", "mean": "mean"}[options.repeated]
        notes.append(
            Note(
                f"Edges that join the same two nodes again, in either direction: {repeated:,}.",
                f"They are one edge; the {how} counts.",
                "Choose the largest weight, the sum or the mean.",
                "fine",
            )
        )
    B = sparse.csr_array(half + sparse.csr_array(half.T))
    notes += [*alike(ids), *structure_notes(B, ids)]
    return Network(ids, B, labels, attributes, (*edges.notes, *notes), upload.recipe(options))


def _kept(
    edges: Edges, ids: Sequence[str], filename: str, options: NetworkOptions
) -> tuple[IntArray, IntArray, FloatArray, list[Note]]:
    """Edges that count, and notes on those that do not."""
    source, target = edges.source, edges.target
    weights = np.ones(source.size) if edges.weights is None else edges.weights
    _check_weights(edges, weights, filename)
    notes = []
    if edges.directed:
        notes.append(
            Note(
                "The edges of this file have a direction.",
                "Kernels on nodes know none: a → b and b → a are one edge.",
                "Choose what counts where both are listed.",
                "warning",
            )
        )
    loops = source == target
    if loops.any():
        names = listed([ids[int(k)] for k in np.unique(source[loops])])
        notes.append(
            Note(f"Edges from a node to itself: {int(loops.sum()):,} ({names}).", "They are dropped.")
        )
    zero = ~loops & (weights == 0.0)
    if zero.any():
        notes.append(Note(f"Edges of weight 0: {int(zero.sum()):,}.", "They are no edges.", "", "fine"))
    kept = ~loops & ~zero
    if options.negative == "drop":
        below = kept & (weights < 0.0)
        if below.any():
            notes.append(Note(f"Edges with a negative weight: {int(below.sum()):,}.", "They are dropped."))
        kept &= ~below
    elif options.negative == "absolute":
        if (weights < 0.0).any():
            notes.append(
                Note(f"Edges with a negative weight: {int((weights < 0.0).sum()):,}.", "Their size counts.")
            )
        weights = np.abs(weights)
    if not kept.any():
        raise InvalidInputError("A network needs at least one edge between two nodes", f"none in {filename}")
    return source[kept], target[kept], weights[kept], notes


def _check_weights(edges: Edges, weights: FloatArray, filename: str) -> None:
    bad = np.flatnonzero(~np.isfinite(weights))
    if bad.size:
        k = int(bad[0])
        a, b = edges.ids[int(edges.source[k])], edges.ids[int(edges.target[k])]
        raise InvalidInputError(
            "Weights of edges have to be known and finite",
            f"{weights[k]} between {a!r} and {b!r} ({bad.size:,} such edges) in {filename}",
            "Write the weight, or leave the edge out",
        )


def _merged(
    lower: IntArray, higher: IntArray, weights: FloatArray, n: int, how: str
) -> tuple[sparse.csr_array, int]:
    """Weights (n, n) of each pair once, above the diagonal; and how many lines repeated one."""
    # two bytes are sorted by counting
    small = np.uint16 if n <= np.iinfo(np.uint16).max else np.int64
    order = np.lexsort((higher.astype(small), lower.astype(small)))
    lower, higher, weights = lower[order], higher[order], weights[order]
    first = np.flatnonzero(np.r_[True, (lower[1:] != lower[:-1]) | (higher[1:] != higher[:-1])])
    made = np.maximum.reduceat(weights, first) if how == "max" else np.add.reduceat(weights, first)
    if how == "mean":
        made = made / np.diff(np.r_[first, lower.size])
    starts = np.concatenate([[0], np.cumsum(np.bincount(lower[first], minlength=n))])
    parts = made, higher[first].astype(np.int32), starts.astype(np.int32)  # edges are far fewer than 2^31
    return sparse.csr_array(parts, shape=(n, n)), int(lower.size - first.size)


def edges_of_matrix(values: FloatArray, ids: Sequence[str], notes: Sequence[Note] = ()) -> Edges:
    """Edges of an adjacency matrix (n, n); an unknown entry is no edge, and said.

    Where both triangles say the same, one of them is read.
    """
    unknown = int(np.isnan(values).sum())
    found = list(notes)
    if unknown:
        found.append(Note(f"Unknown entries: {unknown:,}.", "They are no edges.", "", "warning"))
    B = np.nan_to_num(values, nan=0.0, posinf=np.inf, neginf=-np.inf)
    symmetric = bool((B == B.T).all())
    i, j = np.nonzero(np.triu(B)) if symmetric else np.nonzero(B)
    return Edges(ids, i, j, B[i, j], not symmetric, tuple(found))
