"""StringKernel: what all kernels on strings share."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Final, Self

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_range, parameter
from kernex_core.kernels.base import AbstractKernel, Operations, Progress, SampleObject, no_progress
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.pairwise import Work, all_pairs, cell_count, refuse_if_too_much, shared
from kernex_core.kernels.sequences.letters import ALPHABETS, Packed, as_strings, is_dna, letters_of, upper
from kernex_core.kernels.sequences.substitution import (
    AUTO,
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


@dataclass(frozen=True)
class StringKernel(AbstractKernel[Sequence[str]]):
    """Base of kernels on strings. A field `alphabet` that is None is set from the declared kind of letters, and so is a
    field `matrix` that is AUTO.
    """

    data_kind: ClassVar[str] = "sequences"

    def of(self, data: SampleObject[Sequence[str]]) -> Self:
        """See AbstractKernel: `data.alphabet` ("protein", "dna") becomes the alphabet, unless one is set."""
        declared = getattr(data, "alphabet", "")
        open_alphabet = any(f.name == "alphabet" for f in fields(self)) and self.alphabet is None  # type: ignore[attr-defined]
        kernel = replace(self, alphabet=declared) if open_alphabet and declared in ALPHABETS else self  # type: ignore[call-arg]
        if getattr(self, "matrix", None) == AUTO:
            kernel = replace(kernel, matrix=fitting_matrix(data.values, declared))  # type: ignore[call-arg]
        return kernel.resolved(data.values)

    def resolved(self, samples: Sequence[str]) -> Self:
        """See AbstractKernel: AUTO becomes the matrix of what the letters of all these strings can only be."""
        if getattr(self, "matrix", None) != AUTO:
            return self
        return replace(self, matrix=fitting_matrix(samples))  # type: ignore[call-arg]

    def remarks_on(self, data: SampleObject[Sequence[str]]) -> tuple[str, ...]:
        """See AbstractKernel: also whether the matrix is one of the letters that the samples declare."""
        kernel = self.of(data)
        said = kernel.remarks(data.values)
        matrix: str | SubstitutionMatrix | None = getattr(kernel, "matrix", None)
        if matrix is None:
            return said
        fit = fit_remark(data.values, substitution_matrix(matrix), getattr(data, "alphabet", ""))
        return (*(sentence for sentence in fit if sentence not in said), *said)

    def check(self, samples: Sequence[str], ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel."""
        as_strings(samples, ids)

    def explain(self, s: str, t: str, top: int = 20) -> Explanation:
        """See AbstractKernel."""
        as_strings([s, t])
        check_range("The number of parts", top, 1)
        kernel = self.resolved([s, t])
        return kernel._explained(s, t, top, float(kernel.cross([s], [t])[0, 0]))

    def _explained(self, s: str, t: str, top: int, total: float) -> Explanation:
        """Return the parts of `total`, the similarity of two strings that are fit to be compared."""
        return super().explain(s, t, top)


def skipped_remark(skipped: int, affected: int, total: int, alphabet: str, k: int) -> tuple[str, ...]:
    """Sentence on windows that were skipped, if there are any."""
    if not skipped:
        return ()
    return (
        f"{skipped:,} windows of {k} letters in {affected:,} of {total:,} sequences hold a letter outside "
        f"{letters_of(alphabet)} and do not count.",
    )


def short_remark(strings: Sequence[str], k: int) -> tuple[str, ...]:
    """Sentence on strings that are too short to hold one window, if there are any."""
    short = sum(len(string) < k for string in strings)
    if not short:
        return ()
    return (f"{short:,} of {len(strings):,} sequences are shorter than {k} letters: similarity 0 to all.",)


