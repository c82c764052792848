"""write_workspace and read_workspace: a workspace as one file, and back bit for bit.

A `.kernex` file is a zip of two JSON texts and NumPy arrays: `numpy.load` opens its arrays, too. `workspace.json` says
its format, the versions that wrote it, and size and SHA-256 of every other part; `objects.json` holds all that is no array.
Nothing in it is code that would be run: no pickle, and calls are checked.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import numpy as np
from scipy.sparse import csr_array

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.validation import SAMPLE_LIMIT
from kernex_core.gram.matrix import Cut, GramMatrix
from kernex_core.gram.provenance import Call, File, found_in
from kernex_core.gram.seen import BROUGHT, ITEMS, PAIR, Seen, seen_of
from kernex_core.kernels.base import AbstractKernel
from kernex_core.workspace.archive import OBJECTS, WORKSPACE_LIMIT, pack, parsed, unpack
from kernex_core.workspace.catalogue import VALUES
from kernex_core.workspace.values import Decoder, Encoder, array_of, refused, shortened
from kernex_core.workspace.workspace import Workspace

# What files of earlier formats say, as this one says it; they are read once and written anew.
#
# The first format said of a matrix only whether its parameters had seen items. The second kept how a value came to be
# as an expression, which is parsed here and never run: what stands in it is calls of names, constants and arrays.

RENAMED: Final = {"kernex_core.completion.joint": {"joint_kernel": "regularized_kernel"}}
"""Functions that have another name since, by the module that they were imported from."""
_NUMBERS: Final = {"nan": np.nan, "inf": np.inf}
_DTYPES: Final = {"str_": np.str_, "bool_": np.bool_}
_ARRAYS: Final = frozenset({"array", "asarray"})
_PLACE: Final = "place_"


@dataclass(frozen=True)
class _Part:
    """A matrix that was cut out of another one."""

    whole: GramMatrix
    at: Any


def with_seen(given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a GramMatrix of an earlier format as this one has them.

    A kernel that Kernex computed is known by its call, and so is a part of a matrix; of all else nobody knows.
    """
    fields = dict(given)
    origin = fields.get("origin")
    if isinstance(origin, _Part):
        fields |= {"origin": None, "_cut": Cut(origin.whole, origin.at)}
    if "set_by_items" not in fields:
        return fields
    by_items = fields.pop("set_by_items") is True
    base = fields.get("_base")
    seen = base.seen if isinstance(base, GramMatrix) else _seen_by(origin)
    return {**fields, "seen": seen | ITEMS if by_items else seen}


def _seen_by(origin: object) -> Seen:
    if isinstance(origin, _Part):
        return origin.whole.seen
    if not isinstance(origin, Call):
        return BROUGHT
    if origin.function == "nothing_known":
        return PAIR
    parts = found_in(origin.arguments, GramMatrix)
    if parts:
        return seen_of(*parts)
    kernels = found_in(origin.arguments, AbstractKernel) if origin.function == ".similarities" else []
    return {"network": ITEMS, "pair": PAIR}.get(kernels[0].depends if kernels else "", BROUGHT)


def later(given: Mapping[str, Any], kinds: Mapping[str, type]) -> Call | _Part:
    """The call of a `Later`: a function with its values, or a method of an owner.

    Raises
    ------
    InvalidInputError
    """
    owner, function, arguments = given.get("owner"), given["function"], tuple(given["arguments"])
    if owner is None:
        return Call("gram", _renamed(function, given.get("imports", ())), arguments)
    if function == "take" and isinstance(owner, GramMatrix) and len(arguments) == 1:
        return _Part(owner, arguments[0])
    return Call("gram", f".{function}", (owner, *arguments))


def chosen(given: Mapping[str, Any], kinds: Mapping[str, type]) -> Call:
    """The call of `ChosenItems`, which stood in place of positions."""
    made: Call = given["recipe"]
    return made


