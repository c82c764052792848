"""Arrays in NumPy files: their headers are looked at first, and nothing is ever unpickled."""

from __future__ import annotations

import io
import math
import sys
import tokenize
from dataclasses import dataclass
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.sparse_rows import MOST_COLUMNS as MOST_PLACES
from kernex_core.inputs.upload import EXPANSION_LIMIT, Members, Upload, check_expansion

DAMAGE = (
    ArithmeticError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    MemoryError,
    tokenize.TokenError,
)
"""What NumPy raises on damaged files; MemoryError where brackets are too deep."""
MAGIC = b"\x93NUMPY"


@dataclass(frozen=True)
class Header:
    """What the head of an array says: shape, order, type of entries, and where they begin."""

    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[np.generic]
    offset: int

    @property
    def count(self) -> int:
        """Number of entries, however many they are."""
        return math.prod(self.shape)


def is_numpy(upload: Upload) -> bool:
    """Whether an upload is a .npy or a .npz file, by its content; the bytes of a packed workbook may hold anything."""
    if upload.data.startswith(MAGIC):
        return True
    return upload.is_zip and "workbook" not in upload.really_is and b".npy" in upload.data


def header_of(stream: IO[bytes], title: str) -> Header:
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
            f"{title} has to be a whole NumPy file",
            f"a damaged one ({str(error).partition(chr(10))[0]})",  # below it: how to trust it all the same
            "Save it again",
        ) from None
    if dtype.hasobject:
        raise InvalidInputError(
            "A NumPy array of numbers was expected",
            f"an array of Python objects in {title}, which Kernex never opens because it can run programs",
            "Save numbers with np.save(name, K.astype(float)) and ids with ids.astype(str)",
        )
    if not all(type(size) is int and 0 <= size <= sys.maxsize for size in shape) or dtype.subdtype:
        raise InvalidInputError(
            f"{title} has to be a whole NumPy file",
            f"one that says to have the shape {str(shape)[:40]}",
            "Save it again",
        )
    return Header(tuple(shape), bool(fortran), dtype, offset)


MOST_ARRAYS: Final = 2_000
"""In one .npz file."""
_HEADER: Final = 1 << 16
"""Bytes at the beginning of an array in which its header stands."""


def headers_of(archive: Members, filename: str, *, any_shape: bool = False) -> dict[str, Header]:
    """Heads of the arrays of a .npz file, by name; those of Python objects are refused if nothing else is there to read.

    What there is to read is square, or, with `any_shape`, of two dimensions.
    """
    found: dict[str, Header] = {}
    objects: InvalidInputError | None = None
    members = [name for name in archive.names if name.endswith(".npy")]
    if len(members) > MOST_ARRAYS:
        raise TooLargeError(
            f"A .npz file may hold {MOST_ARRAYS:,} arrays",
            f"{len(members):,} in {filename}",
            "Save those that are needed",
        )
    for member in members:
        key = member.removesuffix(".npy")
        start = archive.read(member, _HEADER)
        try:
            found[key] = header_of(io.BytesIO(start), f"{key!r} of {filename}")
        except InvalidInputError as error:
            objects = error
    readable = square_names(found) or (any_shape and any(len(header.shape) == 2 for header in found.values()))
    if objects is not None and not readable:
        raise objects
    return found


def shown_arrays(headers: dict[str, Header]) -> str:
    """All arrays with their shapes, for messages."""
    return ", ".join(f"{key} ({' × '.join(map(str, h.shape))})" for key, h in headers.items()) or "nothing"


def square_names(headers: dict[str, Header]) -> list[str]:
    """Names of the square arrays."""
    return [key for key, h in headers.items() if len(h.shape) == 2 and h.shape[0] == h.shape[1]]


def member_of(archive: Members, key: str, header: Header, upload: Upload) -> NDArray[np.generic]:
    """Unpack one array, exactly as many bytes as its header announces."""
    count = header.count
    size = count * header.dtype.itemsize
    check_expansion(size, len(upload.data), upload.filename, EXPANSION_LIMIT)
    data = archive.read(f"{key}.npy")
    if len(data) < header.offset + size or not header.dtype.itemsize:
        raise InvalidInputError(
            f"{upload.filename} has to be a whole file", f"{key!r} ends early", "Save it again"
        )
    return np.frombuffer(data, header.dtype, count, header.offset).reshape(
        header.shape, order="F" if header.fortran else "C"
    )


def texts_of(archive: Members, key: str, header: Header, upload: Upload) -> list[str]:
    """An array of texts or numbers as texts.

    Raises
    ------
    InvalidInputError
        Code points that are no letter, or halves of a pair of UTF-16: no program could show these.
    """
    return text_values(member_of(archive, key, header, upload), key, upload.filename)


def text_values(array: NDArray[np.generic], key: str, filename: str) -> list[str]:
    """Entries of an array as texts, one after another; see `texts_of`."""
    if array.dtype.kind == "U":
        points = np.ascontiguousarray(array).view(np.dtype(np.uint32).newbyteorder(array.dtype.byteorder))
        if bool(((points > sys.maxunicode) | ((points >= 0xD800) & (points <= 0xDFFF))).any()):
            raise InvalidInputError(
                "Ids have to be text", f"{key} of {filename}, which holds none", "Save it again"
            )
    return [_text(value) for value in array.ravel().tolist()]


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


# Sparse matrices, as scipy.sparse.save_npz writes them: looked over before SciPy puts them together.

_SPARSE: Final = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}


def is_sparse(headers: dict[str, Header]) -> bool:
    """Whether the arrays of a .npz file are the parts of one sparse matrix."""
    return {"format", "shape", "data"} <= set(headers) and any(
        set(parts) <= set(headers) for parts in _SPARSE.values()
    )


def sparse_of(archive: Members, headers: dict[str, Header], upload: Upload) -> sparse.csr_array:
    """The sparse matrix of a .npz file, unpacked once however many formats ask for its shape.

    Raises
    ------
    InvalidInputError
        Parts that do not fit together, or entries that are no real numbers.
    """
    return upload.remembered("sparse", lambda: _sparse(archive, headers, upload))


def _sparse(archive: Members, headers: dict[str, Header], upload: Upload) -> sparse.csr_array:
    parts = {
        key: member_of(archive, key, headers[key], upload)
        for key in headers
        if headers[key].dtype.kind in "biufSU"
    }
    try:
        said = parts["format"].item()
        kind = said.decode() if isinstance(said, bytes) else str(said)
        rows, columns = (int(size) for size in parts["shape"].tolist())
        places = [parts[name].astype(np.int64) for name in _SPARSE[kind]]
        values = parts["data"].astype(np.float64)
        if min(rows, columns) < 1 or max(rows, columns) > MOST_PLACES:
            raise ValueError(f"a shape of {rows} × {columns}")
        first, second = places
        if kind == "coo":
            return sparse.csr_array(sparse.coo_array((values, (first, second)), shape=(rows, columns)))
        if len(second) != (rows if kind == "csr" else columns) + 1:
            raise ValueError("pointers that do not fit the shape")
        make = sparse.csr_array if kind == "csr" else sparse.csc_array
        found = make((values, first, second), shape=(rows, columns))
        found.check_format(full_check=True)
        return sparse.csr_array(found)
    except (*DAMAGE, KeyError) as error:
        raise InvalidInputError(
            f"{upload.filename} has to be a whole sparse matrix of SciPy",
            f"a damaged one, or one of another layout ({str(error)[:100]})",
            "Save it with scipy.sparse.save_npz(name, X.tocsr())",
        ) from None
