"""Files of R (.rds, .RData): a square matrix, a dist, or several kernels of the same items as one array n × n × V."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_item_count
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import SIMILAR, listed
from kernex_core.inputs.options import MOST_VIEWS, Question, SimilarityOptions, view_option
from kernex_core.inputs.r_objects import (
    ENDINGS,
    RArray,
    RObjects,
    RSparse,
    is_r,
    labels_beside,
    r_objects,
    simple,
)
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.finish import FAR_OR_NEAR, check_several, labelled, similarity
from kernex_core.inputs.tables.layout import column_order
from kernex_core.inputs.tables.workbook import has_table
from kernex_core.inputs.upload import Upload

_VALUES: Final = ("k", "kernel", "kernels", "gram", "values", "similarity")
_IDS: Final = ("ids", "names", "items")


@dataclass(frozen=True)
class ROptions(SimilarityOptions):
    """How a file of R is read."""

    key: str = parameter(
        "", help="Name of the object; empty: K, the first square matrix, or the first dist.", label="Object"
    )
    view: int = view_option("n × n × V")


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a file of R with a square matrix or a dist; data frames are tables."""
    if not is_r(upload):
        return 0.0
    try:
        found = r_objects(upload)
    except KernexError:
        return 0.95  # reading it says what is wrong
    if _square(found):
        return 0.95
    if has_table(upload):
        return 0.0
    return 0.5 if any(len(array.shape) == 2 for array in found.matrices.values()) else 0.95


def suggest(upload: Upload) -> Suggestion:
    """The square objects of the file, where it has several; empty: K, else the first. Distances where it is a dist."""
    found = r_objects(upload)
    square = _square(found)
    chosen = ROptions(meaning="distance") if square and _form(found, "", upload) == "dist" else ROptions()
    return Suggestion(chosen, {"key": ("", *square)} if len(square) > 1 else {})


def ask(upload: Upload, given: Mapping[str, object]) -> tuple[Question, ...]:
    """Whether larger is further apart, which the class of a dist decides."""
    key = str(given.get("key", ""))
    found = r_objects(upload)
    square = _square(found)
    if not square or (key and key not in square) or _form(found, key, upload) != "dist":
        return ()
    array = found.arrays[_choose(found, key, upload.filename)]
    names = array.axes[0][:2] or ("1", "2")
    value = f"{array.values[0]:.6g}" if array.values.size else "nothing"
    return (
        Question(
            "meaning",
            "The object is of the class dist: larger is further apart",
            f"{' and '.join(names)}: {value}",
            FAR_OR_NEAR,
            "distance",
        ),
    )


def read(upload: Upload, options: ROptions) -> Similarity:
    """Read a square matrix, a dist, or all kernels of an array of three dimensions, the first with the others beside it.

    Names of rows and columns are ids. A vector or factor y (or labels) is joined to them by its names, or by its order.

    Raises
    ------
    InvalidInputError
        Damaged, no such object, none that is square, names that differ between the axes, or no such kernel.
    TooLargeError
        More items than the limit, before room for them is taken.
    """
    found = r_objects(upload)
    key = _choose(found, options.key, upload.filename)
    array = found.matrices[key]
    n, count = array.shape[0], array.shape[2] if len(array.shape) == 3 else 1
    check_item_count(n, options.limit)
    check_several(n, upload.filename)
    if not max(options.view, 1) <= count <= MOST_VIEWS:
        raise InvalidInputError(
            f"{simple(key)} has to hold 1 to {MOST_VIEWS} kernels, and the one that is asked for",
            f"{count:,} kernels" + (f"; asked for: {options.view}" if options.view else ""),
            f"Save a part of {simple(key)} in a file of its own"
            if count > MOST_VIEWS
            else f"Ask for one of 1 to {count}",
        )
    values, ids, notes = _in_order(array, found, n, upload.filename)
    labels, left = labels_beside(found, ids, n)
    notes = (*notes, *left)
    if len(square := _square(found)) > 1:
        said = Note(f"The file holds the square objects {listed(square, 8)}.", f"{simple(key)} is taken.",
                    "Choose another object.")  # fmt: skip
        notes = (said, *notes)
    views = range(1, count + 1) if options.view == 0 else (options.view,)
    made = []
    for view in views:
        each = options if count == 1 else replace(options, view=view)
        K = np.array(values[:, :, view - 1], order="C")
        guessed = count == 1 and not (ids or options.key or SIMILAR.search(key.rpartition("$")[2]))
        one = similarity(K, ids or None, upload, each, notes, guessed=guessed)
        if count > 1:
            one = replace(one, gram=one.gram.renamed(_view_name(array, view, upload)))
        made.append(labelled(one, labels))
    first, *others = made
    return replace(first, others=tuple(others))


