"""Tests between two kernels, as functions of counts and differences: which are valid, and how far, says `compare`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import bdtr
from scipy.stats import chi2, t

from kernex_core.parameters import check_range

FEWEST = 4
"""Differences below which the corrected t-test is not made: of two, from one pass of two folds, it said p < .05 for 6 to 10
of 100 pairs of exchangeable kernels, of four for 3."""
_EQUAL = 1e-9
"""Share of the largest by which differences that are equal may differ by rounding."""


def yates_p(correct_a: float, correct_b: float, n: float) -> float:
    """P-value of Yates' chi-square on two proportions of n decisions each.

    Parameters
    ----------
    correct_a, correct_b : float
        Right decisions of either; may be fractional, as in the paper's Table 1.
    n : float
        Decisions of each.

    Raises
    ------
    InvalidInputError
        Counts outside 0 to n.

    Examples
    --------
    >>> from kernex_core import yates_p
    >>> round(yates_p(80, 65, 100), 4)
    0.0266
    """
    n = check_range("The number of decisions", n, 0.0, 1e15, open_low=True)
    a, b = (check_range("The number of right decisions", value, 0.0, n) for value in (correct_a, correct_b))
    right, wrong = a + b, 2 * n - a - b
    if right == 0.0 or wrong == 0.0:
        return 1.0
    # in shares of n, whose squares stay in range: |a (n − b) − b (n − a)| = n |a − b|
    gap = max(abs(a - b) - 1.0, 0.0) / n
    return float(chi2.sf(2 * n * gap**2 / ((right / n) * (wrong / n)), 1))


def mcnemar_p(only_a: int, only_b: int) -> float:
    """Exact two-sided p that items named rightly by only one kernel fall to either side evenly (McNemar 1947)."""
    both = only_a + only_b
    # the binomial distribution of one half is symmetric: twice the tail of the smaller count, which is at least the middle
    # where both are equal. By scipy.stats.binomtest it takes a hundred times as long, and a verdict asks for every pair
    return min(1.0, 2.0 * float(bdtr(min(only_a, only_b), both, 0.5)))


def corrected_t_p(differences: Sequence[float], test_share: float) -> float:
    """Corrected resampled t-test (Nadeau and Bengio 2003, eq. 10).

    Parameters
    ----------
    differences : sequence of float
        Of the accuracies in every fold of every repetition.
    test_share : float
        n_test / n_train of a fold.

    Returns
    -------
    float
        Two-sided p; NaN for fewer than `FEWEST` differences, 1 if they are all 0. Equal differences have no spread to form t
        with, and few folds prove little: theirs is the p that all k fall to one side by chance, 2^(1 − k).
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.size < FEWEST:
        return float("nan")
    variance = float(values.var(ddof=1))
    if np.ptp(values) <= _EQUAL * np.abs(values).max():
        return 1.0 if not values.any() else float(2.0 ** (1 - values.size))
    statistic = float(values.mean()) / np.sqrt((1.0 / values.size + test_share) * variance)
    return float(2.0 * t.sf(abs(statistic), values.size - 1))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values corrected for being many (Holm 1979), in the order given."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(np.minimum((p.size - np.arange(p.size)) * p[order], 1.0))
    corrected = np.empty_like(p)
    corrected[order] = stepped
    return tuple(corrected.tolist())
