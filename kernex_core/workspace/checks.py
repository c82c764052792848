"""What is checked of a value beyond what its own class checks: a file can say anything."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import METHODS, PARTS, Call, File
from kernex_core.inputs.samples import Vectors
from kernex_core.symmetry import check_symmetric

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
