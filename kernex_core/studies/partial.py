"""What the partial results of every long study have in common."""

from __future__ import annotations

import typing


class Partial(typing.Protocol):
    """Frozen partial result of a study."""

    @property
    def done(self) -> int:
        """Steps done."""

    @property
    def total(self) -> int:
        """Steps in all."""
