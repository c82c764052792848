"""How far a matrix is from symmetric, in one pass over it that stays in the processor's cache."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray

SYMMETRY_RTOL = 1e-8
"""Largest |K - K'| relative to max |K| that counts as rounding noise."""
_TILE = 256


def largest_size(K: FloatArray) -> float:
    """Largest |K_ij| that is known; 0 where nothing is. No copy is made."""
    if K.size == 0:
        return 0.0
    highest, lowest = float(np.fmax.reduce(K, axis=None)), float(np.fmin.reduce(K, axis=None))
    return 0.0 if np.isnan(highest) else max(highest, -lowest)


def largest_asymmetry(K: FloatArray) -> tuple[float, int, int]:
    """Largest |K_ij - K_ji| over pairs known both ways, with its row and column (i < j); 0 for n = 1."""
    best, pair = 0.0, (0, 0)
    # pairs of tiles that stay in the processor's cache: a column of the whole matrix does not
    starts = range(0, K.shape[0], _TILE)
    for a in starts:
        for b in range(a, K.shape[0], _TILE):
            gaps = K[a : a + _TILE, b : b + _TILE] - K[b : b + _TILE, a : a + _TILE].T
            np.abs(gaps, out=gaps)
            if (largest := float(np.fmax.reduce(gaps, axis=None))) > best:
                row, column = divmod(int(np.nanargmax(gaps)), gaps.shape[1])
                best, pair = largest, (a + row, b + column)
    return best, min(pair), max(pair)


def check_symmetric(K: FloatArray, name: str = "K", *, ids: Sequence[str] | None = None) -> float:
    """Refuse what is not symmetric up to rounding (SYMMETRY_RTOL of its largest entry); return how far it is from that.

    Raises
    ------
    InvalidInputError
        Naming the most asymmetric pair.
    """
    gap, i, j = largest_asymmetry(K)
    if gap > 0.0 and gap > SYMMETRY_RTOL * largest_size(K):
        row, column = (repr(ids[i]), repr(ids[j])) if ids is not None else (str(i + 1), str(j + 1))
        raise InvalidInputError(
            f"{name} has to be symmetric",
            f"|K − Kᵀ| = {gap:.3g} at row {row}, column {column} ({K[i, j]:.6g} against {K[j, i]:.6g})",
            "Symmetrise it first, by the mean or the maximum of both values",
        )
    return gap
