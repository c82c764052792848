"""Words that two strings share as routes through the tables of the subsequence kernel (Lodhi et al. 2002)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.kernels.explanation import Cell, SharedSubsequence, WorkedTables
from kernex_core.kernels.sequences.explain import (
    explain_pair,
    local_alignment_tables,
    smith_waterman_tables,
    subsequence_tables,
)
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.vectors.dot_product import subset_lattice
from kernex_core.studies.lessons.catalogue import Check

WORDS = ("cat", "car")
MOST_LETTERS = 8
LENGTH, DECAY = 2, 0.25
"""Letters of the shared words, and λ at which the bet is made."""
DECAYS = tuple(round(0.05 + 0.01 * k, 2) for k in range(96))
"""What the slider of λ offers."""
BETS = (1 / 16, 1 / 256, 1.0)
"""Bets on K(cat, car): the squared decay once, once for each word, not at all."""
NEAR = ("cat", "car", "cta")
MARGIN = 0.005


@dataclass(frozen=True, eq=False)
class SharedWords(EqualByContent):
    """What two strings share.

    Attributes
    ----------
    tables : WorkedTables
        K″, K′ and K.
    value : float
        K(s, t) as the kernel computes it.
    cosine : float or None
        K(s, t) / √(K(s, s) K(t, t)); None where a string has no word of this length.
    words : tuple of SharedSubsequence
        Heaviest first.
    """

    tables: WorkedTables
    value: float
    cosine: float | None
    words: tuple[SharedSubsequence, ...]


def shared_words(s: str, t: str, decay: float = DECAY) -> SharedWords:
    """Tables, value and shared words of two strings; a string shorter than LENGTH shares none, and K is 0.

    Raises
    ------
    InvalidInputError
        A word that is empty or has more than MOST_LETTERS letters, or λ out of range.

    Examples
    --------
    >>> made = shared_words("cat", "car")
    >>> made.value == 1 / 256, [word.word for word in made.words]
    (True, ['ca'])
    """
    for word in (s, t):
        check_word(word)
    kernel = Subsequence(length=LENGTH, decay=decay)
    K = kernel.gram([s, t])
    size = float(np.sqrt(K[0, 0] * K[1, 1]))
    words = explain_pair(kernel, s, t, top=MOST_LETTERS**2).parts
    return SharedWords(
        subsequence_tables(kernel, s, t),
        float(K[0, 1]),
        float(K[0, 1]) / size if size > 0.0 else None,
        tuple(word for word in words if isinstance(word, SharedSubsequence)),
    )


def check_word(word: str, least: int = 1) -> None:
    """Refuse words that do not fit the tables of a lesson.

    Raises
    ------
    InvalidInputError
    """
    if not least <= len(word) <= MOST_LETTERS:
        raise InvalidInputError(
            f"Words of {least} to {MOST_LETTERS} letters fit the tables",
            f"{len(word)} letters",
            "Type a shorter word" if word else "Type a word",
        )


def right_bet() -> int:
    """Which of BETS is K(cat, car)."""
    return BETS.index(shared_words(*WORDS).value)


def nearness(decay: float) -> tuple[float, float]:
    """K(cat, car) and K(cat, cta), both beside the same K(t, t).

    Raises
    ------
    InvalidInputError
        λ out of range.
    """
    K = Subsequence(length=LENGTH, decay=decay).cross(NEAR[:1], NEAR[1:])
    return float(K[0, 0]), float(K[0, 1])


def check(decay: float) -> Check:
    """Whether car and cta are equally near to cat.

    K(cat, cta) / K(cat, car) is 2 λ; within one part in a hundred they count as equal, which λ within MARGIN gives.

    Raises
    ------
    InvalidInputError
        λ out of range.
    """
    car, cta = nearness(decay)
    ratio = cta / car
    if abs(ratio - 1.0) <= 2.0 * MARGIN + 1e-9:
        return Check(True, ratio, f"At λ = {decay:g} both are equally near: {car:.4g} and {cta:.4g}.")
    nearer = "car" if ratio < 1.0 else "cta"
    why = "one word without a gap counts more than two with one" if ratio < 1.0 else "gaps cost too little"
    return Check(False, ratio, f"At λ = {decay:g} {nearer} is nearer, {car:.4g} against {cta:.4g}: {why}.")


# Local alignments as routes through tables (Saigo et al. 2004), the best of them after Smith and Waterman (1981).

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


# Subsets of coordinates as routes through the lattice of the ANOVA kernel (Jordan, Examples of kernels I).

X, Y = (1.0, 2.0, 3.0), (2.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Subset(EqualByContent):
    """One route through the lattice.

    Attributes
    ----------
    columns : tuple of int
        Coordinates that are multiplied, from 0.
    cells : tuple of (table, row, column)
        Where it goes, from K[0, 0] on.
    product : float
        Of x and y over these coordinates.
    """

    columns: tuple[int, ...]
    cells: tuple[Cell, ...]
    product: float


@dataclass(frozen=True, eq=False)
class Lattice(EqualByContent):
    """All subsets of s coordinates of x and y.

    Attributes
    ----------
    degree : int
        s.
    right, printed : WorkedTables
        The table as it is, and with the boundary that the notes print.
    subsets : tuple of Subset
        Their products sum to K_s(x, y); none where s is larger than the number of coordinates.
    """

    degree: int
    right: WorkedTables
    printed: WorkedTables
    subsets: tuple[Subset, ...]

    @property
    def value(self) -> float:
        """K_s(x, y): the last column of row s."""
        return float(self.right.values[0, self.degree, -1]) if self.subsets else 0.0


def lattice(degree: int, x: Sequence[float] = X, y: Sequence[float] = Y) -> Lattice:
    """Every subset of `degree` coordinates, and the table that adds them up without listing them.

    Raises
    ------
    InvalidInputError
        A degree below 0, or vectors of different lengths.

    Examples
    --------
    >>> made = lattice(2)
    >>> made.value, [(each.columns, each.product) for each in made.subsets]
    (16.0, [((1, 2), 6.0), ((0, 2), 6.0), ((0, 1), 4.0)])
    """
    most = max(int(check_range("s", degree, 0)), len(x))
    right, printed = (subset_lattice(x, y, most, printed=each) for each in (False, True))
    return Lattice(int(degree), right, printed, tuple(map(_subset, right.routes((0, int(degree), len(x))))))


def _subset(route: tuple[tuple[Cell, ...], float]) -> Subset:
    cells, product = route
    rows = [row for _, row, _ in cells]
    columns = tuple(r for r in range(len(rows) - 1) if rows[r + 1] > rows[r])
    return Subset(columns, cells, product)
