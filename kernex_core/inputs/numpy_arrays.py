"""Arrays in NumPy files: their headers are looked at first, and nothing is ever unpickled."""

from __future__ import annotations

import tokenize
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.expansion import EXPANSION_LIMIT, check_expansion
from kernex_core.inputs.upload import Upload

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
MAGIC = b"\x93NUMPY"


@dataclass(frozen=True)
class Header:
    """What the head of an array says: shape, order, type of entries, and where they begin."""

    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[np.generic]
    offset: int


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
    return Header(tuple(int(k) for k in shape), bool(fortran), dtype, offset)


def headers_of(archive: zipfile.ZipFile, filename: str) -> dict[str, Header]:
    """Heads of the arrays of a .npz file, by name; those of Python objects alone are refused."""
    found: dict[str, Header] = {}
    objects: InvalidInputError | None = None
    for member in archive.namelist():
        if member.endswith(".npy"):
            key = member.removesuffix(".npy")
            try:
                with archive.open(member) as stream:
                    found[key] = header_of(stream, f"{key!r} of {filename}")
            except InvalidInputError as error:
                objects = error
            except DAMAGE as error:
                raise InvalidInputError(
                    f"{filename} has to be a plain .npz file", str(error), "Save it again"
                ) from None
    if objects is not None and not square_names(found):
        raise objects
    return found


def shown_arrays(headers: dict[str, Header]) -> str:
    """All arrays with their shapes, for messages."""
    return ", ".join(f"{key} ({' × '.join(map(str, h.shape))})" for key, h in headers.items()) or "nothing"


def square_names(headers: dict[str, Header]) -> list[str]:
    """Names of the square arrays."""
    return [key for key, h in headers.items() if len(h.shape) == 2 and h.shape[0] == h.shape[1]]


def member_of(archive: zipfile.ZipFile, key: str, header: Header, upload: Upload) -> NDArray[np.generic]:
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
