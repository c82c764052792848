"""How far a rank correlation inside folds would move with other items: the jackknife over items."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.learning.chance.interval import LEVEL, Interval
from kernex_core.learning.judgement import NAN
from kernex_core.learning.regression.rank_correlation import rank_correlation


def rank_interval(y: FloatArray, predicted: FloatArray, parts: IntArray, units: IntArray | None) -> Interval:
    """Interval of the mean rank correlation inside folds: each item, or group, is left out in turn (Efron 1982).

    Mean ± z √((u − 1)/u Σ (θ_(i) − θ̄)²), θ_(i) the mean over folds and repetitions without unit i; predictions stay. Drawing
    items with replacement would not do: an item that is drawn twice agrees with itself.

    Parameters
    ----------
    y : (n,) float
    predicted : (n_repeats, n) float
    parts : (n_repeats, n) int
        Fold that each item is in.
    units : (n,) int, optional
        Items that belong together.
    """
    of_unit = np.arange(y.size) if units is None else units
    count = int(of_unit.max()) + 1
    without = np.zeros((len(predicted), count))
    whole = np.empty(len(predicted))
    for r, (numbers, part) in enumerate(zip(predicted, parts, strict=True)):
        folds = [np.flatnonzero(part == k) for k in np.unique(part)]
        ranks = np.array([rank_correlation(y[at], numbers[at]) for at in folds])
        defined = ~np.isnan(ranks)
        if not defined.any():
            return Interval(NAN, NAN, LEVEL, count, "items" if units is None else "groups", "jackknife")
        total, number = ranks[defined].sum(), defined.sum()
        whole[r] = total / number
        without[r] = whole[r]
        for at, rho in zip(folds, ranks, strict=True):
            for unit in np.unique(of_unit[at]):
                left = at[of_unit[at] != unit]
                new = rank_correlation(y[left], numbers[left])
                sums = total - np.nan_to_num(rho) + np.nan_to_num(new)
                many = number - (not np.isnan(rho)) + (not np.isnan(new))
                # a group in several folds is left out of each: changes add up
                without[r, unit] += (sums / many if many else whole[r]) - whole[r]
    theta, center = without.mean(axis=0), float(whole.mean())
    variance = (count - 1) / count * float(((theta - theta.mean()) ** 2).sum())
    half = float(norm.ppf((1.0 + LEVEL) / 2.0)) * variance**0.5
    return Interval(
        max(center - half, -1.0), min(center + half, 1.0), LEVEL, count,
        "items" if units is None else "groups", "jackknife",
    )  # fmt: skip
