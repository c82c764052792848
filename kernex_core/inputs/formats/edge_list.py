"""Networks as lists of edges: two ids a line, perhaps with a weight."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.format import TEXT_ENDINGS, Format, Suggestion, column_at, named_columns
from kernex_core.inputs.formats.hits import pairs_told, sniff_pairs
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.edges import (
    EDGE_LIMIT,
    SOURCES,
    TARGETS,
    WIDEST,
    EdgeColumns,
    EdgeOptions,
    Edges,
    NetworkOptions,
    check_network_size,
    edge_columns,
    network_of,
    weight_columns,
)
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.options import Answer, Question
from kernex_core.inputs.samples import Note
from kernex_core.inputs.similarities.hits import find_columns
from kernex_core.inputs.tables.columns import is_edge_list, is_list_of_numbers, joins_numbers
from kernex_core.inputs.tables.dialect import Dialect, coded, fields_of
from kernex_core.inputs.tables.table import Table, table_of
from kernex_core.inputs.tables.workbook import on_text
from kernex_core.inputs.upload import Upload

if TYPE_CHECKING:
    import pandas as pd

NAMED, LISTED, JOINED, NUMBERED, POSSIBLE = 0.98, 0.9, 0.7, 0.55, 0.08
"""Confidence: the header names both ends; pairs of the same ids; of different whole numbers, none twice; of whole numbers,
which may be vectors, too; two columns of anything."""
ENDINGS = ("edges", "edgelist", "ncol")
"""Endings of files that hold nothing else."""
NO_MORE = "A line of a list of edges has no more fields than the others"


@on_text
def sniff(upload: Upload) -> float:
    """Confidence that an upload is a list of edges."""
    if not upload.is_text:
        return 0.0
    table = table_of(upload)
    first = {field.strip().lower() for field in table.head[0].fields}
    width = max(len(row.fields) for row in table.head)
    if upload.extension in ENDINGS and 2 <= width <= 3:
        return NAMED
    if first & SOURCES and first & TARGETS:
        if width > WIDEST or _measured(table):
            return 0.0
        found = find_columns(upload)
        if found is not None and found.tool is not None and found.tool.own is not None:
            return 0.6 * NAMED  # a tool that compares everything with everything
        return 0.6 * NAMED if found is not None and pairs_told(upload, found) else NAMED
    if width == 2:
        if is_edge_list(table):
            return LISTED
        if is_list_of_numbers(table):
            return JOINED if joins_numbers(table) else NUMBERED
        paired = sum(len(row.fields) == 2 for row in table.head)
        return POSSIBLE if 2 * paired > len(table.head) else 0.0
    if width != 3 or any(len(row.fields) != 3 for row in table.head):
        return 0.0
    columns = edge_columns(upload, EdgeOptions())
    pairs = sniff_pairs(upload)
    if pairs and columns.weight is not None:
        ones = all(row.fields[columns.weight].strip() in ("1", "1.0") for row in table.head[columns.header :])
        return pairs + 0.01 if ones else 0.6 * pairs
    return 0.0


def _measured(table: Table) -> bool:
    """Whether columns that are called like ends hold numbers that are not whole: GENE1 and GENE2 of a table of genes."""
    plain = [field.strip().lower() for field in table.head[0].fields]
    ends = [k for k, name in enumerate(plain) if name in SOURCES | TARGETS]
    held = [row.fields[k] for row in table.head[1:] for k in ends if k < len(row.fields)]
    return any(table.is_number(field) and not field.strip().isdecimal() for field in held)


@on_text
def suggest(upload: Upload) -> Suggestion:
    """The columns of both ends and of weights that the header or their numbers point to."""
    columns = edge_columns(upload, EdgeOptions())
    shown = named_columns(columns.names)
    options = EdgeOptions(
        source_column=shown[columns.source],
        target_column=shown[columns.target],
        weight_column=column_at(shown, columns.weight),
    )
    ends = {"source_column": shown, "target_column": shown}
    return Suggestion(options, {**ends, "weight_column": ("", *shown)})


@on_text
def read(upload: Upload, options: EdgeOptions) -> Network:
    """Read a list of edges; a line with one id is a node without an edge.

    Raises
    ------
    InvalidInputError
        No two columns, lines of too many fields, a line without an id, or a weight that is no number (its line is named).
    TooLargeError
        More nodes or edges than the limits.
    """
    columns = edge_columns(upload, options)
    table = table_of(upload)
    frame = _at_once(table, columns, upload.filename)
    if frame is None:
        frame = _lines(table, columns, upload.filename)
    check_network_size(0, len(frame), options.limit, upload.filename)
    codes, ids = coded(frame["source"], frame["target"])
    codes, names = _stripped(codes.reshape(2, -1).T.ravel(), ids)
    pairs = codes.reshape(-1, 2)
    nothing = names.index("") if "" in names else -1
    blank = np.flatnonzero(pairs[:, 0] == nothing)
    if blank.size:
        raise InvalidInputError(
            "Every line of a list of edges begins with the id of a node",
            f"none in data line {int(blank[0]) + 1} of {upload.filename}",
        )
    paired = pairs[:, 1] != nothing
    if not paired.all():
        frame = frame[paired]
    weights = None if columns.weight is None else _weights(frame, table, columns, upload.filename)
    names, pairs, notes = _without_blank(names, pairs, paired)
    open_ones = weight_columns(upload) if columns.weight is None and options.weights == "use" else ()
    if open_ones:
        notes = (
            *notes,
            Note(
                f"Columns of numbers that may be weights: {listed(open_ones, 8)}.",
                "None is used: every edge counts alike.",
                "Choose the column of weights.",
                "warning",
            ),
        )
    edges = Edges(names, pairs[paired, 0], pairs[paired, 1], weights, notes=(*_said(columns), *notes))
    return network_of(edges, upload, options)


def _stripped(codes: IntArray, names: Sequence[str]) -> tuple[IntArray, list[str]]:
    """Names without white space at their ends, in the order in which they come first, and who has which."""
    first = np.empty(len(names), dtype=np.int64)
    first[codes[::-1]] = np.arange(codes.size)[::-1]  # of several places the last to be written stays
    place: dict[str, int] = {}
    new = np.empty(len(names), dtype=np.int64)
    for k in np.argsort(first).tolist():  # each id is looked at once, not each line
        new[k] = place.setdefault(names[k].strip(), len(place))
    return new[codes], list(place)


def _wanted(columns: EdgeColumns) -> dict[int, str]:
    found = {columns.source: "source", columns.target: "target"}
    return found if columns.weight is None else {**found, columns.weight: "weight"}


def _bare(lines: Sequence[str], dialect: Dialect) -> Sequence[str]:
    """Lines without the blanks at their ends, where blanks divide them."""
    return list(map(str.strip, lines)) if dialect.separator == " " else lines


def _at_once(table: Table, columns: EdgeColumns, filename: str) -> pd.DataFrame | None:
    """Ends of every line as text, and weights as numbers.

    None where something needs a second look: a line that is longer, a weight that is no number or not there, numbers
    that are not written plainly.
    """
    width, at = len(columns.names), int(columns.header)
    dialect = table.dialect
    if not dialect.plain_numbers or dialect.percent or dialect.comma == "open" or len(table.head) <= at:
        return None
    if len(table.head[at].fields) != width:
        return None  # of all columns, pandas refuses a line that is longer than the first
    filled = (k for k, line in enumerate(table.lines) if line.strip())
    begin = next(itertools.islice(filled, at, None))
    try:
        frame = fields_of(
            _bare(table.lines[begin:], dialect),
            dialect,
            filename=filename,
            expected=NO_MORE,
            numbers=None if columns.weight is None else {columns.weight: []},
            fields=width,
        )
    except InvalidInputError:
        return None
    frame = frame.rename(columns=_wanted(columns))
    return frame if columns.weight is None or frame["weight"].notna().all() else None


def _lines(table: Table, columns: EdgeColumns, filename: str) -> pd.DataFrame:
    """Ends and weights of every line, as text."""
    wanted = _wanted(columns)
    frame = fields_of(
        _bare(table.lines, table.dialect),
        table.dialect,
        filename=filename,
        expected=NO_MORE,
        # one more than the first lines have, so that a longer one shows
        width=1 + max(len(row.fields) for row in table.head),
    )
    further = frame.iloc[:, len(columns.names) :]
    beyond = (further.notna() & (further != "")).any(axis=1).to_numpy()
    if beyond.any():
        raise InvalidInputError(
            NO_MORE,
            f"more than {len(columns.names)} in data line {int(beyond.argmax()) + 1} of {filename}",
            "Put ids with blanks or commas into quotation marks",
        )
    return frame.iloc[int(columns.header) :][list(wanted)].rename(columns=wanted)


def _weights(frame: pd.DataFrame, table: Table, columns: EdgeColumns, filename: str) -> FloatArray:
    import pandas as pd

    table.check_commas()
    if frame["weight"].dtype == np.float64:
        return frame["weight"].to_numpy().copy()
    if table.dialect.plain_numbers:  # as nearly always
        plain = pd.to_numeric(frame["weight"], errors="coerce").to_numpy(dtype=np.float64).copy()
        if not np.isnan(plain).any():
            return plain
    text = frame["weight"].fillna("").astype(str).str.strip()
    if not table.dialect.plain_numbers:
        text = text.map(table.dialect.plain)
    weights = pd.to_numeric(text, errors="coerce").to_numpy(dtype=np.float64).copy()
    bad = np.flatnonzero(np.isnan(weights))
    if bad.size:
        row = frame.iloc[int(bad[0])]
        raise InvalidInputError(
            "Every weight has to be a number",
            f"{str(text.iloc[int(bad[0])])[:40]!r} between {row['source']!r} and {row['target']!r}, column "
            f"{columns.names[columns.weight or 0]!r} of {filename} ({bad.size:,} such lines)",
            "Correct that line, choose another column, or let every edge count alike",
        )
    return weights


def _without_blank(
    names: list[str], pairs: IntArray, paired: np.ndarray
) -> tuple[list[str], IntArray, tuple[Note, ...]]:
    """Take the empty id of lines with one node out of the list of nodes."""
    if paired.all():
        return names, pairs, ()
    at = names.index("")
    single = [names[int(k)] for k in np.unique(pairs[~paired, 0])]
    note = Note(
        f"Lines with one id: {int((~paired).sum()):,} ({listed(single)}).", "They are nodes.", "", "fine"
    )
    return names[:at] + names[at + 1 :], pairs - (pairs > at), (note,)


def _said(columns: EdgeColumns) -> tuple[Note, ...]:
    """What the columns were taken for."""
    ends = f"{columns.names[columns.source]!r} and {columns.names[columns.target]!r}"
    weights = (
        "every edge counts alike"
        if columns.weight is None
        else f"weights are {columns.names[columns.weight]!r}"
    )
    top = " The first line is a header." if columns.header else ""
    notes = [
        Note(
            f"The ends of edges are the columns {ends}; {weights}.{top}", "", "Choose other columns.", "fine"
        )
    ]
    if columns.weight is not None and not columns.said and len(columns.names) == 3:
        notes.append(
            Note(
                "Two columns of ids and one of numbers may be a network or pairs with a score.",
                "They are read as a network: what is not listed is no edge.",
                "Read them as pairs with a score if what is not listed is unknown.",
                "fine",
            )
        )
    return tuple(notes)


@on_text
def ask(upload: Upload, given: Mapping[str, object]) -> tuple[Question, ...]:
    """Which column is the weight, where several may be and none is called so."""
    if not upload.is_text or given.get("weight_column") or given.get("weights") == "ignore":
        return ()
    names = weight_columns(upload)
    if len(names) < 2:
        return ()
    columns = edge_columns(upload, EdgeOptions())
    ends = columns.names[columns.source], columns.names[columns.target]
    if any(
        given.get(name, end) != end
        for name, end in zip(("source_column", "target_column"), ends, strict=True)
    ):
        return ()  # with other ends other columns are left
    fields = table_of(upload).head[int(columns.header)].fields
    answers = tuple(Answer(name, fields[columns.names.index(name)].strip()) for name in names)
    pair = f"{fields[columns.source].strip()} and {fields[columns.target].strip()}"
    return (
        Question("weight_column", "Several columns of numbers may be the weight of edges", pair, answers),
    )


# Networks as Cytoscape writes them (SIF): a node, a relation, and one or more nodes a line.

RELATIONS = frozenset(
    {"pp", "pd", "pr", "rc", "cr", "gl", "pm", "mp", "dp", "-", "interacts", "interacts-with"}
)
"""What Cytoscape's manual and its menus call the usual relations."""
HEAD = 100_000


