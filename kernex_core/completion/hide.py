"""Hide items of a known kernel: "what if this were missing?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.base.parameters import check_range, parameter
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step


@dataclass(frozen=True)
class Hide(Step):
    """Make the similarities of some items unknown.

    Attributes
    ----------
    hidden : tuple of int
        Positions of the hidden items among all items.
    """

    name: ClassVar[str] = "hide items"
    sees: ClassVar[Sees] = Sees("pair")
    hidden: tuple[int, ...] = parameter((), help="Positions of the hidden items.", hidden=True)

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        at = np.arange(K_train.shape[0]) if items is None else items
        if self.hidden and (min(self.hidden) < 0 or (items is None and max(self.hidden) >= at.size)):
            raise InvalidInputError(f"Hidden positions have to lie in 0 to {at.size - 1}", str(self.hidden))
        return _Hidden(np.isin(at, self.hidden), np.array(self.hidden, dtype=np.int64))

    def take(self, items: IntArray) -> Self:
        """See Step."""
        place = {int(item): new for new, item in enumerate(items)}
        return type(self)(tuple(place[i] for i in self.hidden if i in place))


class _Hidden(FittedStep):
    def __init__(self, mask: BoolArray, hidden: IntArray) -> None:
        self.mask, self.hidden = mask, hidden

    def apply(self, K: FloatArray) -> FloatArray:
        out = K.copy()
        out[self.mask, :] = np.nan
        out[:, self.mask] = np.nan
        return out

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        return errors

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        out, own = K_cross.copy(), diag.copy()
        out[:, self.mask] = np.nan
        if items is not None:
            out[np.isin(items, self.hidden), :] = np.nan
            own[np.isin(items, self.hidden)] = np.nan
        return CrossBlock(out, own)


def hidden_items(known: BoolArray, share: float, *, rng: np.random.Generator) -> IntArray:
    """Draw which of the known items to hide.

    The draws for growing shares under one seed are nested, so that a slider hides more and never others; at least two
    items stay known.

    Parameters
    ----------
    known : (m,) bool
    share : float
        0 to 0.95, of the known items.
    rng : numpy.random.Generator

    Returns
    -------
    (k,) int
        Sorted positions.
    """
    share = check_range("The hidden share", share, 0.0, 0.95)
    candidates = np.flatnonzero(known)
    shuffled = rng.permutation(candidates)
    count = min(round(share * candidates.size), max(candidates.size - 2, 0))
    return np.sort(shuffled[candidates.size - count :]).astype(np.int64)
