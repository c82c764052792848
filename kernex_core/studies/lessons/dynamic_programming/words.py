"""Words that two strings share as routes through the tables of the subsequence kernel (Lodhi et al. 2002)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent
from kernex_core.kernels.explanation import SharedSubsequence
from kernex_core.kernels.sequences.explain import explain_pair
from kernex_core.kernels.sequences.explained.worked_strings import subsequence_tables
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.worked import WorkedTables
from kernex_core.studies.lessons.check import Check

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
