"""Substitution matrices: how well two letters match, by name from the literature or uploaded."""

from __future__ import annotations

import gzip
import math
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import Any

import numpy as np

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import EqualByContent, FloatArray, owned
from kernex_core.base.validation import is_number
from kernex_core.kernels.sequences.letters import ALPHABETS, ignores_case, named, upper

MATRICES = (
    "BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250", "GONNET1992",
    "DAYHOFF", "JONES", "FENG", "RISLER", "NUC.4.4", "3DI",
)  # fmt: skip
"""Named matrices: those of Biopython, and Foldseek's "3DI" for structure strings."""
AUTO = "auto"
"""In place of a name: the matrix of the kind of letters."""
CHOICES = (AUTO, *MATRICES)
OTHERWISE = "BLOSUM62"
"""Where no kind of letters is declared, and letters can be something else than nucleotides."""
LETTER_LIMIT = 500
SCORE_LIMIT = 1e6
"""Largest score of two letters by size: sums over LENGTH_LIMIT letters then stay exact."""


@dataclass(frozen=True, eq=False)
class SubstitutionMatrix(EqualByContent):
    """Score of every pair of letters.

    Parameters
    ----------
    letters : str
        Distinct letters.
    scores : (q, q) tuple of tuples of float
        Symmetric; an array is turned into tuples.
    name : str
        What messages call it.

    Raises
    ------
    InvalidInputError
        Letters that occur twice, scores that are not (q, q), not finite or not symmetric (the pair is named).
    """

    letters: str
    scores: tuple[tuple[float, ...], ...]
    name: str = "uploaded matrix"

    def __post_init__(self) -> None:
        letters = "".join(self.letters)
        q = len(letters)
        if not 1 <= q <= LETTER_LIMIT or len(set(letters)) != q:
            raise InvalidInputError(
                f"{self.name} has to have 1 to {LETTER_LIMIT} distinct letters", repeated_letters(letters)
            )
        rows = tuple(tuple(float(score) for score in row) for row in self.scores)
        object.__setattr__(self, "letters", letters)
        object.__setattr__(self, "scores", rows)
        if len(rows) != q or any(len(row) != q for row in rows):
            widths = sorted({len(row) for row in rows})
            raise InvalidInputError(
                f"{self.name} has to have {q} rows and columns, one a letter",
                f"{len(rows)} rows of {widths} scores",
            )
        for i in range(q):
            for j in range(i + 1):
                self._check_pair(i, j)

    def _check_pair(self, i: int, j: int) -> None:
        score, mirrored = self.scores[i][j], self.scores[j][i]
        where = f"row {self.letters[i]!r}, column {self.letters[j]!r}"
        if not (math.isfinite(score) and abs(score) <= SCORE_LIMIT):
            raise InvalidInputError(f"Scores of {self.name} have to be numbers up to ±{SCORE_LIMIT:,.0f}",
                                    f"{score} in {where}")  # fmt: skip
        if score != mirrored:
            raise InvalidInputError(
                f"{self.name} has to be symmetric, or similarities would depend on the order of two sequences",
                f"{score:g} in {where}, but {mirrored:g} the other way round",
                "Replace both by their mean",
            )

    @property
    def array(self) -> FloatArray:
        """(q, q) scores, read-only."""
        return owned(np.array(self.scores, dtype=np.float64))


def repeated_letters(letters: str) -> str:
    """How a message says which letters occur more than once, or how many there are."""
    twice = sorted({letter for letter in letters if letters.count(letter) > 1})
    return f"{', '.join(map(repr, twice))} more than once" if twice else f"{len(letters)} letters"


def substitution_matrix(matrix: str | SubstitutionMatrix) -> SubstitutionMatrix:
    """Return the matrix of that name, or the one given; for AUTO, where no kind of letters is declared, BLOSUM62.

    Raises
    ------
    InvalidInputError
        If there is none of that name.
    """
    return matrix if isinstance(matrix, SubstitutionMatrix) else _named(str(matrix))


@lru_cache(maxsize=len(CHOICES))
def _named(name: str) -> SubstitutionMatrix:
    if name == AUTO:
        return _named(OTHERWISE)
    if name not in MATRICES:
        raise InvalidInputError(
            "A substitution matrix is given by name or uploaded",
            repr(name),
            f"The names are {', '.join(CHOICES)}",
        )
    if name == "3DI":
        return _structure_alphabet()
    from Bio.Align import substitution_matrices

    found: Any = substitution_matrices.load(name)  # type: ignore[no-untyped-call]
    return SubstitutionMatrix("".join(found.alphabet), np.array(found).tolist(), name)


