"""Square matrices and triangles in the forms of their tools, made symmetric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import counted
from kernex_core.inputs.options import Answer, Question, SimilarityOptions
from kernex_core.inputs.samples import Labels, Note, Similarity
from kernex_core.inputs.similarities.finish import FAR_OR_NEAR, similarity
from kernex_core.inputs.similarities.tool_forms import tool_matrix
from kernex_core.inputs.similarities.tool_rows import ToolMatrix, ToolRow, is_entry
from kernex_core.inputs.tables.dialect import NUMBER
from kernex_core.inputs.upload import Upload

BARE = "without the diagonal"
ENDINGS = ("dst", "pim", "phy", "phylip", "dist", "nex", "nexus", "matrix", "out", "txt")


@dataclass(frozen=True)
class ToolMatrixOptions(SimilarityOptions):
    """How the matrix of a tool is read."""

    missing_diagonal: Literal["auto", "zero", "row_max", "unknown"] = parameter(
        "auto",
        help="What an item has with itself where the file does not say. auto: 0 for distances, 100 for identities in per "
        "cent, the largest of the row for other similarities; or 0, the largest of the row, unknown.",
        label="Diagonal",
        choices=("auto", "zero", "row_max", "unknown"),
    )


def sniff(upload: Upload) -> float:
    """Confidence that an upload is the matrix of a tool."""
    if not upload.is_text:
        return 0.0
    try:
        return 0.0 if tool_matrix(upload) is None else 0.96
    except KernexError:
        return 0.96  # reading it says what is missing


def suggest(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand; the page offers a conversion where the numbers look like distances."""
    return Suggestion(ToolMatrixOptions())


def read(upload: Upload, options: ToolMatrixOptions) -> Similarity:
    """Read a square or a triangle.

    Raises
    ------
    InvalidInputError
        None of these forms, rows of wrong length, or an entry that is no number.
    TooLargeError
        More items than the limit, before room for them is taken.
    """
    found = tool_matrix(upload)
    if found is None:
        raise InvalidInputError(
            "The matrix of a tool was expected: PHYLIP, Mash, FastANI, Clustal, Orange, NEXUS, R's dist, or a triangle",
            f"none of these in {upload.filename}",
            "Choose another way to read it, or export it as CSV",
        )
    shape = _shape(found, upload.filename)
    check_item_count(shape.n, options.limit)
    values = _filled(found, shape, upload.filename)
    apart = values[~np.eye(shape.n, dtype=np.bool_)]
    nothing = int((apart == 0.0).sum()) // 2 if found.zeros else 0
    if nothing:
        values[(values == 0.0) & ~np.eye(shape.n, dtype=np.bool_)] = np.nan
    note = Note(
        f"The file has the form of {found.title}: {shape.title}.",
        "The other triangle is the same." if shape.lean else "",
        severity="fine",
    )
    filled = (*_diagonal(values, found, options), *_own(values, found, shape))
    odd = [Note(found.said, severity="fine")] if found.said else []
    if nothing:
        odd.append(
            Note(
                f"Identities of 0 per cent: {nothing:,}, as is written where nothing was found to compare.",
                "They are unknown.",
                "Write a small number if they were measured.",
            )
        )
    made = similarity(values, _ids(found, shape), upload, options, (note, *odd, *filled))
    if not found.labels:
        return made
    labels = Labels(
        made.ids, np.array(found.labels, dtype=np.str_), recipe=made.recipe and part(made.recipe, "labels")
    )
    return replace(made, labels=labels)


def ask(upload: Upload, given: Mapping[str, object]) -> tuple[Question, ...]:
    """Whether numbers are identities in per cent or distances, where the form does not say and no diagonal is written."""
    found = tool_matrix(upload) if upload.is_text else None
    if found is None or found.distances is False:
        return ()
    try:
        shape = _shape(found, upload.filename)
    except KernexError:  # reading says what is wrong
        return ()
    k, row = next(((k, row) for k, row in enumerate(found.rows) if row.fields), (0, found.rows[0]))
    if found.distances is not None and (not shape.bare or not row.fields):
        return ()
    ids = _ids(found, shape) or [str(k + 1) for k in range(shape.n)]
    pair, value = f"{ids[k + shape.first_item]} and {ids[shape.starts[k]]}", row.fields[0]
    if found.distances:
        return (
            Question(
                "meaning",
                f"The file has the form of {found.title}: larger is further apart",
                f"{pair}: {value}",
                FAR_OR_NEAR,
                "distance",
            ),
        )
    return (
        Question(
            "meaning",
            "Numbers up to 100 without a diagonal may be identities in per cent or distances",
            f"{pair}: {value}",
            (
                Answer("similarity", f"{value} % alike; an item has 100 with itself"),
                Answer("distance", f"{value} apart; an item has 0 with itself"),
            ),
        ),
    )


@dataclass(frozen=True)
class _Shape:
    """Number of items, and for every row its item and the item of its first number; `lean`: one triangle only."""

    n: int
    title: str
    lean: bool
    first_item: int
    starts: tuple[int, ...]

    @property
    def bare(self) -> bool:
        """Whether nothing is written of the diagonal."""
        return self.lean and self.title.endswith(BARE)