def recipe(given: Mapping[str, Any], kinds: Mapping[str, type]) -> Call:
    """The call of a `Recipe`: its expression, with the calls that it needs.

    Raises
    ------
    InvalidInputError
        An expression that Kernex did not write.
    """
    needs, imports = tuple(given.get("needs", ())), tuple(given.get("imports", ()))
    reader = _Reader(needs, imports, kinds)
    try:
        # `$0` becomes a name of Python's; in a text a dollar was always written as \x24
        tree = ast.parse(given["expression"].replace("$", _PLACE), mode="eval")
        made = reader.value(tree.body)
    except (SyntaxError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise _foreign(given["expression"]) from None
    if not isinstance(made, Call):
        made = Call(given["name"], "", (made,))
    return replace(made, name=given["name"], fetches=tuple(given.get("fetches", ())))


class _Reader:
    """Reads the tree of one expression."""

    def __init__(self, needs: Sequence[Call], imports: Sequence[str], kinds: Mapping[str, type]) -> None:
        self._needs, self._imports, self._kinds = needs, imports, kinds

    def value(self, node: ast.expr) -> Any:
        """The value of a piece: a constant, an array, an instance, or a call."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.value(node.operand)
        if isinstance(node, ast.Tuple | ast.List):
            made = [self.value(each) for each in node.elts]
            return tuple(made) if isinstance(node, ast.Tuple) else made
        if isinstance(node, ast.Dict):
            keys = [None if each is None else self.value(each) for each in node.keys]
            return dict(zip(keys, map(self.value, node.values), strict=True))
        if isinstance(node, ast.Name) and node.id.startswith(_PLACE):
            return self._needs[int(node.id.removeprefix(_PLACE))]
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "np":
                return (_NUMBERS | _DTYPES)[node.attr]
            return Call(node.attr, "", (self.value(node.value),), part=(node.attr,))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            key = self.value(node.slice)
            return Call(str(key), "", (self.value(node.value.value),), part=(node.value.attr, str(key)))
        if isinstance(node, ast.Call):
            return self._called(node)
        raise ValueError("another piece")

    def _called(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "read_bytes":  # Path(...).read_bytes()
            path = node.func.value
            if not (isinstance(path, ast.Call) and getattr(path.func, "id", "") == "Path"):
                raise TypeError("the bytes of what is no file")
            return File(str(self.value(path.args[0])))
        given = [self.value(each) for each in node.args]
        named = {str(each.arg): self.value(each.value) for each in node.keywords}
        if isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "np":
                return _array(node.func.attr, given, named)
            return Call(node.func.attr, f".{node.func.attr}", (self.value(node.func.value), *given), named)
        if not isinstance(node.func, ast.Name):
            raise TypeError("a call of what has no name")
        if node.func.id == "csr_array":
            (data, places), shape = given[0], named.pop("shape")
            if max(shape) > SAMPLE_LIMIT:  # it would be made, however little is in it
                raise ValueError("more rows or columns than items")
            return csr_array((data, places), shape=shape, **named)
        kind = self._kinds.get(node.func.id)
        if kind is not None and found_in((given, named), Call):
            return Call("", kind.__name__, tuple(given), named)
        if kind is not None:
            return kind(*given, **named)
        return Call(node.func.id, _renamed(node.func.id, self._imports), tuple(given), named)


def _array(name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if name not in _ARRAYS or set(named) - {"dtype"} or len(given) != 1:
        raise ValueError("another function of NumPy")
    return np.array(given[0], dtype=named.get("dtype"))


def _renamed(function: str, imports: Sequence[str]) -> str:
    for module, names in RENAMED.items():
        if function in names and any(line.startswith(f"from {module} import ") for line in imports):
            return names[function]
    return function


def _foreign(found: str) -> InvalidInputError:
    return InvalidInputError(
        "How a value came to be has to be said as Kernex says it", repr(found[:80]), "Do not trust this file"
    )


T = TypeVar("T")
ROOT: Final = "workspace"
"""What a workspace is called in its file."""
FORMER: Final[dict[type, Callable[[Mapping[str, Any]], dict[str, Any]]]] = {GramMatrix: with_seen}
GONE: Final = {"Recipe": recipe, "Later": later, "ChosenItems": chosen}


def write_workspace(workspace: Workspace) -> bytes:
    """Return the file of a workspace; the same workspace gives the same bytes.

    Parameters
    ----------
    workspace : Workspace

    Returns
    -------
    bytes
        What `read_workspace` gives back with equal digests.

    Raises
    ------
    InvalidInputError
        A value that no file holds.
    TooLargeError
        More than WORKSPACE_LIMIT bytes.

    Examples
    --------
    >>> from kernex_core import load_dataset, read_workspace, write_workspace
    >>> from kernex_core.workspace.workspace import OpenData, Workspace
    >>> data = load_dataset("blocks")
    >>> opened = read_workspace(write_workspace(Workspace((OpenData(data),))))
    >>> opened.datasets[data.name].digest == data.digest
    True
    """
    return pack(parts_of(workspace, VALUES, ROOT))


def parts_of(value: object, kinds: Mapping[str, type], root: str) -> dict[str, bytes]:
    """Return the parts of the file of a value, which `value_of` makes of them again.

    Parameters
    ----------
    value
    kinds : mapping of str to type
        What may stand in it; see Encoder.
    root : str
        What the value is called in the file.
    """
    encoder = Encoder(kinds)
    node = encoder.node(value)
    objects = json.dumps({"objects": encoder.objects, root: node}).encode()
    return {OBJECTS: objects, **{f"arrays/{place}.npy": made for place, made in enumerate(encoder.arrays)}}


def read_workspace(data: bytes, *, limit: int = WORKSPACE_LIMIT) -> Workspace:
    """Return the workspace of a file that Kernex has saved.

    Parameters
    ----------
    data : bytes
        Of a `.kernex` file.
    limit : int
        Bytes that its parts may have together, unpacked.

    Raises
    ------
    InvalidInputError
        Not such a file, a damaged one, or one that says what Kernex would not have written.
    TooLargeError
        It would unpack to more than `limit`.

    Examples
    --------
    >>> from kernex_core import Workspace, read_workspace, write_workspace
    >>> read_workspace(write_workspace(Workspace(settings={"combine": {"lam": 0.5}}))).settings
    {'combine': {'lam': 0.5}}
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise InvalidInputError(
            "The bytes of a workspace file are needed", f"a value of type {type(data).__name__}",
            "Read it first: Path(file).read_bytes()",
        )  # fmt: skip
    return workspace_of(unpack(bytes(data), limit))


def workspace_of(parts: Mapping[str, bytes | memoryview]) -> Workspace:
    """Return the workspace of the parts of a file, which `unpack` gives, perhaps in another process.

    Raises
    ------
    InvalidInputError
        Parts that say what Kernex would not have written.
    """
    return value_of(parts, Workspace, VALUES, ROOT)


def value_of(
    parts: Mapping[str, bytes | memoryview], kind: type[T], kinds: Mapping[str, type], root: str
) -> T:
    """Return the value of the parts of a file; see `parts_of`.

    Raises
    ------
    InvalidInputError
        Parts that say what Kernex would not have written.
    """
    try:
        made = _made(parts, kinds, root)
    except KernexError:
        raise
    except (
        TypeError,
        ValueError,
        LookupError,
        AttributeError,
        RecursionError,
        OverflowError,
        MemoryError,
    ) as error:
        raise refused(
            f"one that does not fit together ({type(error).__name__}: {shortened(error)})"
        ) from None
    if not isinstance(made, kind):
        raise refused(f"no {root}")
    return made


def _made(parts: Mapping[str, bytes | memoryview], kinds: Mapping[str, type], root: str) -> object:
    said = parsed(bytes(parts[OBJECTS]), OBJECTS)
    if not isinstance(said, dict) or set(said) != {"objects", root} or not isinstance(said["objects"], list):
        raise refused("a list of objects that is none")
    names = sorted(set(parts) - {OBJECTS}, key=_number)
    if [_number(name) for name in names] != list(range(len(names))):
        raise refused("arrays whose numbers have gaps")
    decoder = Decoder([array_of(parts[name], name) for name in names], kinds, FORMER, GONE)
    for entry in said["objects"]:
        decoder.add(entry)
    return decoder.value(said[root])


def _number(name: str) -> int:
    return int(re.sub(r"\D", "", name))
