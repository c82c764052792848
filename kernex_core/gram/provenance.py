"""How a value came to be: calls of public names with plain values and with values of other calls. Data, never code.

    call(name, function, ...)       function(...), a public name of kernex_core
    method(name, owner, "take", ...)    owner.take(...)
    part(of, "labels")              of.labels;  part(of, "samples", "profiles") is of.samples["profiles"]

From that one record follow the script that makes the value again (`write_script`), what a workspace file says of it, and
whether two values were made alike (`Call.digest`).
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.digests import digest
from kernex_core.base.frozen import EqualByContent, ReadOnlyArrays
from kernex_core.gram.seen import SeenArray

RUN: Final = (
    "Run it, from any folder, with the Python of the folder in which Kernex lies: "
    ".venv/bin/python SCRIPT (Windows: .venv\\Scripts\\python SCRIPT)"
)
"""`make app` and `pip install .` let that Python find `kernex_core` wherever the script lies."""
METHODS: Final = frozenset({"apply", "kernel", "renamed", "similarities", "take", "then"})
"""Methods that calls may name."""
PARTS: Final = frozenset(
    {"attributes", "feature_networks", "gram", "ids", "kernels", "labels", "network", "samples", "sweep"}
)
"""Attributes that calls may take of what comes back."""
SETTINGS_IN: Final = "kernex_core.studies."
"""Settings of studies are calls of their class: what stores calls lies below studies and does not know them."""
_PLACE = re.compile(r"\$(\d+)")


@dataclass(frozen=True, eq=False)
class File(EqualByContent):
    """The bytes of a file in the folder in which a script is started."""

    name: str


@dataclass(frozen=True, eq=False)
class Call(ReadOnlyArrays):
    """How a value came to be.

    Attributes
    ----------
    name : str
        Preferred name of the variable that holds the value; without one it is written in place.
    function : str
        A public name of `kernex_core`; ".take" is a method of the first argument, "" the first argument itself.
    arguments : tuple
        Other calls, files, arrays, numbers, strings, and instances, tuples and mappings of these; what has a call of its
        own (`recipe`) is replaced by it.
    keywords : mapping of str to such values
    part : tuple of str
        What is taken of the result: an attribute, and then perhaps what it has under a name.
    fetches : tuple of str
        Public data sets that are needed: a script names them on top.
    """

    name: str
    function: str
    arguments: tuple[object, ...] = ()
    keywords: Mapping[str, object] = field(default_factory=dict)
    part: tuple[str, ...] = ()
    fetches: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", tuple(map(_recorded, self.arguments)))
        object.__setattr__(self, "keywords", {key: _recorded(value) for key, value in self.keywords.items()})
        super().__post_init__()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that is called, not of the variable's name."""
        # those that it needs come first: however deep the graph is, none asks for one that is not there
        for each in self.calls():
            if "digest" not in each.__dict__:  # what has one is not hashed again, matrices and all
                each.__dict__["digest"] = digest(each.function, each.arguments, each.keywords, each.part)
        return str(self.__dict__["digest"])

    # what is shared in a graph would be compared once for every way to it
    def __eq__(self, other: object) -> bool:
        return type(other) is Call and (self.name, self.digest) == (other.name, other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def calls(self) -> Iterator[Call]:
        """Yield all that the call needs, and last the call itself: each once, and after those that it needs."""
        met: set[int] = set()
        waiting = [(self, False)]
        while waiting:
            found, ready = waiting.pop()
            if ready:
                yield found
            elif id(found) not in met:
                met.add(id(found))
                needed = found_in((found.arguments, found.keywords), Call)
                waiting += [(found, True), *((each, False) for each in reversed(needed))]

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the files that are read."""
        files = (file for each in self.calls() for file in found_in((each.arguments, each.keywords), File))
        return tuple(dict.fromkeys(file.name for file in files))


def call(name: str, function: str, *arguments: object, **keywords: object) -> Call:
    """Call of `function(*arguments, **keywords)`, a public name of `kernex_core`."""
    return Call(name, function, arguments, keywords)


def method(name: str, owner: object, method_name: str, *arguments: object, **keywords: object) -> Call:
    """Call of `owner.method_name(*arguments, **keywords)`."""
    return Call(name, f".{method_name}", (owner, *arguments), keywords)


def part(of: Call, attribute: str, key: str | None = None, *, name: str = "") -> Call:
    """What a value has as an attribute, or under a key of that; the variable is called like it."""
    return Call(name or key or attribute, "", (of,), part=(attribute,) if key is None else (attribute, key))


def write_script(results: Sequence[Call], *, heading: str, prints: Sequence[str] = ()) -> str:
    """Write a script that computes `results`, each distinct call once.

    Parameters
    ----------
    results : sequence of Call
    heading : str
        Comment on top, one or more lines; how to run the script and what it reads follows of itself.
    prints : sequence of str
        What is printed at the end; `$0`, `$1` stand for the results.

    Raises
    ------
    TypeError
        A value that has no faithful source.
    """
    every = [each for result in results for each in result.calls()]
    script = _Script({each.function for each in every})
    for each in every:  # in an order in which nothing has to be written before it
        if each.name:
            script.variable(each)
    final = [script.variable(each) for each in results]
    shown = [f"print({_PLACE.sub(lambda found: final[int(found[1])], code)})" for code in prints]
    reads = [file for result in results for file in result.reads]
    comment = script_heading(heading, reads, [name for each in every for name in each.fetches])
    return "\n".join([*comment, *script.imports(), "", *script.lines, "", *shown]).rstrip() + "\n"


def script_heading(heading: str, reads: Iterable[str], fetches: Iterable[str]) -> list[str]:
    """Comment lines of a script: what it computes, how to run it, and which files it reads from where.

    Parameters
    ----------
    heading : str
        What the script computes; one or more lines.
    reads : iterable of str
        Names of files that it reads from the folder in which it is started.
    fetches : iterable of str
        Names of public data sets that it needs.
    """
    files, public = list(dict.fromkeys(reads)), list(dict.fromkeys(fetches))
    where = [f"It reads from the folder in which it is started: {', '.join(files)}"] if files else []
    where += [
        f"It reads public data from the folder KERNEX_DATA, else ~/kernex_data, or fetches them: {name}"
        for name in public
    ]
    # names of data come in here: nothing of them may end the comment or spoil the source
    said = [*heading.splitlines(), RUN, *(where or ["It reads no file."])]
    return [f"# {_printable(line)}".rstrip() for line in said]


def _recorded(value: object) -> object:
    """A value, or its call where it has one, also inside tuples, lists and mappings."""
    if isinstance(value, Call):
        return value
    known = getattr(value, "recipe", None)
    if isinstance(known, Call):
        return known
    if type(value) is tuple:
        return tuple(map(_recorded, value))
    if type(value) is list:
        return list(map(_recorded, value))
    if isinstance(value, Mapping):
        return {key: _recorded(item) for key, item in value.items()}
    if is_dataclass(value) and type(value).__module__.startswith(SETTINGS_IN):
        return Call("", type(value).__name__, (), _given(value))
    return value


def _given(value: Any) -> dict[str, object]:
    """What an instance was made with, where it is not the default."""
    given = ((each, getattr(value, each.name)) for each in fields(value) if each.init)
    return {each.name: found for each, found in given if not _is_default(each, found)}


def found_in(value: object, kind: type[Any]) -> list[Any]:
    """Values of a kind that a value is made of, up to the next call on every way."""
    known = value if isinstance(value, kind) else getattr(value, "recipe", None)
    if isinstance(known, kind):
        return [known]
    if isinstance(value, Call):
        return []
    if isinstance(value, tuple | list):
        return [found for item in value for found in found_in(item, kind)]
    if isinstance(value, Mapping):
        return found_in(tuple(value.values()), kind)
    if is_dataclass(value):
        return found_in(tuple(getattr(value, each.name) for each in fields(value) if each.init), kind)
    return []


class _Script:
    """Lines of a script, and what has to be imported for them; no variable has the name of a function."""

    def __init__(self, functions: set[str]) -> None:
        self._functions = functions
        self.lines: list[str] = []
        self._names: dict[str, str] = {}
        self._public: set[str] = set()
        self._others: set[str] = set()

    def imports(self) -> list[str]:
        """One line for all of Kernex, and those of what is not ours, sorted."""
        ours = [f"from kernex_core import {', '.join(sorted(self._public))}"] if self._public else []
        return sorted([*ours, *self._others])

    def variable(self, made: Call) -> str:
        """Write a call, once, and return its variable."""
        known = self._names.get(made.digest)
        if known is None:
            code = self._called(made)
            if not made.name:
                return code
            known = self._names[made.digest] = _variable(made.name, {*self._names.values(), *self._functions})
            self.lines.append(f"{known} = {code}")
        return known

    def _called(self, made: Call) -> str:
        given = [self.source(each) for each in made.arguments]
        named = [f"{key}={self.source(value)}" for key, value in made.keywords.items()]
        if made.function.startswith("."):
            code = f"{given[0]}{made.function}({', '.join([*given[1:], *named])})"
        elif made.function:
            self._public.add(made.function)
            code = f"{made.function}({', '.join([*given, *named])})"
        else:
            code = given[0]
        attributes, keys = made.part[:1], made.part[1:]
        return code + "".join(f".{name}" for name in attributes) + "".join(f"[{key!r}]" for key in keys)

    def source(self, value: object) -> str:
        """Python source of a value."""
        known = value if isinstance(value, Call) else getattr(value, "recipe", None)
        if isinstance(known, Call):
            return self.variable(known)
        if isinstance(value, File):
            self._others.add("from pathlib import Path")
            return f"Path({value.name!r}).read_bytes()"
        if isinstance(value, SeenArray):
            self._public.add("marked")
            return f"marked({self._array(np.asarray(value))}, {self._instance(value.seen)})"
        if isinstance(value, np.ndarray):
            return self._array(value)
        if hasattr(value, "tocoo"):
            return self._sparse(value)
        if isinstance(value, np.generic):
            return repr(value.item())
        if value is None or isinstance(value, bool | int | float | str | bytes):
            return repr(value)
        if isinstance(value, tuple | list):
            inside = ", ".join(map(self.source, value))
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if isinstance(value, Mapping):
            return f"{{{', '.join(f'{str(k)!r}: {self.source(item)}' for k, item in value.items())}}}"
        if hasattr(value, "__dataclass_fields__"):
            return self._instance(value)
        raise TypeError(f"no source for a value of type {type(value).__name__}")

    def _array(self, value: NDArray[np.generic]) -> str:
        if value.dtype.hasobject:
            raise TypeError("arrays of Python objects have no source")
        self._others.add("import numpy as np")
        if value.dtype.kind == "U":  # white space inside a text is part of it
            return f"np.array({value.tolist()!r}, dtype=np.str_)"
        if value.dtype.kind in "iub" or value.dtype == np.float64:
            body = repr(value.tolist())  # twelve times as fast as NumPy's own words
        else:
            body = np.array2string(
                value, separator=", ", threshold=value.size + 1, floatmode="unique", max_line_width=10**9
            )
        body = re.sub(r"\b(nan|inf)\b", r"np.\1", body) if value.dtype.kind == "f" else body
        dtype = "" if value.size and value.dtype.kind in "iUb" else f", dtype={value.dtype.name!r}"
        return f"np.array({' '.join(body.split())}{dtype})"

    def _sparse(self, value: Any) -> str:
        self._others.add("from scipy.sparse import csr_array")
        entries = value.tocoo()
        data, rows, columns = map(self._array, (entries.data, *entries.coords))
        return f"csr_array(({data}, ({rows}, {columns})), shape={entries.shape!r})"

    def _instance(self, value: Any) -> str:
        kind = type(value)
        if not kind.__module__.startswith("kernex_core"):
            raise TypeError(f"no source for a value of type {kind.__name__}")
        self._public.add(kind.__name__)
        given = (f"{name}={self.source(found)}" for name, found in _given(value).items())
        return f"{kind.__name__}({', '.join(given)})"


def _variable(wanted: str, taken: set[str]) -> str:
    name = re.sub(r"\W+", "_", wanted.strip().lower(), flags=re.ASCII).strip("_") or "value"
    name = f"_{name}" if name[0].isdigit() or keyword.iskeyword(name) else name
    candidate, count = name, 2
    while candidate in taken:
        candidate, count = f"{name}_{count}", count + 1
    return candidate


def _is_default(each: Field[object], value: object) -> bool:
    return (
        type(value) is type(each.default)
        and not isinstance(value, np.ndarray)
        and bool(value == each.default)
    )


def _printable(line: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in line)
