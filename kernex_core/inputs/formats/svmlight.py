"""Sparse vectors in SVMlight's format, which LIBSVM and others write, too: label index:value index:value … a line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import IntArray
from kernex_core.base.parameters import parameter
from kernex_core.base.sparse_rows import MOST_COLUMNS, check_sparse_size
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import distinct
from kernex_core.inputs.samples import Labels, Note, SparseVectors, Vectors
from kernex_core.inputs.sparse_vectors import SparseOptions, vectors_of
from kernex_core.inputs.tables.lines import Lines
from kernex_core.inputs.tables.sparse_lines import SparseLine, read_pairs
from kernex_core.inputs.upload import Upload

_LOOKED_AT: Final = 20
_LABEL: Final = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|\?"
_LINE: Final = re.compile(rf"\s*({_LABEL})(\s+qid:\S+)?(\s+\d+:[^\s:#]+)*\s*(#.*)?", re.ASCII)
_BARE: Final = re.compile(r"\s*\d+:[^\s:#]+(\s+\d+:[^\s:#]+)*\s*(#.*)?", re.ASCII)
_KERNEL: Final = re.compile(r"\s*\S+\s+0:(\d+)\s+1:\S")
"""A row of a precomputed kernel: its number stands behind 0:."""
FROM_ZERO: Final = "An index is 0."
"""What is said of a file whose features are counted from 0."""
_OWN_ENDINGS: Final = ("svm", "svmlight", "libsvm")


@dataclass(frozen=True)
class SvmlightOptions(SparseOptions):
    """How sparse vectors are read."""

    first_index: Literal["auto", "0", "1"] = parameter(
        "auto",
        help="Number of the first feature; auto: 0 where an index is 0, else 1.",
        label="First index",
        choices=("auto", "0", "1"),
    )
    features: int | None = parameter(
        None,
        help="Number of features, for files in which the last ones do not occur: new items need those of the others.",
        label="Features",
        optional=True,
        auto="the largest index",
        low=1,
        high=MOST_COLUMNS,
        step=1,
    )


def sniff(upload: Upload) -> float:
    """Confidence that an upload holds sparse vectors: its first lines are a label and pairs, and no rows of a kernel."""
    if not upload.is_text or ":" not in upload.text[:100_000]:
        return 0.0
    head = upload.text[:1_000_000].split("\n")
    # what is cut off at the end is no line
    whole = head[:-1] if len(upload.text) > 1_000_000 and len(head) > 1 else head
    lines = [line for line in whole if line.strip() and not line.lstrip().startswith("#")][:_LOOKED_AT]
    if not lines or not any(":" in line for line in lines):
        return 0.0
    rows = [_KERNEL.match(line) for line in lines]
    if len(lines) > 1 and all(row and int(row[1]) == k for k, row in enumerate(rows, 1)):
        return 0.0
    if all(_LINE.fullmatch(line) for line in lines):
        return 0.95
    # pairs alone may be times of the day, or a kernel
    return 0.95 if upload.extension in _OWN_ENDINGS and all(map(_BARE.fullmatch, lines)) else 0.0


def suggest(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand: an index of 0 says that features are counted from 0."""
    return Suggestion(SvmlightOptions())


