"""Networks as Cytoscape writes them (SIF): a node, a relation, and one or more nodes a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.edges import (
    EDGE_LIMIT,
    Edges,
    NetworkOptions,
    check_network_size,
    network_of,
)
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Note
from kernex_core.inputs.upload import Upload

RELATIONS = frozenset(
    {"pp", "pd", "pr", "rc", "cr", "gl", "pm", "mp", "dp", "-", "interacts", "interacts-with"}
)
"""What Cytoscape's manual and its menus call the usual relations."""
LOOKED_AT = 100_000


def sniff(upload: Upload) -> float:
    """Confidence that an upload is SIF: by its ending, or by the usual relations between nodes."""
    if not upload.is_text:
        return 0.0
    fields = [line for line in _fields(upload.text[:LOOKED_AT]) if len(line) > 1]
    if not fields or any(len(line) == 2 for line in fields):
        return 0.0
    if upload.extension == "sif":
        return 0.99
    return 0.985 if all(line[1] in RELATIONS for line in fields) else 0.0


def suggest(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand: every edge counts alike, whatever its relation."""
    return Suggestion(NetworkOptions())


def read(upload: Upload, options: NetworkOptions) -> Network:
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
    for number, fields in enumerate(_fields(upload.text), 1):
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


def _fields(text: str) -> Iterator[list[str]]:
    """Fields of every line: where there is a tab in the file, names may hold blanks."""
    mark = "\t" if "\t" in text else None
    for line in text.split("\n"):
        fields = [field.strip() for field in line.split(mark)]
        yield [field for field in fields if field]


FORMAT = Format(
    "sif", "Network (SIF of Cytoscape)", "network", ("sif",), sniff, suggest, read, NetworkOptions
)
