"""Substitution matrices: how well two letters match, by name from the literature or uploaded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, owned

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
