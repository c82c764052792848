"""NumPy arrays: .npy and .npz, looked at through their headers first, never unpickled."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError, KernexError, TooLargeError
from kernex_core.base.validation import check_item_count
from kernex_core.inputs.arrays import (
    MAGIC,
    Header,
    header_of,
    headers_of,
    is_numpy,
    is_sparse,
    member_of,
    shown_arrays,
    sparse_of,
    square_names,
    texts_of,
)
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import CLASSES, MASK, SIMILAR, listed
from kernex_core.inputs.options import MOST_VIEWS, SimilarityOptions, array_option, view_option
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.finish import labelled, other_rows_note, similarity
from kernex_core.inputs.tables.columnar import are_classes, holds_columns
from kernex_core.inputs.upload import Members, Upload, open_zip

_VALUES = ("values", "K", "gram", "kernel", "similarity")
_IDS = ("ids", "names", "items", "index", "columns")


@dataclass(frozen=True)
class NumpyOptions(SimilarityOptions):
    """How a NumPy file is read."""

    key: str = array_option("values, K, or the first square one")
    view: int = view_option("V × n × n or n × n × V")


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a NumPy file with a square array, or several in one."""
    if not is_numpy(upload):
        return 0.0
    try:
        if upload.data.startswith(MAGIC):
            headers = {upload.stem: header_of(io.BytesIO(upload.data), upload.filename)}
        else:
            with open_zip(upload.data, upload.filename) as archive:
                headers = headers_of(archive, upload.filename)
                if is_sparse(headers):
                    rows, columns = sparse_of(archive, headers, upload).shape
                    return 0.95 if rows == columns else 0.5
    except KernexError:
        return 0.95  # reading it says what is wrong
    shapes = [header.shape for header in headers.values()]
    if all(MASK.fullmatch(name) and len(header.shape) == 1 for name, header in headers.items()):
        return 0.05  # which items a kernel has
    if holds_columns(upload) and not _condensed(upload, shapes):
        return 0.05
    return 0.5 if any(len(shape) == 2 for shape in shapes) and not any(map(stacked, shapes)) else 0.95


def _condensed(upload: Upload, shapes: Sequence[tuple[int, ...]]) -> bool:
    """Whether one array may be the distances of all pairs: as many numbers, and not few of them again and again."""
    return (
        len(shapes) == 1
        and len(shapes[0]) == 1
        and condensed_size(shapes[0][0]) > 0
        and not are_classes(upload)
    )


def suggest(upload: Upload) -> Suggestion:
    """The square arrays of the archive; empty: values or K, else the first of them."""
    if not upload.is_zip:
        return Suggestion(NumpyOptions())
    with open_zip(upload.data, upload.filename) as archive:
        square = square_names(headers_of(archive, upload.filename))
    return Suggestion(NumpyOptions(), {"key": ("", *square)} if len(square) > 1 else {})


def read(upload: Upload, options: NumpyOptions) -> Similarity:
    """Read a square array, from .npz perhaps with ids.

    Raises
    ------
    InvalidInputError
        Damaged, Python objects inside, not numbers, not square, no such array.
    TooLargeError
        More items than the limit, or a zip bomb, before anything is unpacked.
    """
    values, ids, notes = _array(upload, options, stack=True)
    labels, said = _classes(upload, values.shape[1])
    notes = (*notes, *said)
    if values.ndim == 2:
        guessed = not (ids or options.key or SIMILAR.search(_name(upload, options)))
        return labelled(similarity(values, ids, upload, options, notes, guessed=guessed), labels)
    count = values.shape[0]
    if options.view > count:
        raise InvalidInputError(
            "The kernel that is asked for has to be there",
            f"{options.view} of {count}",
            f"Ask for one of 1 to {count}",
        )
    notes = (
        *notes,
        Note(f"The array holds {count} kernels of the same items.", "They come one by one.", "", "fine"),
    )
    views = range(1, count + 1) if options.view == 0 else (options.view,)
    first, *others = (
        _one(values[v - 1], ids, upload, replace(options, view=v), notes, labels) for v in views
    )
    return replace(first, others=tuple(others))


def _name(upload: Upload, options: NumpyOptions) -> str:
    """What the array is called that is read: in its archive, or by its file."""
    if not upload.is_zip:
        return upload.stem
    with open_zip(upload.data, upload.filename) as archive:
        headers = headers_of(archive, upload.filename)
        return "" if is_sparse(headers) else _choose(headers, options, upload.filename, stack=True)


