"""Smith-Waterman scores: how well the best matching parts of two strings align."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.jit import jit
from kernex_core.base.parameters import parameter
from kernex_core.kernels.base import Operations, Progress, no_progress
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.pairwise import Work, all_pairs, cell_count, refuse_if_too_much, shared
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

# Best local alignment scores of one string to many: through pyopal's vector instructions, or compiled here.

# Best local alignment scores by compiled loops, where pyopal does not serve.


@jit
def local_scores(
    numbers: IntArray, starts: IntArray, i: int, begin: int,
    S: FloatArray, opening: float, extending: float, out: FloatArray,
) -> None:  # fmt: skip
    """Fill `out` with the scores of string i to the strings from `begin` on."""
    # M[i,j] = S(x_i, y_j) + max(0, M, X, Y at [i-1,j-1]);  X[i,j] = max(M[i-1,j] - open, X[i-1,j] - extend);
    # Y[i,j] = max(M[i,j-1] - open, X[i,j-1] - open, Y[i,j-1] - extend). M, X, H hold row i - 1 until overwritten.
    s = numbers[starts[i] : starts[i + 1]]
    for target in range(out.size):
        t = numbers[starts[begin + target] : starts[begin + target + 1]]
        M = np.full(t.size, -np.inf)
        X = np.full(t.size, -np.inf)
        H = np.zeros(t.size)  # max(0, M, X, Y)
        best = 0.0
        for a in s:
            row = S[a]
            Y = -np.inf
            diagonal = 0.0
            m_left = x_left = -np.inf
            for j in range(t.size):
                x = max(M[j] - opening, X[j] - extending)
                Y = max(max(m_left, x_left) - opening, Y - extending)
                m = row[t[j]] + diagonal
                diagonal = H[j]
                M[j], X[j] = m, x
                H[j] = max(max(0.0, m), max(x, Y))
                m_left, x_left = m, x
                best = max(best, m)
        out[target] = best


_VECTOR_LETTERS = 26
_VECTOR_SCORE = 100
"""Scores and gap penalties of this size leave room in the 8-bit arithmetic that pyopal starts with."""
_VECTOR_TOTAL = 2**30


class Aligner(abc.ABC):
    """Scores of string i of some strings to the strings begin, ..., end − 1. Threads may share it."""

    @abc.abstractmethod
    def scores(self, i: int, begin: int, end: int) -> FloatArray:
        """(end − begin,) scores."""


def best_aligner(encoded: Encoded, S: FloatArray, gap_open: int, gap_extend: int) -> Aligner:
    """Return pyopal's aligner where it is installed and exact, else the compiled one.

    pyopal serves whole scores of moderate size over up to 26 letters, and gaps that are not dearer to extend
    than to open; it needs a processor with vector instructions.
    """
    longest = int(np.diff(encoded.starts).max(initial=0))
    largest = float(np.abs(S).max())
    served = (
        S.shape[0] <= _VECTOR_LETTERS
        and bool((np.rint(S) == S).all())
        and max(largest, gap_open, gap_extend) <= _VECTOR_SCORE
        and largest * longest < _VECTOR_TOTAL
        and gap_extend <= gap_open
    )
    if served:
        try:
            return VectorAligner(encoded, S, gap_open, gap_extend)
        except (ImportError, RuntimeError):  # not installed; or no vector instructions on this processor
            pass
    return CompiledAligner(encoded, S, gap_open, gap_extend)


def row_by_row(aligner: Aligner, lengths: IntArray, first_column: int) -> Work:
    """Pairs (i, j) through an aligner, j counted from the string `first_column`; runs of neighbours go in one call."""

    return partial(_rows, aligner, lengths, first_column)


def _rows(
    aligner: Aligner, lengths: IntArray, first_column: int, pairs: IntArray, meter: IntArray
) -> FloatArray:
    out = np.zeros(len(pairs))
    borders = np.flatnonzero((np.diff(pairs, axis=0) != (0, 1)).any(axis=1)) + 1
    for run in np.split(np.arange(len(pairs)), borders):
        if meter[0]:
            break
        (i, begin), end = pairs[run[0]].tolist(), int(pairs[run[-1], 1]) + 1
        begin, end = begin + first_column, end + first_column
        out[run] = aligner.scores(i, begin, end)
        meter[1] += lengths[i] * lengths[begin:end].sum()
    return out


class VectorAligner(Aligner):
    """Through pyopal. Letters are passed as A, B, C, ..., whatever they are in the matrix."""

    def __init__(self, encoded: Encoded, S: FloatArray, gap_open: int, gap_extend: int) -> None:
        self._made_of = encoded, S, gap_open, gap_extend
        import pyopal
        import scoring_matrices

        q = S.shape[0]
        letters = bytes(range(65, 65 + q)).decode()
        text = (encoded.numbers + 65).astype(np.uint8).tobytes()
        at = encoded.starts.tolist()
        self._strings = [text[at[i] : at[i + 1]] for i in range(encoded.n)]
        table = scoring_matrices.ScoringMatrix(S.tolist(), letters)  # type: ignore[attr-defined]
        self._aligner: Any = pyopal.Aligner(table, gap_open, gap_extend)  # type: ignore[call-arg]
        # pyopal gives an empty target the score of another one: only strings with letters enter its database
        self._some = np.flatnonzero(np.diff(encoded.starts) > 0)
        self._database = pyopal.Database([self._strings[j] for j in self._some], self._aligner.alphabet)

    def scores(self, i: int, begin: int, end: int) -> FloatArray:
        """See Aligner."""
        out = np.zeros(end - begin)
        first, last = np.searchsorted(self._some, (begin, end)).tolist()
        if self._strings[i] and first < last:
            found = self._aligner.align(self._strings[i], self._database, start=first, end=last)
            out[self._some[first:last] - begin] = [result.score for result in found]
        return out

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        # pyopal's own objects are made anew where it is unpickled
        return type(self), self._made_of


class CompiledAligner(Aligner):
    """The recursion itself, for every matrix and every gap penalty."""

    def __init__(self, encoded: Encoded, S: FloatArray, gap_open: int, gap_extend: int) -> None:
        self._numbers, self._starts = encoded.numbers, encoded.starts
        self._S, self._gaps = S, (float(gap_open), float(gap_extend))

    def scores(self, i: int, begin: int, end: int) -> FloatArray:
        """See Aligner."""
        out = np.zeros(end - begin)
        local_scores(self._numbers, self._starts, i, begin, self._S, *self._gaps, out)
        return out


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
