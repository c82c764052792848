"""Arrays of numbers in MATLAB files (version 5 to 7): what the file announces is looked at first, nothing else is opened.

A file is 128 bytes of heading and one element a variable: type, size, content; compressed variables are a zlib stream around
that element. Cells, structures, objects and functions are named, never opened.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.sparse_rows import MOST_COLUMNS as MOST_PLACES
from kernex_core.inputs.upload import EXPANSION_LIMIT, Upload, check_expansion

HEADING: Final = 128
_MATRIX, _COMPRESSED = 14, 15
_NUMBERS: Final = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
"""Types of elements that hold numbers."""
_NUMERIC: Final = range(6, 16)
"""Classes of arrays of numbers: double, single, and whole numbers of 8 to 64 bits."""
_OTHERS: Final = {
    1: "a cell array",
    2: "a structure",
    3: "an object",
    4: "text",
    5: "a sparse matrix",
    16: "a function",
}
_SPARSE: Final = 5
_COMPLEX: Final = 0x08
MOST_VARIABLES, MOST_DIMENSIONS = 1_000, 8
_CHUNK: Final = 1 << 20
_DAMAGED: Final = "Save it again"


@dataclass(frozen=True, eq=False)
class MatlabArrays(ReadOnlyArrays):
    """What a file holds.

    Attributes
    ----------
    arrays : dict of str to float array
        Variables of real numbers, by name.
    others : dict of str to str
        What the other variables are, in words: sparse ones, too.
    sparse : dict of str to sparse array
        Sparse variables of real numbers, by name.
    """

    arrays: dict[str, FloatArray]
    others: dict[str, str]
    sparse: dict[str, sparse.csr_array]

    @property
    def shown(self) -> str:
        """All variables, for messages."""
        sizes = [f"{name} ({' × '.join(map(str, array.shape))})" for name, array in self.arrays.items()]
        return ", ".join([*sizes, *(f"{name} ({what})" for name, what in self.others.items())]) or "nothing"


def is_matlab(data: bytes) -> bool:
    """Whether these are the bytes of a MATLAB file, also of a version that is refused with the way out."""
    marked = len(data) >= HEADING and data[124:HEADING] in (b"\x00\x01IM", b"\x01\x00MI")
    return marked or data.startswith((b"MATLAB 5.0 MAT", b"MATLAB 7.3 MAT"))


def matlab_of(upload: Upload) -> MatlabArrays:
    """Variables of an uploaded MATLAB file, read once; see `matlab_arrays`."""
    found: MatlabArrays = upload.remembered("matlab", lambda: matlab_arrays(upload.data, upload.filename))
    return found


def matlab_arrays(data: bytes, filename: str) -> MatlabArrays:
    """Variables of a MATLAB file.

    Parameters
    ----------
    data : bytes
    filename : str
        For messages.

    Raises
    ------
    InvalidInputError
        Damaged, of another version (7.3 is HDF5), or no MATLAB file.
    TooLargeError
        Compressed variables that unpack to more than a cap, before they are.

    Examples
    --------
    >>> from kernex_core.inputs.matlab_arrays import matlab_arrays
    >>> matlab_arrays(b"MATLAB 7.3 MAT-file", "K.mat")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    kernex_core.base.errors.InvalidInputError: K.mat has to be a MATLAB file of version 5 to 7. Found: one of version 7.3...
    """
    order = _byte_order(data, filename)
    arrays: dict[str, FloatArray] = {}
    others: dict[str, str] = {}
    by_entries: dict[str, sparse.csr_array] = {}
    try:
        for number, element in enumerate(_variables(data, order, filename)):
            if number >= MOST_VARIABLES:
                raise ValueError(f"more than {MOST_VARIABLES:,} variables")
            name, found = _variable(element, order, filename)
            if name in arrays or name in others:
                raise ValueError(f"two variables are named {name!r}")
            if isinstance(found, str):
                others[name] = found
            elif isinstance(found, np.ndarray):
                arrays[name] = found
            else:
                by_entries[name], others[name] = found, _OTHERS[_SPARSE]
    except (struct.error, ValueError, OverflowError, zlib.error) as error:
        raise InvalidInputError(
            f"{filename} has to be a whole MATLAB file", f"a damaged one ({error})", _DAMAGED
        ) from None
    return MatlabArrays(arrays, others, by_entries)


def _byte_order(data: bytes, filename: str) -> str:
    """Of a file of version 5: "<" or ">"."""
    remedy = f"Save it in MATLAB with save('{filename}', 'K', '-v7')"
    if data.startswith((b"MATLAB 7.3", b"\x89HDF")):
        raise InvalidInputError(
            f"{filename} has to be a MATLAB file of version 5 to 7", "one of version 7.3 (HDF5)", remedy
        )
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if order is None or struct.unpack(f"{order}H", data[124:126])[0] != 0x0100:
        raise InvalidInputError(
            f"{filename} has to be a MATLAB file of version 5 to 7", "something else", remedy
        )
    return order


class _Reader:
    """Elements one after another."""

    def __init__(self, data: bytes, order: str, at: int = 0) -> None:
        self.data, self.order, self.at = data, order, at

    def more(self) -> bool:
        return self.at < len(self.data)

    def next(self) -> tuple[int, bytes]:
        """Type and content of an element, which begins on a multiple of 8 bytes but after compressed ones."""
        (kind,) = struct.unpack_from(f"{self.order}I", self.data, self.at)
        if kind >> 16:  # four bytes or fewer stand in the head
            size, begin, kind = kind >> 16, self.at + 4, kind & 0xFFFF
            after = self.at + 8
            if size > 4:
                raise ValueError("an element that is longer than its place")
        else:
            (size,) = struct.unpack_from(f"{self.order}I", self.data, self.at + 4)
            begin = self.at + 8
            after = begin + size + (0 if kind == _COMPRESSED else -size % 8)
        if begin + size > len(self.data):
            raise ValueError("it ends early")
        self.at = after
        return kind, self.data[begin : begin + size]

    def numbers(self) -> NDArray[np.generic]:
        """Content of an element of numbers."""
        kind, content = self.next()
        if kind not in _NUMBERS:
            raise ValueError("no numbers where they are announced")
        return np.frombuffer(content, np.dtype(self.order + _NUMBERS[kind]))


def _variables(data: bytes, order: str, filename: str) -> list[bytes]:
    """Contents of the matrix elements, unpacked under one cap for all."""
    found, size = [], 0
    outer = _Reader(data, order, HEADING)
    while outer.more():
        kind, content = outer.next()
        if kind == _COMPRESSED:
            stream, pieces = zlib.decompressobj(), []
            left = content
            while left and not stream.eof:
                pieces.append(stream.decompress(left, _CHUNK))
                left = stream.unconsumed_tail
                size += len(pieces[-1])
                check_expansion(size, len(data), filename, EXPANSION_LIMIT)
            kind, content = _Reader(b"".join(pieces), order).next()
        if kind == _MATRIX and content:
            found.append(content)
    return found


def _variable(element: bytes, order: str, filename: str) -> tuple[str, FloatArray | sparse.csr_array | str]:
    """Name, and numbers or what it is instead."""
    reader = _Reader(element, order)
    flags = reader.numbers()
    shape = tuple(int(k) for k in reader.numbers().tolist())
    kind, name = reader.next()
    if flags.size != 2 or kind != 1 or not 2 <= len(shape) <= MOST_DIMENSIONS or min(shape) < 0:
        raise ValueError("a heading of a variable that is none")
    what, title = int(flags[0]) & 0xFF, name.decode("latin-1")
    if what == _SPARSE and not int(flags[0]) >> 8 & _COMPLEX:
        return title, _sparse(reader, shape)
    if what not in _NUMERIC:
        return title, _OTHERS.get(what, "something else")
    if int(flags[0]) >> 8 & _COMPLEX:
        return title, "complex numbers"
    values = reader.numbers()
    count = 1
    for length in shape:
        count *= length
    if values.size != count:
        raise ValueError(f"{values.size:,} numbers where {count:,} are announced")
    check_expansion(8 * count, 8 * count, filename)
    return title, values.astype(np.float64).reshape(shape, order="F")


def _sparse(reader: _Reader, shape: tuple[int, ...]) -> sparse.csr_array | str:
    """Entries column by column: their rows, where each column begins, and the numbers; places beyond the last are room."""
    rows, begins, values = (reader.numbers() for _ in range(3))
    if len(shape) != 2:
        raise ValueError("a sparse matrix of more than two dimensions")
    if max(shape) > MOST_PLACES or min(shape) < 1:
        return f"{_OTHERS[_SPARSE]} of {shape[0]:,} × {shape[1]:,}"
    ends = begins.astype(np.int64)
    count = int(ends[-1]) if ends.size else -1
    if ends.size != shape[1] + 1 or not 0 <= count <= min(rows.size, values.size):
        raise ValueError("pointers that do not fit the shape")
    found = sparse.csc_array(
        (values[:count].astype(np.float64), rows[:count].astype(np.int64), ends), shape=shape
    )
    found.check_format(full_check=True)
    return sparse.csr_array(found)