def _one(
    values: NDArray[np.float64],
    ids: list[str] | None,
    upload: Upload,
    options: NumpyOptions,
    notes: tuple[Note, ...],
    labels: list[str] | None,
) -> Similarity:
    made = similarity(np.array(values, order="C"), ids, upload, options, notes)
    made = replace(made, gram=made.gram.renamed(f"{upload.stem} {options.view}"))
    return labelled(made, labels)


def _classes(upload: Upload, n: int) -> tuple[list[str] | None, tuple[Note, ...]]:
    """Classes of the items, if the archive has an array called so, and what of it is left."""
    if not upload.is_zip:
        return None, ()
    with open_zip(upload.data, upload.filename) as archive:
        headers = headers_of(archive, upload.filename)
        if is_sparse(headers):
            return None, ()
        found = next((key for key in headers if key.lower() in CLASSES and headers[key].shape == (n,)), None)
        labels = None if found is None else texts_of(archive, found, headers[found], upload)
    rows = [
        f"{key} ({' × '.join(map(str, header.shape))})"
        for key, header in headers.items()
        if len(header.shape) == 2 and header.shape[0] != n and header.shape[1] == n
    ]
    if not rows:
        return labels, ()
    return labels, (other_rows_note(rows),)


def square_array(
    upload: Upload, options: NumpyOptions
) -> tuple[NDArray[np.float64], list[str] | None, tuple[Note, ...]]:
    """Numbers (n, n) of a NumPy file as they are, ids if it has any, and notes; see `read`."""
    return _array(upload, options, stack=False)


def _array(
    upload: Upload, options: NumpyOptions, *, stack: bool
) -> tuple[NDArray[np.float64], list[str] | None, tuple[Note, ...]]:
    """The same, or (V, n, n) of several kernels in one array, where that is allowed."""
    if upload.data.startswith(MAGIC):
        header = header_of(io.BytesIO(upload.data), upload.filename)
        _check_square(header, options, upload.filename, stack)
        return _in_order(_in_place(upload.data, header, upload.filename), header.shape), None, ()
    with open_zip(upload.data, upload.filename) as archive:
        headers = headers_of(archive, upload.filename)
        if is_sparse(headers) and not options.key:
            return _sparse(archive, headers, upload, options)
        key = _choose(headers, options, upload.filename, stack)
        _check_square(headers[key], options, upload.filename, stack)
        values = _as_float(member_of(archive, key, headers[key], upload), f"{key!r} in {upload.filename}")
        values = _in_order(values, headers[key].shape)
        ids = _ids(archive, headers, values.shape[1], upload)
    return values, ids, _choice_note(headers, key)


def stacked(shape: tuple[int, ...]) -> bool:
    """Whether an array is one of kernels: n × n, n × n × V or V × n × n."""
    if len(shape) == 2:
        return shape[0] == shape[1]
    return len(shape) == 3 and (shape[0] == shape[1] or shape[1] == shape[2])


