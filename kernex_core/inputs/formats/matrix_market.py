"""MatrixMarket files: a network, or similarities, as is chosen; vectors where they are not square."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.sparse_rows import check_sparse_size
from kernex_core.base.validation import MOST_ITEMS, check_item_count
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.formats.vectors import check_size
from kernex_core.inputs.networks.edges import Edges, NetworkOptions, check_network_size, network_of
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.options import SimilarityOptions
from kernex_core.inputs.samples import Note, Similarity, SparseVectors, Vectors
from kernex_core.inputs.similarities.finish import similarity
from kernex_core.inputs.sparse_vectors import SparseOptions, check_shape, vectors_of, written_vectors
from kernex_core.inputs.upload import Upload

# Head and entries of MatrixMarket files.

_HEAD = re.compile(r"%%MatrixMarket\s+matrix\s+(coordinate|array)\s+(\w+)\s+([\w-]+)\s*\n", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
_UNKNOWN = ["nan", "NaN", "NAN", "-nan"]
_REMEDY = "Write a real symmetric or general matrix: scipy.io.mmwrite(name, K)"


@dataclass(frozen=True)
class MarketSize:
    """What the head of a file says: layout, kind of numbers, symmetry, and size."""

    layout: str
    numbers: str
    symmetry: str
    rows: int
    columns: int
    entries: int
    end: int
    """Where the entries begin."""

    @property
    def n(self) -> int:
        """Rows, where it is square."""
        return self.rows


def market_size(upload: Upload, *, square: bool = True) -> MarketSize:
    """Layout and size from the head, checked against the length of the file: an entry takes two bytes or more."""
    text = upload.text
    head = _HEAD.match(text)
    body = re.compile(
        r"(?:[ \t]*(?:%.*)?\n)*[ \t]*(\d{1,12})[ \t]+(\d{1,12})(?:[ \t]+(\d{1,15}))?[ \t]*(?:\n|$)"
    )
    found = body.match(text, head.end()) if head else None
    if head is None or found is None:
        raise InvalidInputError(
            "A MatrixMarket file begins with its layout, its kind of numbers, its symmetry and its size",
            f"{text[:60]!r} in {upload.filename}",
            _REMEDY,
        )
    layout, numbers, symmetry = (part.lower() for part in head.groups())
    rows, columns = int(found[1]), int(found[2])
    if numbers not in ("real", "double", "integer", "pattern") or symmetry not in ("general", "symmetric"):
        raise InvalidInputError(
            "A MatrixMarket file of real numbers, general or symmetric, is read",
            f"{numbers} {symmetry} in {upload.filename}",
            _REMEDY,
        )
    if rows != columns and (square or symmetry == "symmetric"):
        raise InvalidInputError(
            "A network and similarities have as many rows as columns",
            f"{rows:,} rows and {columns:,} columns in {upload.filename}",
            "If its rows are items and its columns are measurements, read it as vectors",
        )
    if layout == "array":
        entries = rows * (rows + 1) // 2 if symmetry == "symmetric" else rows * columns
    else:
        entries = int(found[3] or 0)
    if 2 * entries > len(text):
        raise InvalidInputError(
            f"{upload.filename} has to be a whole MatrixMarket file",
            f"room for less than the {entries:,} entries that its head announces",
            "Save or transfer it again",
        )
    return MarketSize(layout, numbers, symmetry, rows, columns, entries, found.end())


def market_entries(upload: Upload, size: MarketSize) -> sparse.coo_array | FloatArray:
    """Entries of the file; the other half of a symmetric one is added.

    SciPy's own reader reaches beyond the end of some damaged files (a NUL byte, blanks after the last number), which
    ends the process: the numbers are read by pandas, and what the head announces is held against them.
    """
    numbers = _numbers(upload, size)
    if size.layout == "array":
        if size.symmetry == "general":
            return numbers[:, 0].reshape(size.columns, size.rows).T
        dense = np.zeros((size.n, size.n))
        column, row = np.triu_indices(size.n)  # the lower triangle, column by column
        dense[row, column] = dense[column, row] = numbers[:, 0]
        return dense
    places = numbers[:, :2]
    most = (size.rows, size.columns)
    wrong = np.flatnonzero(((places < 1) | (places > most) | (places != np.floor(places))).any(axis=1))
    if wrong.size:
        row_, column_ = places[wrong[0]]
        of = f"{size.n:,}" if size.rows == size.columns else f"{size.rows:,} × {size.columns:,}"
        raise _damaged(upload, f"entry {wrong[0] + 1:,} at row {row_:g} and column {column_:g} of {of}")
    i, j = places.T.astype(np.int64) - 1
    values = numbers[:, 2] if numbers.shape[1] == 3 else np.ones(i.size)
    if size.symmetry == "symmetric":
        off = i != j
        i, j = np.concatenate([i, j[off]]), np.concatenate([j, i[off]])
        values = np.concatenate([values, values[off]])
    return sparse.coo_array((values, (i, j)), shape=most)


def _numbers(upload: Upload, size: MarketSize) -> FloatArray:
    """One row a line below the head, with as many numbers as the layout has."""
    import pandas as pd

    width = 1 if size.layout == "array" else 2 if size.numbers == "pattern" else 3
    if size.entries == 0:
        return np.zeros((0, width))
    try:
        table = pd.read_csv(
            io.StringIO(upload.text[size.end :]),
            sep=r"\s+",
            header=None,
            comment="%",
            dtype=np.float64,
            keep_default_na=False,
            na_values=_UNKNOWN,
            quoting=csv.QUOTE_NONE,
        )
    except (ValueError, OverflowError):  # pandas' own errors are of the former
        raise _damaged(upload, _first_wrong(upload, size, width)) from None
    if table.shape != (size.entries, width):
        found = f"{len(table):,} lines of {table.shape[1]}"
        raise _damaged(upload, f"{found} numbers instead of {size.entries:,} lines of {width}")
    values: FloatArray = table.to_numpy()
    # a line that lacks its last number looks like one whose number is unknown
    unknown = int(np.isnan(values).sum())
    if unknown and unknown > upload.text.lower().count("nan", size.end):
        raise _damaged(upload, _first_wrong(upload, size, width))
    return values


def _first_wrong(upload: Upload, size: MarketSize, width: int) -> str:
    """Name the first line that is not made of so many numbers."""
    above = upload.text.count("\n", 0, size.end)
    for number, line in enumerate(upload.text[size.end :].splitlines(), above + 1):
        parts = line.partition("%")[0].split()
        if parts and (len(parts) != width or not all(_NUMBER.fullmatch(part) for part in parts)):
            return f"{line[:60]!r} in line {number:,}, where {width} numbers were expected"
    return f"no {size.entries:,} lines of {width} numbers below its head"


def _damaged(upload: Upload, found: str) -> InvalidInputError:
    return InvalidInputError(f"{upload.filename} has to be a whole MatrixMarket file", found, _REMEDY)


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
