"""One eigenvector of a similarity, read as a contrast: which items it sets against which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays, owned
from kernex_core.gram.spectrum.decomposition import Decomposition
from kernex_core.validation import psd_tolerance

LEAST = 1e-6
"""Entries of a unit vector up to this size may be rounding: their items stand on no side."""


@dataclass(frozen=True, eq=False)
class Eigenvector(ReadOnlyArrays):
    """A unit vector v with K v = λ v.

    Attributes
    ----------
    rank : int
        1 for the largest eigenvalue.
    eigenvalue : float
        λ = v' K v.
    entries : (n,) float
        v, its largest entry in size positive: an eigenvector has no sign of its own.
    within, across : float
        Σ |v_i v_j| K_ij over pairs whose entries have the same sign, and opposite signs; λ = within − across. A kernel
        has within ≥ across for every vector: below 0, items are more similar across the two sides than within them.
    alone : bool
        Whether no other eigenvalue is the same up to rounding. Otherwise the vector is one of many in their common
        space, and its entries say nothing.
    """

    rank: int
    eigenvalue: float
    entries: FloatArray
    within: float
    across: float
    alone: bool

    @property
    def carried_by(self) -> int:
        """Items that carry half of the squared length: as few as possible."""
        shares = np.sort(self.entries**2)[::-1].cumsum()
        return int(np.searchsorted(shares, 0.5 * shares[-1])) + 1

    def side(self, positive: bool, most: int) -> tuple[int, ...]:
        """Positions of at most so many items with the largest entries of one sign, the largest first."""
        signed = self.entries if positive else -self.entries
        order = np.argsort(-signed, kind="stable")[:most]
        return tuple(int(k) for k in order if signed[k] > LEAST)


def eigenvector(made: Decomposition, K: FloatArray, rank: int) -> Eigenvector:
    """Read one eigenvector off a decomposition that is there, in O(n²).

    Parameters
    ----------
    made : Decomposition
        Of K.
    K : (n, n) float
        Known everywhere.
    rank : int
        From 1, the largest eigenvalue, to n.

    Raises
    ------
    InvalidInputError
        Another rank, or another number of items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.gram.spectrum.decomposition import decompose
    >>> from kernex_core.gram.spectrum.eigenvector import eigenvector
    >>> K = np.array([[1.0, 2.0], [2.0, 1.0]])
    >>> found = eigenvector(decompose(K), K, 2)
    >>> round(found.eigenvalue, 6), round(found.within, 6), round(found.across, 6)
    (-1.0, 1.0, 2.0)
    """
    if not 1 <= rank <= made.n:
        raise InvalidInputError(f"A rank from 1 to {made.n:,}", f"{rank}")
    if K.shape != (made.n, made.n):
        raise InvalidInputError(f"The matrix of {made.n:,} items that was decomposed", f"{K.shape}")
    value, v = made.pair(made.n - rank)
    if v[np.abs(v).argmax()] < 0.0:
        v = -v
    size = np.abs(v)
    total = float(size @ (K @ size))
    others = np.delete(made.eigenvalues, made.n - rank)
    slack = psd_tolerance(made.n, float(np.abs(made.eigenvalues).max()))
    alone = not others.size or float(np.abs(others - value).min()) > slack
    return Eigenvector(rank, value, owned(v), (total + value) / 2.0, (total - value) / 2.0, alone)