def _in_order(values: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Kernels of an array of three dimensions along the first."""
    return np.moveaxis(values, 2, 0) if len(shape) == 3 and shape[1] != shape[2] else values


def _sparse(
    archive: Members, headers: dict[str, Header], upload: Upload, options: NumpyOptions
) -> tuple[NDArray[np.float64], None, tuple[Note, ...]]:
    """A square sparse matrix of SciPy, made dense."""
    found = sparse_of(archive, headers, upload)
    if found.shape[0] != found.shape[1]:
        raise InvalidInputError(
            "A similarity matrix has as many rows as columns",
            f"a sparse matrix of {found.shape[0]:,} × {found.shape[1]:,} in {upload.filename}",
            "If its rows are items and its columns are measurements, upload it as vectors",
        )
    check_item_count(found.shape[0], options.limit)
    note = Note(
        f"The file is a sparse matrix of SciPy with {found.nnz:,} entries.",
        "What is not listed is 0.",
        "",
        "fine",
    )
    return np.asarray(found.toarray(), dtype=np.float64), None, (note,)


def holds_yes_or_no(upload: Upload) -> bool:
    """Whether the array of a NumPy file is one of truth values, or is called an adjacency."""
    if upload.data.startswith(MAGIC):
        return header_of(io.BytesIO(upload.data), upload.filename).dtype.kind == "b"
    with open_zip(upload.data, upload.filename) as archive:
        headers = headers_of(archive, upload.filename)
    square = square_names(headers)
    return any(key.lower() == "adjacency" or headers[key].dtype.kind == "b" for key in square)


def _choice_note(headers: dict[str, Header], key: str) -> tuple[Note, ...]:
    """Which array is taken, where several are square."""
    square = square_names(headers)
    if len(square) < 2:
        return ()
    shown = listed([f"{name} ({' × '.join(map(str, headers[name].shape))})" for name in square], 8)
    return (
        Note(f"The archive holds the square arrays {shown}.", f"{key} is taken.", "Choose another array."),
    )


def _check_square(header: Header, options: NumpyOptions, filename: str, stack: bool) -> None:
    if not stacked(header.shape) or (len(header.shape) == 3 and not stack):
        shape = " × ".join(map(str, header.shape)) or "a single number"
        if len(header.shape) == 1 and (n := condensed_size(header.shape[0])):
            raise InvalidInputError(
                "A similarity matrix has as many rows as columns",
                f"an array of {header.shape[0]:,} numbers in {filename}, as many as pairs of {n:,} items",
                "Condensed distances become a square by scipy.spatial.distance.squareform(d): save that",
            )
        raise InvalidInputError(
            "A similarity matrix has as many rows as columns",
            f"an array of {shape} in {filename}",
            "Save the square matrix; measurements are uploaded as vectors",
        )
    check_item_count(header.shape[1], options.limit)
    if len(header.shape) == 3:
        if header.shape[0] == header.shape[2]:
            raise InvalidInputError(
                "It has to be clear which axis of an array counts the kernels",
                f"an array of {' × '.join(map(str, header.shape))} in {filename}",
                "Save each kernel as an array of its own, in one .npz file or several files",
            )
        count = header.shape[2] if header.shape[0] == header.shape[1] else header.shape[0]
        if not 1 <= count <= MOST_VIEWS:
            raise TooLargeError(
                f"An array may hold up to {MOST_VIEWS} kernels",
                f"{count:,} in {filename}",
                "Save a part of them",
            )


def whole_array(upload: Upload) -> NDArray[np.float64]:
    """The array of a .npy file, whatever its shape."""
    header = header_of(io.BytesIO(upload.data), upload.filename)
    return _in_place(upload.data, header, upload.filename)


def _in_place(data: bytes, header: Header, filename: str) -> NDArray[np.float64]:
    """Array on top of the uploaded bytes, without a copy where they are float64 already."""
    count = header.count
    if len(data) - header.offset < count * header.dtype.itemsize:
        raise InvalidInputError(
            f"{filename} has to be a whole NumPy file",
            f"{len(data) - header.offset:,} of {count * header.dtype.itemsize:,} bytes",
            "Save or transfer it again",
        )
    flat = np.frombuffer(data, header.dtype, count, header.offset)
    return _as_float(flat.reshape(header.shape, order="F" if header.fortran else "C"), filename)


def _as_float(array: NDArray[np.generic], title: str) -> NDArray[np.float64]:
    if array.dtype.kind not in "fiub":
        raise InvalidInputError(
            "A similarity matrix holds real numbers",
            f"entries of type {array.dtype} in {title}",
            "Save it as float",
        )
    return array.astype(np.float64, copy=False)


def condensed_size(pairs: int) -> int:
    """Number of items that have so many pairs, 0 if none has."""
    n = (1 + math.isqrt(1 + 8 * pairs)) // 2
    return n if n > 1 and n * (n - 1) // 2 == pairs else 0


def _choose(headers: dict[str, Header], options: NumpyOptions, filename: str, stack: bool) -> str:
    """Name of the array that holds the similarities."""
    listed = shown_arrays(headers)
    if options.key:
        if options.key not in headers:
            raise InvalidInputError(
                f"{filename} has to hold the array that is asked for", f"{options.key!r}; it holds {listed}"
            )
        return options.key
    square = square_names(headers)
    if not square and stack:
        square = [key for key, header in headers.items() if stacked(header.shape)]
    if not square:
        raise InvalidInputError(
            "A similarity matrix has as many rows as columns",
            f"{filename} holds {listed}",
            "Save the square matrix as 'values'",
        )
    return next((key for key in _VALUES if key in square), square[0])


def _ids(archive: Members, headers: dict[str, Header], n: int, upload: Upload) -> list[str] | None:
    for key in _IDS:
        header = headers.get(key)
        if header is not None and header.shape == (n,) and header.dtype.kind in "USiu":
            return texts_of(archive, key, header, upload)
    return None


FORMAT = Format(
    "numpy", "Similarity matrix (NumPy)", "similarity", ("npy", "npz"), sniff, suggest, read, NumpyOptions
)
