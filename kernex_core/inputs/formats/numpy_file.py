"""NumPy arrays: .npy and .npz, looked at through their headers first, never unpickled."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.validation import check_item_count
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import listed
from kernex_core.inputs.numpy_arrays import (
    MAGIC,
    Header,
    header_of,
    headers_of,
    member_of,
    shown_arrays,
    square_names,
)
from kernex_core.inputs.options import SimilarityOptions, array_option
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.finish import similarity
from kernex_core.inputs.tables.workbook import is_workbook
from kernex_core.inputs.upload import Members, Upload, open_zip

_VALUES = ("values", "K", "gram", "kernel", "similarity")
_IDS = ("ids", "names", "items", "index", "columns")


@dataclass(frozen=True)
class NumpyOptions(SimilarityOptions):
    """How a NumPy file is read."""

    key: str = array_option("values, K, or the first square one")


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a NumPy file."""
    if upload.data.startswith(MAGIC):
        return 0.95
    if not upload.is_zip or is_workbook(upload):
        return 0.0
    return 0.95 if b".npy" in upload.data else 0.0


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
    values, ids, notes = square_array(upload, options)
    return similarity(values, ids, upload, options, notes)


def square_array(
    upload: Upload, options: NumpyOptions
) -> tuple[NDArray[np.float64], list[str] | None, tuple[Note, ...]]:
    """Numbers (n, n) of a NumPy file as they are, ids if it has any, and notes; see `read`."""
    if upload.data.startswith(MAGIC):
        header = header_of(io.BytesIO(upload.data), upload.filename)
        _check_square(header, options, upload.filename)
        return _in_place(upload.data, header, upload.filename), None, ()
    with open_zip(upload.data, upload.filename) as archive:
        headers = headers_of(archive, upload.filename)
        key = _choose(headers, options, upload.filename)
        _check_square(headers[key], options, upload.filename)
        values = _as_float(member_of(archive, key, headers[key], upload), f"{key!r} in {upload.filename}")
        ids = _ids(archive, headers, values.shape[0], upload)
    return values, ids, _choice_note(headers, key)


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


def _check_square(header: Header, options: NumpyOptions, filename: str) -> None:
    if len(header.shape) != 2 or header.shape[0] != header.shape[1]:
        shape = " × ".join(map(str, header.shape)) or "a single number"
        raise InvalidInputError(
            "A similarity matrix has as many rows as columns",
            f"an array of {shape} in {filename}",
            "Save the square matrix; measurements are uploaded as vectors, in a table of text",
        )
    check_item_count(header.shape[0], options.limit)


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


def _choose(headers: dict[str, Header], options: NumpyOptions, filename: str) -> str:
    """Name of the array that holds the similarities."""
    listed = shown_arrays(headers)
    if options.key:
        if options.key not in headers:
            raise InvalidInputError(
                f"{filename} has to hold the array that is asked for", f"{options.key!r}; it holds {listed}"
            )
        return options.key
    square = square_names(headers)
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
            array = member_of(archive, key, header, upload)
            _check_letters(array, f"{key} of {upload.filename}")
            return [x.decode("utf-8", "replace") if isinstance(x, bytes) else str(x) for x in array.tolist()]
    return None


def _check_letters(array: NDArray[Any], title: str) -> None:
    """Refuse code points that are no letter, and halves of a pair of UTF-16: no program could show these ids."""
    if array.dtype.kind == "U":
        points = np.ascontiguousarray(array).view(np.dtype(np.uint32).newbyteorder(array.dtype.byteorder))
        if bool(((points > sys.maxunicode) | ((points >= 0xD800) & (points <= 0xDFFF))).any()):
            raise InvalidInputError("Ids have to be text", f"{title}, which holds none", "Save it again")


FORMAT = Format(
    "numpy", "Similarity matrix (NumPy)", "similarity", ("npy", "npz"), sniff, suggest, read, NumpyOptions
)
