"""What a card of the errata holds: a statement, and numbers that it gives beside those that are right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kernex_core.frozen import EqualByContent
from kernex_core.studies.lessons.check import Check

EXTRAPOLATION: Final = "Vishwanathan and others, Kernel extrapolation, 2006"
JOINT: Final = "Borgwardt and others, Joint regularization, 2005"
ORTHOGONAL: Final = "Schölkopf and others, Almost orthogonal patterns, 2002"
NOTES: Final = "Jordan, Examples of kernels, lecture notes"
SLIDES: Final = "Vert, Kernel methods and computational biology, slides"


@dataclass(frozen=True, eq=False)
class Shown(EqualByContent):
    """One number, as the statement gives it and as it is.

    Attributes
    ----------
    what : str
    printed, right : float
        NaN: it has no such value.
    """

    what: str
    printed: float
    right: float


@dataclass(frozen=True)
class Card:
    """A statement in print.

    Attributes
    ----------
    key, title, source : str
    printed : str
        The statement as it stands, in TeX.
    right : str
        What holds, in TeX; "" where the statement itself does.
    said : str
        What the numbers show, in words.
    compute : function without arguments
        The numbers, computed now.
    lesson : str
        Key of the lesson that explains more; "" = none.
    symbols : str
        What the letters of the statement are, in a sentence.
    """

    key: str
    title: str
    source: str
    printed: str
    right: str
    said: str
    compute: Callable[[], tuple[Shown, ...]]
    lesson: str = ""
    symbols: str = ""

    @property
    def holds(self) -> bool:
        """Whether it is right as printed."""
        return not self.right


def bet_check(card: Card, holds: bool) -> Check:
    """Whether somebody tells rightly if a statement holds as printed."""
    first = card.compute()[0]
    if card.holds:
        assumed = "" if holds else " Not all that is printed is wrong: only the computation tells."
    else:
        assumed = " Whoever trusts print does not compute it once." if holds else ""
    return Check(holds == card.holds, abs(first.printed - first.right), card.said + assumed)