def square_matrix(upload: Upload, options: ROptions) -> tuple[FloatArray, list[str], tuple[Note, ...]]:
    """Numbers (n, n) of one matrix as they are, ids ([] if there are none), and notes; see `read`."""
    found = r_objects(upload)
    key = _choose(found, options.key, upload.filename)
    array = found.matrices[key]
    if len(array.shape) != 2:
        raise InvalidInputError(
            "A network is one matrix",
            f"{simple(key)} of {' × '.join(map(str, array.shape))} in {upload.filename}",
            "Save one of its matrices",
        )
    check_item_count(array.shape[0], options.limit)
    values, ids, notes = _in_order(array, found, array.shape[0], upload.filename)
    return values[:, :, 0], ids, notes


def holds_yes_or_no(upload: Upload) -> bool:
    """Whether the matrix that is read by default holds 0 and 1 alone, 0 on the diagonal, and more of the former.

    Raises
    ------
    InvalidInputError, TooLargeError
        There is none; see `r_objects`.
    """
    found = r_objects(upload)
    array = found.matrices[_choose(found, "", upload.filename)]
    if array.form != "array" or len(array.shape) != 2 or array.shape[0] < 3:
        return False
    listed_ones = array.rows.data if isinstance(array, RSparse) else array.values[array.values != 0.0]
    diagonal = array.rows.diagonal() if isinstance(array, RSparse) else array.values.diagonal()
    ones = bool(listed_ones.size) and bool((listed_ones == 1.0).all())
    return ones and not diagonal.any() and 2 * listed_ones.size <= array.shape[0] * array.shape[1]


def _in_order(
    array: RArray | RSparse, found: RObjects, n: int, filename: str
) -> tuple[FloatArray, list[str], tuple[Note, ...]]:
    """Numbers (n, n, V) with the columns in the order of the rows, ids ([] if there are none), and notes."""
    values = array.square()
    values = values[:, :, None] if values.ndim == 2 else values
    left, top = array.axes[:2]
    notes: tuple[Note, ...] = ()
    if isinstance(array, RSparse):
        notes = (
            Note(
                f"The matrix is sparse, with {array.rows.nnz:,} entries.",
                "What is not listed is 0.",
                "",
                "fine",
            ),
        )
    ids = list(left or top)
    if left and top and left != top:
        order, ids, said = column_order(top, left, filename)
        notes = (*notes, *said)
        values = values[:, order]
    beside = (each.texts for name, each in found.texts.items() if name.lower() in _IDS)
    return values, ids or list(next((texts for texts in beside if len(texts) == n), ())), notes


def _view_name(array: RArray | RSparse, view: int, upload: Upload) -> str:
    return f"{upload.stem} {array.axes[2][view - 1] if array.axes[2] else view}"


def _square(found: RObjects) -> list[str]:
    """Names of arrays n × n or n × n × V, sparse ones among them, and of dists."""
    return [
        name for name, array in found.matrices.items()
        if len(array.shape) in (2, 3) and array.shape[0] == array.shape[1] > 0
    ]  # fmt: skip


def _choose(found: RObjects, key: str, filename: str) -> str:
    square = _square(found)
    if key and key not in square:
        raise InvalidInputError(
            f"{filename} has to hold the square matrix or dist that is asked for",
            f"{key!r}; it holds {found.shown}",
            "Choose one of these, or none to have K or the first square one",
        )
    if not square:
        raise InvalidInputError(
            "A similarity matrix of R has as many rows as columns, or is a dist",
            f"{filename}, which holds {found.shown}",
            "In R: saveRDS(K, 'K.rds'), or save(K, y, file = 'K.RData') with the classes y beside it; functions and "
            "models are not opened",
        )
    called = [name for want in _VALUES for name in square if name.rpartition("$")[2].lower() == want]
    matrices = [name for name in square if found.matrices[name].form == "array"]
    return key or next(iter([*called, *matrices, *square]))


def _form(found: RObjects, key: str, upload: Upload) -> str:
    return found.matrices[_choose(found, key, upload.filename)].form


FORMAT = Format(
    "r", "Similarity matrices (R)", "similarity", ENDINGS, sniff, suggest, read, ROptions, ask=ask
)
