"""What tells values from others: SHA-256 over arrays, settings, and whatever is made of them."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeGuard

import numpy as np

if TYPE_CHECKING:
    from hashlib import _Hash

    from scipy import sparse


PLAIN: Final = frozenset({str, int, float, bool, type(None)})
"""Types of values in which nothing can be changed."""


def is_by_rows(value: object) -> TypeGuard[sparse.csr_array]:
    """Whether a value is a sparse array by rows (CSR)."""
    return hasattr(value, "indptr")


def digest(*parts: object) -> str:
    """Full SHA-256 over the parts: arrays by bytes, shape and dtype; everything else by qualified type and content.

    Parameters
    ----------
    *parts
        Arrays (also sparse ones), bytes, strings, numbers, None, and tuples, lists, mappings or dataclass instances of
        these.
        Objects with a `digest` attribute count by it.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    sha = hashlib.sha256()
    for part in parts:
        _update(sha, part)
    return sha.hexdigest()


def key_of(*parts: object) -> str:
    """Digest of values within this process: a large array that nobody can write to is read once, while it lives.

    Not the same as `digest`, which files have.
    """
    sha = _Remembering()
    for part in parts:
        _update(sha, part)
    return sha.hexdigest()


LARGE = 1_000_000
"""Bytes from which reading an array takes longer than finding it."""
_read: dict[int, tuple[weakref.ref[np.ndarray], str]] = {}


def is_read_only(array: np.ndarray) -> bool:
    """Whether nobody can write to it, nor to what it is a view of."""
    base: object = array
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return False
        base = base.base
    return True


class _Remembering:
    """A digest in which a large array counts by one of its own."""

    def __init__(self) -> None:
        self._sha = hashlib.sha256()
        self.update, self.hexdigest = self._sha.update, self._sha.hexdigest

    def array(self, part: np.ndarray) -> bytes | memoryview:
        """What an array adds."""
        if part.nbytes < LARGE or not is_read_only(part):
            return _bytes_of(part)
        name = id(part)
        known, found = _read.get(name, (None, ""))
        if known is None or known() is not part:
            found = hashlib.sha256(_bytes_of(part)).hexdigest()
            _read[name] = weakref.ref(part, lambda _: _read.pop(name, None)), found
        return f"<read {found}>".encode()


def _bytes_of(part: np.ndarray) -> bytes | memoryview:
    # hashing needs contiguous bytes; a contiguous array is read in place
    return np.ascontiguousarray(part).view(np.uint8).reshape(-1).data if part.size else b""


_TEXT = frozenset({str})


def _worded(text: str) -> bytes:
    encoded = text.encode("utf-8", "surrogatepass")
    return b"<str %d>%b" % (len(encoded), encoded)


def _update(sha: _Hash | _Written | _Remembering, part: object) -> None:
    kind = f"{type(part).__module__}.{type(part).__qualname__}"
    if isinstance(part, str):
        sha.update(_worded(part))
    elif isinstance(part, np.ndarray):
        if part.dtype.hasobject:
            raise TypeError("arrays of Python objects have no digest")
        sha.update(f"<array {part.dtype.str} {part.shape}>".encode())
        sha.update(sha.array(part) if isinstance(sha, _Remembering) else _bytes_of(part))
    elif is_by_rows(part):
        sha.update(f"<sparse {part.format} {part.shape}>".encode())
        for own in (part.data, part.indices.astype(np.int64), part.indptr.astype(np.int64)):
            _update(sha, own)
    elif isinstance(part, bytes | bytearray | memoryview):
        sha.update(f"<bytes {len(part)}>".encode())
        sha.update(part)
    elif isinstance(part, Mapping):
        sha.update(f"<{kind} {len(part)}>".encode())
        for key in part:
            _update(sha, key)
            _update(sha, part[key])
    elif isinstance(part, tuple | list):
        sha.update(f"<{kind} {len(part)}>".encode())
        if _TEXT.issuperset(map(type, part)):  # ids, classes
            sha.update(b"".join(map(_worded, part)))
            return
        for item in part:
            _update(sha, item)
    elif isinstance(known := getattr(part, "digest", None), str):
        sha.update(f"<{kind} digest {known}>".encode())
    elif hasattr(part, "__dataclass_fields__") and not isinstance(part, type):
        sha.update(f"<{kind}>".encode())
        _update_fields(sha, {name: getattr(part, name) for name in part.__dataclass_fields__})
    elif part is None or isinstance(part, bool | int | float | complex | np.generic | type):
        sha.update(f"<{kind} {part!r}>".encode())
    else:
        raise TypeError(f"{kind} has no digest; give it a `digest` attribute")


class _Written:
    """Takes what goes into a digest, in one piece."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def update(self, data: bytes | bytearray | memoryview, /) -> None:
        """Take a piece."""
        self.pieces.append(bytes(data))


_MOST_SETTINGS = 1_000
_written: dict[tuple[str, ...], bytes] = {}
"""What settings with plain values add to a digest: a move of a slider asks for the same ones dozens of times."""


def _update_fields(sha: _Hash | _Written | _Remembering, values: Mapping[str, object]) -> None:
    if not PLAIN.issuperset(map(type, values.values())):
        for name, value in values.items():
            _update(sha, name)
            _update(sha, value)
        return
    key = (*values, *map(repr, values.values()))  # 1, 1.0, True and "1" are told apart
    found = _written.get(key)
    if found is None:
        made = _Written()
        for name, value in values.items():
            _update(made, name)
            _update(made, value)
        found = b"".join(made.pieces)
        if len(_written) >= _MOST_SETTINGS:
            _written.clear()
        _written[key] = found
    sha.update(found)
