"""A measured number beside a printed one: how far they are apart, and whether that is more than chance makes of it."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.frozen import EqualByContent


@dataclass(frozen=True, eq=False)
class Difference(EqualByContent):
    """Measured less published.

    Attributes
    ----------
    gap : float
        As a share, −1 to 1.
    se : float
        Standard error of the gap, measured and printed together; NaN where it is not known.
    """

    gap: float
    se: float

    @property
    def limit(self) -> float:
        """Two standard errors, above which a difference is outside."""
        return 2.0 * self.se

    @property
    def within(self) -> bool:
        """Whether it is at most two standard errors; False where they are not known."""
        return abs(self.gap) <= self.limit

    @property
    def outside(self) -> bool:
        """Whether it is above two standard errors; False where they are not known."""
        return abs(self.gap) > self.limit
