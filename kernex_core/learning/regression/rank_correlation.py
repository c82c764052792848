"""Spearman's rank correlation."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from kernex_core.frozen import FloatArray
from kernex_core.learning.judgement import NAN


def rank_correlation(y: FloatArray, predicted: FloatArray) -> float:
    """Spearman's correlation, ties with their mean rank; NaN for fewer than three items or constant numbers."""
    if y.size < 3:
        return NAN
    a, b = (rankdata(values) - (y.size + 1) / 2.0 for values in (y, predicted))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0.0 else NAN
