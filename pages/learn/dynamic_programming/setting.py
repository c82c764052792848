"""What the controls of the lesson say, and the two words that somebody types."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.studies.lessons import dynamic_programming as alignments
from kernex_core.studies.lessons import dynamic_programming as subsets
from kernex_core.studies.lessons import dynamic_programming as words
from pages.shared.cached import cached

WORDS, SUBSETS, ALL, BEST = "words", "subsets", "alignments", "best"
STEPS: Final = {WORDS: "Words", SUBSETS: "Subsets", ALL: "Alignments", BEST: "Best one"}
AMINO_ACIDS: Final = frozenset("ACDEFGHIKLMNPQRSTVWY")
TYPED: Final = {WORDS: "typed", ALL: "proteins", BEST: "proteins"}


@dataclass(frozen=True)
class Setting:
    """What the controls say, and what is drawn of it."""

    typed: str = parameter(
        " ".join(words.WORDS), label="Two words", help=f"Of 1 to {words.MOST_LETTERS} letters each, with a space between.",
    )  # fmt: skip
    proteins: str = parameter(
        " ".join(alignments.PROTEINS), label="Two strings",
        help=f"Of 1 to {words.MOST_LETTERS} amino acids each, with a space between. A letter is an amino acid.",
    )  # fmt: skip
    decay: float = parameter(
        words.DECAY, label="Decay", symbol=r"\lambda", help="What each letter costs that a shared word covers.",
        low=words.DECAYS[0], high=words.DECAYS[-1], step=0.01,
    )  # fmt: skip
    beta: float = parameter(
        0.1, label="Weight", symbol=r"\beta", help="The larger, the more the best alignment counts.",
        low=alignments.BETAS[0], high=alignments.BETAS[-1], stops=alignments.BETAS,
    )  # fmt: skip
    filled: float = parameter(
        1.0, label="Filled", unit="%", help="How much of the tables is filled, row by row.", low=0.0, high=1.0, step=0.02
    )  # fmt: skip
    s: int = parameter(
        2, label="Size", symbol="s", help="How many coordinates are multiplied.", low=0, high=3
    )
    route: int = parameter(1, label="Route", help="Which of the subsets is lit.", low=1, high=3)
    edge: str = parameter(
        "right", label="Boundary", help="0 below the diagonal, or 1 next to it as the lecture notes print it.",
        choices=("right", "printed"),
    )  # fmt: skip
    step: str = WORDS
    bet: str = ""
    open: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def pair(self) -> tuple[str, str]:
        """The two strings that are compared: those of the question where what was typed is not two short words."""
        return read(self.step, self.proteins if self.step in (ALL, BEST) else self.typed)[0]


def read(step: str, typed: str) -> tuple[tuple[str, str], str]:
    """Return the two words that somebody typed, and a sentence where these are others, which stand in for them."""
    proteins = step in (ALL, BEST)
    start: tuple[str, str] = alignments.PROTEINS if proteins else words.WORDS
    found = re.split(r"[\s,;]+", typed[:200].strip())
    if len(found) != 2:
        return start, _instead("Two words are compared, with a space between them", start)
    pair = (found[0].upper(), found[1].upper()) if proteins else (found[0], found[1])
    letters = AMINO_ACIDS.issuperset(pair[0] + pair[1]) if proteins else True
    if not letters or not all(1 <= len(word) <= words.MOST_LETTERS for word in pair):
        what = "amino acids" if proteins else "letters"
        return start, _instead(f"Each word has 1 to {words.MOST_LETTERS} {what}", start)
    return pair, ""


def _instead(expected: str, start: tuple[str, str]) -> str:
    return f"{expected}. Until then the picture shows {start[0]} and {start[1]}."


@cached(shared=True)
def shared(s: str, t: str, decay: float) -> words.SharedWords:
    """What two words share."""
    return words.shared_words(s, t, decay)


@cached(shared=True)
def aligned(s: str, t: str, beta: float) -> alignments.Alignments:
    """All alignments of two strings."""
    return alignments.alignments(s, t, beta)


@cached(shared=True)
def lattice(s: int) -> subsets.Lattice:
    """All subsets of s coordinates."""
    return subsets.lattice(s)
