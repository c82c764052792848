"""All-vs-all hit tables: BLAST outfmt 6 and 7, MMseqs2, Foldseek, and plain tables of pairs with a score."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.inputs.format import TEXT_ENDINGS, Format, Suggestion
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.hit_columns import (
    NOTHING,
    HitColumns,
    canonical,
    find_columns,
    names_classes,
    shared_ids,
)
from kernex_core.inputs.similarities.pairs import PairOptions, from_pairs
from kernex_core.inputs.tables.columns import find_column
from kernex_core.inputs.tables.table import UNKNOWN, table_of
from kernex_core.inputs.upload import Upload
from kernex_core.parameters import parameter

if TYPE_CHECKING:
    import pandas as pd

SMALLEST_EVALUE = 1e-180
"""What an e-value of 0 counts as (BLAST writes 0 below it), unless the table has smaller ones."""


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
    return _read(upload, options, "", "as_is")


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


def _read(upload: Upload, options: PairOptions, wanted: str, scale: str) -> Similarity:
    import pandas as pd

    columns = find_columns(upload)
    if columns is None:
        raise InvalidInputError(
            "A table of pairs has two columns of ids and at least one of numbers",
            f"no such columns in {upload.filename}",
            "Export query, target and score",
        )
    at = columns.default
    if wanted:
        at = find_column(canonical(wanted), columns.names, "The score column", upload.filename)
    frame = _frame(upload, columns, at)
    codes, ids = pd.factorize(np.concatenate([frame["query"].to_numpy(), frame["target"].to_numpy()]))
    frame, codes, ids, lonely = _without_nothing(frame, codes, ids)
    score, notes = _scores(frame, upload, columns.names[at], scale)
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


def _frame(upload: Upload, columns: HitColumns, at: int) -> pd.DataFrame:
    """Ids and scores of every line, as text; read by pandas because there may be millions."""
    import pandas as pd

    table = table_of(upload)
    space = table.dialect.separator == " "
    try:
        frame = pd.read_csv(
            io.StringIO("\n".join(table.lines)),
            sep=r"\s+" if space else table.dialect.separator,
            header=None,
            usecols=sorted({columns.query, columns.target, at}),
            dtype=object,
            keep_default_na=False,
            na_values=[],
            skipinitialspace=space or table.dialect.padded,
            quoting=table.dialect.quoting,
            on_bad_lines="error",
        )
    except (ValueError, csv.Error) as error:  # pandas' own errors are ValueErrors
        raise InvalidInputError(
            "Every line of a table of pairs has to have as many fields",
            f"{upload.filename}: {str(error).strip()}",
        ) from None
    frame = frame.iloc[int(columns.header) :].rename(
        columns={columns.query: "query", columns.target: "target", at: "score"}
    )
    blank = (frame["query"] == "") | (frame["target"] == "")
    if blank.any():
        raise InvalidInputError(
            "Every line of a table of pairs needs two ids",
            f"none in data line {int(np.flatnonzero(blank.to_numpy())[0]) + 1} of {upload.filename}",
        )
    return frame


def _without_nothing(
    frame: pd.DataFrame, codes: IntArray, ids: NDArray[Any]
) -> tuple[pd.DataFrame, IntArray, NDArray[Any], list[Note]]:
    """Pairs without those whose one item is *: no hit. The other item stays, without a pair of its own."""
    empty = np.flatnonzero(ids == NOTHING)
    if not empty.size:
        return frame, codes, ids, []
    at, half = int(empty[0]), len(frame)
    hit = (codes[:half] != at) & (codes[half:] != at)
    others = np.unique(codes[np.r_[~hit, ~hit]])
    lonely = [str(ids[k]) for k in others if k != at]
    codes = codes[np.r_[hit, hit]]
    note = Note(
        f"Lines with {NOTHING} in place of an item, which means no hit: {int((~hit).sum()):,} ({listed(lonely)}).",
        "They are no pairs; the items stay.",
        "",
        "fine",
    )
    return frame[hit], codes - (codes > at), np.delete(ids, at), [note]


def _scores(frame: pd.DataFrame, upload: Upload, name: str, scale: str) -> tuple[FloatArray, list[Note]]:
    import pandas as pd

    text = frame["score"].astype(str).str.strip()
    if table_of(upload).dialect.decimal_comma:
        text = text.str.replace(",", ".", regex=False)
    unknown = text.str.lower().isin(UNKNOWN).to_numpy(dtype=np.bool_)
    score = pd.to_numeric(text.where(~unknown, "nan"), errors="coerce").to_numpy(dtype=np.float64).copy()
    bad = np.isnan(score) & ~unknown
    if bad.any():
        row = frame.iloc[int(np.flatnonzero(bad)[0])]
        raise InvalidInputError(
            "Every score has to be a number",
            f"{str(row['score'])[:40]!r} for {row['query']!r} and {row['target']!r}, data line "
            f"{int(np.flatnonzero(bad)[0]) + 1}, column {name!r} of {upload.filename}",
            "Choose another score column, or correct that line",
        )
    notes = []
    if unknown.any():
        notes.append(Note(f"Lines without a score: {int(unknown.sum()):,}.", "Those pairs are unknown."))
    if scale == "minus_log10" or (scale == "auto" and name.lower() in ("evalue", "pvalue")):
        score, note = _minus_log10(score, name, upload.filename)
        notes.append(note)
    return score, notes


def _minus_log10(score: FloatArray, name: str, filename: str) -> tuple[FloatArray, Note]:
    known = score[~np.isnan(score)]
    if (known < 0.0).any():
        raise InvalidInputError(
            f"−log10 needs values of at least 0 in the column {name!r}",
            f"{known.min():g} in {filename}",
            "Choose the scale as is",
        )
    positive = known[known > 0.0]
    floor = min(SMALLEST_EVALUE, float(positive.min())) if positive.size else SMALLEST_EVALUE
    zeros = int((known == 0.0).sum())
    extra = f" {zeros:,} values of 0 count as {floor:.3g}." if zeros else ""
    scaled = -np.log10(np.where(score == 0.0, floor, score))
    return scaled, Note(
        f"The column {name!r} holds e-values: smaller is more alike.",
        f"−log10 is taken.{extra}",
        "Choose the scale as is.",
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
