"""A printed number with its printed spread."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Printed:
    """A printed accuracy and its printed ±, both in percent."""

    mean: float
    plus_minus: float
