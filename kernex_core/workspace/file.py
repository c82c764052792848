"""write_workspace and read_workspace: a workspace as one file, and back bit for bit.

A `.kernex` file is a zip of two JSON texts and NumPy arrays: `numpy.load` opens its arrays, too. `workspace.json` says
its format, the versions that wrote it, and size and SHA-256 of every other part; `objects.json` holds all that is no array.
Nothing in it is code that would be run: no pickle, and calls are checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.workspace.archive import OBJECTS, WORKSPACE_LIMIT, pack, parsed, unpack
from kernex_core.workspace.catalogue import VALUES
from kernex_core.workspace.former_files import chosen, later, recipe, with_seen
from kernex_core.workspace.values import Decoder, Encoder, array_of, refused, shortened
from kernex_core.workspace.workspace import Workspace

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
