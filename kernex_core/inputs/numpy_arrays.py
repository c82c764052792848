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

from kernex_core.base.errors import InvalidInputError, TooLargeError
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
            f"{title} has to be a whole NumPy file", f"a damaged one ({error})", "Save it again"
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


def headers_of(archive: Members, filename: str) -> dict[str, Header]:
    """Heads of the arrays of a .npz file, by name; those of Python objects alone are refused."""
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
    if objects is not None and not square_names(found):
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
