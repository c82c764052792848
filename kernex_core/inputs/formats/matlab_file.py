"""MATLAB files (.mat): one square array, or several kernels of the same items as one array n × n × V."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.arrays import MatlabArrays, is_matlab, matlab_of
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import MASK, NEW_ROWS, SIMILAR
from kernex_core.inputs.options import MOST_VIEWS, SimilarityOptions, view_option
from kernex_core.inputs.samples import Labels, Note, Similarity
from kernex_core.inputs.similarities.finish import check_several, other_rows_note, similarity
from kernex_core.inputs.tables.columnar import holds_columns
from kernex_core.inputs.upload import Upload

_VALUES: Final = ("k", "kernel", "kernels", "gram", "values", "similarity", "view_kernel")
_LABELS: Final = ("y", "label", "labels", "class", "classes")


@dataclass(frozen=True)
class MatlabOptions(SimilarityOptions):
    """How a MATLAB file is read."""

    key: str = parameter(
        "", help="Name of the variable; empty: K, or the first square one.", label="Variable"
    )
    view: int = view_option("n × n × V")


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a MATLAB file, also one of a version that is refused with the way out."""
    if not is_matlab(upload.data):
        return 0.0
    if holds_columns(upload):
        return 0.05
    try:
        arrays = matlab_of(upload)
    except KernexError:
        return 0.95  # reading it says what is wrong
    flat = bool(arrays.sparse) or any(
        array.ndim == 2 and (min(array.shape) > 1 or MASK.fullmatch(name))
        for name, array in arrays.arrays.items()
    )
    return 0.5 if flat and not _square(arrays) else 0.95


def suggest(upload: Upload) -> Suggestion:
    """The square variables of the file, where it has several; empty: K, else the first of them."""
    square = _square(matlab_of(upload))
    return Suggestion(MatlabOptions(), {"key": ("", *square)} if len(square) > 1 else {})


def read(upload: Upload, options: MatlabOptions) -> Similarity:
    """Read a square array, or all kernels of an array of three dimensions, the first with the others beside it.

    A variable MID (or mask, known, available) of 0 and 1, items by kernels, says which items each kernel has; y (or
    labels) of as many numbers as there are items are their classes.

    Raises
    ------
    InvalidInputError
        Damaged, of version 7.3, no such variable, none that is square, or no such kernel.
    TooLargeError
        More items than the limit.
    """
    found = matlab_of(upload)
    key = _choose(found, options, upload.filename)
    if key in found.sparse:
        check_item_count(found.sparse[key].shape[0], options.limit)
    values = np.asarray(found.sparse[key].toarray()) if key in found.sparse else found.arrays[key]
    values = values[:, :, None] if values.ndim == 2 else values
    n, count = values.shape[0], values.shape[2]
    check_item_count(n, options.limit)
    check_several(n, upload.filename)
    if not max(options.view, 1) <= count <= MOST_VIEWS:
        raise InvalidInputError(
            f"{key} has to hold 1 to {MOST_VIEWS} kernels, and the one that is asked for",
            f"{count:,} kernels" + (f"; asked for: {options.view}" if options.view else ""),
            f"Save a part of {key} in a file of its own"
            if count > MOST_VIEWS
            else f"Ask for one of 1 to {count}",
        )
    known, notes = _mask(found, n, count)
    if key in found.sparse:
        listed = f"{key} is a sparse matrix with {found.sparse[key].nnz:,} entries."
        notes = (*notes, Note(listed, "What is not listed is 0.", "", "fine"))
    notes = (*notes, *_unread(found, n, count, masked=known is not None))
    if len(square := _square(found)) > 1:
        notes = (Note(f"The file holds the square variables {', '.join(square[:8])}.", f"{key} is taken.",
                      "Choose another variable."), *notes)  # fmt: skip
    guessed = count == 1 and not (options.key or known is not None or SIMILAR.search(key))
    views = range(1, count + 1) if options.view == 0 else (options.view,)
    made = [
        _one(values[:, :, v - 1], None if known is None else known[:, v - 1], upload,
             options if count == 1 else replace(options, view=v), notes, guessed)
        for v in views
    ]  # fmt: skip
    first, *others = (_with_labels(each, found) for each in made)
    return replace(first, others=tuple(others))