def _shape(found: ToolMatrix, filename: str) -> _Shape:
    """Square or triangle, by the lengths of the rows."""
    sizes = [len(row.fields) for row in found.rows]
    m, r = len(sizes), range(len(sizes))
    if sizes == [m] * m:
        return _Shape(m, "a square", False, 0, (0,) * m)
    if sizes == [k + 1 for k in r]:
        # ids on top end before the last row, and rows begin after the first id
        between = len(found.top) == m and found.rows[0].name not in ("", found.top[0])
        n = m + between
        title = "its lower triangle" + (f" {BARE}" if between else "")
        return _Shape(n, title, True, int(between), (0,) * m)
    if sizes == list(r):
        return _Shape(m, f"its lower triangle {BARE}", True, 0, (0,) * m)
    if sizes == [m - k for k in r] and not (
        found.top and len(found.top) == m and found.top[0] != found.rows[0].name
    ):
        return _Shape(m, "its upper triangle", True, 0, tuple(r))
    if sizes == [m - 1 - k for k in r]:
        return _Shape(m, f"its upper triangle {BARE}", True, 0, tuple(k + 1 for k in r))
    if sizes == [m - k for k in r]:
        return _Shape(m + 1, f"its upper triangle {BARE}", True, 0, tuple(k + 1 for k in r))
    # the form that most rows have says which row is wrong, and how many numbers it should have
    forms = ([m] * m, [k + 1 for k in r], list(r), [m - k for k in r], [m - 1 - k for k in r])
    meant = max(forms, key=lambda form: sum(a == b for a, b in zip(sizes, form, strict=True)))
    odd, wanted = next(
        (row, size) for row, size in zip(found.rows, meant, strict=True) if len(row.fields) != size
    )
    name = f" (id {odd.name!r})" if odd.name else ""
    raise InvalidInputError(
        f"Rows have to be those of a square ({m} numbers each) or of a triangle (one more or one fewer each)",
        f"{counted(len(odd.fields), 'number')} in line {odd.line}{name} of {filename}, where {wanted} were expected",
        "Write NA where an entry is unknown",
    )


def _filled(found: ToolMatrix, shape: _Shape, filename: str) -> FloatArray:
    """The matrix (n, n); what is not written is NaN."""
    values = np.full((shape.n, shape.n), np.nan)
    for k, (row, start) in enumerate(zip(found.rows, shape.starts, strict=True)):
        item = k + shape.first_item
        values[item, start : start + len(row.fields)] = [
            _number(field, row, filename) for field in row.fields
        ]
    if shape.lean:
        values = np.where(np.isnan(values), values.T, values)
    return values


def _number(field: str, row: ToolRow, filename: str) -> float:
    if NUMBER.match(field):
        return float(field)
    if is_entry(field):
        return np.nan
    raise InvalidInputError(
        "Every entry has to be a number, or NA if it is unknown",
        f"{field[:40]!r} in line {row.line}{f' (id {row.name!r})' if row.name else ''} of {filename}",
        "Correct that entry",
    )


def _ids(found: ToolMatrix, shape: _Shape) -> Sequence[str] | None:
    names = [row.name for row in found.rows]
    if len(names) < shape.n:  # one id stands on top alone
        names = [found.top[0], *names] if shape.first_item else [*names, found.top[-1]]
    if any(names):
        return names
    return found.top if len(found.top) == shape.n else None


def _diagonal(values: FloatArray, found: ToolMatrix, options: ToolMatrixOptions) -> tuple[Note, ...]:
    """Fill the diagonal in place where nothing of it is written."""
    own = np.diag(values)
    if not np.isnan(own).all() or options.missing_diagonal == "unknown":
        return ()
    how: str = options.missing_diagonal
    known = values[~np.isnan(values)]
    if how == "auto":
        distance = bool(found.distances) or options.meaning == "distance"
        percent = known.size > 0 and known.max() <= 100.0 and (known.min() >= 50.0 or found.distances is None)
        how = "zero" if distance else "percent" if percent else "row_max"
    if how == "row_max":
        largest = np.where(np.isnan(values), -np.inf, values).max(axis=1)
        np.fill_diagonal(values, np.where(np.isinf(largest), np.nan, largest))
    else:
        np.fill_diagonal(values, 0.0 if how == "zero" else 100.0)
    taken = {"zero": "It is 0, as for distances.", "percent": "It is 100, as for identities in per cent."}
    action = taken.get(how, "The largest number of its row is taken for each.")
    return (
        Note(
            "The file does not say what an item has with itself.",
            action,
            "Choose another diagonal.",
            "warning",
        ),
    )


def _own(values: FloatArray, found: ToolMatrix, shape: _Shape) -> tuple[Note, ...]:
    """Warn where nothing but the form of a triangle says that its rows end, or begin, with what an item has with itself."""
    own = np.diag(values)
    if not shape.lean or shape.bare or _ids(found, shape) or not (values > own[:, None]).any():
        return ()
    return (
        Note(
            "Nothing says whether the triangle has its diagonal, and numbers on it are less than others beside them: "
            f"{own[0]:g}, {own[1]:g}, ….",
            "They are taken for what items have with themselves.",
            "If they are pairs of different items, write the names of the items in front.",
            "warning",
        ),
    )


FORMAT = Format(
    "tool",
    "Matrix of a tool (PHYLIP, Clustal, R, …)",
    "similarity",
    ENDINGS,
    sniff,
    suggest,
    read,
    ToolMatrixOptions,
    ask=ask,
)
