"""Results that stay what they were, and are equal when they hold the same: frozen dataclasses with read-only arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields
from html import escape
from typing import TYPE_CHECKING, Final, TypeGuard, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.digests import PLAIN, is_by_rows, is_read_only

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from scipy import sparse


# A result on one line, and as a small table: what a console and a notebook show in place of every array.

Rows = tuple[tuple[str, str], ...]
"""What is said of a result: names with values, both as text."""
LONGEST_LINE: Final = 160
_LONGEST_TEXT, _FEW = 40, 3


def short(value: object) -> str:
    """A value in a few words: of an array its kind and shape, of a long tuple how many there are.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.base.frozen import short
    >>> short(np.zeros((60, 3))), short(0.123456), short(("a", "b")), short(tuple("abcdefgh"))
    ('float64 (60, 3)', '0.1235', "('a', 'b')", '8 of str')
    """
    if isinstance(value, np.ndarray) or hasattr(value, "indptr"):
        return f"{getattr(value, 'dtype', '')} {getattr(value, 'shape', '')}"
    if isinstance(value, float | np.floating):
        return f"{value:.4g}"
    if isinstance(value, tuple | list):
        if len(value) <= _FEW:
            inside = ", ".join(map(short, value))
            return f"[{inside}]" if isinstance(value, list) else f"({inside})"
        return f"{len(value):,} of {type(value[0]).__name__}"
    if isinstance(value, Mapping):
        return _cut(f"{{{', '.join(map(str, value))}}}")
    return _cut(repr(value))


def _cut(text: str, most: int = _LONGEST_TEXT) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def one_line(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Title(name=value, ...), cut where it is too long."""
    said = f"{title}({', '.join(f'{name}={value}' for name, value in rows)})"
    return said if len(said) <= LONGEST_LINE else f"{said[: LONGEST_LINE - 2]}…)"


def as_table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """The same as a table of HTML, every text escaped."""
    lines = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption>{escape(title)}</caption>{lines}</table>"


S = TypeVar("S", bound=np.generic)
R = TypeVar("R", bound="sparse.csr_array")

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


def read_only(array: NDArray[S]) -> NDArray[S]:
    """Return `array` if nobody can write to it, else a read-only copy."""
    return array if is_read_only(array) else owned(array.copy())


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
    call `super().__post_init__()` last. They are `EqualByContent`. A console shows them on one line, a notebook as a table.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__repr__" not in vars(cls):  # else the dataclass writes one, with every array
            setattr(cls, "__repr__", ReadOnlyArrays.__repr__)  # noqa: B010

    def shown_rows(self) -> Rows:
        """What is said of it on one line and in a table: names with values, both as text."""
        shown = (each.name for each in fields(cast("DataclassInstance", self)) if each.repr)
        return tuple((name, short(getattr(self, name, None))) for name in shown)

    def __repr__(self) -> str:
        return one_line(type(self).__name__, self.shown_rows())

    def _repr_html_(self) -> str:
        return as_table(type(self).__name__, self.shown_rows())

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, _frozen_value(value))

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, _frozen_value(value, just_made=True))


def _frozen_value(value: object, just_made: bool = False) -> object:
    if isinstance(value, np.ndarray):
        return owned(value) if just_made else read_only(value)
    if is_by_rows(value):
        parts = value.data, value.indices, value.indptr
        mine = just_made or not any(part.flags.writeable for part in parts)
        return owned_sparse(value if mine else value.copy())
    if type(value) is tuple:
        # ids, nearly always: nothing in them can be changed
        return (
            value
            if PLAIN.issuperset(map(type, value))
            else tuple(_frozen_value(item, just_made) for item in value)
        )
    if type(value) is dict:
        return {key: _frozen_value(item, just_made) for key, item in value.items()}
    return value


# Relations of items that are alike, each as the place of the first item of its set.


def first_of(keys: Iterable[Hashable]) -> IntArray:
    """(n,) place of the first equal key."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(key, i) for i, key in enumerate(keys)], dtype=np.int64)


def joined(*relations: IntArray) -> IntArray:
    """(n,) place of the first item that each one is joined with by any of the relations, or by several in a row.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.base.frozen import joined
    >>> joined(np.array([0, 0, 2, 3]), np.array([0, 1, 1, 3])).tolist()
    [0, 0, 0, 3]
    """
    found = relations[0].copy()
    while True:
        before = found
        for relation in relations:
            # every item takes the first of its set, and the set that of its items
            least = np.full(found.size, found.size, dtype=np.int64)
            np.minimum.at(least, relation, found)
            found = least[relation]
        if np.array_equal(found, before):
            return found
