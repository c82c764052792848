"""A printed number with its printed spread."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.frozen import EqualByContent


@dataclass(frozen=True, eq=False)
class Printed(EqualByContent):
    """A printed accuracy and its printed ±, both in percent."""

    mean: float
    plus_minus: float
