"""A printed number with its printed spread."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.frozen import EqualByContent


@dataclass(frozen=True, eq=False)
class Printed(EqualByContent):
    """A printed mean and its printed ±, both as shares, 0 to 1; NaN where no ± is printed.

    Balanced losses, accuracies, scores and p values are shares everywhere in the core. Percent exist only where text is
    drawn.
    """

    mean: float
    plus_minus: float = float("nan")
