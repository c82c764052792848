"""Lines of a hit table: ids and scores, those without a hit, and e-values on the scale of similarities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note
from kernex_core.inputs.similarities.hit_columns import NOTHING, HitColumns
from kernex_core.inputs.tables.fields import fields_of
from kernex_core.inputs.tables.table import UNKNOWN, table_of
from kernex_core.inputs.upload import Upload

if TYPE_CHECKING:
    import pandas as pd

SMALLEST_EVALUE = 1e-180
"""What an e-value of 0 counts as (BLAST writes 0 below it), unless the table has smaller ones."""


def lines_of(upload: Upload, columns: HitColumns, at: int) -> pd.DataFrame:
    """Ids and scores of every line, as text; read by pandas because there may be millions.

    Raises
    ------
    InvalidInputError
        Lines of different length, or without an id.
    """
    table = table_of(upload)
    frame = fields_of(
        table.lines,
        table.dialect,
        filename=upload.filename,
        expected="Every line of a table of pairs has to have as many fields",
        columns=sorted({columns.query, columns.target, at}),
    )
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


def without_nothing(
    frame: pd.DataFrame, codes: IntArray, ids: NDArray[np.generic]
) -> tuple[pd.DataFrame, IntArray, NDArray[np.generic], list[Note]]:
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


def scores(frame: pd.DataFrame, upload: Upload, name: str, scale: str) -> tuple[FloatArray, list[Note]]:
    """Scores of all lines as numbers, −log10 of them where that is meant.

    Raises
    ------
    InvalidInputError
        Naming the line of a score that is no number, or a negative e-value.
    """
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
