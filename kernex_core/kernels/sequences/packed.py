"""Strings as one array of letter codes, which compiled loops read without Python objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.kernels.sequences.letters import encode

Codes = NDArray[np.int32]

UNKNOWN_LEFT, UNKNOWN_RIGHT = -1, -2
"""Codes of letters outside the alphabet: different on both sides, so that they match nothing."""


@dataclass(frozen=True, eq=False)
class Packed(EqualByContent):
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


def pack(strings: Sequence[str], letters: str | None = None, unknown: int = UNKNOWN_LEFT) -> Packed:
    """Number the letters of strings and put them behind each other.

    Parameters
    ----------
    strings : sequence of str
    letters : str or None
        The alphabet, numbered in its order (see `letters.encode`). None: every character by its code point.
    unknown : int
        Code of letters outside the alphabet.
    """
    if letters is None:
        text = "".join(strings)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<i4").astype(np.int32)
        starts = np.cumsum([0, *map(len, strings)], dtype=np.int64)
        return Packed(codes, starts)
    encoded = encode(strings, letters)
    return Packed(np.where(encoded.numbers < 0, unknown, encoded.numbers).astype(np.int32), encoded.starts)


@dataclass(frozen=True, eq=False)
class Costs(EqualByContent):
    """Scores and gaps, each times beta, and the form of the recursion.

    Attributes
    ----------
    scores : (q, q) array
        beta S.
    opening, extending : float
        beta open and beta extend.
    form : int
        0 linear, redone scaled where it overflows; 1 scaled; 2 log space. NumPy has one form for 0 and 1.
    """

    scores: FloatArray
    opening: float
    extending: float
    form: int
