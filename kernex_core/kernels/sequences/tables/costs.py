"""What a local alignment costs, as both engines take it."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.frozen import EqualByContent, FloatArray


@dataclass(frozen=True, eq=False)
class Costs(EqualByContent):
    """Scores and gaps, each times beta, and the form of the recursion.

    Attributes
    ----------
    scores : (q, q) array
        beta S.
    opening, extending : float
        beta open and beta extend.
    form : int
        0 linear, redone scaled where it overflows; 1 scaled; 2 log space. NumPy has one form for 0 and 1.
    """

    scores: FloatArray
    opening: float
    extending: float
    form: int
