"""Values to plain JSON and arrays. Equal parts are written once, so that the same content gives the same text.

A value stands in JSON as itself where JSON has it (None, True, whole numbers, finite floats, text); a tuple is a list;
everything else is an object with one telling key:

    {"list": [...]}  {"map": [[key, value], ...]}  {"float": "nan"}  {"scalar": ["<f8", value]}  {"bytes": base64}
    {"array": 3}            the part arrays/3.npy
    {"sparse": [data, indices, indptr], "shape": [n, n]}
    {"object": 7}           the seventh of `objects`: {"type": "Note", "fields": {...}}, or {"tuple": [...]} of a long one
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import math
from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.workspace.checks import checked

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
