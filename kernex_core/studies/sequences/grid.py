"""Kernels that the table of all string kernels tries: the grid of each family, cheap ones first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kernex_core.kernels.base import AnyKernel
from kernex_core.kernels.sequences.fitting import MATRIX_OF
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.parameters import check_parameters, parameter

"""Substitution matrix that stands for "by the kind of letters"."""


@dataclass(frozen=True)
class StringTableConfig:
    """What is tried: the grid of each family, and what is done to a matrix before it is judged."""

    longest: int = parameter(
        6, label="Longest k-mer", symbol="k", help="Spectrum kernels are tried for every k up to this one.",
        low=1, high=12, step=1,
    )  # fmt: skip
    alignments: bool = parameter(
        True, label="Alignments", help="Also Smith-Waterman and local alignment, by far the dearest rows for long "
        "sequences. They need a substitution matrix, which plain text has not.",
    )  # fmt: skip
    power: float = parameter(
        0.3, label="Power", symbol="p", help="Every kernel is judged as it is, and with sgn(x) |x|^p of each normalised "
        "entry, which shrinks a large diagonal; 1 leaves the second half of the rows out.",
        low=0.0, high=1.0, open_low=True, step=0.05,
    )  # fmt: skip
    gap_open: int = parameter(
        11,
        label="Gap open",
        help="Cost of the first letter of a gap in an alignment.",
        low=0,
        high=1000,
        step=1,
    )
    gap_extend: int = parameter(
        1, label="Gap extend", help="Cost of each further letter of a gap.", low=0, high=1000, step=1
    )

    nested: bool = parameter(
        False, label="Judge the choice", help="The best of many rows is too optimistic: let every training fold "
        "choose its row by "
        "five folds of its own, and judge that. Takes about half a second more a row for 300 sequences.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def powers(self) -> tuple[float, ...]:
        """Powers that every kernel is judged with."""
        return (1.0,) if self.power == 1.0 else (1.0, self.power)


class Candidate(NamedTuple):
    """A kernel of the grid, and how the table writes its parameters."""

    kernel: AnyKernel
    setting: str

    @property
    def title(self) -> str:
        """Kernel and parameters."""
        return f"{type(self.kernel).title}, {self.setting}"


def string_kernel_grid(
    config: StringTableConfig, alphabet: str, matrix: str | SubstitutionMatrix | None = None
) -> tuple[Candidate, ...]:
    """Kernels of the table, cheap ones first.

    Parameters
    ----------
    config : StringTableConfig
    alphabet : {"protein", "dna", "structure", "text"}
        Kind of letters; a mismatch kernel needs a fixed alphabet and is left out for text.
    matrix : str or SubstitutionMatrix, optional
        Of the alignments; by default NUC.4.4, BLOSUM62 or 3DI by the kind of letters, none for text.
    """
    letters = {"dna": "dna", "protein": "protein", "structure": "protein"}.get(alphabet)
    lengths = range(1, config.longest + 1)
    made = [Candidate(Spectrum(k=k, alphabet=letters), f"k = {k}") for k in lengths]
    made += [Candidate(SpectrumSum(k=k, alphabet=letters), f"k = 1 to {k}") for k in lengths[1:]]
    if letters is not None:
        tried = ((3, 1), (4, 1), (5, 1), (6, 1), (5, 2), (6, 2))
        made += [Candidate(Mismatch(k=k, m=m, alphabet=letters), f"k = {k}, m = {m}") for k, m in tried]
    made += [
        Candidate(Subsequence(length=length, decay=decay, alphabet=letters), f"l = {length}, λ = {decay:g}")
        for length in (2, 3, 4, 5)
        for decay in (0.25, 0.5, 0.8)
    ]
    S = matrix if matrix is not None else MATRIX_OF.get(alphabet)
    if config.alignments and S is not None:
        made += _alignments(config, S)
    return tuple(made)


def _alignments(config: StringTableConfig, S: str | SubstitutionMatrix) -> list[Candidate]:
    opening, extending = config.gap_open, config.gap_extend
    said = f"{S if isinstance(S, str) else S.name} {opening}/{extending}"
    made = [Candidate(SmithWaterman(opening, extending, S), said)]
    for beta in (0.05, 0.1, 0.2, 0.5, 1.0):
        kernel = LocalAlignment(beta, opening, extending, S, log=True)
        made.append(Candidate(kernel, f"log K / β, β = {beta:g}, {said}"))
    return made
