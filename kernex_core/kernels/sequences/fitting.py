"""Which substitution matrix fits which letters."""

from __future__ import annotations

from collections.abc import Sequence

from kernex_core.kernels.sequences.letters import upper
from kernex_core.kernels.sequences.substitution import (
    MATRICES,
    OTHERWISE,
    SubstitutionMatrix,
    substitution_matrix,
)

MATRIX_OF = {"dna": "NUC.4.4", "protein": "BLOSUM62", "structure": "3DI"}
"""By the kind of letters; text has none of its own."""
NUCLEOTIDES = frozenset("ACGTUN")
FEWEST = 20
"""Letters from which strings of bases alone are nucleotides though nobody says so; fewer may be peptides."""


def fitting_matrix(strings: Sequence[str], kind: str = "") -> str:
    """Name of the matrix for these strings.

    Parameters
    ----------
    strings : sequence of str
    kind : {"protein", "dna", "structure", "text", ""}
        As the samples declare it; "" = nobody says, and letters that can only be nucleotides count as such.
    """
    if kind == "structure" and not _fits(strings, MATRIX_OF[kind]):
        return OTHERWISE  # another structure alphabet than Foldseek's
    if kind == "" and _are_nucleotides(strings):
        return MATRIX_OF["dna"]
    return MATRIX_OF.get(kind, OTHERWISE)


def fit_remark(strings: Sequence[str], matrix: SubstitutionMatrix, kind: str = "") -> tuple[str, ...]:
    """Sentence on letters and matrix that do not fit, if they do not."""
    amino_acids = set(matrix.letters) >= set("CEKL")
    if amino_acids and matrix.name != MATRIX_OF["structure"] and (kind == "dna" or _are_nucleotides(strings)):
        return (
            f"The letters are nucleotides, but {matrix.name} scores amino acids (A is alanine, C cysteine, G glycine, "
            "T threonine): choose NUC.4.4.",
        )
    if kind == "structure" and matrix.name in _NAMED and matrix.name != MATRIX_OF[kind]:
        return (
            f"The letters stand for structure, but {matrix.name} scores amino acids: choose 3DI for Foldseek's letters, or "
            "upload the matrix of this alphabet.",
        )
    if kind == "protein" and matrix.name == MATRIX_OF["structure"]:
        return (
            f"The letters are amino acids, but {matrix.name} scores Foldseek's structure letters: choose BLOSUM62.",
        )
    if kind == "text" and matrix.name in _NAMED:
        return (
            f"{matrix.name} knows nothing of these letters, and upper and lower case are the same to it: upload a matrix of "
            "this alphabet.",
        )
    return ()


_NAMED = frozenset(MATRICES) - {"NUC.4.4", "3DI"}
"""Published matrices of amino acids."""


def _are_nucleotides(strings: Sequence[str]) -> bool:
    """Whether strings of FEWEST letters or more consist of the four bases and N alone."""
    used = set().union(*map(upper, strings))
    bases = {"A", "C", "G"} <= used <= NUCLEOTIDES and bool(used & {"T", "U"})
    return bases and sum(map(len, strings)) >= FEWEST


def _fits(strings: Sequence[str], name: str) -> bool:
    letters = set(substitution_matrix(name).letters)
    return all(letters.issuperset(upper(string)) for string in strings)
