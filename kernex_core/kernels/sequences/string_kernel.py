"""StringKernel: what all kernels on strings share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

from kernex_core.kernels.base import AbstractKernel, SampleObject
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.sequences.fitting import fit_remark, fitting_matrix
from kernex_core.kernels.sequences.letters import ALPHABETS, as_strings, letters_of
from kernex_core.kernels.sequences.substitution import AUTO, SubstitutionMatrix, substitution_matrix
from kernex_core.parameters import check_range


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
