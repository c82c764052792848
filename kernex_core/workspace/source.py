"""Recipes that come in a file end up in scripts that people run: only what Kernex itself writes is let in.

An expression is literals, values of other recipes, what its import lines name, attributes, and calls of these, on one line.
Import lines name functions and classes of Kernex, NumPy, `Path` (for reading a file) and `csr_array`.
"""

from __future__ import annotations

import importlib
import keyword
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from scipy.sparse import csr_array

from kernex_core.errors import InvalidInputError
from kernex_core.gram.recipe import Later, Recipe

KERNEX_IMPORT: Final = re.compile(
    r"from (kernex_core(?:\.[a-z]\w*)*) import ([A-Za-z]\w*(?:, [A-Za-z]\w*)*)", re.ASCII
)
OTHER_IMPORTS: Final = {
    "import numpy as np": "np",
    "from pathlib import Path": "Path",
    "from scipy.sparse import csr_array": "csr_array",
}
NUMPY_NAMES: Final = frozenset(
    {
        "arange",
        "array",
        "asarray",
        "bool_",
        "eye",
        "float32",
        "float64",
        "full",
        "inf",
        "int32",
        "int64",
        "nan",
        "ones",
    }
    | {"str_", "zeros"}
)
FOREIGN: Final = frozenset({*dir(np.ndarray), *dir(csr_array), *dir(Path), *dir(str), *dir(bytes)})
"""Attributes of arrays, paths and texts, which a script of Kernex does not need: `tofile` and `unlink` are among them."""
NEEDED: Final = frozenset({"read_bytes", "take", "data", "name", "copy", "tolist", "shape", "size"})
CONSTANTS: Final = frozenset({"True", "False", "None"})
TOKEN: Final = re.compile(
    r"""[ ]+
    |(?P<text>b?'(?:[^'\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*'|b?"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*")
    |(?P<place>\$\d+)
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<mark>[()\[\],.=*:+-])""",
    re.VERBOSE | re.ASCII,
)
LONGEST: Final = 10_000_000
"""Letters of an expression; the longest that Kernex writes list the positions of chosen items."""
_Token = tuple[str, str]
_NOTHING: Final[_Token] = ("mark", "")


def check_recipe(recipe: Recipe) -> None:
    """Refuse a recipe whose code Kernex would not have written.

    Raises
    ------
    InvalidInputError
    """
    check_code(recipe.expression, len(recipe.needs), recipe.imports)


def check_later(later: Later) -> None:
    """Refuse a call that Kernex would not have written.

    Raises
    ------
    InvalidInputError
    """
    method = later.owner is not None
    if method and not hasattr(later.owner, "recipe"):
        raise _foreign(f"a call of {type(later.owner).__name__}")
    check_code(f"$0.{later.function}" if method else later.function, int(method), later.imports)


def check_code(expression: str, places: int, imports: Iterable[str]) -> None:
    """Refuse an expression that is more than calls of what its import lines name; see the module's docstring.

    Raises
    ------
    InvalidInputError
    """
    names = {name for line in imports for name in _imported(line)} | CONSTANTS
    tokens = [*_tokens(expression), _NOTHING]
    depth, before, last = 0, _NOTHING, _NOTHING
    for token, after in pairwise(tokens):
        kind, word = token
        if kind == "mark":
            depth += (word in "([") - (word in ")]")
            fine = depth >= 0 and (
                word != "=" or (depth > 0 and last[0] == "name" and before[1] in ("(", ","))
            )
        elif last[0] != "mark":  # two words side by side: a prefix, a keyword, or quotes that swallow lines
            fine = False
        elif kind == "place":
            fine = int(word[1:]) < places
        elif kind == "name" and last[1] == ".":
            fine = _is_attribute(before, word)
        else:
            fine = kind != "name" or word in names or (last[1] in ("(", ",") and after[1] == "=")
        if not fine:
            raise _foreign(word)
        before, last = last, token
    if depth != 0:
        raise _foreign(expression[:40])


def _tokens(expression: str) -> Iterator[_Token]:
    if not expression or len(expression) > LONGEST:
        raise _foreign(expression[:40])
    at = 0
    while at < len(expression):
        found = TOKEN.match(expression, at)
        if found is None:
            raise _foreign(expression[at : at + 40])
        at = found.end()
        if found.lastgroup:
            yield found.lastgroup, found[0]


def _is_attribute(owner: _Token, word: str) -> bool:
    if owner == ("name", "np"):
        return word in NUMPY_NAMES
    return not word.startswith("_") and (word in NEEDED or word not in FOREIGN)


def _imported(line: str) -> tuple[str, ...]:
    """Names that an import line brings; what it names has to be Kernex's own."""
    if line in OTHER_IMPORTS:
        return (OTHER_IMPORTS[line],)
    found = KERNEX_IMPORT.fullmatch(line)
    names = tuple(found[2].split(", ")) if found else ()
    if found is None or any(keyword.iskeyword(name) or not _is_ours(found[1], name) for name in names):
        raise _foreign(line)
    return names


def _is_ours(module: str, name: str) -> bool:
    try:
        value = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):
        return True  # it has moved since, or comes later; a script stops there
    return str(getattr(value, "__module__", "")).partition(".")[0] == "kernex_core"


def _foreign(found: str) -> InvalidInputError:
    return InvalidInputError(
        "The recipes in a workspace file hold only what Kernex itself writes, because scripts are made of them",
        repr(found[:80]),
        "Do not trust this file",
    )
