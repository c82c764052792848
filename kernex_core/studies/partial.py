"""What the partial results of every long study have in common."""

from __future__ import annotations

from typing import Protocol


class Partial(Protocol):
    """Frozen partial result of a study."""

    @property
    def done(self) -> int:
        """Steps done."""

    @property
    def total(self) -> int:
        """Steps in all."""
