"""The tables that string kernels fill, as data to be looked at: subsequences, local alignments, Smith-Waterman."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.kernels.sequences.alignment_letters import alignable
from kernex_core.kernels.sequences.explained.aligned import Aligning, Summing
from kernex_core.kernels.sequences.explained.shared_subsequences import OfSubsequences
from kernex_core.kernels.sequences.letters import letters_of
from kernex_core.kernels.sequences.substitution import substitution_matrix
from kernex_core.kernels.sequences.tables.packed import pack
from kernex_core.kernels.worked import Arc, WorkedTables, work_out

ALIGNMENT = ("M", "X", "Y")
"""Alignments that end with a pair, with a letter of s left out, with one of t left out."""


def subsequence_tables(kernel: OfSubsequences, s: str, t: str) -> WorkedTables:
    """Tables (n, m) of the subsequence kernel of length l: K″_1, K′_1, ..., K″_(l−1), K′_(l−1), K_l; their total is K(s, t).

    K″_p[i,j] = λ K″_p[i,j−1] + [s_i = t_j] λ² K′_(p−1)[i−1,j−1], K′_p[i,j] = λ K′_p[i−1,j] + K″_p[i,j] with K′_0 = 1, and
    K_l[i,j] = [s_i = t_j] λ² K′_(l−1)[i−1,j−1], whose sum is K. A route into K_l is one occurrence of a shared word in each
    string. A string shorter than l leaves K_l at 0.

    Parameters
    ----------
    kernel : Subsequence
    s, t : str

    Raises
    ------
    TooLargeError
        More cells than can be looked at.

    Notes
    -----
    Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins (2002), Text classification using string kernels, JMLR 2,
    section 3, with K″ as there.

    Examples
    --------
    >>> from kernex_core import Subsequence
    >>> made = subsequence_tables(Subsequence(length=2, decay=0.5), "cat", "car")
    >>> made.names, made.values[2].tolist(), made.total
    (('K″₁', 'K′₁', 'K₂'), [[0.0, 0.0, 0.0], [0.0, 0.0625, 0.0], [0.0, 0.0, 0.0]], 0.0625)
    """
    letters = None if kernel.alphabet is None else letters_of(kernel.alphabet)
    a, b = (pack([string], letters).codes for string in (s, t))
    n, m, last, decay = a.size, b.size, 2 * (kernel.length - 1), float(kernel.decay)
    start = np.zeros((last + 1, n, m))
    arcs: list[Arc] = []
    for i, j in np.ndindex(n, m):
        for table in range(0, last, 2):
            if j > 0:
                arcs.append(((table, i, j), (table, i, j - 1), decay))
            if i > 0:
                arcs.append(((table + 1, i, j), (table + 1, i - 1, j), decay))
            arcs.append(((table + 1, i, j), (table, i, j), 1.0))
        if a[i] == b[j] and a[i] >= 0:
            start[0, i, j] = decay**2
            if i > 0 and j > 0:
                arcs += [((x, i, j), (x - 1, i - 1, j - 1), decay**2) for x in range(2, last + 1, 2)]
    made = work_out(_names(kernel.length), start, arcs)
    return replace(made, total=math.fsum(made.values[last].ravel().tolist()))


def _names(length: int) -> tuple[str, ...]:
    lower = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    numbers = [str(p).translate(lower) for p in range(1, length + 1)]
    return (*(f"K{prime}{number}" for number in numbers[:-1] for prime in "″′"), f"K{numbers[-1]}")


def local_alignment_tables(kernel: Summing, s: str, t: str, *, both_orders: bool = False) -> WorkedTables:
    """Tables M, X and Y (n, m) of the local alignment kernel; their total is K(s, t) = 1 + Σ M.

    M[i,j] = e^(βS) (1 + M[i−1,j−1] + X[i−1,j−1] + Y[i−1,j−1]), X[i,j] = e^(−βd) M[i−1,j] + e^(−βe) X[i−1,j] and
    Y[i,j] = e^(−βd) (M[i,j−1] + X[i,j−1]) + e^(−βe) Y[i,j−1]. A route into M is one alignment: letters of s that are left
    out stand before those of t, so that an alignment is no two routes.

    Parameters
    ----------
    kernel : LocalAlignment
        With a named matrix; K is filled, also where the kernel returns its logarithm.
    s, t : str
    both_orders : bool
        X follows Y, too: the mistake that counts every double gap twice, to be looked at.

    Raises
    ------
    TooLargeError
        More cells than can be looked at.
    InvalidInputError
        Sums beyond float64.

    Notes
    -----
    Saigo, Vert, Ueda and Akutsu (2004), Protein homology detection using string alignment kernels, Bioinformatics 20,
    equations (5) to (11).

    Examples
    --------
    >>> from kernex_core import LocalAlignment
    >>> kernel = LocalAlignment(beta=0.1, gap_open=2, matrix="BLOSUM62")
    >>> made = local_alignment_tables(kernel, "AWCA", "AACA")
    >>> round(made.total, 3), 1 + int(made.counts()[0].sum())
    (94.818, 70)
    """
    with np.errstate(over="ignore"):
        pairs = np.exp(kernel.beta * _scores(kernel, s, t))
    opening = math.exp(-kernel.beta * kernel.gap_open)
    arcs = _alignment_arcs(pairs, opening, math.exp(-kernel.beta * kernel.gap_extend))
    if both_orders:
        n, m = pairs.shape
        arcs += [((1, i + 1, j), (2, i, j), opening) for i, j in np.ndindex(max(n - 1, 0), m)]
    start = np.stack([pairs, np.zeros_like(pairs), np.zeros_like(pairs)])
    made = work_out(ALIGNMENT, start, arcs)
    return replace(made, total=math.fsum([1.0, *made.values[0].ravel().tolist()]))


def smith_waterman_tables(kernel: Aligning, s: str, t: str) -> WorkedTables:
    """Tables M, X and Y (n, m) of the best local alignments; their total is the score, max(0, M).

    M[i,j] = S + max(0, M[i−1,j−1], X[i−1,j−1], Y[i−1,j−1]); X and Y as in `local_alignment_tables`, with the largest in
    place of the sum and costs in place of factors. −inf where no alignment ends so.

    Parameters
    ----------
    kernel : SmithWaterman or LocalAlignment
        With a named matrix.
    s, t : str

    Raises
    ------
    TooLargeError
        More cells than can be looked at.

    Notes
    -----
    Smith and Waterman (1981), J. Mol. Biol. 147; affine gaps after Gotoh (1982), J. Mol. Biol. 162.

    Examples
    --------
    >>> from kernex_core import SmithWaterman
    >>> made = smith_waterman_tables(SmithWaterman(gap_open=2, matrix="BLOSUM62"), "AWCA", "AACA")
    >>> made.total, made.best((0, 3, 3))
    (15.0, ((0, 0, 1), (1, 1, 1), (0, 2, 2), (0, 3, 3)))
    """
    scores = _scores(kernel, s, t)
    nothing = np.full_like(scores, -np.inf)
    arcs = _alignment_arcs(scores, -float(kernel.gap_open), -float(kernel.gap_extend))
    made = work_out(ALIGNMENT, np.stack([scores, nothing, nothing]), arcs, "max")
    return replace(made, total=float(made.values[0].max(initial=0.0)))


def _scores(kernel: Aligning, s: str, t: str) -> FloatArray:
    """(n, m) scores of the letters of s with those of t, as the matrix reads them."""
    matrix = substitution_matrix(kernel.matrix)
    a, b = (pack([string], matrix.letters).codes for string in alignable([s, t], matrix))
    return np.asarray(matrix.array, np.float64)[np.ix_(a, b)]


def _alignment_arcs(pairs: FloatArray, opening: float, extending: float) -> list[Arc]:
    n, m = pairs.shape
    arcs: list[Arc] = []
    for i, j in np.ndindex(n, m):
        if i > 0 and j > 0:
            arcs += [((0, i, j), (table, i - 1, j - 1), float(pairs[i, j])) for table in range(3)]
        if i > 0:
            arcs += [((1, i, j), (0, i - 1, j), opening), ((1, i, j), (1, i - 1, j), extending)]
        if j > 0:
            arcs += [((2, i, j), (table, i, j - 1), opening) for table in (0, 1)]
            arcs.append(((2, i, j), (2, i, j - 1), extending))
    return arcs
