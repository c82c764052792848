"""A table of what was measured beside what is published, and whether it holds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One number.

    Attributes
    ----------
    what : str
    measured, published : float
        In the same unit.
    se : float
        Standard error of their difference: of the measured mean and of the published one, where that is a mean, too.
    within : float
        Standard errors that the difference may have.
    rounding : float
        What it may be off beside that: the digits that are printed, or the whole allowance where no error is known.
    held : bool
        Whether the run fails if it is off; False where the difference itself is the finding.
    """

    what: str
    measured: float
    published: float
    se: float = 0.0
    within: float = 3.0
    rounding: float = 0.0
    held: bool = True

    @property
    def inside(self) -> bool:
        """Whether the difference is allowed; never for NaN."""
        return abs(self.measured - self.published) <= self.within * self.se + self.rounding

    @property
    def off(self) -> bool:
        """Whether the run fails by this row."""
        return self.held and not self.inside

    @property
    def verdict(self) -> str:
        """Inside or not, in words."""
        if self.inside:
            return "inside"
        return "OFF" if self.held else "outside (not held)"


def difference_se(*errors: float) -> float:
    """Standard error of a difference of independent means."""
    return math.hypot(*errors)


def lines(rows: Iterable[Row]) -> Iterable[str]:
    """The table as text."""
    rows = list(rows)
    width = max([len(row.what) for row in rows] + [4])
    yield f"  {'':{width}}  measured  published        SE  inside"
    for row in rows:
        yield (
            f"  {row.what:{width}}  {row.measured:8.4g}  {row.published:9.4g}  {row.se:8.2g}  {row.verdict}"
        )
