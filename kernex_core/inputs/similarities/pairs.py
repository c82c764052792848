"""From scored pairs to a square matrix: duplicates, directions, diagonal, and what is absent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray
from kernex_core.base.parameters import check_range, parameter
from kernex_core.base.validation import SYMMETRY_RTOL, check_item_count
from kernex_core.inputs.names import listed
from kernex_core.inputs.options import Commas, comma_option
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.finish import (
    NO_MORE_THAN_ZERO,
    ONE_SIDED,
    Pairs,
    PartOptions,
    asymmetry_note,
    check_several,
    drawn,
    one_sided_note,
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
    cells, known, repeated = _merged(query, target, score, n, options.duplicates)
    made = [*chosen, *notes, *odd]
    if repeated:
        made.append(
            Note(
                f"Lines that repeat a pair in the same direction: {repeated:,}.",
                f"The {'best' if options.duplicates == 'max' else 'mean'} score counts.",
                "Choose the maximum or the mean.",
            )
        )
    values, found = _both_ways(cells, known, ids, options.symmetrise)
    # a table lists a pair once as a rule
    said = [replace(note, severity="fine") if note.text.startswith(ONE_SIDED) else note for note in found]
    made += [*said, *_diagonal(values, ids, options, own), *_absent(values, options)]
    return similarity(values, ids, upload, options, made, symmetric=True)


def _merged(
    query: IntArray, target: IntArray, score: FloatArray, n: int, duplicates: str
) -> tuple[IntArray, FloatArray, int]:
    """Places i n + j of the listed pairs in ascending order, each once, their scores, and the number of repeated lines."""
    given = ~np.isnan(score)
    cell, known = query[given] * n + target[given], score[given]
    order = np.argsort(cell, kind="stable")
    cell, known = cell[order], known[order]
    if not cell.size:
        return cell, known, 0
    first = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]])
    best = np.maximum.reduceat(known, first)
    if duplicates == "mean":
        best = np.add.reduceat(known, first) / np.diff(np.r_[first, cell.size])
    return cell[first], np.asarray(best), int(cell.size - first.size)


def _both_ways(
    cells: IntArray, known: FloatArray, ids: Sequence[str], how: str
) -> tuple[FloatArray, tuple[Note, ...]]:
    """Matrix (n, n) of pairs by their places, NaN elsewhere, as `symmetrised` makes it symmetric, with its notes.

    A table lists far fewer pairs than the matrix has: both directions meet in the list, before there is a matrix.
    """
    n = len(ids)
    values = np.full(n * n, np.nan)
    i, j = cells // n, cells % n
    scale = float(np.abs(known).max(initial=0.0))
    zero = np.abs(known) <= NO_MORE_THAN_ZERO * scale
    written = [bool((~zero & side).any()) for side in (i < j, i > j)]
    # zeros of one triangle may be one that is not written, which is seen in the whole matrix
    if how == "refuse" or (written[0] != written[1] and (zero & (i != j)).any()):
        values[cells] = known
        made, notes = symmetrised(values.reshape(n, n), ids, how)
        return made.copy(), notes
    pair = np.minimum(i, j) * n + np.maximum(i, j)
    order = np.argsort(pair, kind="stable")
    pair, sorted_scores, upper = pair[order], known[order], (i <= j)[order]
    first = np.flatnonzero(np.r_[True, pair[1:] != pair[:-1]]) if pair.size else np.zeros(0, np.int64)
    count = np.diff(np.r_[first, pair.size])
    a, b = sorted_scores[first], sorted_scores[first + count - 1]
    at, score = pair[first], np.maximum(a, b) if how == "max" else (a + b) / 2.0
    values[at] = score
    values[at % n * n + at // n] = score
    one_sided = int(np.count_nonzero((count == 1) & (at // n != at % n)))
    notes = (one_sided_note(one_sided),) if one_sided else ()
    gap = np.abs(a - b)
    if gap.size and gap.max() > SYMMETRY_RTOL * scale:
        k = int(gap.argmax())
        said = (float(a[k]), float(b[k])) if upper[first[k]] else (float(b[k]), float(a[k]))
        who = ids[int(at[k]) // n], ids[int(at[k]) % n]
        notes = (*notes, asymmetry_note(float(gap[k]), scale, said, who, how))
    return values.reshape(n, n), notes


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


# Parts of a table of pairs whose items are too many for a matrix, each with how much of it is known.

Way = Literal["connected", "densest", "neighbours", "labelled", "random"]
SHARE = 0.1
"""Share of the items that is left out at once while the densest are looked for."""


@dataclass(frozen=True, eq=False)
class PairPart(EqualByContent):
    """Some items of a table of pairs.

    Attributes
    ----------
    way : {"connected", "densest", "neighbours", "labelled", "random"}
        How they were chosen.
    ids : tuple of str
        In the order of the table.
    known : float
        Share of the pairs of different items that the table lists, between 0 and 1.
    whole : bool
        It is all that the way asks for; False: of these, the densest.
    """

    way: Way
    ids: tuple[str, ...]
    known: float
    whole: bool = True


def parts_of_pairs(
    pairs: Pairs, size: int, *, labelled: Collection[str] = (), query: str = "", seed: int = 0
) -> tuple[PairPart, ...]:
    """Choose at most `size` items in each way that a table of pairs allows, best known first as a rule.

    Parameters
    ----------
    pairs : Pairs
    size : int
        Largest number of items of a part, at least 2.
    labelled : collection of str
        Ids with a label.
    query : str
        Id of an item whose neighbours are asked for, those that it has a known pair with.
    seed : int
        Of the random part, which is drawn as `PartOptions.part_size` and `part_seed` have it.

    Returns
    -------
    tuple of PairPart
        The largest connected part; the densest, where items with the fewest known pairs were left out again and again;
        the neighbours of the query, best first; the items with a label; a random part. Those of fewer than two items are
        left out.

    Raises
    ------
    InvalidInputError
        A size below 2.
    """
    check_range("The size of a part", size, low=2)
    n = len(pairs.ids)
    known = ~np.isnan(pairs.score) & (pairs.query != pairs.target)
    ends = np.r_[pairs.query[known], pairs.target[known]], np.r_[pairs.target[known], pairs.query[known]]
    A = csr_array((np.ones(ends[0].size), ends), shape=(n, n))
    A.sum_duplicates()
    A.data[:] = 1.0
    of = connected_components(A, directed=False)[1]
    chosen: list[tuple[Way, IntArray]] = [
        ("connected", np.flatnonzero(of == np.bincount(of).argmax())),
        ("densest", np.arange(n)),
    ]
    if query in pairs.ids:
        chosen.append(("neighbours", _neighbours(pairs, known, list(pairs.ids).index(query), size)))
    if labelled:
        wanted = set(labelled)
        chosen.append(
            ("labelled", np.array([k for k, name in enumerate(pairs.ids) if name in wanted], np.int64))
        )
    made = []
    for way, items in chosen:
        kept = densest(A, items, size)
        if kept.size > 1:
            made.append(_part(pairs, A, way, kept, kept.size == items.size or way == "densest"))
    return (*made, _part(pairs, A, "random", drawn(np.arange(n), size, seed), True))


def densest(A: csr_array, items: IntArray, size: int) -> IntArray:
    """At most `size` of some items: those with the fewest known pairs are left out, and it is counted again.

    Parameters
    ----------
    A : (n, n) sparse
        1 where a pair is known, symmetric.
    items : (m,) int
    size : int

    Returns
    -------
    (k,) int
        In ascending order. Of items with equally many known pairs those that come last are left out first.
    """
    kept = np.sort(items)
    while kept.size > size:
        degree = np.asarray(A[kept][:, kept].sum(axis=1)).ravel()
        leave = min(kept.size - size, max(1, int(SHARE * kept.size)))
        order = np.lexsort((-kept, degree))
        kept = np.sort(kept[order[leave:]])
    return kept


def _neighbours(pairs: Pairs, known: BoolArray, item: int, size: int) -> IntArray:
    """An item and those that it has the largest known scores with."""
    here = known & ((pairs.query == item) | (pairs.target == item))
    others = np.where(pairs.query[here] == item, pairs.target[here], pairs.query[here])
    ranked = others[np.argsort(-pairs.score[here], kind="stable")]
    return np.array([item, *dict.fromkeys(ranked.tolist())][:size], dtype=np.int64)


def _part(pairs: Pairs, A: csr_array, way: Way, kept: IntArray, whole: bool) -> PairPart:
    m = kept.size
    share = float(A[kept][:, kept].sum()) / max(m * (m - 1), 1)
    return PairPart(way, tuple(pairs.ids[int(k)] for k in kept), share, whole)