def _one(
    values: FloatArray,
    known: BoolArray | None,
    upload: Upload,
    options: MatlabOptions,
    notes: Iterable[Note],
    guessed: bool,
) -> Similarity:
    K = np.array(values, order="C")
    if known is not None:
        K[~known], K[:, ~known] = np.nan, np.nan
    made = similarity(K, None, upload, options, tuple(notes), guessed=guessed)
    return replace(made, gram=made.gram.renamed(f"{upload.stem} {options.view}")) if options.view else made


def _square(found: MatlabArrays) -> list[str]:
    """Names of arrays n × n or n × n × V, also sparse ones."""
    shapes = {name: array.shape for name, array in found.arrays.items() if array.size}
    shapes |= {name: array.shape for name, array in found.sparse.items()}
    return [
        name for name, shape in shapes.items()
        if len(shape) in (2, 3) and shape[0] == shape[1] > 0 and not MASK.fullmatch(name) and name.lower() not in _LABELS
    ]  # fmt: skip


def _choose(found: MatlabArrays, options: MatlabOptions, filename: str) -> str:
    square = _square(found)
    if options.key and options.key not in square:
        raise InvalidInputError(
            f"{filename} has to hold the square variable that is asked for",
            f"{options.key!r}; it holds {found.shown}",
            "Choose one of these, or none to have K or the first square one",
        )
    if not square:
        raise InvalidInputError(
            "A similarity matrix has as many rows as columns, several of them are an array n × n × V",
            f"{filename}, which holds {found.shown}",
            "Save the square matrix, with a mask MID and classes y beside it in the same file if there are any",
        )
    return options.key or next((name for name in square if name.lower() in _VALUES), square[0])


def _mask(found: MatlabArrays, n: int, count: int) -> tuple[BoolArray | None, tuple[Note, ...]]:
    """(n, V) which items each kernel has, if the file says so."""
    for name, array in found.arrays.items():
        if MASK.fullmatch(name) and array.shape in ((n, count), (count, n)) and np.isin(array, (0, 1)).all():
            known = np.asarray((array if array.shape == (n, count) else array.T) == 1.0)
            lost = int((~known).sum())
            note = Note(
                f"{name} marks {lost:,} rows with 0.",
                "They are taken as unknown, whatever stands in them.",
                f"Leave {name} out of the file to take every row as it is.",
            )
            return known, (note,) if lost else ()
    return None, ()


def _are_labels(array: FloatArray, n: int) -> bool:
    return bool(array.size == n == max(array.shape))


def _unread(found: MatlabArrays, n: int, count: int, *, masked: bool) -> Iterable[Note]:
    """What is named like a mask or like classes, and cannot be one: it would be missed without a word."""
    labelled = any(name.lower() in _LABELS and _are_labels(array, n) for name, array in found.arrays.items())
    sizes = {name: " × ".join(map(str, array.shape)) for name, array in found.arrays.items()}
    rows = [
        f"{name} ({sizes[name]})"
        for name, array in found.arrays.items()
        if array.ndim == 2
        and array.shape[0] != n == array.shape[1]
        and (array.shape[0] > 1 or NEW_ROWS.search(name))
        and not MASK.fullmatch(name)
        and name.lower() not in _LABELS
    ]
    if rows:
        yield other_rows_note(rows)
    for name, what in {**sizes, **found.others}.items():
        if MASK.fullmatch(name) and not masked:
            wanted = f"{n:,} × {count:,} numbers 0 and 1, items by kernels"
            lost = "Every row is taken as it is."
        elif name.lower() in _LABELS and not labelled:
            wanted, lost = f"one number for each of the {n:,} items", "Items have no classes."
        else:
            continue
        yield Note(f"{name} is left out: it has to be {wanted}, and is {what}.", lost,
                   "Mend it in the file, or bring classes as a table of their own."
                   if name.lower() in _LABELS else "Mend it in the file.", "warning")  # fmt: skip


def _label(value: float) -> str:
    """Short where that is the number itself: two numbers never become one class."""
    short = f"{value:.10g}"
    return "" if np.isnan(value) else short if float(short) == value else repr(value).removesuffix(".0")


def _with_labels(made: Similarity, found: MatlabArrays) -> Similarity:
    for name, array in found.arrays.items():
        if name.lower() in _LABELS and _are_labels(array, made.n):
            y = np.array([_label(value) for value in array.ravel().tolist()])
            recipe = made.recipe and part(made.recipe, "labels")
            return replace(made, labels=Labels(made.ids, y, recipe=recipe))
    return made


FORMAT = Format(
    "matlab", "Similarity matrices (MATLAB)", "similarity", ("mat",), sniff, suggest, read, MatlabOptions
)
