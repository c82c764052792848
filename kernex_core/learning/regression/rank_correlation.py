"""Spearman's rank correlation, of all items and without each of them."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.learning.judgement import NAN

FEWEST = 3
_ROWS = 256
"""Items that are left out at a time, so that long folds need no square array."""


def rank_correlation(y: FloatArray, predicted: FloatArray) -> float:
    """Spearman's correlation, ties with their mean rank; NaN for fewer than three items or constant numbers."""
    if y.size < FEWEST:
        return NAN
    a, b = (rankdata(values) - (y.size + 1) / 2.0 for values in (y, predicted))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0.0 else NAN


def without_each(y: FloatArray, predicted: FloatArray) -> FloatArray:
    """(n,) the same without each item: whoever stood above it is one rank lower, whoever tied with it half a rank."""
    n = y.size
    found = np.full(n, NAN)
    if n <= FEWEST:
        return found
    ranks = [(values, rankdata(values)) for values in (y, predicted)]
    for start in range(0, n, _ROWS):
        at = np.arange(start, min(start + _ROWS, n))
        a, b = (_ranks_without(values, whole, at) for values, whole in ranks)
        size = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
        np.divide((a * b).sum(axis=1), size, out=found[at[0] : at[-1] + 1], where=size > 0.0)
    return found


def _ranks_without(values: FloatArray, ranks: FloatArray, at: IntArray) -> FloatArray:
    """(len(at), n) centred ranks of the others when one is left out, 0 in its own place."""
    left = values[at, None]
    new = ranks - (values > left) - 0.5 * (values == left) - values.size / 2.0
    new[np.arange(at.size), at] = 0.0
    return np.asarray(new)
