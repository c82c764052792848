"""What numbers have seen beyond the two items of a pair: other items, labels, or what nobody knows.

It is said once, by whoever makes them, and stays with them: on the matrix (`GramMatrix.seen`), and on arrays
that are made without one (`SeenArray`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Seen:
    """What the entries of a matrix depend on besides the two items of each pair.

    Attributes
    ----------
    items : bool
        Other items: all nodes of a network, a width that all of them set, a completion.
    labels : bool
        Labels of the items.
    brought : bool
        The numbers, or weights that made them, came from outside: nobody knows what they depend on.

    Examples
    --------
    >>> from kernex_core import Seen
    >>> Seen(items=True) | Seen(labels=True)
    Seen(items=True, labels=True, brought=False)
    """

    items: bool = False
    labels: bool = False
    brought: bool = False

    def __or__(self, other: Seen) -> Seen:
        return Seen(self.items or other.items, self.labels or other.labels, self.brought or other.brought)


PAIR = Seen()
"""Each entry follows from its two items."""
ITEMS = Seen(items=True)
LABELS = Seen(labels=True)
BROUGHT = Seen(brought=True)


class SeenArray(np.ndarray[Any, np.dtype[np.float64]]):
    """An array that knows what it has seen, and tells whatever is computed from it.

    Parts, sums, products and all else that NumPy makes of it know it too, and of what came in besides: an array that says
    nothing counts as brought. `np.asarray`, `tolist` and single numbers are plain, and nobody can tell any more: of such
    weights `weighted_sum` says that they were brought.

    Attributes
    ----------
    seen : Seen
    """

    seen: Seen

    def __array_finalize__(self, obj: Any) -> None:
        self.seen = getattr(obj, "seen", BROUGHT)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        made = getattr(ufunc, method)(*_plain(inputs), **_plain(keywords))
        return _remarked(made, _seen_in(inputs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return _remarked(func(*_plain(args), **_plain(kwargs)), _seen_in(args) | _seen_in(kwargs))

    def __reduce__(self) -> Any:
        made: Any = super().__reduce__()
        return made[0], made[1], (made[2], self.seen)

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state[0])
        self.seen = state[1]


def marked(values: ArrayLike, seen: Seen) -> SeenArray:
    """Say of numbers what they have seen.

    Examples
    --------
    >>> from kernex_core import Seen, marked
    >>> (2.0 * marked([0.5, 0.5], Seen(items=True))).seen
    Seen(items=True, labels=False, brought=False)
    """
    made = np.asarray(values, dtype=np.float64).view(SeenArray)
    made.seen = seen
    return made


def from_labels(values: ArrayLike) -> SeenArray:
    """Say of numbers, such as weights of kernels, that labels made them.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, Linear, Vectors, from_labels, judge, weighted_sum
    >>> x = np.arange(8.0) - 3.5
    >>> K, noise = (Linear().similarities(Vectors(tuple("abcdefgh"), v[:, None])) for v in (x, x**2))
    >>> made = weighted_sum([K, noise], from_labels([0.9, 0.1]))
    >>> judge(made, ["a"] * 4 + ["b"] * 4, CrossValidation(folds=2)).mode
    'leak'
    """
    return marked(values, LABELS)


@runtime_checkable
class Remembers(Protocol):
    """What keeps the record of how it was made: a GramMatrix, which this module does not know."""

    def has_seen(self) -> Seen:
        """What its values depend on besides the two items of each pair."""


def seen_of(*sources: object) -> Seen:
    """What matrices and arrays have seen together; of a plain array nobody knows."""
    found = PAIR
    for source in sources:
        if isinstance(source, SeenArray):
            found |= source.seen
        else:
            found |= source.has_seen() if isinstance(source, Remembers) else BROUGHT
    return found


def tells(*sources: object) -> bool:
    """Whether any of these says what it has seen."""
    return any(isinstance(source, SeenArray | Remembers) for source in sources)


def _seen_in(value: Any) -> Seen:
    if isinstance(value, SeenArray):
        return value.seen
    if type(value) in (tuple, list):
        return reduce(Seen.__or__, map(_seen_in, value), PAIR)
    if isinstance(value, Mapping):
        return _seen_in([item for key, item in value.items() if key != "out"])
    plain = isinstance(value, np.ndarray) and value.ndim > 0 and value.dtype.kind == "f"
    return BROUGHT if plain else PAIR


def _plain(value: Any) -> Any:
    if isinstance(value, SeenArray):
        return value.view(np.ndarray)
    if type(value) in (tuple, list):
        return type(value)([_plain(item) for item in value])
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _remarked(made: Any, seen: Seen) -> Any:
    if type(made) is np.ndarray and made.dtype.kind == "f":
        return marked(made, seen)
    return type(made)([_remarked(item, seen) for item in made]) if type(made) in (tuple, list) else made
