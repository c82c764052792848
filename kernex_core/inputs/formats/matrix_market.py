"""MatrixMarket files: a network, or similarities, as is chosen; vectors where they are not square."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import sparse

from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.sparse_rows import check_sparse_size
from kernex_core.base.validation import MOST_ITEMS, check_item_count
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.formats.vectors import check_size
from kernex_core.inputs.market import market_entries, market_size
from kernex_core.inputs.networks.edges import Edges, NetworkOptions, check_network_size, network_of
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.options import SimilarityOptions
from kernex_core.inputs.samples import Note, Similarity, SparseVectors, Vectors
from kernex_core.inputs.similarities.finish import similarity
from kernex_core.inputs.sparse_vectors import SparseOptions, check_shape, vectors_of, written_vectors
from kernex_core.inputs.upload import Upload

MOST_LOOKED_AT = 20_000_000
"""Entries up to which a sparse file is read to guess what it holds."""


@dataclass(frozen=True)
class MarketOptions(SimilarityOptions):
    """How a MatrixMarket file of similarities is read."""

    absent: Literal["zero", "unknown"] = parameter(
        "zero",
        help="What an entry means that a sparse file does not list.",
        label="Absent pairs are",
        choices=("zero", "unknown"),
    )


@dataclass(frozen=True)
class MarketVectorOptions(SparseOptions):
    """How a MatrixMarket file of vectors is read."""

    items: Literal["rows", "columns"] = parameter(
        "rows",
        help="Whether rows or columns are the items; counts of single cells have a column a cell.",
        label="Items are the",
        choices=("rows", "columns"),
    )


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a network in MatrixMarket format: a sparse one rather is; see `_guess`."""
    return _confidence(upload, sparse_one=0.97, dense=0.6)


def sniff_similarity(upload: Upload) -> float:
    """Confidence that an upload holds similarities in MatrixMarket format: a dense one rather does; see `_guess`."""
    return _confidence(upload, sparse_one=0.6, dense=0.97)


def _confidence(upload: Upload, *, sparse_one: float, dense: float) -> float:
    if not upload.is_text or not upload.text[:14].lower().startswith("%%matrixmarket"):
        return 0.0
    if _is_oblong(upload):
        return 0.2
    if re.match(r"\S+\s+\S+\s+array", upload.text[:60], re.IGNORECASE):
        return dense
    return dense if _guess(upload) else sparse_one


def _is_oblong(upload: Upload) -> bool:
    """Whether a file announces another number of rows than of columns."""
    try:
        size = market_size(upload, square=False)
    except KernexError:
        return False
    return size.rows != size.columns


def sniff_vectors(upload: Upload) -> float:
    """Confidence that an upload holds vectors in MatrixMarket format: one that is not square does."""
    if not upload.is_text or not upload.text[:14].lower().startswith("%%matrixmarket"):
        return 0.0
    return 0.97 if _is_oblong(upload) else 0.2


def _guess(upload: Upload) -> str:
    """Why a sparse file rather holds similarities: "" if it does not.

    Every item has a positive similarity to itself, or some entry off the diagonal is negative where some entries on it
    are there: loops on all nodes, and negative weights beside loops, are rare in networks.
    """
    why: str = upload.remembered("market guess", lambda: _why_similarity(upload))
    return why


def _why_similarity(upload: Upload) -> str:
    try:
        size = market_size(upload)
        if size.layout == "array" or not 0 < size.n <= MOST_ITEMS or size.entries > MOST_LOOKED_AT:
            return ""
        entries = sparse.coo_array(market_entries(upload, size))
    except KernexError:
        return ""
    values = np.asarray(entries.data, dtype=np.float64)
    own = entries.coords[0] == entries.coords[1]
    if np.unique(entries.coords[0][own & (values > 0.0)]).size == size.n:
        return "every item has a positive entry for itself"
    negative = bool((values[~own] < 0.0).any())
    return "some entries are negative, and some stand on the diagonal" if negative and own.any() else ""


def _guess_note(upload: Upload, chosen: str) -> Note:
    """Which of both a sparse file was taken for, and why."""
    why = _guess(upload)
    reason = f": {why}" if why else ": not every item has an entry for itself"
    guessed = "similarities" if why else "a network"
    other = "a network" if chosen == "similarities" else "similarities"
    return Note(
        f"A sparse MatrixMarket file may hold similarities or a network; this one looks like {guessed}{reason}.",
        f"It is read as {chosen}.",
        f"Read it as {other} if it is that.",
        "fine" if guessed == chosen else "note",
    )


