"""Sparse vectors in SVMlight's format, which LIBSVM and others write, too: label index:value index:value … a line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.base.sparse_rows import MOST_COLUMNS, check_sparse_size
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import distinct
from kernex_core.inputs.samples import Labels, Note, SparseVectors, Vectors
from kernex_core.inputs.sparse_vectors import SparseOptions, vectors_of
from kernex_core.inputs.tables.class_column import as_label
from kernex_core.inputs.tables.lines import Lines
from kernex_core.inputs.upload import Upload

# Lines of sparse files (SVMlight, LIBSVM): label index:value index:value …, each fault told by its line.

INDEX_LIMIT = 2**63 - 1
"""Largest index that there is."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_PLAIN = re.compile(r"(?:\s++\d{1,18}+:[^\s:_]++)*+\s*", re.ASCII)
"""Pairs without anything odd: they are read all at once."""


class SparseLine(NamedTuple):
    """What is not 0 in one line.

    Attributes
    ----------
    label : str
        "" for none.
    group : str
        Behind `qid:`; "" for none.
    indices : (k,) int
        As they stand.
    values : (k,) float
    comment : str
        Behind #, without blanks around it.
    width : int
        How many features the line speaks of, indices beginning with 1; 0 where nothing is said.
    least : int
        Smallest index, also of a 0 that is listed; 1 where none is.
    """

    label: str
    indices: IntArray
    values: FloatArray
    width: int
    group: str = ""
    comment: str = ""
    least: int = 1


def class_name(text: str) -> str:
    """Name of a class: numbers that are equal are one class ("+1", "1" and "1.0"); "" for ?, NA and the like."""
    label = as_label(text)
    if not _NUMBER.fullmatch(label):
        return label
    value = float(label)
    if re.fullmatch(r"[+-]?\d+", label, re.ASCII) and len(label) <= 300:
        return str(int(label))
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def read_pairs(line: str, number: int, filename: str, *, first_index: int = 1) -> SparseLine:
    """Read `label index:value index:value ...`; what follows # is a comment.

    A line may begin with a pair, and has no label then; `qid:3` behind the label is the group of the item.

    Parameters
    ----------
    line : str
    number : int
    filename : str
        For messages.
    first_index : int
        Smallest index that is taken, 0 or 1.

    Raises
    ------
    InvalidInputError
        Something else, an index that is too small, too large or there twice, or a value that is no finite number.
    """
    body, _, comment = line.partition("#")
    label, rest = _first_word(body)
    if ":" in label:
        label, rest = "", body
    word, behind = _first_word(rest) if "qid:" in rest[:100] else ("", "")
    group = word[4:] if word.startswith("qid:") else ""
    rest = behind if group else rest
    indices, values = _pairs(rest, number, filename)
    order = np.argsort(indices, kind="stable")
    if (np.diff(order) != 1).any():
        indices, values = indices[order], values[order]
    twice = indices[1:][indices[1:] == indices[:-1]]
    if twice.size:
        raise InvalidInputError(
            f"In a line of {filename} every index stands once",
            f"index {twice[0]} twice in line {number}",
            "Add up or leave out what is said twice",
        )
    least = int(indices[0]) if indices.size else 1
    if least < first_index:
        raise InvalidInputError(
            f"The indices in {filename} begin with {first_index}",
            f"index {least} in line {number}",
            "Add 1 to every index of the file" if least == 0 else "Number the features from 1 on",
        )
    width = int(indices[-1]) if indices.size else 0
    kept = values != 0.0
    if not kept.all():
        indices, values = indices[kept], values[kept]
    return SparseLine(class_name(label), indices, values, width, group, comment.strip(), least)


def _first_word(text: str) -> tuple[str, str]:
    """The first word, and what is behind it."""
    first, *rest = text.split(None, 1) or [""]
    return first, rest[0] if rest else ""


def _bits(text: str) -> IntArray | None:
    """Indices where every value is written 1, as of fingerprints: half of the numbers need not be read."""
    closed = f"{text.rstrip()} "
    count = closed.count(":")
    if closed.count(":1 ") != count or "_" in closed or not closed.isascii():
        return None
    words = closed.replace(":1 ", " ").split()
    try:
        return np.fromiter(map(int, words), np.int64, len(words)) if len(words) == count else None
    except (ValueError, OverflowError):  # said below, with what it is and where
        return None


def _pairs(text: str, number: int, filename: str) -> tuple[IntArray, FloatArray]:
    bits = _bits(text)
    if bits is not None:
        return bits, np.ones(bits.size)
    if _PLAIN.fullmatch(f" {text}"):
        words = text.replace(":", " ").split()
        try:
            indices = np.fromiter(map(int, words[::2]), np.int64, len(words) // 2)
            values = np.fromiter(map(float, words[1::2]), np.float64, len(words) // 2)
        except ValueError:  # said below, with what it is and where
            values = np.array([np.nan])
        if np.isfinite(values).all():
            return indices, values
    pairs = text.split()
    indices, values = np.empty(len(pairs), dtype=np.int64), np.empty(len(pairs), dtype=np.float64)
    for place, pair in enumerate(pairs):
        index, colon, value = pair.partition(":")
        if not colon or not re.fullmatch(r"[+-]?\d+", index, re.ASCII):
            raise InvalidInputError(
                f"A line of {filename} is label index:value index:value ..., or label,0,1,0,...",
                f"{_shown(pair)} in line {number}",
            )
        indices[place] = _index(index, number, filename)
        values[place] = number_of(value, f"at index {_shown(index, quoted=False)}", number, filename)
    return indices, values


def _index(text: str, number: int, filename: str) -> int:
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > len(str(INDEX_LIMIT)) or int(digits or "0") > INDEX_LIMIT:
        raise InvalidInputError(
            f"An index in {filename} is at most {INDEX_LIMIT:,}",
            f"index {_shown(text, quoted=False)} in line {number}",
            "Number the features from 1 on",
        )
    return -int(digits or "0") if text.startswith("-") else int(digits or "0")


def number_of(text: str, where: str, number: int, filename: str) -> float:
    """The finite number that a text is.

    Raises
    ------
    InvalidInputError
        None: the line is named, and where it stands there.
    """
    try:
        value = float(text) if "_" not in text else float("nan")
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        found = (
            f"{_shown(text)} {where} of line {number}"
            if text.strip()
            else f"nothing {where} of line {number}"
        )
        raise InvalidInputError(
            f"Every value of {filename} has to be a finite number", found, "Leave out or fill what is unknown"
        )
    return value


def _shown(text: str, *, quoted: bool = True) -> str:
    shown = text[:40] + ("…" if len(text) > 40 else "")
    return repr(shown) if quoted else shown


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