def sniff_sif(upload: Upload) -> float:
    """Confidence that an upload is SIF: by its ending, or by the usual relations between nodes."""
    if not upload.is_text:
        return 0.0
    said, joined = upload.extension == "sif", False
    for fields in _fields_of_sif(upload.text[:HEAD]):
        if len(fields) == 2 or (len(fields) > 2 and not said and fields[1] not in RELATIONS):
            return 0.0
        joined = joined or len(fields) > 2
    return (0.99 if said else 0.985) if joined else 0.0


def suggest_sif(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand: every edge counts alike, whatever its relation."""
    return Suggestion(NetworkOptions())


def read_sif(upload: Upload, options: NetworkOptions) -> Network:
    """Read SIF; a line with one node is a node without an edge.

    Raises
    ------
    InvalidInputError
        A line with a node and a relation, and no node behind them.
    TooLargeError
        More nodes or edges than the limits.
    """
    place: dict[str, int] = {}
    ends: list[tuple[int, int]] = []
    relations = Counter[str]()
    for number, fields in enumerate(_fields_of_sif(upload.text), 1):
        if len(fields) == 2:
            raise InvalidInputError(
                "A line of a SIF file has a node, a relation and one or more nodes, or a node alone",
                f"{fields[0]!r} and {fields[1]!r} alone in line {number} of {upload.filename}",
                "Write the node that the relation leads to",
            )
        if not fields:
            continue
        first = place.setdefault(fields[0], len(place))
        if len(fields) > 2:
            relations[fields[1]] += len(fields) - 2
        ends += [(first, place.setdefault(name, len(place))) for name in fields[2:]]
        if len(ends) > EDGE_LIMIT or len(place) > options.limit:
            check_network_size(len(place), len(ends), options.limit, upload.filename)
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    shown = listed([f"{name} ({count:,})" for name, count in relations.most_common()], 6)
    note = Note(
        f"The column between the nodes names the relation: {shown}.",
        "Every edge counts 1, whatever it is.",
        "",
        "fine",
    )
    return network_of(Edges(list(place), pairs[:, 0], pairs[:, 1], notes=(note,)), upload, options)


def _fields_of_sif(text: str) -> Iterator[list[str]]:
    """Fields of every line: where there is a tab in the file, names may hold blanks."""
    mark = "\t" if "\t" in text else None
    for line in text.split("\n"):
        fields = [field.strip() for field in line.split(mark)]
        yield [field for field in fields if field]


FORMAT = Format(
    "edges",
    "Network (list of edges)",
    "network",
    (*TEXT_ENDINGS, *ENDINGS),
    sniff,
    suggest,
    read,
    EdgeOptions,
    ask=ask,
)
SIF = Format(
    "sif",
    "Network (SIF of Cytoscape)",
    "network",
    ("sif",),
    sniff_sif,
    suggest_sif,
    read_sif,
    NetworkOptions,
)
