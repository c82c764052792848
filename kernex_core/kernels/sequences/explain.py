"""Why two strings are similar: one entry of a string kernel as a sum of parts that can be looked at."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from kernex_core.base.errors import TooLargeError
from kernex_core.base.frozen import EqualByContent, FloatArray
from kernex_core.kernels.base import AnyKernel
from kernex_core.kernels.explanation import (
    AlignedColumn,
    AlignmentEnd,
    Arc,
    Explanation,
    WorkedTables,
    work_out,
)
from kernex_core.kernels.sequences.letters import Codes, letters_of, pack
from kernex_core.kernels.sequences.shared_parts import OfSubsequences
from kernex_core.kernels.sequences.substitution import (
    SubstitutionMatrix,
    alignable,
    kept_positions,
    substitution_matrix,
)


def explain_pair(kernel: AnyKernel, s: str, t: str, top: int = 20) -> Explanation:
    """`kernel.explain(s, t, top)`: decompose K(s, t); see AbstractKernel.explain.

    Examples
    --------
    >>> from kernex_core import Spectrum, explain_pair
    >>> made = explain_pair(Spectrum(k=2), "ABCABC", "ABC")
    >>> [(part.kmer_s, part.contribution) for part in made.parts], made.total
    ([('AB', 2.0), ('BC', 2.0)], 4.0)
    """
    return kernel.explain(s, t, top)


# The best local alignment column by column, and the alignments that make the local alignment kernel.

CELL_LIMIT = 16_000_000
"""Largest |s| |t| of an alignment that is drawn: tables of 8 bytes a cell are held."""


class Aligning(Protocol):
    """What the best alignment depends on."""

    @property
    def matrix(self) -> str | SubstitutionMatrix:
        """Scores of pairs of letters."""

    @property
    def gap_open(self) -> float:
        """Cost of the first letter of a gap."""

    @property
    def gap_extend(self) -> float:
        """Cost of each further letter."""


@dataclass(frozen=True, eq=False)
class _Pair(EqualByContent):
    """Two strings as the matrix reads them, and where their letters are in the strings as given."""

    s: str
    t: str
    at_s: Sequence[int]
    at_t: Sequence[int]
    a: Codes
    b: Codes
    scores: FloatArray


class Summing(Aligning, Protocol):
    """What the sum over all alignments depends on besides."""

    @property
    def beta(self) -> float:
        """Weight of good alignments."""

    @property
    def log(self) -> bool:
        """The logarithm of the sum over β is what is explained, not the sum."""


def explain_best_alignment(kernel: Aligning, s: str, t: str, *, total: float) -> Explanation:
    """Smith-Waterman: the columns of a best local alignment, whose scores sum to the similarity."""
    columns = _best(kernel, _read(kernel, s, t))
    return Explanation(
        total, columns, 0.0, "nothing: the columns are the whole score", len(columns), alignment=columns,
        apart="columns traced back through our own table, against the score of the alignment library",
    )  # fmt: skip


def explain_all_alignments(kernel: Summing, s: str, t: str, top: int, *, total: float) -> Explanation:
    """Local alignment kernel.

    log K / β is the score of the best alignment, column by column, plus what all other alignments add.
    K itself is 1 (the empty alignment) plus, for each pair of letters, the alignments that end with it.
    """
    pair = _read(kernel, s, t)
    ends, shares, log_total = _posterior(kernel, pair)
    columns = _best(kernel, pair, shares)
    expected = float(shares.sum())
    apart = "a table in logarithms, against the kernel's scaled arithmetic"
    if kernel.log:
        # the same sum in logarithms, by another table than the kernel's own
        rest = log_total / kernel.beta - math.fsum(column.contribution for column in columns)
        meaning = "what all other alignments add to the best one"
        return Explanation(
            total,
            columns,
            rest,
            meaning,
            None,
            apart,
            "log K / β",
            alignment=columns,
            expected_pairs=expected,
        )
    order = np.argsort(-ends, axis=None, kind="stable")
    parts = tuple(_end(pair, *divmod(int(flat), len(pair.t)), ends, shares) for flat in order[:top])
    rest = 1.0 + math.fsum(np.exp(ends.ravel()[order[top:]]).tolist())
    meaning = "1 for the empty alignment, and the alignments that end elsewhere"
    return Explanation(
        total, parts, rest, meaning, ends.size, apart, alignment=columns, expected_pairs=expected
    )


def _end(pair: _Pair, i: int, j: int, ends: FloatArray, shares: FloatArray) -> AlignmentEnd:
    value, share = float(np.exp(ends[i, j])), float(shares[i, j])
    return AlignmentEnd(pair.at_s[i], pair.at_t[j], pair.s[i], pair.t[j], value, share)


def _read(kernel: Aligning, s: str, t: str) -> _Pair:
    matrix = substitution_matrix(kernel.matrix)
    at_s, at_t = kept_positions(s, matrix), kept_positions(t, matrix)
    s, t = alignable([s, t], matrix)
    if len(s) * len(t) > CELL_LIMIT:
        raise TooLargeError(
            f"An alignment is drawn up to |s| |t| = {CELL_LIMIT:,}",
            f"{len(s):,} × {len(t):,}",
            "Cut the sequences into domains",
        )
    a, b = (pack([string], matrix.letters).codes for string in (s, t))
    return _Pair(s, t, at_s, at_t, a, b, np.asarray(matrix.array))


def _posterior(kernel: Summing, pair: _Pair) -> tuple[FloatArray, FloatArray, float]:
    """Logarithms of M, the share of K of the alignments through each pair of letters, and log K.

    The sum over what follows a pair is the sum over what precedes it in the reversed strings.
    """
    scores, costs = (
        kernel.beta * pair.scores,
        (kernel.beta * kernel.gap_open, kernel.beta * kernel.gap_extend),
    )
    before = log_matches(pair.a, pair.b, scores, *costs)
    after = log_matches(pair.a[::-1], pair.b[::-1], scores, *costs)[::-1, ::-1]
    log_total = float(np.logaddexp(0.0, np.logaddexp.reduce(before, axis=None)))
    shares = np.exp(before + after - scores[np.ix_(pair.a, pair.b)] - log_total)
    return before, shares, log_total


def _best(kernel: Aligning, pair: _Pair, shares: FloatArray | None = None) -> tuple[AlignedColumn, ...]:
    """Columns of a best local alignment, from its last pair back to its first one."""
    opening, extending = float(kernel.gap_open), float(kernel.gap_extend)
    M = log_matches(pair.a, pair.b, pair.scores, opening, extending, np.maximum)
    if M.size == 0 or M.max() <= 0.0:
        return ()
    i, j = (int(x) for x in np.unravel_index(int(M.argmax()), M.shape))
    columns: list[AlignedColumn] = []
    while True:
        score = float(pair.scores[pair.a[i], pair.b[j]])
        share = None if shares is None else float(shares[i, j])
        columns.append(AlignedColumn(pair.at_s[i], pair.at_t[j], pair.s[i], pair.t[j], score, share))
        before = _previous(M, i, j, score, opening, extending)
        if before is None:
            return tuple(reversed(columns))
        columns += reversed(_gap(pair, before, (i, j), opening, extending))
        i, j = before


def _previous(
    M: FloatArray, i: int, j: int, score: float, opening: float, extending: float
) -> tuple[int, int] | None:
    """Return the pair before (i, j) in a best alignment that ends with it; None if it is the first one."""
    needed = M[i, j] - score
    if needed <= 0.0 or i == 0 or j == 0:
        return None
    if M[i - 1, j - 1] >= needed - 1e-9 * needed:
        return i - 1, j - 1
    # cost of leaving out 0, 1, 2, ... letters, for the rows and columns above and left of (i, j)
    down, across = (
        np.where(left_out > 0, opening + extending * (left_out - 1), 0.0)
        for left_out in (np.arange(i - 1, -1, -1), np.arange(j - 1, -1, -1))
    )
    candidates = M[:i, :j] - down[:, None] - across[None, :]
    p, q = (int(x) for x in np.unravel_index(int(candidates.argmax()), candidates.shape))
    return p, q


def _gap(
    pair: _Pair, start: tuple[int, int], end: tuple[int, int], opening: float, extending: float
) -> Sequence[AlignedColumn]:
    """Columns of the letters that are left out between two pairs, first those of s, then those of t."""
    of_s = [
        AlignedColumn(pair.at_s[i], None, pair.s[i], "-", -(opening if i == start[0] + 1 else extending))
        for i in range(start[0] + 1, end[0])
    ]
    of_t = [
        AlignedColumn(None, pair.at_t[j], "-", pair.t[j], -(opening if j == start[1] + 1 else extending))
        for j in range(start[1] + 1, end[1])
    ]
    return [*of_s, *of_t]


def log_matches(
    s: Codes, t: Codes, scores: FloatArray, opening: float, extending: float, add: np.ufunc = np.logaddexp
) -> FloatArray:
    """(n, m) table of the rows of `log_rows`."""
    rows = list(log_rows(s, t, scores, opening, extending, add))
    return np.array(rows).reshape(s.size, t.size)


def log_rows(
    s: Codes, t: Codes, scores: FloatArray, opening: float, extending: float, add: np.ufunc = np.logaddexp
) -> Iterator[FloatArray]:
    """For each letter i of s, the logarithms of M[i, :]: the sums over all alignments whose last pair is (i, j).

    With `add` = np.maximum: the scores of the best alignments whose last pair is (i, j).
    """
    m = t.size
    M, X, Y = (np.full(m + 1, -np.inf) for _ in range(3))
    drift = extending * np.arange(m)
    for letter in s:
        before, M = (M, X, Y), np.full(m + 1, -np.inf)
        M[1:] = scores[letter][t] + add(0.0, add(add(*before[:2]), Y)[:-1])
        X = add(before[0] - opening, X - extending)
        # Y[j] sums over all earlier columns, each charged for the columns in between
        reach = add.accumulate(add(M, X)[1:] + drift)
        Y[2:] = (reach - drift - opening)[:-1]
        yield M[1:]


# The tables that string kernels fill, as data to be looked at: subsequences, local alignments, Smith-Waterman.

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
