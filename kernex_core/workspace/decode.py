"""Plain JSON and arrays back to values: only of the kinds in the catalogue, every field of the type that it declares."""

from __future__ import annotations

import base64
import dataclasses
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.gram.provenance import Call, File, found_in
from kernex_core.workspace.checks import checked, restored

MOST_SPELT_OUT: Final = 1_000_000
"""Values that an object may have when everything it shares is counted as often as it is used: recipes are trees."""


class Decoder:
    """Makes the objects of one file, in their order: each needs only those before it.

    Parameters
    ----------
    arrays : sequence of arrays
    kinds : mapping of str to type
        Kinds of values that may stand in it, by name: `catalogue.VALUES` for a workspace.
    former : mapping of type to function, optional
        Fields of a kind as an earlier format wrote them to fields as they are now.
    gone : mapping of str to function, optional
        Values in place of those of kinds that are no more, from their fields and the kinds that are.
    """

    def __init__(
        self,
        arrays: Sequence[NDArray[Any]],
        kinds: Mapping[str, type],
        former: Mapping[type, Callable[[Mapping[str, Any]], dict[str, Any]]] | None = None,
        gone: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, type]], Any]] | None = None,
    ) -> None:
        self.arrays = arrays
        self._kinds = kinds
        self._former = former or {}
        self._gone = gone or {}
        self.made: list[Any] = []
        self._sizes: list[int] = []
        self._size = 0
        self.by_key: Final[dict[str, Callable[[Any], Any]]] = {
            "list": lambda items: [self.value(item) for item in items],
            "map": self._map,
            "float": lambda name: {"nan": float("nan"), "inf": float("inf"), "-inf": -float("inf")}[name],
            "scalar": lambda pair: np.dtype(_plain_dtype(pair[0])).type(self.value(pair[1])),
            "bytes": lambda text: base64.b64decode(text, validate=True),
            "array": lambda place: self.arrays[_place(place, len(self.arrays))],
            "object": self._known,
        }

    def add(self, entry: Any) -> None:
        """Make the next object.

        Raises
        ------
        InvalidInputError
            An unknown kind, unknown or missing fields, or a field of another type.
        """
        self._size = 1
        self.made.append(
            self._tuple(entry) if isinstance(entry, dict) and set(entry) == {"tuple"} else self._object(entry)
        )
        if self._size > MOST_SPELT_OUT:
            raise refused("an object that is used in itself too often")
        self._sizes.append(self._size)

    def value(self, node: Any) -> Any:
        """Return the value of a piece of JSON."""
        if node is None or type(node) in (bool, int, float, str):
            return node
        if isinstance(node, list):
            return tuple(self.value(item) for item in node)
        if isinstance(node, dict) and set(node) == {"sparse", "shape"}:
            return self._sparse(node)
        if not isinstance(node, dict) or len(node) != 1 or next(iter(node)) not in self.by_key:
            raise refused(f"an entry {str(node)[:60]}")
        ((key, content),) = node.items()
        return self.by_key[key](content)

    def _tuple(self, entry: Mapping[str, Any]) -> Any:
        made = self.value(entry["tuple"])
        if not isinstance(made, tuple):
            raise refused("a tuple that is none")
        return made

    def _object(self, entry: Any) -> Any:
        if (
            not isinstance(entry, dict)
            or set(entry) != {"type", "fields"}
            or not isinstance(entry["fields"], dict)
        ):
            raise refused(f"an object {str(entry)[:60]}")
        kind = self._kinds.get(str(entry["type"]))
        replaced = self._gone.get(str(entry["type"]))
        if kind is None and replaced is None:
            raise refused(f"a value of the kind {str(entry['type'])[:40]!r}")
        given = {name: self.value(node) for name, node in entry["fields"].items()}
        if kind is None:
            assert replaced is not None
            return _checked_whole(replaced(given, self._kinds))
        if kind in self._former:
            given = self._former[kind](given)
        _check_fields(kind, given)
        return checked(_restored(kind, given))

    def _known(self, place: Any) -> Any:
        at = _place(place, len(self.made))
        self._size += self._sizes[at]
        return self.made[at]

    def _map(self, pairs: Any) -> dict[Any, Any]:
        made = {self.value(key): self.value(item) for key, item in pairs}
        if len(made) != len(pairs):
            raise refused("a table with the same name twice")
        return made

    def _sparse(self, node: Mapping[str, Any]) -> csr_array:
        data, indices, indptr = (self.arrays[_place(place, len(self.arrays))] for place in node["sparse"])
        rows, columns = (_place(size, 1 << 31) for size in node["shape"])
        made = csr_array((data, indices, indptr), shape=(rows, columns))
        made.check_format(full_check=True)
        return made