def suggest(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand; read it as similarities if what is not listed is no edge."""
    return Suggestion(NetworkOptions())


def suggest_similarity(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand; the page offers a conversion where the numbers look like distances."""
    return Suggestion(MarketOptions())


def suggest_vectors(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand: rows are the items."""
    return Suggestion(MarketVectorOptions())


def read_vectors(upload: Upload, options: MarketVectorOptions, *, fewest: int = 2) -> Vectors | SparseVectors:
    """Read one vector a row, or a column.

    Raises
    ------
    InvalidInputError
        Damaged, not of real numbers, or an entry of a sparse one that is unknown.
    TooLargeError
        More items, columns or entries than the limits, before room is taken.
    """
    size = market_size(upload, square=False)
    columns = options.items == "columns"
    n, d = (size.columns, size.rows) if columns else (size.rows, size.columns)
    check_item_count(n, options.limit)
    check_shape(n, d, upload.filename, fewest)
    if size.layout == "array":
        check_size(n, d, upload.filename, fewest)
    else:
        check_sparse_size(d, size.entries, upload.filename)
    found = market_entries(upload, size)
    ids = tuple(str(k) for k in range(1, n + 1))
    said = Note(
        f"The {n:,} {options.items} are the items, the {d:,} {'rows' if columns else 'columns'} their features.",
        choice=f"Say that the {'rows' if columns else 'columns'} are the items if they are"
        + ("." if columns else ", as in counts of single cells."),
    )
    recipe = upload.recipe(options)
    if isinstance(found, np.ndarray):
        X = np.array(found.T if columns else found, dtype=np.float64, order="C")
        return replace(written_vectors(X, ids, (), None, (said,), upload.filename), recipe=recipe)
    rows = sparse.csr_array(found.T if columns else found)
    return replace(vectors_of(rows, ids, upload, options.zeros, notes=(said,), fewest=fewest), recipe=recipe)


def read(upload: Upload, options: NetworkOptions) -> Network:
    """Read the weights of a network.

    Raises
    ------
    InvalidInputError
        Damaged, not square, or not of real numbers.
    TooLargeError
        More nodes or edges than the limits, before anything is taken into memory.
    """
    size = market_size(upload)
    limit = options.limit if size.layout == "coordinate" else min(options.limit, MOST_ITEMS)
    check_network_size(size.n, size.entries, limit, upload.filename)
    entries = sparse.coo_array(market_entries(upload, size))
    source, target = (part.astype(np.int64) for part in entries.coords)
    weights = np.asarray(entries.data, dtype=np.float64)
    B = sparse.csr_array(entries)
    directed = size.symmetry == "general" and bool(abs(B - B.T).sum() != 0.0)
    half = np.ones(source.size, dtype=np.bool_) if directed else source <= target
    ids = [str(k + 1) for k in range(size.n)]
    said = (_guess_note(upload, "a network"),) if size.layout == "coordinate" else ()
    edges = Edges(ids, source[half], target[half], weights[half], directed, notes=said)
    return network_of(edges, upload, options)


def read_similarity(upload: Upload, options: MarketOptions) -> Similarity:
    """Read similarities; what a sparse file does not list is 0, or unknown.

    Raises
    ------
    InvalidInputError
        Damaged, not square, or not of real numbers.
    TooLargeError
        More items than the limit, before room for them is taken.
    """
    size = market_size(upload)
    check_item_count(size.n, options.limit)
    found = market_entries(upload, size)
    notes = []
    if size.layout == "array":
        values: FloatArray = np.asarray(found, dtype=np.float64)
    else:
        entries = sparse.coo_array(found)
        values = np.zeros((size.n, size.n))
        np.add.at(values, entries.coords, entries.data)
        listed = np.zeros(values.shape, dtype=np.bool_)
        listed[entries.coords] = True
        absent = int((~listed).sum())
        if options.absent == "unknown":
            values[~listed] = np.nan
        notes.append(_guess_note(upload, "similarities"))
        if absent:
            notes.append(
                Note(
                    f"Entries that the sparse file does not list: {absent:,} of {size.n**2:,}.",
                    "They are 0." if options.absent == "zero" else "They are unknown.",
                    "Choose zero or unknown, or read the file as a network.",
                )
            )
    return similarity(values, None, upload, options, notes)


_ENDINGS = ("mtx", "mm")
NETWORK = Format(
    "matrix_market", "Network (MatrixMarket)", "network", _ENDINGS, sniff, suggest, read, NetworkOptions, True
)
SIMILARITY = Format(
    "matrix_market_similarity",
    "Similarity matrix (MatrixMarket)",
    "similarity",
    _ENDINGS,
    sniff_similarity,
    suggest_similarity,
    read_similarity,
    MarketOptions,
    by_signature=True,
)
VECTORS = Format(
    "matrix_market_vectors",
    "Vectors (MatrixMarket)",
    "vectors",
    _ENDINGS,
    sniff_vectors,
    suggest_vectors,
    read_vectors,
    MarketVectorOptions,
    by_signature=True,
)
