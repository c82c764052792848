"""What alignments do with letters that the substitution matrix has not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kernex_core.errors import InvalidInputError
from kernex_core.kernels.sequences.letters import ignores_case, named, upper
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix

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
