"""Letters: which ones a kernel knows, and strings as one array of letter numbers."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray
from kernex_core.base.validation import check_item_count

ALPHABETS = {"protein": "ACDEFGHIKLMNPQRSTVWY", "dna": "ACGT"}
"""Alphabets that have a name. Foldseek's 3Di states are written with the protein letters."""
_PROTEIN_EXTRAS = frozenset("BZXUOJ*-")
_DNA_EXTRAS = frozenset("RYSWKMBDHVNU-")

LENGTH_LIMIT = 100_000
"""Largest number of letters in one string."""
SEQUENCE_LIMIT = 10_000
"""Largest number of strings that are compared with each other."""


def letters_of(alphabet: str) -> str:
    """Letters of a named alphabet ("protein", "dna"), or the distinct letters given.

    Raises
    ------
    InvalidInputError
        Empty, or a letter that is given twice.
    """
    letters = ALPHABETS.get(alphabet, alphabet)
    if not letters or len(set(letters)) != len(letters):
        raise InvalidInputError(
            f"An alphabet has to be {' or '.join(map(repr, ALPHABETS))}, or distinct letters",
            reprlib.repr(alphabet),
        )
    return letters


def ignores_case(letters: str) -> bool:
    """Whether strings are upper-cased before they are read: yes unless the alphabet has lower-case letters."""
    return not any(letter.islower() for letter in letters)


def guess_alphabet(strings: Sequence[str]) -> str:
    """Alphabet of plain strings that nobody has declared.

    Returns
    -------
    str
        "dna" if nine in ten letters are A C G T and the others IUPAC codes, "ACGU" likewise, else "protein" if all
        are amino acids or their codes, else the distinct letters themselves, sorted.
    """
    counts: dict[str, int] = {}
    for string in strings:
        for letter in set(string):
            counts[letter.upper()] = counts.get(letter.upper(), 0) + string.count(letter)
    for alphabet in ("dna", "ACGU"):
        core = sum(counts.get(letter, 0) for letter in letters_of(alphabet))
        if counts.keys() <= set("ACGT") | _DNA_EXTRAS and core >= 0.9 * sum(counts.values()):
            return alphabet
    if counts.keys() <= set(ALPHABETS["protein"]) | _PROTEIN_EXTRAS:
        return "protein"
    return "".join(sorted({letter for string in strings for letter in string}))


def is_dna(strings: Sequence[str]) -> bool:
    """Whether all letters are A, C, G, T or codes for several of them."""
    return set().union(*map(str.upper, strings)) <= set("ACGT") | _DNA_EXTRAS


@dataclass(frozen=True, eq=False)
class Encoded(EqualByContent):
    """Strings end to end as numbers.

    Attributes
    ----------
    numbers : (total,) int
        Number of each letter, −1 where the alphabet has it not.
    starts : (n + 1,) int
        Where each string starts; the last entry is the total length.
    n_letters : int
    text : str
        The same, as read (upper-cased where the alphabet ignores case).
    """

    numbers: IntArray
    starts: IntArray
    n_letters: int
    text: str

    @property
    def n(self) -> int:
        """Number of strings."""
        return int(self.starts.size - 1)

    def windows(self, k: int) -> tuple[IntArray, IntArray, BoolArray]:
        """Start and string of every window of k letters, and whether all its letters are known."""
        lengths = np.diff(self.starts)
        per_string = np.maximum(lengths - k + 1, 0)
        owner = np.repeat(np.arange(self.n), per_string)
        first = np.cumsum(per_string) - per_string
        start = np.arange(owner.size) - first[owner] + self.starts[owner]
        unknown_before = np.concatenate([[0], np.cumsum(self.numbers < 0)])
        return start, owner, unknown_before[start + k] == unknown_before[start]


def encode(strings: Sequence[str], letters: str | None) -> Encoded:
    """Number the letters of strings.

    Parameters
    ----------
    strings : sequence of str
    letters : str or None
        The alphabet; without lower-case letters it ignores case. None: every letter that occurs, case counts.
    """
    starts = np.concatenate([[0], np.cumsum([len(string) for string in strings], dtype=np.int64)])
    if letters is not None and ignores_case(letters):
        strings = [upper(string) for string in strings]
    text = "".join(strings)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64)
    # a table of all code points up to the largest one is faster than sorting the letters
    top = int(points.max(initial=0)) + 1
    known = np.flatnonzero(np.bincount(points, minlength=1)) if letters is None else code_points(letters)
    table = np.full(max(top, int(known.max(initial=0)) + 1), -1, dtype=np.int64)
    table[known] = np.arange(known.size)
    numbers = table[points]
    return Encoded(numbers, starts.astype(np.int64), int(known.size), text)


def upper(string: str) -> str:
    """Upper case letter by letter: "ß" stays one letter, so positions keep their meaning."""
    return (
        string.upper()
        if string.isascii()
        else "".join(c.upper() if len(c.upper()) == 1 else c for c in string)
    )


def code_points(letters: str) -> IntArray:
    """Unicode code point of each letter."""
    return np.array([ord(letter) for letter in letters], dtype=np.int64)


def as_strings(samples: object, ids: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the samples as a tuple after checking that they are strings within the limits.

    Raises
    ------
    InvalidInputError
        A single string instead of several, none at all, or something that is no string.
    TooLargeError
        More than SEQUENCE_LIMIT strings, or one with more than LENGTH_LIMIT letters.
    """
    if isinstance(samples, str):
        raise InvalidInputError("A list of strings is needed", "one string", f"Write [{samples[:12]!r}, ...]")
    if isinstance(samples, bytes) or not isinstance(samples, Iterable):
        raise InvalidInputError("A list of strings is needed", f"a value of type {type(samples).__name__}")
    strings = tuple(samples)
    if not strings:
        raise InvalidInputError("At least one string is needed", "none")
    check_item_count(len(strings), SEQUENCE_LIMIT)
    for i, string in enumerate(strings):
        if not isinstance(string, str):
            raise InvalidInputError("Every sequence has to be a string", f"{string!r} as {named(i, ids)}")
        if len(string) > LENGTH_LIMIT:
            raise TooLargeError(
                f"A sequence may have at most {LENGTH_LIMIT:,} letters",
                f"{len(string):,} letters in {named(i, ids)}",
                "Cut it into domains or reads, or leave it out",
            )
    return strings


def named(i: int, ids: Sequence[str] | None) -> str:
    """How messages call a string: by id where there are ids, else by position from 1."""
    return f"sequence {i + 1}" if ids is None else f"sequence {ids[i]!r}"


# Strings as one array of letter codes, which compiled loops read without Python objects.

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
