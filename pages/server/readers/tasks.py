"""What a reader can be asked about an uploaded file: each task takes the file and plain arguments, and draws nothing.

TASKS                          by name; the only functions that a reader process calls
look(file) -> Look             how it may be read, and what comes of the likeliest way: so a file is read once
run(name, file, *args)         a task in this very process
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import (
    InvalidInputError,
    KernexError,
    NotPositiveSemidefiniteError,
    TooLargeError,
)
from kernex_core.base.frozen import FloatArray
from kernex_core.inputs import nodes
from kernex_core.inputs.catalogue import format_named
from kernex_core.inputs.dataset import AnySamples
from kernex_core.inputs.format import SURE, Suggestion
from kernex_core.inputs.formats import hits, labels
from kernex_core.inputs.formats.labels import suggest_for
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.items.label_columns import LabelOptions
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.new_items import (
    KnownVectors,
    NewRows,
    lists_vectors,
    new_rows_of,
    new_vectors_of,
    read_new,
)
from kernex_core.inputs.options import Question, ReadOptions
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import AnyVectors, Labels, Note, Sequences
from kernex_core.inputs.similarities.pairs import PairPart, parts_of_pairs
from kernex_core.inputs.upload import Upload
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix, read_substitution_matrix
from kernex_core.studies.data import read_as, read_asking, readings, suggest
from kernex_core.studies.model.model import model_parts
from kernex_core.studies.papers.orthogonal.families import Families, read_families
from kernex_core.studies.papers.orthogonal.sparse import SparseTable, read_sparse_vectors
from kernex_core.workspace.archive import unpack

MOST_CHOSEN_FROM: Final = 500_000
ERRORS: Final[Mapping[str, type[KernexError]]] = {
    each.__name__: each for each in (InvalidInputError, TooLargeError, NotPositiveSemidefiniteError)
}


@dataclass(frozen=True)
class Refusal:
    """What is wrong with a file, as plain values.

    Attributes
    ----------
    kind : str
        One of ERRORS.
    expected, found, remedy : str
    """

    kind: str
    expected: str
    found: str = ""
    remedy: str = ""

    @classmethod
    def of(cls, error: KernexError) -> Refusal:
        """The values of an error."""
        name = type(error).__name__
        kind = name if name in ERRORS else InvalidInputError.__name__
        return cls(kind, str(error.expected), str(error.found), str(error.remedy))

    @property
    def error(self) -> KernexError:
        """The error again."""
        return ERRORS.get(self.kind, InvalidInputError)(self.expected, self.found, self.remedy)


@dataclass(frozen=True)
class Read:
    """What came of a file in one way, and what it left open; see `kernex_core.studies.data.Reading`."""

    options: ReadOptions
    questions: tuple[Question, ...] = ()
    result: AnySamples | Labels | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Look:
    """The first look at a file.

    Attributes
    ----------
    ways : tuple of (str, float)
        Names of all formats with the confidence that the file has it, likeliest first.
    beginning : Suggestion or None
        Options to start from in the likeliest; None where there is none, or where it cannot be read so at all.
    read : Read
        What came of the likeliest way, where it is likely.
    """

    ways: tuple[tuple[str, float], ...]
    beginning: Suggestion | None
    read: Read

    @property
    def way(self) -> str:
        """Name of the format that was read as; "" where none is likely."""
        return self.ways[0][0] if self.ways and self.ways[0][1] >= SURE else ""


@dataclass(frozen=True)
class NodeColumns:
    """Columns of a table of nodes: options to start from, those of numbers, and those that nearly are."""

    found: Suggestion
    numbers: tuple[str, ...]
    notes: tuple[Note, ...]


def look(file: Upload) -> Look:
    """Return how a file may be read, and what comes of the likeliest way.

    Raises
    ------
    KernexError
        It cannot even be unpacked.
    """
    ways = tuple((guess.format.name, guess.confidence) for guess in readings(file))
    way = ways[0][0] if ways[0][1] >= SURE else ""
    if not way:
        try:
            return Look(ways, None, Read(ReadOptions(), result=read_as(file, way, ReadOptions())))
        except KernexError as error:
            return Look(ways, None, Read(ReadOptions(), refusal=Refusal.of(error)))
    try:
        beginning = suggest(file, way)
    except KernexError:
        return Look(ways, None, answered(file, way, format_named(way).options(), ()))
    return Look(ways, beginning, answered(file, way, beginning.options, ()))


def answered(file: Upload, way: str, options: ReadOptions, answers: tuple[tuple[str, str], ...]) -> Read:
    """Return what comes of a file in one way: what it leaves open is asked, until these answers settle it."""
    found = read_asking(file, way, options, dict(answers))
    refusal = None if found.error is None else Refusal.of(found.error)
    return Read(found.options, found.questions, found.result, refusal)


def network(file: Upload) -> Network:
    """Return the network of a file."""
    made = read_samples(file, file.filename, kind="network")
    assert isinstance(made, Network)  # of that kind
    return made


@dataclass(frozen=True)
class PairParts:
    """Items of a table of pairs, and parts of them that a matrix can be made of."""

    ids: tuple[str, ...]
    parts: tuple[PairPart, ...]


def pair_parts(
    file: Upload, score_column: str, size: int, labelled: tuple[str, ...], query: str, seed: int
) -> PairParts:
    """Return the items of a table of pairs, and parts of at most `size` of them; see `parts_of_pairs`.

    Raises
    ------
    TooLargeError
        So many that nobody chooses among them.
    """
    found = hits.listed_pairs(file, score_column)
    if len(found.ids) > MOST_CHOSEN_FROM:
        raise TooLargeError(
            f"A part is chosen of at most {MOST_CHOSEN_FROM:,} items",
            f"{len(found.ids):,} in {file.filename}",
            "Leave out the pairs of items that are not needed before you bring it",
        )
    parts = parts_of_pairs(found, size, labelled=labelled, query=query, seed=seed)
    return PairParts(tuple(found.ids), parts)


def node_columns(file: Upload, ids: tuple[str, ...]) -> NodeColumns:
    """Return what the columns of a table of these nodes are."""
    return NodeColumns(suggest_for(file, ids), nodes.number_columns(file), nodes.nearly_number_columns(file))


def class_column(file: Upload, start: LabelOptions, names: tuple[str, ...]) -> str:
    """Return the first of these columns whose values repeat as those of classes do; "" without any.

    A column of many different numbers is a measurement: it is no class unless somebody says so.
    """
    for name in names:
        try:
            y = labels.read(file, replace(start, label_column=name)).y
        except KernexError:  # a column of which nothing can be made is not the one
            continue
        if 2 * np.unique(y[y != ""]).size <= int(np.count_nonzero(y != "")):
            return name
    return ""


def new_vectors(file: Upload, known: KnownVectors) -> AnyVectors:
    """Return new items that fit these."""
    return new_vectors_of(file, file.filename, known)


def new_rows(
    file: Upload, ids: tuple[str, ...], diagonal: FloatArray, known: KnownVectors | None
) -> NewRows | AnyVectors:
    """Return similarities of new items to those with these ids and self-similarities, or vectors that fit the known ones."""
    if known is not None and lists_vectors(file, known.width):
        return new_vectors_of(file, file.filename, known)
    return new_rows_of(file, file.filename, ids, diagonal)


def new_sequences(file: Upload, ids: tuple[str, ...], alphabet: Any) -> Sequences:
    """Return new sequences beside those with these ids, of the same alphabet."""
    return read_new(file, file.filename, Sequences(ids, ("",) * len(ids), alphabet))


def new_graphs(file: Upload) -> GraphSet:
    """Return graphs."""
    made = read_samples(file, file.filename, kind="graphs")
    assert isinstance(made, GraphSet)  # of that kind
    return made


def substitution_matrix(file: Upload) -> SubstitutionMatrix:
    """Return a substitution matrix."""
    return read_substitution_matrix(file.packed, file.filename)


def sparse_vectors(file: Upload) -> SparseTable:
    """Return labelled sparse vectors."""
    return read_sparse_vectors(file.packed, file.filename)


def families(file: Upload) -> Families:
    """Return a table of families."""
    return read_families(file.packed, file.filename)


def workspace_parts(file: Upload, limit: int) -> dict[str, NDArray[np.uint8]]:
    """Return the parts of a workspace file, whose values are made by who asks (`workspace.file.workspace_of`)."""
    return _as_arrays(unpack(file.packed, limit))


def model_file_parts(file: Upload, limit: int) -> dict[str, NDArray[np.uint8]]:
    """Return the parts of the file of a model, whose values are made by who asks (`studies.model.file.model_of`)."""
    return _as_arrays(model_parts(file.packed, limit))


def _as_arrays(parts: Mapping[str, bytes]) -> dict[str, NDArray[np.uint8]]:
    return {name: np.frombuffer(part, np.uint8) for name, part in parts.items()}


FUNCTIONS: Final[Sequence[Callable[..., object]]] = (
    look,
    suggest,
    read_as,
    answered,
    network,
    pair_parts,
    node_columns,
    class_column,
    nodes.read,
    labels.read,
    new_vectors,
    new_rows,
    new_sequences,
    substitution_matrix,
    sparse_vectors,
    families,
    workspace_parts,
    model_file_parts,
    new_graphs,
)
TASKS: Final[Mapping[str, Callable[..., object]]] = {
    f"{each.__module__}.{each.__name__}": each for each in FUNCTIONS
}


def name_of(task: Callable[..., object]) -> str:
    """Name of a task in TASKS."""
    return f"{task.__module__}.{task.__name__}"


def run(name: str, file: Upload, *args: object) -> object:
    """Do a task in this process, and let go of what it has worked out about the file on the way."""
    try:
        return TASKS[name](file, *args)
    finally:
        file.forget()