def _structure_alphabet() -> SubstitutionMatrix:
    try:
        import scoring_matrices
    except ImportError:
        raise InvalidInputError(
            "The named matrix 3DI comes with the package scoring-matrices",
            "a Python where it is not installed",
            "Upload Foldseek's matrix as a file instead",
        ) from None
    found: Any = scoring_matrices.ScoringMatrix.from_name("3DI")  # type: ignore[attr-defined]
    return SubstitutionMatrix(found.alphabet, np.array(found).tolist(), "3DI")


# Substitution matrices as text: the NCBI form, which Foldseek and MMseqs2 use as well.

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
    letter = tokens[0] if tokens[0] in header and not is_number(tokens[0]) else None
    numbers = tokens[1:] if letter is not None else tokens
    try:
        scores = [float(token) for token in numbers]
    except ValueError:
        bad = next(token for token in numbers if not is_number(token))
        raise InvalidInputError(
            f"{name}, line {number}, has to hold a letter of the first line and numbers", repr(bad[:20])
        ) from None
    if not all(map(math.isfinite, scores)):
        raise InvalidInputError(f"{name}, line {number}, has to hold finite scores", " ".join(numbers)[:60])
    return letter, scores


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


GAPS = "-."
PROTEIN_REPLACEMENTS = {"U": "C", "O": "K", "J": "X"}
"""Selenocysteine as cysteine, pyrrolysine as lysine, leucine-or-isoleucine as any residue."""
NUCLEOTIDE_REPLACEMENTS = {"U": "T", "X": "N"}


def replacements(matrix: SubstitutionMatrix) -> dict[str, str]:
    """What letters are read as that the matrix has not; gap characters as nothing."""
    letters = set(matrix.letters)
    table = PROTEIN_REPLACEMENTS if letters >= set("CEKL") else NUCLEOTIDE_REPLACEMENTS
    found = {old: new for old, new in table.items() if old not in letters and new in letters}
    return found | {gap: "" for gap in GAPS if gap not in letters}


def alignable(
    strings: Sequence[str], matrix: SubstitutionMatrix, ids: Sequence[str] | None = None
) -> tuple[str, ...]:
    """Strings of the matrix's letters only.

    Lower case counts as upper case unless the matrix has lower-case letters; `replacements` are made; any other
    letter is read as X where the matrix has one.

    Raises
    ------
    InvalidInputError
        A letter that the matrix has not, and that nothing stands for (letter, position and sequence are named).
    """
    table = str.maketrans(_table(strings, matrix, ids))
    fold = ignores_case(matrix.letters)
    return tuple((upper(string) if fold else string).translate(table) for string in strings)


def kept_positions(string: str, matrix: SubstitutionMatrix) -> list[int]:
    """Positions of the letters that `alignable` keeps: all but gap characters."""
    left_out = {old for old, new in replacements(matrix).items() if not new}
    return [i for i, letter in enumerate(string) if letter not in left_out]


def replaced_remark(strings: Sequence[str], matrix: SubstitutionMatrix) -> tuple[str, ...]:
    """Sentence on the letters that are replaced or left out, if there are any."""
    fold = ignores_case(matrix.letters)
    counts: Counter[str] = Counter()
    for string in strings:
        counts.update(upper(string) if fold else string)
    table = _table(strings, matrix)
    said = [
        f"{old} as {new} ({counts[old]:,})" if new else f"{old!r} left out ({counts[old]:,})"
        for old, new in sorted(table.items())
        if counts[old]
    ]
    return (f"Letters that {matrix.name} has not: {', '.join(said)}.",) if said else ()


def _table(
    strings: Sequence[str], matrix: SubstitutionMatrix, ids: Sequence[str] | None = None
) -> dict[str, str]:
    known, fold = set(matrix.letters), ignores_case(matrix.letters)
    table = replacements(matrix)
    for i, string in enumerate(strings):
        read = upper(string) if fold else string
        for letter in sorted(set(read) - known - table.keys(), key=read.index):
            if "X" not in known:
                raise InvalidInputError(
                    f"Sequences have to consist of the letters of {matrix.name}, {matrix.letters}",
                    f"{letter!r} at position {read.index(letter) + 1} of {named(i, ids)}",
                    "Choose a matrix for this alphabet, or upload one",
                )
            table[letter] = "X"
    return table
