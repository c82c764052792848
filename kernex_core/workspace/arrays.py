"""One .npy part to an array, in place: no more memory than its bytes, never a pickle."""

from __future__ import annotations

import io
import math
import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError

_HEADERS: Final = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}

_LONGEST_HEADER: Final = 1 << 16


def array_of(part: bytes | memoryview, name: str) -> NDArray[Any]:
    """Return the array of a part, read-only.

    Raises
    ------
    InvalidInputError
        No array of numbers or text, another number of bytes than its shape takes, or letters that are none.
    """
    stream = io.BytesIO(bytes(part[:_LONGEST_HEADER]))
    try:
        version = np.lib.format.read_magic(stream)
        shape, by_columns, dtype = _HEADERS[version](stream)
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError, MemoryError) as error:
        raise _wrong(name, f"no NumPy array ({str(error)[:60]!r})") from None
    if dtype.kind not in "biufU" or dtype.fields or dtype.subdtype:
        raise _wrong(name, f"an array of {str(dtype)[:40]}")
    if not all(type(size) is int and 0 <= size <= sys.maxsize for size in shape) or len(shape) > 8:
        raise _wrong(name, f"an array of shape {str(shape)[:40]}")
    count = math.prod(shape)
    if count * dtype.itemsize != len(part) - stream.tell() or (count and not dtype.itemsize):
        raise _wrong(name, f"{len(part) - stream.tell()} bytes for an array of shape {str(shape)[:40]}")
    if not count:
        return np.empty([min(size, 1 << 31) for size in shape], dtype)
    flat = np.frombuffer(part, dtype, count, stream.tell())
    _check_letters(flat, name)
    return flat.reshape(shape, order="F" if by_columns else "C")


def _check_letters(flat: NDArray[Any], name: str) -> None:
    """Refuse bytes that are no truth value and code points that are no letter: Python stops where it meets one."""
    if flat.dtype.kind == "b" and flat.view(np.uint8).max() > 1:
        raise _wrong(name, "truth values other than 0 and 1")
    if flat.dtype.kind == "U":
        points = flat.view(np.dtype(np.uint32).newbyteorder(flat.dtype.byteorder))
        if points.max(initial=0) > sys.maxunicode:
            raise _wrong(name, "text that is none")


def _wrong(name: str, found: str) -> InvalidInputError:
    return InvalidInputError(
        f"The part {name} of a workspace file has to be an array", found, "Save it again"
    )
