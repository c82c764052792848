"""From scored pairs to a square matrix: duplicates, directions, diagonal, and what is absent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_item_count
from kernex_core.inputs.names import listed
from kernex_core.inputs.options import Commas, comma_option
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.finish import (
    ONE_SIDED,
    Pairs,
    PartOptions,
    check_several,
    part_of,
    similarity,
    symmetrised,
)
from kernex_core.inputs.tables.class_column import without_sentinels
from kernex_core.inputs.upload import Upload


@dataclass(frozen=True)
class PairOptions(PartOptions):
    """How scored pairs become a matrix."""

    comma: Commas = comma_option()
    duplicates: Literal["max", "mean"] = parameter(
        "max",
        help="What to take where the same pair is listed more than once in the same direction.",
        label="Repeated pairs",
        choices=("max", "mean"),
    )
    absent: Literal["unknown", "zero"] = parameter(
        "unknown",
        help="What a pair means that is not listed: not known, or so unlike that the tool left it out.",
        label="Absent pairs are",
        choices=("unknown", "zero"),
    )
    diagonal: Literal["auto", "given", "row_max", "one", "unknown"] = parameter(
        "auto",
        help="Similarity of an item to itself. auto: as listed, but the largest of its row where no self-score is listed at "
        "all; or as listed, the largest of its row, the constant 1, or unknown.",
        label="Diagonal",
        choices=("auto", "given", "row_max", "one", "unknown"),
    )
    scale: Literal["auto", "as_is", "minus_log10"] = parameter(
        "auto",
        help="Whether scores become −log10 of themselves; auto: only e-values do.",
        label="Scale",
        choices=("auto", "as_is", "minus_log10"),
    )


def from_pairs(
    query: IntArray,
    target: IntArray,
    score: FloatArray,
    ids: Sequence[str],
    upload: Upload,
    options: PairOptions,
    notes: Sequence[Note] = (),
    own: float | None = None,
) -> Similarity:
    """Fill a matrix from scored pairs.

    Parameters
    ----------
    query, target : (k,) int
        Positions in `ids`.
    score : (k,) float
        NaN = unknown.
    ids : sequence of str
    own : float, optional
        What the tool would give an item with itself; used where it lists none.

    Raises
    ------
    InvalidInputError
        Infinite scores, nothing known, or fewer than two items: every line may say that there was no hit.
    TooLargeError
        More items than the limit in the part that is kept, before the matrix is made.
    """
    part, chosen = part_of(Pairs(query, target, score, ids), options)
    query, target, score, ids = part.query, part.target, part.score, part.ids
    n = len(ids)
    check_item_count(n, options.limit)
    check_several(n, upload.filename)
    score, odd = without_sentinels(score, "Scores")
    if np.isinf(score).any():
        k = int(np.flatnonzero(np.isinf(score))[0])
        raise InvalidInputError(
            "Scores have to be finite",
            f"{score[k]} for {ids[query[k]]!r} and {ids[target[k]]!r} in {upload.filename}",
            "Replace it by a number, or leave the pair out",
        )
    values, repeated = _filled(query, target, score, n, options.duplicates)
    made = [*chosen, *notes, *odd]
    if repeated:
        made.append(
            Note(
                f"Lines that repeat a pair in the same direction: {repeated:,}.",
                f"The {'best' if options.duplicates == 'max' else 'mean'} score counts.",
                "Choose the maximum or the mean.",
            )
        )
    values, found = symmetrised(values, ids, options.symmetrise)
    values = values.copy()
    # a table lists a pair once as a rule
    said = [replace(note, severity="fine") if note.text.startswith(ONE_SIDED) else note for note in found]
    made += [*said, *_diagonal(values, ids, options, own), *_absent(values, options)]
    return similarity(values, ids, upload, options, made)


def _filled(
    query: IntArray, target: IntArray, score: FloatArray, n: int, duplicates: str
) -> tuple[FloatArray, int]:
    """Matrix (n, n) of the listed pairs, NaN elsewhere, and the number of repeated lines."""
    given = ~np.isnan(score)
    cell, known = query[given] * n + target[given], score[given]
    order = np.argsort(cell, kind="stable")
    cell, known = cell[order], known[order]
    first = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]]) if cell.size else np.zeros(0, dtype=np.int64)
    values = np.full(n * n, np.nan)
    if cell.size:
        best = np.maximum.reduceat(known, first)
        if duplicates == "mean":
            best = np.add.reduceat(known, first) / np.diff(np.r_[first, cell.size])
        values[cell[first]] = best
    return values.reshape(n, n), int(cell.size - first.size)


def _diagonal(
    values: FloatArray, ids: Sequence[str], options: PairOptions, of_tool: float | None
) -> list[Note]:
    """Fill the diagonal in place by the rule that was chosen."""
    own = np.diag(values).copy()
    distance = options.meaning == "distance"
    without = np.flatnonzero(np.isnan(own))
    if of_tool is not None and options.diagonal == "auto" and without.size and not distance:
        values[without, without] = of_tool
        return [
            Note(
                f"Items without a listed self-score: {without.size:,}.",
                f"It is {of_tool:g}, as the tool has it.",
                "Choose another diagonal.",
                "fine",
            )
        ]
    if options.diagonal == "one":
        np.fill_diagonal(values, 1.0)
    elif options.diagonal == "unknown":
        np.fill_diagonal(values, np.nan)
    elif distance and without.size:
        values[without, without] = 0.0
        return [
            Note(f"Items without a listed distance to themselves: {without.size:,}.", "It is 0.", "", "fine")
        ]
    elif options.diagonal == "row_max" and without.size:
        _largest_of_row(values, without)
        return [
            Note(
                f"Items without a listed self-score: {without.size:,}.",
                "The largest score of the row is taken, as was chosen.",
            )
        ]
    elif options.diagonal == "auto" and without.size == len(ids):
        _largest_of_row(values, without)
        return [
            Note(
                "No item has a listed self-score.",
                "The largest score of its row is taken for each.",
                "Choose 1 for scores such as TM-scores, or unknown.",
                "warning",
            )
        ]
    elif without.size:
        return [
            Note(
                f"Items without a listed self-score: {without.size:,} of {len(ids):,} "
                f"({listed([ids[int(k)] for k in without])}).",
                "Their diagonal is unknown, so they count as missing.",
                "Choose the largest score of the row, or 1 for scores such as TM-scores.",
                "warning",
            )
        ]
    return []


def _largest_of_row(values: FloatArray, items: IntArray) -> None:
    """Set self-scores to the largest score of the row, in place; unknown where the row has none."""
    rows = np.where(np.isnan(values[items]), -np.inf, values[items]).max(axis=1)
    values[items, items] = np.where(np.isinf(rows), np.nan, rows)


def _absent(values: FloatArray, options: PairOptions) -> list[Note]:
    """Fill pairs that are listed in neither direction, in place, and count them."""
    n = values.shape[0]
    absent = np.isnan(values)
    np.fill_diagonal(absent, False)
    pairs = int(absent.sum()) // 2
    if not pairs:
        return []
    if options.absent == "zero":
        values[absent] = 0.0
    share = 100.0 * pairs / (n * (n - 1) / 2)
    return [
        Note(
            f"Pairs that are not listed: {pairs:,} of {n * (n - 1) // 2:,} ({share:.3g} %).",
            "They count as 0." if options.absent == "zero" else "They are unknown and can be completed.",
            "Choose unknown or zero.",
            "note" if options.absent == "zero" else "warning",
        )
    ]