def _checked_whole(made: Any) -> Any:
    """A call of an earlier format with all calls and files in it, which were never objects of their own."""
    for each in made.calls() if isinstance(made, Call) else ():
        checked(each)
        for file in found_in((each.arguments, each.keywords), File):
            checked(file)
    return made


def _restored(kind: type, given: dict[str, Any]) -> Any:
    try:
        return restored(kind, given)
    except (KernexError, TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
        raise refused(f"a {kind.__name__} that cannot be: {shortened(error)}") from None


def shortened(error: Exception) -> str:
    """What an error says, as part of a sentence on one line."""
    said = " ".join(str(error).split())
    return said if len(said) <= 200 else f"{said[:199]}…"


def _place(value: Any, limit: int) -> int:
    if type(value) is not int or not 0 <= value < limit:
        raise refused(f"a reference to part {str(value)[:20]}, which is not there")
    return value


def _plain_dtype(name: Any) -> str:
    if not isinstance(name, str) or np.dtype(name).kind not in "biuf":
        raise refused(f"a number of the kind {str(name)[:20]!r}")
    return name


def _check_fields(kind: type, given: Mapping[str, Any]) -> None:
    declared = {each.name: each for each in dataclasses.fields(kind) if each.init}
    unknown = sorted(set(given) - set(declared))
    if unknown:
        raise refused(f"a {kind.__name__} with {unknown[0][:40]!r}, which this Kernex does not know")
    for name, each in declared.items():
        required = each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
        if name not in given and required:
            raise refused(f"a {kind.__name__} without {name!r}")
        if name in given and not fits(given[name], hints(kind)[name]):
            raise refused(f"a {kind.__name__} whose {name!r} is of another type: {str(given[name])[:60]!r}")


@cache
def hints(kind: type) -> dict[str, Any]:
    """Types of the fields of a class, as it declares them."""
    return get_type_hints(kind)


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a declared type."""
    origin, inner = get_origin(hint), get_args(hint)
    if hasattr(origin, "__value__"):  # from Python 3.12 on NumPy's NDArray is a name for what it stands for
        return fits(value, origin.__value__[inner])
    if hint is Any:
        return True
    if hint is float:  # whole numbers count as well, and NumPy's own
        number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
        return number and bool(np.isfinite(value))
    if hint is int:
        return isinstance(value, int | np.integer) and not isinstance(value, bool)
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    if origin in (Union, types.UnionType):
        return any(fits(value, each) for each in inner)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin is tuple:
        return isinstance(value, tuple) and _fit_tuple(value, inner)
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and value.dtype.kind == np.dtype(get_args(inner[1])[0]).kind
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, dict) and all(
            fits(k, inner[0]) and fits(v, inner[1]) for k, v in value.items()
        )
    return isinstance(value, origin or hint)


def _fit_tuple(value: tuple[Any, ...], inner: tuple[Any, ...]) -> bool:
    if len(inner) == 2 and inner[1] is Ellipsis:
        if inner[0] is str:  # ids, by far the most
            return all(isinstance(item, str) for item in value)
        return all(fits(item, inner[0]) for item in value)
    return len(value) == len(inner) and all(map(fits, value, inner))


def refused(found: str) -> InvalidInputError:
    """The error for what no Kernex has written."""
    return InvalidInputError(
        "A workspace file holds data sets and kernels as Kernex writes them", found, "Save it again"
    )