def read(upload: Upload, options: SvmlightOptions, *, fewest: int = 2) -> Vectors | SparseVectors:
    """Read one vector a line; labels are classes or numbers, `qid:` are groups, distinct comments behind # are ids.

    Raises
    ------
    InvalidInputError
        A line of another form, an index that is negative, twice in a line or below the first one, a value that is no finite
        number (each with its line), several classes in one line, groups in some lines only, or no vectors at all.
    TooLargeError
        More items, features or entries than the limits, before room is taken.
    """
    check_sparse_size(0, upload.text.count(":"), upload.filename)
    lowest = 1 if options.first_index == "1" else 0
    rows: list[SparseLine] = []
    for number, line in _lines(upload.text):
        check_item_count(len(rows) + 1, options.limit)
        row = read_pairs(line, number, upload.filename, first_index=lowest)
        _check_row(row, rows, number, upload.filename)
        rows.append(row)
    first = min((row.least for row in rows), default=1) if options.first_index == "auto" else lowest
    first = min(first, 1)
    occurring = max((row.width for row in rows), default=0) + 1 - first
    if not occurring or not any(row.width or row.values.size for row in rows):
        raise InvalidInputError(
            "Sparse vectors were expected: label index:value index:value … a line",
            f"no such line in {upload.filename}",
        )
    if options.features is not None and occurring > options.features:
        raise InvalidInputError(
            f"Features have to be among the {options.features:,} that there are",
            f"index {occurring + first - 1:,} in {upload.filename}",
            "Leave the number of features open, or say a larger one",
        )
    d = options.features or occurring
    starts = np.concatenate([[0], np.cumsum([row.values.size for row in rows])])
    indices = np.concatenate([row.indices for row in rows]) - first
    X = sparse.csr_array(
        (np.concatenate([row.values for row in rows]), indices, starts), shape=(len(rows), d)
    )
    ids, said = _ids(rows)
    recipe = upload.recipe(options)
    labels = _labels(rows, ids)
    if labels is not None:
        labels = replace(labels, recipe=part(recipe, "labels"))
    if not first and options.first_index == "auto":
        choice = "Say that the first index is 1 to have such lines refused."
        said = [Note(FROM_ZERO, "Features are counted from 0.", choice, "fine"), *said]
    notes = (*said, *_group_note(labels))
    made = vectors_of(X, ids, upload, options.zeros, labels=labels, notes=notes, fewest=fewest)
    return replace(made, recipe=recipe)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is neither empty nor a comment."""
    begin = 0
    for number in itertools.count(1):
        end = text.find("\n", begin)
        line = text[begin : end if end >= 0 else len(text)]
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line
        if end < 0:
            return
        begin = end + 1


def _check_row(row: SparseLine, rows: list[SparseLine], number: int, filename: str) -> None:
    if "," in row.label:
        raise InvalidInputError(
            "An item has one label",
            f"{row.label[:40]!r} in line {number} of {filename}",
            "Write one class a line; several classes an item are not read",
        )
    if row.width > MOST_COLUMNS:
        raise TooLargeError(
            f"Sparse vectors may have {MOST_COLUMNS:,} features",
            f"index {row.width:,} in line {number} of {filename}",
            "Number the features that occur from 1 on",
        )
    if rows and bool(row.group) != bool(rows[0].group):
        raise InvalidInputError(
            f"Every line of {filename} has a group behind qid:, or none has",
            f"{'one' if row.group else 'none'} in line {number}, unlike the first",
        )


def _ids(rows: list[SparseLine]) -> tuple[tuple[str, ...], list[Note]]:
    """Comments behind # where they tell the items apart, else numbers from 1."""
    comments = [row.comment for row in rows]
    if all(comments) and len(set(comments)) == len(comments) and max(map(len, comments)) <= 100:
        ids, said = distinct(comments)
        return ids, [
            *said,
            Note("The comments behind # tell the lines apart.", "They are the ids.", "", "fine"),
        ]
    said = []
    if some := sum(map(bool, comments)):
        said = [
            Note(
                f"Comments behind #: {some:,}.", "They are left out: they do not name every line.", "", "fine"
            )
        ]
    return tuple(str(k) for k in range(1, len(rows) + 1)), said


def _group_note(labels: Labels | None) -> tuple[Note, ...]:
    if labels is None or labels.groups is None:
        return ()
    count = np.unique(labels.groups).size
    return (
        Note(f"Groups behind qid:: {count:,}.", "Items of one group stay together in a test.", "", "fine"),
    )


def _labels(rows: list[SparseLine], ids: tuple[str, ...]) -> Labels | None:
    groups = np.array([row.group for row in rows]) if rows[0].group else None
    if groups is None and not any(row.label for row in rows):
        return None
    return Labels(ids, np.array([row.label for row in rows]), groups)


FORMAT = Format(
    "svmlight",
    "Sparse vectors (SVMlight, LIBSVM)",
    "vectors",
    (*_OWN_ENDINGS, "t", "scale", "txt", "dat", "data"),
    sniff,
    suggest,
    read,
    SvmlightOptions,
    by_signature=True,
)


# What is there, and no numbers beside it: the indices of ones, a line an item (DOROTHEA's .data, baskets of items).

