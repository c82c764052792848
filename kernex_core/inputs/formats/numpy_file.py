"""NumPy arrays: .npy and .npz, looked at through their headers first, never unpickled."""

from __future__ import annotations

import io
import tokenize
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.expansion import EXPANSION_LIMIT, check_expansion
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import listed
from kernex_core.inputs.options import SimilarityOptions
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.finish import similarity
from kernex_core.inputs.tables.workbook import check_zip, is_workbook
from kernex_core.inputs.upload import Upload
from kernex_core.parameters import parameter
from kernex_core.validation import check_item_count

DAMAGE = (
    ArithmeticError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What NumPy and zipfile raise on damaged files."""
_MAGIC = b"\x93NUMPY"
_VALUES = ("values", "K", "gram", "kernel", "similarity")
_IDS = ("ids", "names", "items", "index", "columns")


@dataclass(frozen=True)
class NumpyOptions(SimilarityOptions):
    """How a NumPy file is read."""

    key: str = parameter(
        "",
        help="Name of the array inside a .npz file; empty: values, K, or the first square one.",
        label="Array",
    )


@dataclass(frozen=True)
class _Header:
    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[Any]
    offset: int


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a NumPy file."""
    if upload.data.startswith(_MAGIC):
        return 0.95
    if not upload.is_zip or is_workbook(upload):
        return 0.0
    return 0.95 if b".npy" in upload.data else 0.0


def suggest(upload: Upload) -> Suggestion:
    """The square arrays of the archive; empty: values or K, else the first of them."""
    if not upload.is_zip:
        return Suggestion(NumpyOptions())
    with check_zip(upload) as archive:
        square = _square(_headers(archive, upload.filename))
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
    if upload.data.startswith(_MAGIC):
        header = _header(io.BytesIO(upload.data), upload.filename)
        _check_square(header, options, upload.filename)
        return similarity(_in_place(upload.data, header, upload.filename), None, upload, options)
    with check_zip(upload) as archive:
        headers = _headers(archive, upload.filename)
        key = _choose(headers, options, upload.filename)
        _check_square(headers[key], options, upload.filename)
        values = _as_float(_member(archive, key, headers[key], upload), f"{key!r} in {upload.filename}")
        ids = _ids(archive, headers, values.shape[0], upload)
    return similarity(values, ids, upload, options, _choice_note(headers, key))


def _choice_note(headers: dict[str, _Header], key: str) -> tuple[Note, ...]:
    """Which array is taken, where several are square."""
    square = _square(headers)
    if len(square) < 2:
        return ()
    shown = listed([f"{name} ({' × '.join(map(str, headers[name].shape))})" for name in square], 8)
    return (
        Note(f"The archive holds the square arrays {shown}.", f"{key} is taken.", "Choose another array."),
    )


def _header(stream: IO[bytes], title: str) -> _Header:
    """Shape and type of an array, from its first bytes; the header is parsed as a literal, nothing is run."""
    try:
        version = np.lib.format.read_magic(stream)
        reader = (
            np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        )
        shape, fortran, dtype = reader(stream)
        offset = stream.tell()
    except DAMAGE as error:
        raise InvalidInputError(
            f"{title} has to be a whole NumPy file", f"a damaged one ({error})", "Save it again"
        ) from None
    if dtype.hasobject:
        raise InvalidInputError(
            "A NumPy array of numbers was expected",
            f"an array of Python objects in {title}, which Kernex never opens because it can run programs",
            "Save numbers with np.save(name, K.astype(float)) and ids with ids.astype(str)",
        )
    return _Header(tuple(int(k) for k in shape), bool(fortran), dtype, offset)


def _check_square(header: _Header, options: NumpyOptions, filename: str) -> None:
    if len(header.shape) != 2 or header.shape[0] != header.shape[1]:
        shape = " × ".join(map(str, header.shape)) or "a single number"
        raise InvalidInputError(
            "A similarity matrix has as many rows as columns",
            f"an array of {shape} in {filename}",
            "Save the square matrix; measurements are uploaded as vectors, in a table of text",
        )
    check_item_count(header.shape[0], options.limit)


def _in_place(data: bytes, header: _Header, filename: str) -> NDArray[np.float64]:
    """Array on top of the uploaded bytes, without a copy where they are float64 already."""
    count = int(np.prod(header.shape))
    if len(data) - header.offset < count * header.dtype.itemsize:
        raise InvalidInputError(
            f"{filename} has to be a whole NumPy file",
            f"{len(data) - header.offset:,} of {count * header.dtype.itemsize:,} bytes",
            "Save or transfer it again",
        )
    flat = np.frombuffer(data, header.dtype, count, header.offset)
    return _as_float(flat.reshape(header.shape, order="F" if header.fortran else "C"), filename)


def _as_float(array: NDArray[Any], title: str) -> NDArray[np.float64]:
    if array.dtype.kind not in "fiub":
        raise InvalidInputError(
            "A similarity matrix holds real numbers",
            f"entries of type {array.dtype} in {title}",
            "Save it as float",
        )
    return array.astype(np.float64, copy=False)


def _headers(archive: zipfile.ZipFile, filename: str) -> dict[str, _Header]:
    found: dict[str, _Header] = {}
    objects: InvalidInputError | None = None
    for member in archive.namelist():
        if member.endswith(".npy"):
            key = member.removesuffix(".npy")
            try:
                with archive.open(member) as stream:
                    found[key] = _header(stream, f"{key!r} of {filename}")
            except InvalidInputError as error:
                objects = error
            except DAMAGE as error:
                raise InvalidInputError(
                    f"{filename} has to be a plain .npz file", str(error), "Save it again"
                ) from None
    if objects is not None and not _square(found):
        raise objects
    return found


def _square(headers: dict[str, _Header]) -> list[str]:
    """Names of the square arrays."""
    return [key for key, h in headers.items() if len(h.shape) == 2 and h.shape[0] == h.shape[1]]


def _choose(headers: dict[str, _Header], options: NumpyOptions, filename: str) -> str:
    """Name of the array that holds the similarities."""
    listed = ", ".join(f"{key} ({' × '.join(map(str, h.shape))})" for key, h in headers.items()) or "nothing"
    if options.key:
        if options.key not in headers:
            raise InvalidInputError(
                f"{filename} has to hold the array that is asked for", f"{options.key!r}; it holds {listed}"
            )
        return options.key
    square = _square(headers)
    if not square:
        raise InvalidInputError(
            "A similarity matrix has as many rows as columns",
            f"{filename} holds {listed}",
            "Save the square matrix as 'values'",
        )
    return next((key for key in _VALUES if key in square), square[0])


def _member(archive: zipfile.ZipFile, key: str, header: _Header, upload: Upload) -> NDArray[Any]:
    """Unpack one array, exactly as many bytes as its header announces."""
    count = int(np.prod(header.shape))
    size = count * header.dtype.itemsize
    check_expansion(size, len(upload.data), upload.filename, EXPANSION_LIMIT)
    try:
        with archive.open(f"{key}.npy") as stream:
            stream.read(header.offset)
            data = stream.read(size)
    except DAMAGE as error:
        raise InvalidInputError(
            f"{upload.filename} has to be a whole file", f"a damaged one ({error})", "Save it again"
        ) from None
    if len(data) != size:
        raise InvalidInputError(
            f"{upload.filename} has to be a whole file", f"{key!r} ends early", "Save it again"
        )
    return np.frombuffer(data, header.dtype, count).reshape(
        header.shape, order="F" if header.fortran else "C"
    )


def _ids(archive: zipfile.ZipFile, headers: dict[str, _Header], n: int, upload: Upload) -> list[str] | None:
    for key in _IDS:
        header = headers.get(key)
        if header is not None and header.shape == (n,) and header.dtype.kind in "USiu":
            array = _member(archive, key, header, upload)
            return [x.decode("utf-8", "replace") if isinstance(x, bytes) else str(x) for x in array.tolist()]
    return None


FORMAT = Format(
    "numpy", "Similarity matrix (NumPy)", "similarity", ("npy", "npz"), sniff, suggest, read, NumpyOptions
)
