"""ERRATA: every card, those that hold among those that do not."""

from __future__ import annotations

from typing import Final

from kernex_core.studies.lessons.errata import learning, notes, papers
from kernex_core.studies.lessons.errata.card import Card

_BY_KEY: Final = {card.key: card for card in (*notes.CARDS, *learning.CARDS, *papers.CARDS)}
ORDER: Final = (
    "von_neumann", "squares", "all_subsets", "anova", "alignment", "dual_ridge", "dual", "targets", "walks", "trees",
    "gaussian_density", "sinc_norm", "lemma_1", "reduced", "free", "lemma_6", "toy", "yates",
)  # fmt: skip
ERRATA: Final[tuple[Card, ...]] = tuple(_BY_KEY[key] for key in ORDER)