_INDICES: Final = re.compile(r"\s*\d{1,18}(\s+\d{1,18})*\s*", re.ASCII)
_FEWEST: Final = 3
"""Lines from which lines of several lengths are no chance."""


def sniff_ones(upload: Upload) -> float:
    """Confidence that every line lists the indices of ones: whole numbers that ascend, as many as there are.

    No table has lines of several lengths. Lines that begin with 1, 2, 3, … may be a node and its neighbours: they are none.
    Lines of which each has one number more, or one less, than the line above are a triangle of similarities.
    """
    if not upload.is_text:
        return 0.0
    lines = list(itertools.islice(filter(str.strip, Lines(upload.text)), _LOOKED_AT))
    if len(lines) < _FEWEST or not all(map(_INDICES.fullmatch, lines)):
        return 0.0
    rows = [list(map(int, line.split())) for line in lines]
    ascending = all(a < b for row in rows for a, b in itertools.pairwise(row))
    several = len({len(row) for row in rows}) > 1 and sum(map(len, rows)) > 2 * len(rows)
    counted = all(b[0] == a[0] + 1 for a, b in itertools.pairwise(rows))
    longer = {len(b) - len(a) for a, b in itertools.pairwise(rows)}
    triangle = (longer == {1} and len(rows[0]) == 1) or longer == {-1}
    return 0.95 if ascending and several and not counted and not triangle else 0.0


def suggest_ones(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand: an index of 0 says that features are counted from 0."""
    return Suggestion(SvmlightOptions())


def read_ones(upload: Upload, options: SvmlightOptions, *, fewest: int = 2) -> Vectors | SparseVectors:
    """Read lines of indices: each feature that is listed is 1, all others are 0. A blank line is an item without any.

    Raises
    ------
    InvalidInputError
        Something else than whole numbers, numbers that do not ascend (each with its line), or an index below the first one.
    TooLargeError
        More items, features or entries than the limits.
    """
    lines = upload.text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    check_item_count(len(lines), options.limit)
    check_sparse_size(0, upload.text.count(" ") + len(lines), upload.filename)
    rows = [_indices(line, number, upload.filename) for number, line in enumerate(lines, 1)]
    found = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    least, most = (int(found.min()), int(found.max())) if found.size else (1, 0)
    first = min(least, 1) if options.first_index == "auto" else int(options.first_index)
    d = options.features or most + 1 - first
    if least < first or most + 1 - first > d or d > MOST_COLUMNS:
        raise InvalidInputError(
            f"Features have to be numbered {first:,} to {min(d, MOST_COLUMNS) + first - 1:,}",
            f"{least if least < first else most:,} in {upload.filename}",
            "Leave the first index and the number of features open",
        )
    starts = np.concatenate([[0], np.cumsum([row.size for row in rows])])
    X = sparse.csr_array((np.ones(found.size), found - first, starts), shape=(len(rows), d))
    note = Note(
        "Every line lists whole numbers that ascend, and lines differ in length.",
        f"They are read as the features that an item has, counted from {first}: 1 where one is listed, else 0.",
        "",
        "fine",
    )
    ids = tuple(str(k) for k in range(1, len(rows) + 1))
    made = vectors_of(X, ids, upload, options.zeros, notes=(note,), fewest=fewest)
    return replace(made, recipe=upload.recipe(options))


def _indices(line: str, number: int, filename: str) -> IntArray:
    words = line.split()
    if words and not _INDICES.fullmatch(line):
        odd = next((word for word in words if not _INDICES.fullmatch(word)), words[0])
        raise InvalidInputError(
            "Every line lists the indices of what an item has",
            f"{odd[:40]!r} in line {number} of {filename}",
            "Write whole numbers with blanks between",
        )
    row = np.array(words, dtype=np.int64)
    if (row[1:] <= row[:-1]).any():
        at = int(np.flatnonzero(row[1:] <= row[:-1])[0])
        raise InvalidInputError(
            "The indices of a line ascend, each once",
            f"{row[at + 1]} behind {row[at]} in line {number} of {filename}",
            "If the numbers are values, write as many in every line",
        )
    return row


ONES = Format(
    "ones",
    "Sparse vectors (indices of ones)",
    "vectors",
    ("data", "txt", "dat"),
    sniff_ones,
    suggest_ones,
    read_ones,
    SvmlightOptions,
    by_signature=True,
)
