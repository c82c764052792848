"""All-vs-all hit tables: BLAST outfmt 6 and 7, MMseqs2, Foldseek, and plain tables of pairs with a score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import parameter
from kernex_core.inputs.format import TEXT_ENDINGS, Format, Suggestion
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.hits import (
    HitColumns,
    canonical,
    find_columns,
    lines_of,
    names_classes,
    scores,
    shared_ids,
    without_nothing,
)
from kernex_core.inputs.similarities.pairs import PairOptions, from_pairs
from kernex_core.inputs.tables.columns import find_column
from kernex_core.inputs.tables.table import table_of
from kernex_core.inputs.upload import Upload

_OR_NETWORK = Note(
    "Two columns of ids and one of numbers may be pairs with a score or a network.",
    "They are read as pairs with a score: what is not listed is unknown, unless you choose 0.",
    "Read them as a network if what is not listed is no edge.",
    "fine",
)


@dataclass(frozen=True)
class HitOptions(PairOptions):
    """How a hit table is read."""

    score_column: str = parameter(
        "",
        help="Name or number of the column of scores; empty: the bit score, else the first column of numbers.",
        label="Score column",
    )
    scale: Literal["auto", "as_is", "minus_log10"] = parameter(
        "auto",
        help="Whether scores become −log10 of themselves; auto: only e-values do.",
        label="Scale",
        choices=("auto", "as_is", "minus_log10"),
    )


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a hit table."""
    return _confidence(upload, hits=True)


def sniff_pairs(upload: Upload) -> float:
    """Confidence that an upload is a table of pairs with one score."""
    return _confidence(upload, hits=False)


def _confidence(upload: Upload, *, hits: bool) -> float:
    if not upload.is_text:
        return 0.0
    columns = find_columns(upload)
    if (
        columns is None
        or (len(columns.names) > 3) != hits
        or len(columns.numbers) < (len(columns.names) - 2) / 2
    ):
        return 0.0
    if columns.known:
        return 0.97
    if len(columns.names) != 12 and names_classes(upload, columns):
        return 0.0
    table, shared = table_of(upload), shared_ids(upload, columns)
    last = max(columns.query, columns.target)
    whole = [row.fields for row in table.head[columns.header :] if len(row.fields) > last]
    pairs = [(fields[columns.query], fields[columns.target]) for fields in whole]
    text = [not table.is_number(query) and not table.is_number(target) for query, target in pairs]
    if all(text):
        return 0.92 if len(columns.names) == 12 or shared > 0.5 else 0.7 if not hits or shared > 0.0 else 0.3
    if any(text):
        return 0.92 if shared > 0.5 else 0.0
    numbered = all(query.isdecimal() and target.isdecimal() for query, target in pairs)
    # three rows of three numbers are rather a matrix
    return 0.65 if not hits and numbered and shared > 0.5 and len(pairs) != 3 else 0.0


def score_columns(upload: Upload) -> tuple[str, ...]:
    """Names of the columns that may be the score, the default first; () if the upload is no table of pairs."""
    columns = find_columns(upload) if upload.is_text else None
    if columns is None:
        return ()
    order = [columns.default, *(k for k in columns.numbers if k != columns.default)]
    return tuple(columns.names[k] for k in order)


def suggest(upload: Upload) -> Suggestion:
    """The columns of numbers that may be the score; empty: the bit score, else the first of them."""
    return Suggestion(HitOptions(), {"score_column": ("", *score_columns(upload))})


def suggest_pairs(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand; the page offers a conversion where the numbers look like distances."""
    return Suggestion(PairOptions())


def read_pairs(upload: Upload, options: PairOptions) -> Similarity:
    """Read a table of three columns: item, item, score."""
    made = _read(upload, options, "", "as_is")
    return replace(made, notes=(*made.notes, _OR_NETWORK))


def read(upload: Upload, options: HitOptions) -> Similarity:
    """Read a hit table.

    Raises
    ------
    InvalidInputError
        No two columns of ids and one of numbers, no such score column, or a score that is no number.
    TooLargeError
        More items than the limit, before the matrix is made.
    """
    return _read(upload, options, options.score_column, options.scale)


def items_of(upload: Upload) -> tuple[str, ...]:
    """Ids of a table of pairs in the order in which they are read, without making a matrix.

    Raises
    ------
    InvalidInputError
        See `read`.
    """
    import pandas as pd

    columns = _columns(upload)
    frame = lines_of(upload, columns, columns.default)
    codes, ids = pd.factorize(np.concatenate([frame["query"].to_numpy(), frame["target"].to_numpy()]))
    return tuple(str(x) for x in without_nothing(frame, codes, ids)[2])


def _columns(upload: Upload) -> HitColumns:
    columns = find_columns(upload)
    if columns is None:
        raise InvalidInputError(
            "A table of pairs has two columns of ids and at least one of numbers",
            f"no such columns in {upload.filename}",
            "Export query, target and score",
        )
    return columns


def _read(upload: Upload, options: PairOptions, wanted: str, scale: str) -> Similarity:
    import pandas as pd

    columns = _columns(upload)
    at = columns.default
    if wanted:
        at = find_column(canonical(wanted), columns.names, "The score column", upload.filename)
    frame = lines_of(upload, columns, at)
    codes, ids = pd.factorize(np.concatenate([frame["query"].to_numpy(), frame["target"].to_numpy()]))
    frame, codes, ids, lonely = without_nothing(frame, codes, ids)
    score, notes = scores(frame, upload, columns.names[at], scale)
    notes += lonely
    half = len(frame)
    shown = listed([columns.names[k] for k in columns.numbers], 8)
    if len(columns.numbers) > 1:
        notes.append(
            Note(
                f"The table has the scores {shown}.",
                f"{columns.names[at]} is taken.",
                "Choose another score column.",
                "fine",
            )
        )
    return from_pairs(
        codes[:half].astype(np.int64),
        codes[half:].astype(np.int64),
        score,
        [str(x) for x in ids],
        upload,
        options,
        notes,
    )


PAIRS = Format(
    "pairs",
    "Pairs with a score",
    "similarity",
    TEXT_ENDINGS,
    sniff_pairs,
    suggest_pairs,
    read_pairs,
    PairOptions,
)
HITS = Format(
    "hits",
    "Hit table (BLAST, MMseqs2, Foldseek)",
    "similarity",
    ("m8", "tsv", "tab", "blast", "out", "txt", "csv"),
    sniff,
    suggest,
    read,
    HitOptions,
)
