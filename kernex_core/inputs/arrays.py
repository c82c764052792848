"""Arrays of numbers in files of NumPy and MATLAB: what a file announces is looked at first, nothing is ever unpickled."""

from __future__ import annotations

import io
import math
import struct
import sys
import tokenize
import zlib
from dataclasses import dataclass
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.sparse_rows import MOST_COLUMNS as MOST_PLACES
from kernex_core.inputs.upload import EXPANSION_LIMIT, Members, Upload, check_expansion

# Arrays in NumPy files: their headers are looked at first, and nothing is ever unpickled.

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


# Arrays of numbers in MATLAB files (version 5 to 7): what the file announces is looked at first, nothing else is opened.
#
# A file is 128 bytes of heading and one element a variable: type, size, content; compressed variables are a zlib stream
# around that element. Cells, structures, objects and functions are named, never opened.

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
_MATLAB_SPARSE: Final = 5
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
    >>> from kernex_core.inputs.arrays import matlab_arrays
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
                by_entries[name], others[name] = found, _OTHERS[_MATLAB_SPARSE]
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
    if what == _MATLAB_SPARSE and not int(flags[0]) >> 8 & _COMPLEX:
        return title, _matlab_sparse(reader, shape)
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


def _matlab_sparse(reader: _Reader, shape: tuple[int, ...]) -> sparse.csr_array | str:
    """Entries column by column: their rows, where each column begins, and the numbers; places beyond the last are room."""
    rows, begins, values = (reader.numbers() for _ in range(3))
    if len(shape) != 2:
        raise ValueError("a sparse matrix of more than two dimensions")
    if max(shape) > MOST_PLACES or min(shape) < 1:
        return f"{_OTHERS[_MATLAB_SPARSE]} of {shape[0]:,} × {shape[1]:,}"
    ends = begins.astype(np.int64)
    count = int(ends[-1]) if ends.size else -1
    if ends.size != shape[1] + 1 or not 0 <= count <= min(rows.size, values.size):
        raise ValueError("pointers that do not fit the shape")
    found = sparse.csc_array(
        (values[:count].astype(np.float64), rows[:count].astype(np.int64), ends), shape=shape
    )
    found.check_format(full_check=True)
    return sparse.csr_array(found)
