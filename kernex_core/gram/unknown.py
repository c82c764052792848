"""Which items of a partly unknown similarity matrix are known, and which pairs are not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays


@dataclass(frozen=True, eq=False)
class UnknownEntries(ReadOnlyArrays):
    """Unknown entries (NaN) of a symmetric matrix, sorted out.

    Attributes
    ----------
    known : (n,) bool
        Largest set (greedy) of items whose pairs are all known; the rest can be completed.
    wholly_unknown : (k,) int
        Items with no known entry off the diagonal.
    dropped : (d,) int
        Items that do have known entries, but had to leave the known set because of scattered unknown pairs.
    unknown_pairs : int
        Unordered pairs i <= j that are unknown, those of an item with itself among them.
    unknown_selves : int
        Items whose similarity to themselves is unknown.
    scattered_pairs : int
        Those of them in which neither item is wholly unknown.
    """

    known: BoolArray
    wholly_unknown: IntArray
    dropped: IntArray
    unknown_pairs: int
    unknown_selves: int
    scattered_pairs: int

    @property
    def complete(self) -> bool:
        """Whether every pair is known."""
        return self.unknown_pairs == 0

    @property
    def between(self) -> int:
        """Number of unknown pairs of two items, of n (n − 1) / 2."""
        return self.unknown_pairs - self.unknown_selves


def unknown_entries(values: FloatArray) -> UnknownEntries:
    """Find the unknown entries of a square matrix; a pair counts as unknown if either of its entries is NaN.

    The known set is found greedily and deterministically: while an unknown pair is left, the item with the most
    unknown pairs leaves, of several the last one.
    """
    missing = np.isnan(values)
    missing |= missing.T
    n = missing.shape[0]
    if not missing.any():
        nobody = np.zeros(0, dtype=np.int64)
        return UnknownEntries(np.ones(n, dtype=np.bool_), nobody, nobody, 0, 0, 0)
    diagonal = np.diag(missing).copy()
    # a row without any known similarity to another item is wholly unknown, whatever its diagonal says
    off_diagonal_known = (~missing).sum(axis=1) - ~diagonal
    wholly = (off_diagonal_known == 0) & (missing.any(axis=1)) if n > 1 else diagonal
    among_others = missing[np.ix_(~wholly, ~wholly)]
    keep = ~wholly
    keep[np.flatnonzero(~wholly)[_removed(among_others)]] = False
    return UnknownEntries(
        known=keep,
        wholly_unknown=np.flatnonzero(wholly),
        dropped=np.flatnonzero(~keep & ~wholly),
        unknown_pairs=_pairs(missing),
        unknown_selves=int(diagonal.sum()),
        scattered_pairs=_pairs(among_others),
    )


def _removed(missing: BoolArray) -> IntArray:
    """Positions that leave, in order, until no unknown pair is left."""
    counts = missing.sum(axis=1).astype(np.int64)
    # an item whose own diagonal is unknown cannot stay even when no other pair of it is unknown
    removed: list[int] = []
    n = missing.shape[0]
    while n and counts.max() > 0:
        item = n - 1 - int(counts[::-1].argmax())
        counts -= missing[item]
        counts[item] = -n
        counts[removed] = -n
        removed.append(item)
    return np.array(removed, dtype=np.int64)


def _pairs(missing: BoolArray) -> int:
    return int((missing.sum() + np.diag(missing).sum()) // 2)