@dataclass(frozen=True)
class PairwiseKernel(StringKernel):
    """Base of kernels by dynamic programming: threads share the pairs, with progress, cancel and a known cost."""

    by_pairs: ClassVar[bool] = True
    cell: ClassVar[str]
    """What a cell of its tables is called in `cost.SECONDS`."""

    def gram(self, samples: Sequence[str], *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among strings.

        Raises
        ------
        InvalidInputError
            A similarity that float64 cannot hold, with the pair and its logarithm.
        TooLargeError
            More work than the limit, with the time that it would take.
        """
        return self._values(as_strings(samples), None, progress)

    def cross(
        self, samples: Sequence[str], others: Sequence[str], *, progress: Progress = no_progress
    ) -> FloatArray:
        """Similarities (n, n') of strings to others; raises as `gram` does."""
        return self._values(as_strings(samples), as_strings(others), progress)

    def _values(self, strings: Sequence[str], others: Sequence[str] | None, progress: Progress) -> FloatArray:
        self = self.resolved([*strings, *(others or ())])
        left, right = self._packed(strings, others)
        columns = None if others is None else right.lengths
        refuse_if_too_much(self.cell, self._layers * cell_count(left.lengths, columns))
        return all_pairs(self._work(left, right), left.lengths, columns, progress)

    def operations(self, samples: Sequence[str]) -> Operations:
        """See AbstractKernel; as if on one core, but for the threads that share the pairs."""
        lengths = self._packed(as_strings(samples), None)[0].lengths
        return {self.cell: self._layers * shared(cell_count(lengths, None))}

    @property
    def _layers(self) -> int:
        """Tables a pair."""
        return 1

    @abc.abstractmethod
    def _packed(self, strings: Sequence[str], others: Sequence[str] | None) -> tuple[Packed, Packed]:
        """Rows and columns as codes; without others the columns are the strings again."""

    @abc.abstractmethod
    def _work(self, left: Packed, right: Packed) -> Work:
        """What computes some pairs."""


# Kernels on DNA that read both strands: a string counts together with its reverse complement.

ONE, BOTH = "one", "both"
_COMPLEMENT: Final = str.maketrans("ACGTacgt", "TGCAtgca")


def strands_parameter() -> Any:
    """Return the field of a kernel that can read both strands."""
    return parameter(
        ONE,
        label="Strands",
        help="both: of DNA whose strand is not known. A string counts together with its reverse complement, "
        "k(s, t) + k(s, reverse complement of t).",
        choices=(ONE, BOTH),
    )


def reverse_complement(s: str) -> str:
    """The other strand, read in its own direction; letters other than A, C, G and T stay.

    Examples
    --------
    >>> from kernex_core.kernels.sequences.string_kernel import reverse_complement
    >>> reverse_complement("AACGN")
    'NCGTT'
    """
    return s.translate(_COMPLEMENT)[::-1]


@dataclass(frozen=True)
class OnStrands(StringKernel):
    """Base of kernels with a field `strands`, made with `strands_parameter`; a subclass writes `_similarities`.

    With both strands k'(s, t) = k(s, t) + k(s, t̄), half the product of the summed features of s and s̄ with those of t and
    t̄, so that k' is a kernel; it is the same for t and for its reverse complement t̄. As in Ghandi, Lee, Mohammad-Noori and
    Beer (2014), PLoS Computational Biology 10, and KeBABS' `revComplement`, where a k-mer that is its own reverse complement
    counts once; here it counts on both strands.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        alphabet = getattr(self, "alphabet", None)
        if self.both and alphabet not in (None, "dna"):
            raise InvalidInputError(
                "Both strands are read of DNA: the alphabet has to be dna",
                f"alphabet = {alphabet}",
                "Read one strand",
            )

    @property
    def both(self) -> bool:
        """Whether both strands are read."""
        return getattr(self, "strands", ONE) == BOTH

    def resolved(self, samples: Sequence[str]) -> Self:
        """Return the kernel with the alphabet set to DNA, if it reads both strands.

        Raises
        ------
        InvalidInputError
            Letters that no DNA has.
        """
        if not self.both:
            return super().resolved(samples)
        if not is_dna(samples):
            raise InvalidInputError(
                "Both strands are read of DNA: A, C, G, T and codes for several of them",
                "other letters",
                "Read one strand",
            )
        return replace(self, alphabet="dna")  # type: ignore[call-arg]

    def read(self, strings: Sequence[str]) -> Sequence[str]:
        """Strings as they are read: of both strands the other one of each comes after all of them."""
        return [*strings, *map(reverse_complement, strings)] if self.both else strings

    def gram(self, samples: Sequence[str], *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among strings."""
        strings = as_strings(samples)
        kernel = self.resolved(strings)
        if not self.both:
            return kernel._similarities(strings, len(strings), progress)
        other = kernel._with_others(strings, strings, progress)
        return (other + other.T) / 2.0

    def cross(
        self, samples: Sequence[str], others: Sequence[str], *, progress: Progress = no_progress
    ) -> FloatArray:
        """Similarities (n, n') of strings to others."""
        rows, columns = as_strings(samples), as_strings(others)
        kernel = self.resolved([*rows, *columns])
        if not self.both:
            return kernel._similarities([*rows, *columns], len(rows), progress)
        return kernel._with_others(rows, columns, progress)

    def explain(self, s: str, t: str, top: int = 20) -> Explanation:
        """See AbstractKernel; of one strand."""
        if self.both:
            raise InvalidInputError(
                "The parts of a similarity are shown of one strand", "strands = both", "Read one strand"
            )
        return super().explain(s, t, top)

    def _with_others(self, rows: Sequence[str], columns: Sequence[str], progress: Progress) -> FloatArray:
        made = self._similarities([*rows, *self.read(columns)], len(rows), progress)
        return made[:, : len(columns)] + made[:, len(columns) :]

    @abc.abstractmethod
    def _similarities(self, strings: Sequence[str], n_rows: int, progress: Progress) -> FloatArray:
        """Similarities of the first `n_rows` strings to the others; among all where these are all."""
