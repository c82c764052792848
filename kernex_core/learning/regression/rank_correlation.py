"""Spearman's rank correlation inside folds, and what each item has of it."""

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


def ranks_by_item(
    y: FloatArray, predicted: FloatArray, parts: IntArray, units: IntArray | None
) -> FloatArray:
    """(n,) mean over folds of the rank correlation inside a fold, plus n times the influence of each item.

    The influence is that of the jackknife (Efron 1982), (u − 1)(θ̄ − θ_(i)) / u with θ_(i) the mean without unit i; that of a
    group is shared by its items. Drawing items anew would not do: an item that is drawn twice agrees with itself.

    Parameters
    ----------
    y, predicted : (n,) float
    parts : (n,) int
        Fold that each item is in.
    units : (n,) int, optional
        Numbers of the groups of items that belong together; a group is in one fold.

    Returns
    -------
    (n,) float
        NaN where no fold has a rank correlation.
    """
    of_unit = np.arange(y.size) if units is None else units
    count = int(of_unit.max()) + 1
    whole, without = _without_each_unit(y, predicted, parts, of_unit, count)
    pulls = (count - 1) / count * (without.mean() - without)
    return np.asarray(whole + y.size * (pulls / np.bincount(of_unit, minlength=count))[of_unit])


def _without_each_unit(
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
