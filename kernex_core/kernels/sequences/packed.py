"""Strings as one array of letter codes, which compiled and vectorised engines read without Python objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import IntArray

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class Packed:
    """Strings behind each other.

    Attributes
    ----------
    codes : (total length,) int32
    starts : (n + 1,) int64
        String i is `codes[starts[i]:starts[i + 1]]`.
    """

    codes: Codes
    starts: IntArray

    @property
    def lengths(self) -> IntArray:
        """(n,) number of letters of each string."""
        return np.diff(self.starts)

    def string(self, i: int) -> Codes:
        """Codes of string i."""
        return self.codes[self.starts[i] : self.starts[i + 1]]


def code_points(string: str) -> Codes:
    """Unicode code points of a string, one int32 a character."""
    return np.frombuffer(string.encode("utf-32-le", "surrogatepass"), dtype="<i4").astype(np.int32)


def pack(strings: Sequence[str], encode: Callable[[str], Codes] = code_points) -> Packed:
    """Encode strings and put them behind each other.

    Raises
    ------
    InvalidInputError
        One string instead of a list of strings, or an item that is no string (named by position).
    """
    coded = [encode(string) for string in as_strings(strings)]
    starts = np.zeros(len(coded) + 1, dtype=np.int64)
    np.cumsum([codes.size for codes in coded], out=starts[1:])
    return Packed(np.concatenate([*coded, np.empty(0, dtype=np.int32)]), starts)


def as_strings(strings: Any) -> tuple[str, ...]:
    """Return a tuple of strings.

    Raises
    ------
    InvalidInputError
        One string instead of several, or an item that is no string.
    """
    if isinstance(strings, str):
        raise InvalidInputError("A list of strings is expected", "one string", "Put it into a list")
    listed = tuple(strings)
    for position, string in enumerate(listed):
        if not isinstance(string, str):
            raise InvalidInputError("Each sequence has to be a string", f"{string!r} as item {position + 1}")
    return listed
