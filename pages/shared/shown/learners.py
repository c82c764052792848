"""A learner in words: its name, its parameters, and what was chosen inside the folds.

learner_words(KernelRidge(0.001))                  "kernel ridge, λ = 0.001"
learner_words(KernelRidge(), ((0.01, 8), (0.1, 2)))
    "kernel ridge, λ chosen inside the folds (in units of the mean diagonal): 0.01 in 8, 0.1 in 2"
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kernex_core.base.parameters import parameters
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.learners.on_components import OnComponents
from pages.shared.declared.labels import GREEK

CHOSEN: Final = "chosen inside the folds (in units of the mean diagonal)"
"""What stands between the letter of a strength and the values that folds chose."""


def learner_words(learner: Learner, used: Sequence[tuple[float, int]] = ()) -> str:
    """Return name and parameters; `used` are the strengths that folds chose, and in how many."""
    title = learner.title[0].lower() + learner.title[1:]
    parts = [title]
    for name, described in parameters(learner).items():
        symbol = GREEK.get(described.symbol, described.symbol)
        if name == learner.strength and used:
            chosen = ", ".join(f"{value:g} in {count}" for value, count in used)
            parts.append(f"{symbol} {CHOSEN if learner.scaled else 'chosen inside the folds'}: {chosen}")
        elif not described.hidden:
            parts.append(f"{symbol} = {getattr(learner, name):g}")
    if isinstance(learner, OnComponents):
        parts.append(f"then {learner_words(learner.learner, used)}")
    return ", ".join(parts)


def last_of(learner: Learner) -> Learner:
    """Return what learns in the end: on components that is another learner."""
    return last_of(learner.learner) if isinstance(learner, OnComponents) else learner


def strength_symbol(learner: Learner) -> str:
    """Return the letter of what may be chosen inside the folds, "" where nothing is."""
    last = last_of(learner)
    if not last.strength:
        return ""
    symbol = parameters(last)[last.strength].symbol
    return GREEK.get(symbol, symbol)
