"""Intervals over items of measures that are no mean over items: ROC area and Matthews correlation.

What an item adds is its influence, the change of the measure with the item's weight (infinitesimal jackknife, Efron 1981;
of an area DeLong, DeLong and Clarke-Pearson 1988). The variance over items, or over groups of items, is the sum of its
squares: what a bootstrap over items tends to, without its draws.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.learning.chance.interval import LEVEL, Interval
from kernex_core.learning.scores import half_wins_by_class

TINY = 1e-9
"""Standard error below which nothing moves: items drawn anew would all say the same."""


def area_influence(truth: IntArray, decisions: FloatArray, wins: IntArray | None = None) -> FloatArray:
    """(n,) influence of each item of a fold on the sum over classes of the area under the ROC curve.

    Of an area A with m items of the class and n others: (V − A) / m and (V − A) / n, V being the share of the other kind on
    the right side of the item, ties half. A class without both kinds adds nothing. `wins` are `half_wins_by_class`, where
    somebody has them.
    """
    wins = half_wins_by_class(truth, decisions) if wins is None else wins
    member = truth == np.arange(wins.shape[0])[:, None]
    m = member.sum(axis=1)
    both = np.flatnonzero((m > 0) & (m < truth.size))
    member, m = member[both], m[both, None]
    n = truth.size - m
    shares = wins[both] / (2 * np.where(member, n, m))
    right = np.where(member, shares, 1.0 - shares)
    areas = [np.add.reduce(row[own]) for row, own in zip(right, member, strict=True)] / m[:, 0]
    return np.asarray(((right - areas[:, None]) / np.where(member, m, n)).sum(axis=0))


def area_interval(
    area: float, pulls: FloatArray, sizes: IntArray, groups: ArrayLike | None, level: float = LEVEL
) -> Interval:
    """Interval of a mean area, symmetric in its logit (Pepe 2003, section 5.2).

    Where nothing moves (all pairs in the right order) each class has Wilson's interval over the rarer kind of its items,
    which bounds the variance of an area (Birnbaum and Klose 1957), and the mean of classes the mean of their sides.

    Parameters
    ----------
    area : float
    pulls : (n_items,) float
    sizes : (n_classes,) int
    groups : (n_items,), optional
    level : float
    """
    z = float(ndtri((1.0 + level) / 2.0))
    se, units, over = _standard_error(pulls, groups)
    if se > TINY and TINY < area < 1.0 - TINY:
        middle, half = np.log(area / (1.0 - area)), z * se / (area * (1.0 - area))
        low, high = (1.0 / (1.0 + np.exp(-end)) for end in (middle - half, middle + half))
        return Interval(float(low), float(high), level, units, over, "influence")
    rarer = np.minimum(sizes, sizes.sum() - sizes)
    n = rarer[rarer > 0].astype(np.float64) * units / pulls.size
    centre = (area + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(area * (1 - area) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    low, high = float((centre - half).mean()), float((centre + half).mean())
    return Interval(max(min(low, area), 0.0), min(max(high, area), 1.0), level, units, over, "Wilson")


def matthews_slope(confusion: FloatArray) -> FloatArray:
    """(c, c) change of the Matthews correlation with each count; 0 where it is not defined."""
    t, p = confusion.sum(axis=1), confusion.sum(axis=0)
    total, right = float(t.sum()), float(np.trace(confusion))
    a, b = total**2 - float(p @ p), total**2 - float(t @ t)
    if a <= 0.0 or b <= 0.0:
        return np.zeros_like(confusion)
    top = right * total - float(t @ p)
    rise = right + total * np.eye(t.size) - p[:, None] - t[None, :]
    return np.asarray((rise - top * ((total - p)[None, :] / a + (total - t)[:, None] / b)) / np.sqrt(a * b))


def matthews_interval(
    mean: float,
    truth: IntArray,
    named: IntArray,
    n_classes: int,
    groups: ArrayLike | None,
    level: float = LEVEL,
) -> Interval:
    """Interval of a Matthews correlation, symmetric in its inverse hyperbolic tangent (Fisher 1915).

    Where nothing moves (one class is always named, or all are right) one item is added to the counts, spread evenly over
    true and named classes: with them it moves.

    Parameters
    ----------
    mean : float
        Over repetitions.
    truth : (n_items,) int
    named : (n_repeats, n_items) int
    n_classes : int
    groups : (n_items,), optional
    level : float
    """
    pulls = np.zeros(truth.size)
    counts: FloatArray = np.zeros((n_classes, n_classes))
    for given in named:
        confusion = np.zeros((n_classes, n_classes))
        np.add.at(confusion, (truth, given), 1.0)
        slope = matthews_slope(confusion)
        # the measure does not change with the scale of the counts, so that its slopes sum to 0 over the items
        pulls += slope[truth, given] / len(named)
        counts = counts + confusion / len(named)
    se, units, over = _standard_error(pulls, groups)
    middle = mean
    if se <= TINY or abs(mean) >= 1.0 - TINY:
        counts += 1.0 / n_classes
        t, p = counts.sum(axis=1), counts.sum(axis=0)
        total = float(t.sum())
        scale = np.sqrt((total**2 - float(p @ p)) * (total**2 - float(t @ t)))
        middle = float((np.trace(counts) * total - t @ p) / scale)
        se = float(np.sqrt((counts * matthews_slope(counts) ** 2).sum() * truth.size / units))
    half = float(ndtri((1.0 + level) / 2.0)) * se / (1.0 - middle**2)
    low, high = (float(np.tanh(np.arctanh(middle) + side)) for side in (-half, half))
    return Interval(min(low, mean), max(high, mean), level, units, over, "influence")


def _standard_error(
    pulls: FloatArray, groups: ArrayLike | None
) -> tuple[float, int, Literal["items", "groups"]]:
    given: NDArray[np.generic] = np.arange(pulls.size) if groups is None else np.asarray(groups)
    unit = np.unique(given, return_inverse=True)[1]
    of_unit = np.asarray(np.bincount(unit, weights=pulls), dtype=np.float64)
    n = of_unit.size
    se = float(np.linalg.norm(of_unit)) * (n / max(n - 1, 1)) ** 0.5
    return se, n, "items" if groups is None else "groups"
