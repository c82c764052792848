"""Plain JSON and arrays back to values: only of the kinds in the catalogue, every field of the type that it declares."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import io
import json
import keyword
import math
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from functools import cache
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.validation import check_symmetric
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import METHODS, PARTS, Call, File, found_in
from kernex_core.inputs.samples import Vectors

# What is checked of a value beyond what its own class checks: a file can say anything.

T = TypeVar("T")


def restored(kind: type, given: dict[str, Any]) -> Any:
    """Return the value of a kind with these fields; the values of a Gram matrix bit for bit.

    Raises
    ------
    InvalidInputError
        What the kind itself refuses; a Gram matrix that is not square, or whose values are not symmetric.
    """
    exact = kind is GramMatrix and _checked_gram(given)
    made = kind(**given)
    if exact:  # what the matrix takes, its mean with its transpose, is the same but for signs of NaN
        object.__setattr__(made, "values", given["values"])
    return made


def _checked_gram(given: dict[str, Any]) -> bool:
    """Refuse a matrix that is none before it is made (one that has steps checks nothing itself); whether it is exactly
    symmetric.
    """
    K, name, base = given["values"], given.get("name", ""), given.get("_base")
    title = f"The similarity matrix {name!r}"
    if K.ndim != 2 or K.shape[0] != K.shape[1] or K.shape[0] == 0 or K.dtype != np.float64:
        raise InvalidInputError(
            f"{title} has to have as many rows as columns", f"{K.dtype} of shape {K.shape}"
        )
    if np.isinf(K).any():
        raise InvalidInputError(f"{title} has to be finite", "infinite entries")
    gap = check_symmetric(K, title)
    unknown = np.isnan(K)
    if (unknown != unknown.T).any():
        raise InvalidInputError(f"{title} has to be symmetric", "pairs that are known one way only")
    if base is None:
        if given.get("_steps"):
            raise InvalidInputError(f"{title} has to come with the matrix before its steps", "steps alone")
    elif base.ids != given.get("ids") or base.steps:
        raise InvalidInputError(
            f"{title} has to be on the items of the matrix before its steps", "another one"
        )
    return gap == 0.0


def _check_vectors(vectors: Vectors) -> None:
    X, d = vectors.X, len(vectors.columns)
    if X.ndim != 2 or X.shape[0] != vectors.n or d not in (0, X.shape[1]):
        raise InvalidInputError(
            f"Vectors have one row an item ({vectors.n}) and one name a column", f"{X.shape} and {d} names"
        )


def _check_call(made: Call) -> None:
    """Scripts that people run are written from calls: of public names, and of what values of Kernex can do."""
    name = made.function
    known = name == "" or (name[1:] in METHODS if name.startswith(".") else _is_public(name))
    if not known or (name[:1] in ("", ".") and not made.arguments):
        raise _foreign(name)
    for attribute in made.part[:1]:
        if attribute not in PARTS:
            raise _foreign(attribute)
    if len(made.part) > 2:
        raise _foreign(made.part[2])
    for key in made.keywords:
        if not key.isidentifier() or keyword.iskeyword(key):
            raise _foreign(key)


def _is_public(name: str) -> bool:
    # a process that reads files for another one does without the public names; the other one checks what it gets
    return name in getattr(sys.modules["kernex_core"], "__all__", (name,))


def _check_file(file: File) -> None:
    if not file.name or "/" in file.name or "\\" in file.name or file.name in (".", ".."):
        raise _foreign(file.name)


def _foreign(found: str) -> InvalidInputError:
    return InvalidInputError(
        "The calls in a workspace file are of public names of Kernex, because scripts are made of them",
        repr(found[:80]),
        "Do not trust this file",
    )


CHECKS: Final[tuple[tuple[type, Callable[[Any], None]], ...]] = (
    (Call, _check_call),
    (File, _check_file),
    (Vectors, _check_vectors),
)


def checked(value: T) -> T:
    """Return a value that may stand in a file.

    Raises
    ------
    InvalidInputError
    """
    for kind, check in CHECKS:
        if isinstance(value, kind):
            check(value)
    return value


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


# Values to plain JSON and arrays. Equal parts are written once, so that the same content gives the same text.
#
# A value stands in JSON as itself where JSON has it (None, True, whole numbers, finite floats, text); a tuple is a list;
# everything else is an object with one telling key:
#
# {"list": [...]}  {"map": [[key, value], ...]}  {"float": "nan"}  {"scalar": ["<f8", value]}  {"bytes": base64}
# {"array": 3}            the part arrays/3.npy {"sparse": [data, indices, indptr], "shape": [n, n]} {"object": 7}
# the seventh of `objects`: {"type": "Note", "fields": {...}}, or {"tuple": [...]} of a long one

LONG_TUPLE: Final = 16
"""Tuples of more items are objects of their own: every part of a data set has the same ids."""


class Encoder:
    """Collects the objects and the arrays of one file.

    Parameters
    ----------
    kinds : mapping of str to type
        Kinds of values that may stand in it, by name: `catalogue.VALUES` for a workspace.
    """

    def __init__(self, kinds: Mapping[str, type]) -> None:
        self._kinds = kinds
        self.objects: list[Any] = []
        self.arrays: list[bytes] = []
        self._place_of_object: dict[str, int] = {}
        self._place_of_array: dict[bytes, int] = {}
        # what was met already, kept alive so that no other object gets its id
        self._met: dict[int, tuple[object, Any]] = {}

    def node(self, value: Any) -> Any:
        """Return the JSON of a value.

        Raises
        ------
        InvalidInputError
            A kind of value that no workspace file holds.
        """
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if id(value) not in self._met:
            self._met[id(value)] = value, self._node(value)
        return self._met[id(value)][1]

    def _node(self, value: Any) -> Any:
        if isinstance(value, str):
            return str(value)
        if isinstance(value, np.generic):
            return {"scalar": [value.dtype.str, self.node(value.item())]}
        if isinstance(value, bytes):
            return {"bytes": base64.b64encode(value).decode()}
        if type(value) in (tuple, list):
            return self.sequence(value)
        if isinstance(value, dict):
            return {"map": [[self.node(key), self.node(item)] for key, item in value.items()]}
        if isinstance(value, np.ndarray):
            return {"array": self.array(value)}
        if hasattr(value, "indptr") and value.format == "csr":
            parts = value.data, value.indices, value.indptr
            return {"sparse": [self.array(part) for part in parts], "shape": list(map(int, value.shape))}
        if self._kinds.get(type(value).__name__) is type(value):
            checked(value)  # what would be refused when it is opened is not saved
            of = {each.name: self.node(getattr(value, each.name)) for each in _fields(value) if each.init}
            return {"object": self._object({"type": type(value).__name__, "fields": of})}
        raise InvalidInputError(
            "A workspace file holds data sets, kernels, their steps and recipes, and plain settings",
            f"a value of type {type(value).__name__}",
        )

    def sequence(self, value: tuple[Any, ...] | list[Any]) -> Any:
        """Return the JSON of a tuple or a list."""
        made = [self.node(item) for item in value]
        if type(value) is list:
            return {"list": made}
        return made if len(made) <= LONG_TUPLE else {"object": self._object({"tuple": made})}

    def _object(self, entry: dict[str, Any]) -> int:
        key = hashlib.sha256(json.dumps(entry).encode()).hexdigest()
        if key not in self._place_of_object:
            self._place_of_object[key] = len(self.objects)
            self.objects.append(entry)
        return self._place_of_object[key]

    def array(self, array: NDArray[Any]) -> int:
        """Return the place of an array among the parts."""
        if array.dtype.kind not in "biufU":
            raise InvalidInputError(
                "Arrays of a workspace hold numbers or text", f"an array of {array.dtype}"
            )
        buffer = io.BytesIO()
        np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
        made = buffer.getvalue()
        key = hashlib.sha256(made).digest()
        if key not in self._place_of_array:
            self._place_of_array[key] = len(self.arrays)
            self.arrays.append(made)
        return self._place_of_array[key]


def _fields(value: Any) -> tuple[Field[Any], ...]:
    return fields(value)


# One .npy part to an array, in place: no more memory than its bytes, never a pickle.

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
