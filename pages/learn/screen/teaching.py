"""What a lesson tells the lecturer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Teaching:
    """For one lesson, beside its question.

    Attributes
    ----------
    ask : tuple of str
        Further questions to ask in the room.
    wrong : tuple of (str, str)
        Likely wrong answers, and what whoever gives them assumes.
    state : str
        Query of an address that opens the lesson where it is worth a long look, e.g. "bet=-&haw_tau=10".
    """

    ask: tuple[str, ...]
    wrong: tuple[tuple[str, str], ...]
    state: str = ""
