"""MatrixMarket files: a network, or similarities, as is chosen."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import sparse

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.frozen import FloatArray
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.networks.finish import Edges, check_network_size, network_of
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.networks.options import NetworkOptions
from kernex_core.inputs.options import SimilarityOptions
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.finish import similarity
from kernex_core.inputs.upload import Upload
from kernex_core.parameters import parameter
from kernex_core.validation import MOST_ITEMS, check_item_count

_HEAD = re.compile(r"%%MatrixMarket\s+matrix\s+(coordinate|array)\s+(\w+)\s+([\w-]+)\s*\n", re.IGNORECASE)
MOST_LOOKED_AT = 20_000_000
"""Entries up to which a sparse file is read to guess what it holds."""
_REMEDY = "Write a real symmetric or general matrix: scipy.io.mmwrite(name, K)"


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
class _Size:
    """What the head of a file says: layout, kind of numbers, symmetry, and size."""

    layout: str
    symmetry: str
    n: int
    entries: int


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a network in MatrixMarket format: a sparse one rather is; see `_guess`."""
    return _confidence(upload, sparse_one=0.97, dense=0.6)


def sniff_similarity(upload: Upload) -> float:
    """Confidence that an upload holds similarities in MatrixMarket format: a dense one rather does; see `_guess`."""
    return _confidence(upload, sparse_one=0.6, dense=0.97)


def _confidence(upload: Upload, *, sparse_one: float, dense: float) -> float:
    if not upload.is_text or not upload.text[:14].lower().startswith("%%matrixmarket"):
        return 0.0
    if re.match(r"\S+\s+\S+\s+array", upload.text[:60], re.IGNORECASE):
        return dense
    return dense if _guess(upload) else sparse_one


def _guess(upload: Upload) -> str:
    """Why a sparse file rather holds similarities: "" if it does not.

    Every item has a positive similarity to itself, or some entry off the diagonal is negative where some entries on it
    are there: loops on all nodes, and negative weights beside loops, are rare in networks.
    """
    why: str = upload.remembered("market guess", lambda: _why_similarity(upload))
    return why


def _why_similarity(upload: Upload) -> str:
    try:
        size = _size(upload)
        if size.layout == "array" or not 0 < size.n <= MOST_ITEMS or size.entries > MOST_LOOKED_AT:
            return ""
        entries = sparse.coo_array(_content(upload))
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


def read(upload: Upload, options: NetworkOptions) -> Network:
    """Read the weights of a network.

    Raises
    ------
    InvalidInputError
        Damaged, not square, or not of real numbers.
    TooLargeError
        More nodes or edges than the limits, before anything is taken into memory.
    """
    size = _size(upload)
    limit = options.limit if size.layout == "coordinate" else min(options.limit, MOST_ITEMS)
    check_network_size(size.n, size.entries, limit, upload.filename)
    entries = sparse.coo_array(_content(upload))
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
    size = _size(upload)
    check_item_count(size.n, options.limit)
    found = _content(upload)
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


def _size(upload: Upload) -> _Size:
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
    if rows != columns:
        raise InvalidInputError(
            "A network and similarities have as many rows as columns",
            f"{rows:,} rows and {columns:,} columns in {upload.filename}",
            "If its rows are items and its columns are measurements, save it as CSV and upload it as vectors",
        )
    if layout == "array":
        entries = rows * (rows + 1) // 2 if symmetry == "symmetric" else rows * rows
    else:
        entries = int(found[3] or 0)
    if 2 * entries > len(text):
        raise InvalidInputError(
            f"{upload.filename} has to be a whole MatrixMarket file",
            f"room for less than the {entries:,} entries that its head announces",
            "Save or transfer it again",
        )
    return _Size(layout, symmetry, rows, entries)


def _content(upload: Upload) -> Any:
    from scipy.io import mmread

    try:
        return mmread(io.BytesIO(upload.text.encode()))
    except (ValueError, OverflowError, TypeError, IndexError) as error:
        raise InvalidInputError(
            f"{upload.filename} has to be a whole MatrixMarket file", str(error).strip()[:200], _REMEDY
        ) from None


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
