"""How far a rank correlation inside folds would move with other items: the jackknife over items."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import ndtri

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.learning.chance.interval import LEVEL, Interval
from kernex_core.learning.judgement import NAN
from kernex_core.learning.regression.rank_correlation import rank_correlation, without_each


def rank_interval(y: FloatArray, predicted: FloatArray, parts: IntArray, units: IntArray | None) -> Interval:
    """Interval of the mean rank correlation inside folds: each item, or group, is left out in turn (Efron 1982).

    Mean ± z √((u − 1)/u Σ (θ_(i) − θ̄)²), θ_(i) the mean over folds and repetitions without unit i; predictions stay.
    Drawing items with replacement would not do: an item that is drawn twice agrees with itself.

    Parameters
    ----------
    y : (n,) float
    predicted : (n_repeats, n) float
    parts : (n_repeats, n) int
        Fold that each item is in.
    units : (n,) int, optional
        Numbers of the groups of items that belong together; a group is in one fold.

    Returns
    -------
    Interval
        NaN to NaN where no fold has a rank correlation.
    """
    over: Literal["items", "groups"] = "items" if units is None else "groups"
    of_unit = np.arange(y.size) if units is None else units
    count = int(of_unit.max()) + 1
    passes = [_one_pass(y, *each, of_unit, count) for each in zip(predicted, parts, strict=True)]
    center = float(np.mean([whole for whole, _ in passes]))
    theta = np.mean([without for _, without in passes], axis=0)
    variance = (count - 1) / count * float(((theta - theta.mean()) ** 2).sum())
    half = float(ndtri((1.0 + LEVEL) / 2.0)) * variance**0.5
    low, high = (NAN, NAN) if np.isnan(center) else (max(center - half, -1.0), min(center + half, 1.0))
    return Interval(low, high, LEVEL, count, over, "jackknife")


def _one_pass(
    y: FloatArray, numbers: FloatArray, parts: IntArray, units: IntArray, count: int
) -> tuple[float, FloatArray]:
    """Mean over the folds of one repetition, and (count,) the same without each unit."""
    folds = [np.flatnonzero(parts == part) for part in np.unique(parts)]
    ranks = np.array([rank_correlation(y[at], numbers[at]) for at in folds])
    known = ~np.isnan(ranks)
    if not known.any():
        return NAN, np.full(count, NAN)
    total, number = float(ranks[known].sum()), int(known.sum())
    without = np.full(count, total / number)
    for at, rho in zip(folds, ranks, strict=True):
        left, new = _without_units(y[at], numbers[at], units[at])
        sums = total - np.nan_to_num(rho) + np.nan_to_num(new)
        many = number - (not np.isnan(rho)) + ~np.isnan(new)
        without[left] = np.divide(sums, many, out=without[left], where=many > 0)
    return total / number, without


def _without_units(y: FloatArray, numbers: FloatArray, units: IntArray) -> tuple[IntArray, FloatArray]:
    """Units of a fold, and its rank correlation without each."""
    present, first = np.unique(units, return_index=True)
    if present.size == units.size:
        return present, without_each(y, numbers)[first]
    return present, np.array([rank_correlation(y[units != u], numbers[units != u]) for u in present])
