"""Results that stay what they were: frozen dataclasses whose arrays are read-only, also after unpickling."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return `array` if nobody can write to it, else a read-only copy."""
    base: Any = array
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            array = array.copy()
            array.flags.writeable = False
            return array
        base = base.base
    return array


def owned(array: NDArray[Any]) -> NDArray[Any]:
    """Mark an array that the caller has just made as read-only, without a copy."""
    array.flags.writeable = False
    return array


class ReadOnlyArrays:
    """Base of frozen dataclasses: every array field, also inside tuples and dicts, becomes read-only.

    NumPy restores arrays as writable when it unpickles them, so the flag is set again there.
    Subclasses are declared `@dataclass(frozen=True, eq=False)`; those with a `__post_init__` of their own
    call `super().__post_init__()` last.
    """

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, _frozen_value(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, _frozen_value(value, just_made=True))


def _frozen_value(value: Any, just_made: bool = False) -> Any:
    if isinstance(value, np.ndarray):
        return owned(value) if just_made else read_only(value)
    if type(value) is tuple:
        return tuple(_frozen_value(item, just_made) for item in value)
    if type(value) is dict:
        return {key: _frozen_value(item, just_made) for key, item in value.items()}
    return value


def digest(*parts: Any) -> str:
    """Full SHA-256 over the parts: arrays by bytes, shape and dtype; everything else by qualified type and content.

    Parameters
    ----------
    *parts
        Arrays, bytes, strings, numbers, None, and tuples, lists, mappings or dataclass instances of these.
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


def _update(sha: Any, part: Any) -> None:
    kind = f"{type(part).__module__}.{type(part).__qualname__}"
    if isinstance(part, np.ndarray):
        if part.dtype.hasobject:
            raise TypeError("arrays of Python objects have no digest")
        sha.update(f"<array {part.dtype.str} {part.shape}>".encode())
        # hashing needs contiguous bytes; a contiguous array is read in place
        sha.update(np.ascontiguousarray(part).view(np.uint8).reshape(-1).data if part.size else b"")
    elif isinstance(part, bytes | bytearray | memoryview):
        sha.update(f"<bytes {len(part)}>".encode())
        sha.update(part)
    elif isinstance(part, str):
        encoded = part.encode("utf-8", "surrogatepass")
        sha.update(f"<str {len(encoded)}>".encode() + encoded)
    elif isinstance(part, Mapping):
        sha.update(f"<{kind} {len(part)}>".encode())
        for key in part:
            _update(sha, key)
            _update(sha, part[key])
    elif isinstance(part, tuple | list):
        sha.update(f"<{kind} {len(part)}>".encode())
        for item in part:
            _update(sha, item)
    elif isinstance(getattr(part, "digest", None), str):
        sha.update(f"<{kind} digest {part.digest}>".encode())
    elif hasattr(part, "__dataclass_fields__") and not isinstance(part, type):
        sha.update(f"<{kind}>".encode())
        for name in part.__dataclass_fields__:
            _update(sha, name)
            _update(sha, getattr(part, name))
    elif part is None or isinstance(part, bool | int | float | complex | np.generic | type):
        sha.update(f"<{kind} {part!r}>".encode())
    else:
        raise TypeError(f"{kind} has no digest; give it a `digest` attribute")
