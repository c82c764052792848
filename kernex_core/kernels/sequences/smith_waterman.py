"""Smith-Waterman scores: how well the best matching parts of two strings align."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.kernels.base import Operations, Progress, no_progress
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.pairwise import all_pairs, cell_count, refuse_if_too_much, shared
from kernex_core.kernels.sequences.alignment import best_aligner, row_by_row
from kernex_core.kernels.sequences.explain import explain_best_alignment
from kernex_core.kernels.sequences.letters import Encoded, as_strings, encode
from kernex_core.kernels.sequences.string_kernel import StringKernel, fit_remark
from kernex_core.kernels.sequences.substitution import (
    AUTO,
    CHOICES,
    SubstitutionMatrix,
    alignable,
    replaced_remark,
    substitution_matrix,
)

BLOCK = 50_000_000
"""Table cells of one block of pairs: vector instructions need some 10 ms for it, and like long rows."""
CELL_LIMIT = 5e13
"""Most table cells of one matrix: half a day on one core with vector instructions."""
CELL = "alignment cell"


@dataclass(frozen=True)
class SmithWaterman(StringKernel):
    """Smith-Waterman score: the largest sum of substitution scores minus gap costs over all local alignments.

    A gap of g letters costs open + (g − 1) extend. The empty alignment scores 0, so scores are never negative.
    A similarity, not a kernel: its matrix may be indefinite and needs a named repair before a learner sees it.

    Parameters
    ----------
    gap_open, gap_extend : int
        Cost of the first and of each further letter of a gap, at least 0.
    matrix : str or SubstitutionMatrix
        Name of a published matrix (MATRICES), or one of your own (`read_substitution_matrix`). "auto": NUC.4.4 for
        nucleotides, 3DI for Foldseek's letters where the samples declare that kind, else BLOSUM62. Strings without a
        declared kind are nucleotides where all of them together can be nothing else: A, C, G, T, U and N alone, at least
        20 letters.

    Notes
    -----
    Smith and Waterman (1981), Identification of common molecular subsequences, J. Mol. Biol. 147; affine gaps
    after Gotoh (1982), J. Mol. Biol. 162. Letters that the matrix has not: gap characters are left out, U → C and
    O → K over amino acids, U → T over nucleotides, everything else → X where the matrix has an X; otherwise an
    error that names sequence, position and letter. Case is ignored unless the
    matrix has lower-case letters.

    Examples
    --------
    >>> SmithWaterman().gram(["ACDEFW", "ACDW"]).tolist()
    [[41.0, 19.0], [19.0, 30.0]]
    """

    title: ClassVar[str] = "Smith-Waterman"
    formula: ClassVar[str] = (
        r"k(s,t)=\max_{\text{alignments}}\Big(\sum_{\text{pairs}}S(s_i,t_j)"
        r"-\sum_{\text{gaps}}\big(\mathrm{open}+(g-1)\,\mathrm{extend}\big)\Big)"
    )
    source: ClassVar[str] = (
        "Smith and Waterman, J. Mol. Biol. 147 (1981); affine gaps: Gotoh, J. Mol. Biol. 162 (1982)"
    )
    cost: ClassVar[str] = "n² L² / 2 letter comparisons; about 10⁹ a second and core with vector instructions"
    positive_semidefinite: ClassVar[bool] = False
    by_pairs: ClassVar[bool] = True

    gap_open: int = parameter(
        11, help="Cost of the first letter of a gap.", label="Gap open", low=0, high=1000, step=1
    )
    gap_extend: int = parameter(
        1, help="Cost of each further letter of a gap.", label="Gap extend", low=0, high=1000, step=1
    )
    matrix: str | SubstitutionMatrix = parameter(
        AUTO,
        help="Score of each pair of letters: a published matrix, or one that you upload; auto: NUC.4.4 for nucleotides, 3DI "
        "for Foldseek's letters, else BLOSUM62.",
        label="Substitution matrix",
        symbol="S",
        choices=CHOICES,
        accepts=(SubstitutionMatrix,),
    )

    def check(self, samples: Sequence[str], ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel: limits, letters that the matrix has not, and work that would not end in a day."""
        strings = as_strings(samples, ids)
        _check_cells(np.diff(self._encoded(strings, ids).starts), None)

    def operations(self, samples: Sequence[str]) -> Operations:
        """See AbstractKernel."""
        lengths = np.diff(self._encoded(as_strings(samples)).starts)
        return {CELL: shared(cell_count(lengths, None))}

    def remarks(self, samples: Sequence[str]) -> tuple[str, ...]:
        """See AbstractKernel: letters that are read as others."""
        strings = as_strings(samples)
        matrix = substitution_matrix(self.resolved(strings).matrix)
        return (*fit_remark(strings, matrix), *replaced_remark(strings, matrix))

    def gram(self, samples: Sequence[str], *, progress: Progress = no_progress) -> FloatArray:
        """Scores (n, n) among strings."""
        strings = as_strings(samples)
        kernel = self.resolved(strings)
        return kernel._scores(kernel._encoded(strings), len(strings), progress)

    def cross(
        self, samples: Sequence[str], others: Sequence[str], *, progress: Progress = no_progress
    ) -> FloatArray:
        """Scores (n, n') of strings to others."""
        rows, columns = as_strings(samples), as_strings(others)
        kernel = self.resolved(rows + columns)
        return kernel._scores(kernel._encoded(rows + columns), len(rows), progress)

    def _encoded(self, strings: Sequence[str], ids: Sequence[str] | None = None) -> Encoded:
        matrix = substitution_matrix(self.resolved(strings).matrix)
        return encode(alignable(strings, matrix, ids), matrix.letters)

    def _explained(self, s: str, t: str, top: int, total: float) -> Explanation:
        return explain_best_alignment(self, s, t, total=total)

    def _scores(self, encoded: Encoded, n_rows: int, progress: Progress) -> FloatArray:
        lengths = np.diff(encoded.starts)
        symmetric = n_rows == encoded.n
        rows, columns = lengths[:n_rows], None if symmetric else lengths[n_rows:]
        _check_cells(rows, columns)
        S = substitution_matrix(self.matrix).array
        aligner = best_aligner(encoded, S, self.gap_open, self.gap_extend)
        work = row_by_row(aligner, lengths, 0 if symmetric else n_rows)
        return all_pairs(work, rows, columns, progress, BLOCK)


def _check_cells(rows: IntArray, columns: IntArray | None) -> None:
    cells = cell_count(rows, columns)
    refuse_if_too_much(CELL, cells, CELL_LIMIT)
