"""Questions of lessons: what is asked, how a visitor bets, and what each bet assumes. A bet travels as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import streamlit as st

from kernex_core.studies.lessons.catalogue import Check
from pages.shared.digits import number

MOST_BARS = 12


class Question(Protocol):
    """What every question can do."""

    @property
    def text(self) -> str: ...

    def offer(self, key: str) -> str | None:
        """Draw what a visitor bets with; return the bet that stands there, None where there is none yet."""

    def judge(self, bet: str) -> Check | None:
        """Return whether a bet is right, and the sentence on what it assumes; None for what is no bet."""

    def shown(self, bet: str) -> str:
        """Return how a bet is called."""

    def bars(self, bets: Mapping[str, int]) -> list[tuple[str, int, bool]]:
        """Return the bets of a class as (what, how many, right)."""


@dataclass(frozen=True)
class Choice:
    """One of several answers.

    Attributes
    ----------
    text : str
    answers : mapping of str to str
        Letter -> answer.
    right : str
        Letter of the right one.
    because : mapping of str to str
        Letter -> what whoever says so assumes; of the right one, why it is right.
    """

    text: str
    answers: Mapping[str, str]
    right: str
    because: Mapping[str, str]

    def offer(self, key: str) -> str | None:
        """Draw the answers."""
        chosen: str | None = st.radio(
            "Your bet", list(self.answers), index=None, format_func=self.answers.__getitem__, key=key,
            help="What do you expect? There is nothing to lose: the picture and the reason come after it.",
        )  # fmt: skip
        return chosen

    def judge(self, bet: str) -> Check | None:
        """Look the letter up."""
        if bet not in self.answers:
            return None
        return Check(bet == self.right, float(list(self.answers).index(bet)), self.because[bet])

    def shown(self, bet: str) -> str:
        """Return the answer itself."""
        return self.answers.get(bet, bet)

    def bars(self, bets: Mapping[str, int]) -> list[tuple[str, int, bool]]:
        """One bar an answer, in their order."""
        return [
            (answer, bets.get(letter, 0), letter == self.right) for letter, answer in self.answers.items()
        ]


@dataclass(frozen=True)
class Guess:
    """A number on a slider; `because` judges it, `right` is the number that it is drawn beside, `start` where it begins."""

    text: str
    low: float
    high: float
    step: float
    right: float
    because: Callable[[float], Check]
    unit: str = ""
    start: float | None = None

    def offer(self, key: str) -> str | None:
        """Draw the slider; where it begins, in the middle or at `start`, counts as a bet once the button is pressed."""
        middle = self.low + round((self.high - self.low) / 2.0 / self.step) * self.step
        start = middle if self.start is None else self.start
        value = st.slider(
            f"Your guess{f' ({self.unit})' if self.unit else ''}", self.low, self.high, start, self.step, key=key,
            format="%d" if self.step >= 1.0 else None,
            help="There is nothing to lose: the picture and the reason come after it.",
        )  # fmt: skip
        return f"{value:g}"

    def judge(self, bet: str) -> Check | None:
        """Compare the number."""
        value = self._value(bet)
        return None if value is None else self.because(value)

    def shown(self, bet: str) -> str:
        """Return the number with its unit."""
        value = self._value(bet)
        return bet if value is None else f"{number(value)}{f' {self.unit}' if self.unit else ''}"

    def bars(self, bets: Mapping[str, int]) -> list[tuple[str, int, bool]]:
        """At most twelve bins over the range; the one that holds the right number is marked."""
        count = min(MOST_BARS, max(1, round((self.high - self.low) / self.step)))
        wide = (self.high - self.low) / count
        found = [0] * count
        for bet, times in bets.items():
            if (value := self._value(bet)) is not None:
                found[self._bin(value, wide, count)] += times
        right = self._bin(self.right, wide, count)
        ends = [self.low + k * wide for k in range(count + 1)]
        return [(f"{number(ends[k])} to {number(ends[k + 1])}", found[k], k == right) for k in range(count)]

    def _bin(self, value: float, wide: float, count: int) -> int:
        return min(max(int((value - self.low) / wide), 0), count - 1)

    def _value(self, bet: str) -> float | None:
        try:
            value = float(bet)
        except ValueError:
            return None
        return value if self.low <= value <= self.high else None


@dataclass(frozen=True)
class Click:
    """An item of the picture, or one of a few answers beside it.

    Attributes
    ----------
    text : str
    items : mapping of str to str
        Id in the picture -> how it is called.
    answers : mapping of str to str
        Answers that are no item.
    because : callable
        Bet -> Check.
    """

    text: str
    items: Mapping[str, str]
    because: Callable[[str], Check]
    answers: Mapping[str, str] = field(default_factory=dict)

    def offer(self, key: str) -> str | None:
        """Offer the items by name, for who cannot click, and the answers beside them."""
        everything = {**self.answers, **self.items}
        chosen: str | None = st.selectbox(
            "Click into the picture, or choose here",
            list(everything),
            index=None,
            format_func=everything.__getitem__,
            key=key,
            placeholder="Nothing clicked yet",
            help="There is nothing to lose: the picture and the reason come after it.",
        )  # fmt: skip
        return chosen

    def judge(self, bet: str) -> Check | None:
        """Ask the core about the item."""
        return self.because(bet) if bet in self.items or bet in self.answers else None

    def shown(self, bet: str) -> str:
        """Return the item's name."""
        return {**self.answers, **self.items}.get(bet, bet)

    def bars(self, bets: Mapping[str, int]) -> list[tuple[str, int, bool]]:
        """The answers, then the most clicked items."""
        known = [bet for bet in bets if self.judge(bet) is not None]
        order = sorted(known, key=lambda bet: (bet not in self.answers, -bets[bet], bet))[:MOST_BARS]
        return [(self.shown(bet), bets[bet], self.because(bet).right) for bet in order]
