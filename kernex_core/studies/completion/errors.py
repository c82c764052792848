"""How far a completed kernel is from the truth on what was hidden."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray


def hidden_error(K: FloatArray, truth: FloatArray, hidden: BoolArray) -> tuple[float, float]:
    """Root mean square error on pairs with a hidden item, off the diagonal, and the factor that K was scaled by.

    The factor is that of least squares for every kernel: one that is shrunk is not worse for that.
    """
    known = ~np.isnan(truth)
    np.fill_diagonal(known, False)
    pairs = known & (hidden[:, None] | hidden[None, :])
    # where nothing is hidden, the factor is that of what is known: the error would show the shrinkage alone
    seen = pairs if pairs.any() else known
    square = float(K[seen] @ K[seen])
    scale = float(K[seen] @ truth[seen]) / square if square > 0.0 else 1.0
    error = float(np.sqrt(np.mean((scale * K[pairs] - truth[pairs]) ** 2))) if pairs.any() else float("nan")
    return error, scale
