"""What every lesson answers to a bet and to a challenge."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.base.frozen import EqualByContent


@dataclass(frozen=True, eq=False)
class Check(EqualByContent):
    """Whether an answer is right, judged by what the core computes from it and not by where a control stands.

    Attributes
    ----------
    right : bool
    value : float
        What was judged: a number of errors, a coefficient, a ratio.
    said : str
        One sentence: what was found, and what a wrong answer assumed.
    """

    right: bool
    value: float
    said: str
