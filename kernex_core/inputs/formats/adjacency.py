"""Networks as adjacency matrices: text with ids on both axes, on one or on none, an array of NumPy, or a matrix of R."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.base.errors import KernexError
from kernex_core.base.validation import MOST_ITEMS
from kernex_core.inputs.format import TEXT_ENDINGS, Format, Suggestion
from kernex_core.inputs.formats import matrix, numpy_file, r_file
from kernex_core.inputs.formats.matrix import MatrixOptions
from kernex_core.inputs.formats.numpy_file import NumpyOptions
from kernex_core.inputs.formats.r_file import ROptions
from kernex_core.inputs.networks.edges import NetworkOptions, edges_of_matrix, network_of
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.options import Commas, IdsStand, array_option, comma_option, ids_option
from kernex_core.inputs.r_objects import ENDINGS, is_r
from kernex_core.inputs.tables.class_column import take_apart
from kernex_core.inputs.tables.table import table_of
from kernex_core.inputs.upload import Upload

OFFERED = 0.3
"""Share of the confidence that a square matrix is one of similarities, where its entries do not say that they are edges."""
_EDGES = frozenset({"0", "1", "0.0", "1.0"})


@dataclass(frozen=True)
class AdjacencyOptions(NetworkOptions):
    """How an adjacency matrix is read."""

    ids: IdsStand = ids_option("nodes")
    comma: Commas = comma_option()
    key: str = array_option("the first square one")


def sniff(upload: Upload) -> float:
    """Confidence that an upload is an adjacency matrix: square, of 0 and 1, with 0 on the diagonal."""
    try:
        if upload.is_text:
            found = matrix.sniff(upload)
            return found + 0.02 if found >= 0.5 and _of_edges(upload) else OFFERED * found
        if is_r(upload):
            edges, found = r_file.holds_yes_or_no(upload), r_file.sniff(upload)
            return found + 0.02 if edges else OFFERED * found
        found = numpy_file.sniff(upload)
        return found + 0.02 if found and numpy_file.holds_yes_or_no(upload) else OFFERED * found
    except KernexError:
        return 0.0


def _of_edges(upload: Upload) -> bool:
    """Whether the first rows hold nothing but 0 and 1, with 0 on the diagonal; more of the former."""
    found = take_apart(table_of(upload))
    layout = found.layout
    entries, own = list[str](), list[str]()
    for k, row in enumerate(found.table.head[int(layout.header) :]):
        fields = [field.strip() for field in row.fields[int(layout.first_column) :]]
        own += fields[k : k + 1]
        entries += fields
    zeros = sum(field in ("0", "0.0") for field in entries)
    return (
        len(own) > 2
        and set(entries) <= _EDGES
        and set(own) <= {"0", "0.0"}
        and 2 * zeros >= len(entries)
        and zeros < len(entries)
    )


def suggest(upload: Upload) -> Suggestion:
    """The square arrays of an archive; nothing to choose beforehand in a text."""
    if upload.is_text:
        return Suggestion(AdjacencyOptions())
    found = r_file.suggest(upload) if is_r(upload) else numpy_file.suggest(upload)
    return Suggestion(AdjacencyOptions(), found.choices)


def read(upload: Upload, options: AdjacencyOptions) -> Network:
    """Read an adjacency matrix.

    Raises
    ------
    InvalidInputError
        Not square, ids that differ between the axes, or an entry that is no number.
    TooLargeError
        More nodes than a dense matrix may have, before room for them is taken.
    """
    limit = min(options.limit, MOST_ITEMS)
    if upload.is_text:
        values, ids, notes, _ = matrix.square_of(
            table_of(upload), MatrixOptions(limit=limit, ids=options.ids)
        )
    elif is_r(upload):
        values, ids, notes = r_file.square_matrix(upload, ROptions(limit=limit, key=options.key))
    else:
        values, named, notes = numpy_file.square_array(upload, NumpyOptions(limit=limit, key=options.key))
        ids = named or []
    nodes = ids or [str(k + 1) for k in range(values.shape[0])]
    return network_of(edges_of_matrix(values, nodes, notes), upload, options)


FORMAT = Format(
    "adjacency",
    "Network (adjacency matrix)",
    "network",
    (*TEXT_ENDINGS, "npy", "npz", *ENDINGS),
    sniff,
    suggest,
    read,
    AdjacencyOptions,
)
