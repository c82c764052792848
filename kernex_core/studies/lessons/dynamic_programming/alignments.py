"""Local alignments as routes through tables (Saigo et al. 2004), the best of them after Smith and Waterman (1981)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.kernels.sequences.explained.worked_strings import (
    local_alignment_tables,
    smith_waterman_tables,
)
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.worked import WorkedTables
from kernex_core.studies.lessons.dynamic_programming.words import check_word

PROTEINS = ("AWCA", "AACA")
MATRIX, GAP_OPEN, GAP_EXTEND = "BLOSUM62", 2, 1
BETAS = (0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0)
"""What the slider of β offers."""


@dataclass(frozen=True, eq=False)
class Alignments(ReadOnlyArrays):
    """All local alignments of two strings, and the best one.

    Attributes
    ----------
    tables, both_orders, best : WorkedTables
        Of the local alignment kernel; with double gaps counted in both orders; of Smith and Waterman.
    number : int
        Alignments, the empty one included.
    value : float
        K(s, t) as the kernel computes it.
    betas, path : (b,) float
        β, and log K / β there, which falls to the score of the best alignment.
    score : float
        Of Smith and Waterman.
    """

    tables: WorkedTables
    both_orders: WorkedTables
    best: WorkedTables
    number: int
    value: float
    betas: FloatArray
    path: FloatArray
    score: float


def alignments(s: str, t: str, beta: float) -> Alignments:
    """All local alignments of two strings of amino acids, weighed by β.

    An empty string leaves the empty alignment alone: K is 1.

    Raises
    ------
    InvalidInputError
        A string of more than MOST_LETTERS letters, letters that are none of amino acids, or β out of range.

    Examples
    --------
    >>> made = alignments("AWCA", "AACA", 0.1)
    >>> made.number, round(made.value, 3), round(made.both_orders.total, 3), made.score
    (70, 94.818, 117.016, 15.0)
    """
    for word in (s, t):
        check_word(word, least=0)
    kernel = _alignment_kernel(beta)
    tables = local_alignment_tables(kernel, s, t)
    best = SmithWaterman(gap_open=GAP_OPEN, gap_extend=GAP_EXTEND, matrix=MATRIX)
    logs = [_alignment_kernel(each, log=True).cross([s], [t])[0, 0] for each in BETAS]
    return Alignments(
        tables,
        local_alignment_tables(kernel, s, t, both_orders=True),
        smith_waterman_tables(best, s, t),
        1 + int(tables.counts()[0].sum()),
        float(kernel.cross([s], [t])[0, 0]),
        np.array(BETAS),
        np.array(logs),
        float(best.cross([s], [t])[0, 0]),
    )


def _alignment_kernel(beta: float, *, log: bool = False) -> LocalAlignment:
    return LocalAlignment(beta=beta, gap_open=GAP_OPEN, gap_extend=GAP_EXTEND, matrix=MATRIX, log=log)
