"""Results that stay what they were, and are equal when they hold the same: frozen dataclasses with read-only arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, TypeGuard, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hashlib import _Hash

    from _typeshed import DataclassInstance
    from scipy import sparse

S = TypeVar("S", bound=np.generic)
R = TypeVar("R", bound="sparse.csr_array")

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


def read_only(array: NDArray[S]) -> NDArray[S]:
    """Return `array` if nobody can write to it, else a read-only copy."""
    base: object = array
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            array = array.copy()
            array.flags.writeable = False
            return array
        base = base.base
    return array


def owned(array: NDArray[S]) -> NDArray[S]:
    """Mark an array that the caller has just made as read-only, without a copy."""
    array.flags.writeable = False
    return array


def owned_sparse(array: R) -> R:
    """Mark a sparse array by rows (CSR) that the caller has just made as read-only, without a copy."""
    for part in (array.data, array.indices, array.indptr):
        part.flags.writeable = False
    return array


def same(a: object, b: object) -> bool:
    """Whether two values hold the same: NaN is the same as NaN, arrays are compared entry by entry.

    Parameters
    ----------
    a, b
        Numbers, strings, arrays (also sparse ones), dataclasses, and tuples, lists and mappings of these.

    Returns
    -------
    bool
    """
    if a is b:
        return True
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return type(a) is type(b) and _same_entries(a, b)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return False
    if isinstance(a, tuple | list) and type(a) is type(b):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if _is_sparse(a) and _is_sparse(b):  # a sparse array answers == by another one
        return same(_entries(a), _entries(b))
    return bool(a == b) or bool(a != a and b != b)


def _same_entries(a: NDArray[np.generic], b: NDArray[np.generic]) -> bool:
    return a.shape == b.shape and bool(np.all((a == b) | ((a != a) & (b != b))))


def _is_sparse(value: object) -> TypeGuard[sparse.csr_array]:
    return hasattr(value, "tocoo")


def _is_by_rows(value: object) -> TypeGuard[sparse.csr_array]:
    return hasattr(value, "indptr")


def _entries(array: sparse.csr_array) -> tuple[object, ...]:
    entries = array.tocoo()
    return (entries.shape, *entries.coords, entries.data)


class EqualByContent:
    """Base of frozen dataclasses that may hold NaN or arrays: equal if their fields are the `same`.

    The equality that a dataclass writes by itself takes a NaN for another one (from Python 3.13 on also where both are
    one object) and fails on arrays. Subclasses are declared `@dataclass(frozen=True, eq=False)`.
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(same(getattr(self, name), getattr(other, name)) for name in _compared(self))

    def __hash__(self) -> int:
        return hash((type(self), *(_hash(getattr(self, name)) for name in _compared(self))))


def _compared(instance: object) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cast("DataclassInstance", instance)) if each.compare)


def _hash(value: object) -> int:
    """Hash that agrees with `same`; of arrays, lists and mappings it sees the size alone."""
    if isinstance(value, np.ndarray):
        return hash(value.shape)
    if isinstance(value, tuple):
        return hash(tuple(map(_hash, value)))
    if isinstance(value, list | Mapping):
        return len(value)
    if _is_sparse(value):
        return hash(value.shape)
    return hash(value) if value == value else 0  # from Python 3.10 on every NaN has a hash of its own


class ReadOnlyArrays(EqualByContent):
    """Base of frozen dataclasses: every array field, also a sparse one, and inside tuples and dicts, becomes read-only.

    NumPy restores arrays as writable when it unpickles them, so the flag is set again there.
    Subclasses are declared `@dataclass(frozen=True, eq=False)`; those with a `__post_init__` of their own
    call `super().__post_init__()` last. They are `EqualByContent`.
    """

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, _frozen_value(value))

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, _frozen_value(value, just_made=True))


_PLAIN = frozenset({str, int, float, bool, type(None)})


def _frozen_value(value: object, just_made: bool = False) -> object:
    if isinstance(value, np.ndarray):
        return owned(value) if just_made else read_only(value)
    if _is_by_rows(value):
        parts = value.data, value.indices, value.indptr
        mine = just_made or not any(part.flags.writeable for part in parts)
        return owned_sparse(value if mine else value.copy())
    if type(value) is tuple:
        # ids, nearly always: nothing in them can be changed
        return (
            value
            if _PLAIN.issuperset(map(type, value))
            else tuple(_frozen_value(item, just_made) for item in value)
        )
    if type(value) is dict:
        return {key: _frozen_value(item, just_made) for key, item in value.items()}
    return value


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


_TEXT = frozenset({str})


def _worded(text: str) -> bytes:
    encoded = text.encode("utf-8", "surrogatepass")
    return b"<str %d>%b" % (len(encoded), encoded)


def _update(sha: _Hash, part: object) -> None:
    kind = f"{type(part).__module__}.{type(part).__qualname__}"
    if isinstance(part, str):
        sha.update(_worded(part))
    elif isinstance(part, np.ndarray):
        if part.dtype.hasobject:
            raise TypeError("arrays of Python objects have no digest")
        sha.update(f"<array {part.dtype.str} {part.shape}>".encode())
        # hashing needs contiguous bytes; a contiguous array is read in place
        sha.update(np.ascontiguousarray(part).view(np.uint8).reshape(-1).data if part.size else b"")
    elif _is_by_rows(part):
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
        for name in part.__dataclass_fields__:
            _update(sha, name)
            _update(sha, getattr(part, name))
    elif part is None or isinstance(part, bool | int | float | complex | np.generic | type):
        sha.update(f"<{kind} {part!r}>".encode())
    else:
        raise TypeError(f"{kind} has no digest; give it a `digest` attribute")
