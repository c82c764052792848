"""The last stretch of every similarity format: from a square array to a Similarity with notes and recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, owned
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import SYMMETRY_RTOL, known_once, largest_asymmetry, largest_size
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import part
from kernex_core.inputs.names import alike, listed
from kernex_core.inputs.options import Answer, Question, ReadOptions, SimilarityOptions
from kernex_core.inputs.samples import Labels, Note, Similarity
from kernex_core.inputs.similarities.distance import CONVERSIONS, guess_distance, median_gamma, zero_apart
from kernex_core.inputs.tables.class_column import as_label, far_notes, without_sentinels
from kernex_core.inputs.upload import Upload

NO_MORE_THAN_ZERO = 1e-12
OTHER_ROWS = "Rows of other items against these"
ONE_SIDED = "Entries that are known in one direction only"


def similarity(
    values: FloatArray,
    ids: Sequence[str] | None,
    upload: Upload,
    options: SimilarityOptions,
    notes: Sequence[Note] = (),
    *,
    guessed: bool = False,
    symmetric: bool = False,
) -> Similarity:
    """Check, symmetrise and convert what a parser found.

    Parameters
    ----------
    values : (n, n) float
        NaN = unknown.
    ids : sequence of str or None
    guessed : bool
        Only its shape says that it is a matrix of similarities: where it is not symmetric, that is asked.
    symmetric : bool
        It was made so, and what that changed is said.

    Raises
    ------
    InvalidInputError
        Fewer than two items, nothing known, infinite entries, repeated or blank ids, or refused asymmetry.
    OpenQuestionError
        As many rows as columns by chance, perhaps.
    """
    names = _checked_ids(ids, values.shape[0], upload.filename)
    values, odd = without_sentinels(values)
    _check_entries(values, names, upload.filename, odd)
    if guessed and options.symmetrise == "auto":
        _ask_whether_square(values, names, upload.filename)
    found: tuple[Note, ...] = ()
    if not symmetric:
        values, found = symmetrised(values, names, options.symmetrise)
    found = (*odd, *found, *(alike(names) if ids is not None else ()))
    far = guess_distance(values)
    if options.meaning == "distance" or far:  # a script says what it is, whatever it looks like
        upload = replace(upload, asked=(*upload.asked, "meaning"))
    plain = upload.recipe(replace(options, meaning="similarity", conversion="gaussian", gamma=None))
    gram = GramMatrix(values, names, upload.stem, part(plain, "gram", name=upload.stem))
    if options.meaning == "distance":
        gram, converted = _converted(gram, options)
        found = (*found, *far_notes(values), converted)
    elif far:
        # zeros between items that differ are no distances
        found = (*found, *far_notes(values), *([_distance_note()] if zero_apart(values) is None else []))
    recipe = upload.recipe(options)
    return Similarity(gram.ids, gram, None, (*notes, *found), recipe)


def _ask_whether_square(values: FloatArray, ids: Sequence[str], filename: str) -> None:
    """Ask about numbers that would be averaged with others, if there are as many measurements as items."""
    gap, i, j = largest_asymmetry(values)
    if gap <= SYMMETRY_RTOL * largest_size(values) or empty_triangle(values) is not None:
        return
    a, b = float(values[i, j]), float(values[j, i])
    raise Question(
        "symmetrise",
        "As many rows as columns, and not symmetric: similarities, or measurements",
        f"{a:.6g} in row {ids[i]}, column {ids[j]}, and {b:.6g} the other way round",
        (
            Answer("mean", f"similarities, the mean of both: {(a + b) / 2.0:.6g}"),
            Answer("max", f"similarities, the larger: {max(a, b):.6g}"),
        ),
        instead=Answer("vectors", "rows are items, columns are measurements"),
    ).refusal(filename)


FAR_OR_NEAR: Final = (
    Answer("distance", "larger is further apart"),
    Answer("similarity", "larger is more alike"),
)


def other_rows_note(rows: Sequence[str]) -> Note:
    """What is said of arrays of other items against these, beside the matrix."""
    return Note(
        f"{OTHER_ROWS}: {listed(rows, 8)}.",
        "They are no part of the matrix.",
        "They wait as new items on the page Map, where the same file can be brought, too.",
        "warning",
    )


def labelled(made: Similarity, texts: Sequence[str] | None) -> Similarity:
    """The similarities with the class of every item, if there are any beside them."""
    if texts is None:
        return made
    y = np.array([as_label(text) for text in texts], dtype=np.str_)
    return replace(made, labels=Labels(made.ids, y, recipe=made.recipe and part(made.recipe, "labels")))


def check_several(n: int, filename: str) -> None:
    """Refuse fewer than two items.

    Raises
    ------
    InvalidInputError
    """
    if n < 2:
        raise InvalidInputError(
            "A similarity matrix needs at least two items", f"{n} in {filename}", "Upload the whole matrix"
        )


def _checked_ids(ids: Sequence[str] | None, n: int, filename: str) -> tuple[str, ...]:
    check_several(n, filename)
    if ids is None:
        return tuple(str(i + 1) for i in range(n))
    seen: dict[str, int] = {}
    for position, name in enumerate(ids):
        if not name.strip():
            raise InvalidInputError("Every item needs an id", f"none for item {position + 1} of {filename}")
        if name in seen:
            raise InvalidInputError(
                "Ids have to be distinct, or it is open which row belongs to which column",
                f"{name!r} as item {seen[name] + 1} and as item {position + 1} of {filename}",
                "Rename one of them",
            )
        seen[name] = position
    return tuple(ids)


def _check_entries(values: FloatArray, ids: Sequence[str], filename: str, odd: Sequence[Note]) -> None:
    if np.isinf(np.fmin.reduce(values, axis=None)) or np.isinf(np.fmax.reduce(values, axis=None)):
        row, column = (int(k) for k in np.argwhere(np.isinf(values))[0])
        raise InvalidInputError(
            "Similarities have to be finite",
            f"{values[row, column]} in row {row + 1} (id {ids[row]!r}), "
            f"column {column + 1} (id {ids[column]!r}) of {filename}",
            "Replace it by a number, or by NA if it is unknown",
        )
    if np.isnan(values).all():
        raise InvalidInputError(
            "At least some similarities have to be known",
            f"{filename}, in which all {values.size:,} entries are unknown"
            + "".join(f" ({note.text.rstrip('.')})" for note in odd),
            odd[0].choice.rstrip(".") if odd else "Upload a matrix with numbers",
        )


def symmetrised(values: FloatArray, ids: Sequence[str], how: str) -> tuple[FloatArray, tuple[Note, ...]]:
    """Make a matrix symmetric, by "mean" ("auto") or "max" of both entries, with notes on what that changed.

    Where only one of (i, j) and (j, i) is known, it stands for both; so does the triangle that is written where the other
    holds nothing but zeros. With "refuse", asymmetry beyond rounding
    (SYMMETRY_RTOL of the largest entry) is an error.

    Raises
    ------
    InvalidInputError
        Naming the most asymmetric pair.
    """
    gap, i, j = largest_asymmetry(values)
    one_sided = known_once(values)
    if gap == 0.0 and not one_sided:  # nor is one of the triangles empty, then
        return values, ()
    if how != "refuse" and (empty := empty_triangle(values)) is not None:
        return _mirrored(values, empty)
    scale = largest_size(values)
    material = gap > SYMMETRY_RTOL * scale
    if material and how == "refuse":
        raise InvalidInputError(
            "The matrix has to be symmetric",
            f"{values[i, j]:.6g} at row {ids[i]!r}, column {ids[j]!r} against {values[j, i]:.6g} the other way round",
            "Symmetrise by the mean or the maximum of both",
        )
    if one_sided:
        values = np.where(np.isnan(values), values.T, values)
    both = np.maximum(values, values.T) if how == "max" else (values + values.T) / 2.0
    notes = [one_sided_note(one_sided)] if one_sided else []
    if material:
        notes.append(asymmetry_note(gap, scale, (values[i, j], values[j, i]), (ids[i], ids[j]), how))
    return owned(np.asarray(both)), tuple(notes)


def one_sided_note(count: int) -> Note:
    """What is said of pairs that are known in one direction only."""
    return Note(
        f"{ONE_SIDED}: {count:,}.",
        "The known entry (i, j) is taken for (j, i) too.",
        "Leave both empty to make the pair unknown.",
    )


def empty_triangle(values: FloatArray) -> Literal["lower", "upper"] | None:
    """Which strict triangle of a square matrix holds nothing but zeros (at least one), while the other does not.

    Zero is what is below NO_MORE_THAN_ZERO of the largest entry: rounding leaves 1e-17.
    """
    n = values.shape[0]
    zero = NO_MORE_THAN_ZERO * largest_size(values) if n > 1 else 0.0
    if n < 2 or not (
        abs(values[0, n - 1]) <= zero
        or abs(values[n - 1, 0]) <= zero
        or np.isnan(values[[0, -1], [-1, 0]]).any()
    ):
        return None  # a corner of either triangle says it without a look at the rest
    lower = np.tri(n, k=-1, dtype=np.bool_)
    has = {"lower": lower, "upper": lower.T}
    size = np.abs(values)  # NaN is larger than nothing
    written = {name: bool((size > zero)[mask].any()) for name, mask in has.items()}
    if written["lower"] == written["upper"]:
        return None
    empty: Literal["lower", "upper"] = "upper" if written["lower"] else "lower"
    return empty if (np.abs(values[has[empty]]) <= zero).any() else None


def _mirrored(values: FloatArray, empty: Literal["lower", "upper"]) -> tuple[FloatArray, tuple[Note, ...]]:
    """The written triangle on both sides of the diagonal."""
    written = np.triu(values, 1) if empty == "lower" else np.tril(values, -1)
    both = written + written.T
    np.fill_diagonal(both, np.diag(values))
    note = Note(
        "Below the diagonal is nothing but zeros: only the upper triangle is written."
        if empty == "lower"
        else "Above the diagonal is nothing but zeros: only the lower triangle is written.",
        "It is mirrored.",
        "Write both triangles if the zeros were measured.",
        "warning",
    )
    return owned(both), (note,)


def asymmetry_note(
    gap: float, scale: float, pair: tuple[float, float], ids: tuple[str, str], how: str
) -> Note:
    """What is said of a matrix that is not symmetric: by its most asymmetric pair."""
    return Note(
        f"The matrix is not symmetric: the largest difference, {gap:.3g} ({100 * gap / scale:.2g} % of the largest "
        f"entry), is between {ids[0]!r} and {ids[1]!r} ({pair[0]:.6g} against {pair[1]:.6g}).",
        f"The {'larger' if how == 'max' else 'mean'} of both values is taken.",
        "Symmetrise by the mean, by the maximum, or refuse.",
        "warning",
    )


def _converted(gram: GramMatrix, options: SimilarityOptions) -> tuple[GramMatrix, Note]:
    if (gram.values < 0.0).any():
        row, column = (int(k) for k in np.argwhere(gram.values < 0.0)[0])
        raise InvalidInputError(
            "Distances have to be at least 0",
            f"{gram.values[row, column]:.6g} between {gram.ids[row]!r} and {gram.ids[column]!r}",
            "If these are similarities, say so instead",
        )
    formula, make = CONVERSIONS[options.conversion]
    width = ""
    if options.conversion == "gaussian":
        gamma = median_gamma(gram.values) if options.gamma is None else options.gamma
        width = f" with γ = {gamma:.4g}" + (" (1 / median d²)" if options.gamma is None else "")
    note = Note(
        "The numbers are read as distances.",
        f"They become similarities by {formula}{width}.",
        "Choose another conversion, or say that they are similarities.",
    )
    return gram.then(make(options.gamma)), note


def far_question(read: object, options: ReadOptions) -> Question | None:
    """What the diagonal settles of what was read as similarities: with zeros there, larger is further apart.

    Who says that E-values count as they are has said that larger is more alike.
    """
    near = isinstance(options, SimilarityOptions) and options.meaning == "similarity"
    if not near or not isinstance(read, Similarity) or getattr(options, "scale", "") == "as_is":
        return None
    values, ids = read.gram.values, read.ids
    if not guess_distance(values):
        return None
    i, j = (int(k) for k in np.argwhere(np.triu(values > 0.0, 1))[0])
    if (pair := zero_apart(values)) is not None:
        a, b = (ids[k] for k in pair)
        return Question(
            "meaning",
            "The diagonal is zero, and so are pairs of items that differ: distances, or weights of edges",
            f"{a} and {b}: 0; {ids[i]} and {ids[j]}: {values[i, j]:.6g}",
            FAR_OR_NEAR,
        )
    return Question(
        "meaning",
        "The diagonal is zero and nothing is negative: larger is further apart",
        f"{ids[i]} and {ids[j]}: {values[i, j]:.6g}",
        FAR_OR_NEAR,
        "distance",
    )


def _distance_note() -> Note:
    return Note(
        "The diagonal is zero and all else is positive: these look like distances.",
        "They are taken as similarities, as was chosen.",
        "Say that they are distances and choose a conversion.",
        "warning",
    )


# A part of the items of a table of pairs, chosen before the matrix is made.


@dataclass(frozen=True)
class PartOptions(SimilarityOptions):
    """Which items of a table of pairs are kept; all by default."""

    part_size: int | None = parameter(
        None,
        help="Number of items drawn at random before the matrix is made.",
        label="Random part",
        low=2,
        optional=True,
        auto="all",
        hidden=True,
    )
    part_seed: int = parameter(
        0, help="Another number draws other items.", label="Seed", low=0, step=1, hidden=True
    )
    part_ids: tuple[str, ...] | None = parameter(
        None, help="Ids that are kept.", label="Ids", optional=True, auto="all", hidden=True
    )


@dataclass(frozen=True, eq=False)
class Pairs(EqualByContent):
    """Scored pairs of items: positions in `ids`, and scores (NaN = unknown)."""

    query: IntArray
    target: IntArray
    score: FloatArray
    ids: Sequence[str]


def drawn(items: IntArray, size: int, seed: int) -> IntArray:
    """So many of the items at random, in ascending order."""
    if size >= items.size:
        return items
    return np.sort(np.random.default_rng(seed).choice(items, size, replace=False))


def part_of(pairs: Pairs, options: PartOptions) -> tuple[Pairs, tuple[Note, ...]]:
    """Pairs of the items that are kept: those with the ids that are asked for, or as many as are drawn.

    The draw is that of `Selection(size=..., seed=...)` on the same ids.

    Raises
    ------
    InvalidInputError
        None of the ids that are asked for is there.
    """
    n = len(pairs.ids)
    kept = np.arange(n)
    how = ""
    if options.part_ids is not None:
        wanted = set(options.part_ids)
        kept = np.array([k for k, name in enumerate(pairs.ids) if name in wanted], dtype=np.int64)
        how = "those that were chosen"
        if not kept.size:
            raise InvalidInputError(
                "A part has to hold some of the items",
                f"none of {len(wanted):,} ids is there",
                "Choose other ids",
            )
    if options.part_size is not None and options.part_size < kept.size:
        kept = drawn(kept, options.part_size, options.part_seed)
        how = f"drawn at random (seed {options.part_seed})"
    if kept.size == n:
        return pairs, ()
    place = np.full(n, -1)
    place[kept] = np.arange(kept.size)
    inside = (place[pairs.query] >= 0) & (place[pairs.target] >= 0)
    part = Pairs(
        place[pairs.query[inside]],
        place[pairs.target[inside]],
        pairs.score[inside],
        [pairs.ids[int(k)] for k in kept],
    )
    note = Note(
        f"A part of the table: {kept.size:,} of {n:,} items, {how}.",
        "Pairs with the others are left out before the matrix is made.",
        "Choose another part.",
        "warning",
    )
    return part, (note,)
