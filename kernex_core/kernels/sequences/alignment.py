"""Best local alignment scores of one string to many: through pyopal's vector instructions, or compiled here."""

from __future__ import annotations

import abc
from functools import partial
from typing import Any, Self

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.jit import jit
from kernex_core.kernels.pairwise import Work
from kernex_core.kernels.sequences.letters import Encoded

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
