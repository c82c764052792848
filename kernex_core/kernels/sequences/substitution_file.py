"""Substitution matrices as text: the NCBI form, which Foldseek and MMseqs2 use as well."""

from __future__ import annotations

import gzip
import math
import zlib
from pathlib import PurePath

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.kernels.sequences.letters import ALPHABETS
from kernex_core.kernels.sequences.substitution import LETTER_LIMIT, SubstitutionMatrix, repeated_letters

BYTE_LIMIT = 2_000_000
"""Largest file that is read as a substitution matrix."""
FOLDSEEK_STATES = "ABCDEFGHIJKLMNOPQRST"
"""How Foldseek's training files call the 20 states; in structure strings they are written as amino acid letters."""


def read_substitution_matrix(data: bytes, filename: str, *, letters: str | None = None) -> SubstitutionMatrix:
    """Read a substitution matrix in the text form of NCBI.

    Comments begin with "#"; the first line holds the letters of the columns, every further line a letter and its
    scores (or scores alone, in the order of the columns). Separators are white space, commas or semicolons.
    A lower triangle is completed.

    Parameters
    ----------
    data : bytes
        At most 2 MB, also gzipped.
    filename : str
        Becomes the name of the matrix.
    letters : str, optional
        Rename the letters, in order. By default only a matrix over A to T is renamed: these are the states of
        Foldseek's training files, and structure strings write them ACDEFGHIKLMNPQRSTVWY.

    Raises
    ------
    InvalidInputError
        Not text, no header, wrong number of scores (the line is named), not numbers, not symmetric.
    TooLargeError
        A file above the limit.

    Examples
    --------
    >>> from kernex_core import read_substitution_matrix
    >>> made = read_substitution_matrix(b"   A  C\\nA  4 -1\\nC -1  9\\n", "own.mat")
    >>> made.letters, made.scores
    ('AC', ((4.0, -1.0), (-1.0, 9.0)))
    """
    if not isinstance(data, bytes | bytearray):
        raise InvalidInputError(
            "The bytes of a file are needed",
            f"a value of type {type(data).__name__}",
            "Read it first: read_bytes()",
        )
    name = PurePath(str(filename).replace("\\", "/")).name or "uploaded matrix"
    lines = _lines(data, name)
    header = lines[0][1]
    if not all(len(token) == 1 for token in header) or len(set(header)) != len(header):
        problem = (
            repeated_letters("".join(header)) if all(len(t) == 1 for t in header) else " ".join(header)[:60]
        )
        raise InvalidInputError(
            f"The first line of {name} has to hold the letters of the columns, each once", problem,
            "Give it the form of the files BLOSUM62 or PAM250 of NCBI",
        )  # fmt: skip
    if len(header) > LETTER_LIMIT:
        raise TooLargeError(f"A substitution matrix has at most {LETTER_LIMIT} letters", str(len(header)))
    own = [_row(number, tokens, header, name) for number, tokens in lines[1:]]
    scores = _square(own, header, name)
    return SubstitutionMatrix(_renamed("".join(header), letters, name), scores, name)


def _lines(data: bytes, name: str) -> list[tuple[int, list[str]]]:
    if data.startswith(b"\x1f\x8b"):
        data = _gunzip(data, name)
    if len(data) > BYTE_LIMIT:
        raise TooLargeError(
            f"A substitution matrix takes at most {BYTE_LIMIT / 1e6:g} MB", f"{name} is larger"
        )
    text = data.decode("utf-8-sig", "replace") if b"\x00" not in data else ""
    split = [line.split("#")[0].replace(",", " ").replace(";", " ").replace('"', " ").split()
             for line in text.splitlines()]  # fmt: skip
    lines = [(number, tokens) for number, tokens in enumerate(split, 1) if tokens]
    if len(lines) < 2:
        raise InvalidInputError(
            "A substitution matrix is a text file with a line of letters and a line of scores for each",
            f"{name} with {len(data)} bytes" + ("" if text else " that are no text"),
            "Give it the form of the files BLOSUM62 or PAM250 of NCBI",
        )
    return lines


def _gunzip(data: bytes, name: str) -> bytes:
    # unpacks only what the limit allows, whatever the archive claims
    unpacker = zlib.decompressobj(wbits=31)
    try:
        return unpacker.decompress(data, BYTE_LIMIT + 1)
    except (zlib.error, gzip.BadGzipFile) as error:
        raise InvalidInputError(f"{name} has to be an intact gzip file", str(error)) from None


def _row(number: int, tokens: list[str], header: list[str], name: str) -> tuple[str | None, list[float]]:
    letter = tokens[0] if tokens[0] in header and not _is_number(tokens[0]) else None
    numbers = tokens[1:] if letter is not None else tokens
    try:
        scores = [float(token) for token in numbers]
    except ValueError:
        bad = next(token for token in numbers if not _is_number(token))
        raise InvalidInputError(
            f"{name}, line {number}, has to hold a letter of the first line and numbers", repr(bad[:20])
        ) from None
    if not all(map(math.isfinite, scores)):
        raise InvalidInputError(f"{name}, line {number}, has to hold finite scores", " ".join(numbers)[:60])
    return letter, scores


def _is_number(token: str) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return True


def _square(
    rows: list[tuple[str | None, list[float]]], header: list[str], name: str
) -> tuple[tuple[float, ...], ...]:
    q = len(header)
    if len(rows) != q:
        raise InvalidInputError(f"{name} has to have {q} lines of scores, one a letter", str(len(rows)))
    order = [header[i] if letter is None else letter for i, (letter, _) in enumerate(rows)]
    if sorted(order) != sorted(header):
        raise InvalidInputError(f"The lines of {name} have to begin with the letters of its first line, each once",
                                " ".join(order)[:80])  # fmt: skip
    triangle = all(len(scores) == i + 1 for i, (_, scores) in enumerate(rows)) and order == header and q > 1
    for letter, (_, scores) in zip(order, rows, strict=True):
        if not triangle and len(scores) != q:
            raise InvalidInputError(f"{name}, row {letter!r}, has to have {q} scores", str(len(scores)))
    if triangle:
        return tuple(tuple(rows[max(i, j)][1][min(i, j)] for j in range(q)) for i in range(q))
    by_letter = {letter: tuple(scores) for letter, (_, scores) in zip(order, rows, strict=True)}
    return tuple(by_letter[letter] for letter in header)


def _renamed(found: str, letters: str | None, name: str) -> str:
    if letters is None:
        return ALPHABETS["protein"] if found == FOLDSEEK_STATES else found
    if len(letters) != len(found):
        raise InvalidInputError(
            f"{len(found)} letters are needed to rename those of {name}", str(len(letters))
        )
    return letters
