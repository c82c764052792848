"""Kernels on DNA that read both strands: a string counts together with its reverse complement."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.kernels.base import Progress, no_progress
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.sequences.letters import as_strings, is_dna
from kernex_core.kernels.sequences.string_kernel import StringKernel

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
    >>> from kernex_core.kernels.sequences.strands import reverse_complement
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
