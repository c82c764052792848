"""What a reader has to know about locally linear embedding of given items."""

from __future__ import annotations

import numpy as np

from kernex_core.extrapolation.affine_weights import AffineWeights, closed_parts


def lle_notes(weights: AffineWeights, columns: int | None = None) -> tuple[str, ...]:
    """What a reader has to know about a map of these weights.

    Parameters
    ----------
    weights : AffineWeights
        Of items on one another.
    columns : int, optional
        Columns of the items; None for a kernel.
    """
    notes: tuple[str, ...] = ()
    n, k = weights.near.shape
    parts = closed_parts(weights.sparse)
    if parts > 1:
        notes += (
            f"The neighbour graph has {parts} groups that lean on nobody outside: the first {parts - 1} "
            f"{'coordinate tells' if parts == 2 else 'coordinates tell'} the groups apart and nothing within them. "
            "Take more neighbours.",
        )
    same = int(((weights.apart == 0.0) & (weights.near < np.arange(n)[:, None])).any(axis=1).sum())
    if same:
        notes += (f"{same} of {n} items repeat another one exactly.",)
    if columns is not None and k > columns:
        notes += (
            f"There are more neighbours ({k}) than columns ({columns}): many weights reconstruct an item equally well, "
            "and the regularisation chooses the even ones.",
        )
    return notes
