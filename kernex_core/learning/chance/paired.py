"""Is one better than the other? One rule and one p for everything that was judged on the same items and folds.

What counts is the difference of an item, in a single pass, and its variance with the factor for shared training sets. The
share of items on whose side it falls sets a floor (exact, McNemar's of right and wrong): neither more repetitions nor equal
gains in all folds make p smaller than one pass can say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, chdtrc, stdtr

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.parameters import check_range
from kernex_core.learning.chance.interval import (
    LEVEL,
    TINY,
    Interval,
    Passes,
    as_passes,
    quantile,
    units_of_items,
    variance_of_a_pass,
)
from kernex_core.learning.scores import confusion_counts, mann_whitney_2u_by_class, matthews

# What an item has of measures that are no mean over items: ROC area, Matthews correlation, mean recall.
#
# What an item adds is its influence, the change of the measure with the item's weight (infinitesimal jackknife, Efron
# 1981; of an area DeLong, DeLong and Clarke-Pearson 1988). The variance over items, or over groups of items, is the sum
# of its squares: what a bootstrap over items tends to, without its draws. See `interval_of`.


def area_influence(truth: IntArray, decisions: FloatArray, wins: IntArray | None = None) -> FloatArray:
    """(n_classes, n) influence of each item of a fold on the area under the ROC curve of each class.

    Of an area A with m items of the class and n others: (V − A) / m and (V − A) / n, V being the share of the other kind on
    the right side of the item, ties half. A class without both kinds has none: 0. `wins` are
    `mann_whitney_2u_by_class`, where they are known already.
    """
    wins = mann_whitney_2u_by_class(truth, decisions) if wins is None else wins
    member = truth == np.arange(wins.shape[0])[:, None]
    m = member.sum(axis=1)
    both = np.flatnonzero((m > 0) & (m < truth.size))
    pulls = np.zeros(wins.shape)
    member, m = member[both], m[both, None]
    n = truth.size - m
    shares = wins[both] / (2 * np.where(member, n, m))
    right = np.where(member, shares, 1.0 - shares)
    areas = [np.add.reduce(row[own]) for row, own in zip(right, member, strict=True)] / m[:, 0]
    pulls[both] = (right - areas[:, None]) / np.where(member, m, n)
    return pulls


def influence_over_folds(
    areas: FloatArray, pulls: Sequence[FloatArray], truths: Sequence[IntArray]
) -> list[FloatArray]:
    """Influence of each item on the mean of all areas that the folds of one pass have.

    Inside a fold an item is held against the area of that fold, which with one or two items of a class it makes itself: with
    one of each nothing would move. It is held against the mean area of its class over the folds instead, so that what folds
    differ by counts. Pairs then count for both of their items, which is taken back: of scores without any order the variance
    is (m + n + 1) / 12mn and the sum of squares (m + n + 4) / 12mn; of others the difference is larger.

    Parameters
    ----------
    areas : (n_folds, n_classes) float
        NaN where a fold does not have both kinds.
    pulls : sequence of (n_classes, n_test) float
        `area_influence` of each fold.
    truths : sequence of (n_test,) int

    Returns
    -------
    list of (n_test,) float
        One a fold; their sum is 0.
    """
    known = ~np.isnan(areas)
    found = np.maximum(known.sum(axis=0), 1)
    means = np.where(known, areas, 0.0).sum(axis=0) / found
    made = []
    for own, area, there, truth in zip(pulls, areas, known, truths, strict=True):
        member = truth == np.arange(len(own))[:, None]
        m = member.sum(axis=1)[:, None]
        size = np.where(member, m, truth.size - m)
        # of few folds the mean is partly their own area: in units of a fold that is held against the others
        apart = np.where(there, (area - means) * np.sqrt(found / np.maximum(found - 1, 1)), 0.0)[:, None]
        apart = apart / np.maximum(size, 1)
        single = np.sqrt((truth.size + 1.0) / (truth.size + 4.0))
        made.append(single * np.where(there[:, None], own + apart, 0.0).sum(axis=0) / max(known.sum(), 1))
    middle = sum(float(each.sum()) for each in made) / max(sum(each.size for each in made), 1)
    return [each - middle for each in made]


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


def matthews_by_item(truth: IntArray, named: IntArray, n_classes: int) -> FloatArray:
    """(n,) Matthews correlation of one pass plus n times the influence of each item; their mean is the correlation.

    Parameters
    ----------
    truth, named : (n,) int
    n_classes : int
    """
    confusion = confusion_counts(truth, named, n_classes)
    # the measure does not change with the scale of the counts, so that its slopes sum to 0 over the items
    return np.asarray(
        matthews(confusion) + truth.size * matthews_slope(confusion.astype(np.float64))[truth, named]
    )


def matthews_least(truth: IntArray, named: IntArray, n_classes: int) -> float:
    """Variance of the Matthews correlation of one pass with two more items, spread evenly over all cells of the confusion.

    What was named once or never could as well have been right: its own items know too little of that.
    """
    counts = np.asarray(confusion_counts(truth, named, n_classes) + 2.0 / n_classes**2, dtype=np.float64)
    pulls = counts.sum() * matthews_slope(counts)
    shares = counts / counts.sum()
    return float((shares * (pulls - (shares * pulls).sum()) ** 2).sum() / truth.size)


def recall_by_item(right: FloatArray, codes: IntArray) -> FloatArray:
    """(n,) mean over classes of the share of a class that is right, plus n times the influence of each item.

    Within a class the variance is of n_c − 1 items, not n_c.

    Parameters
    ----------
    right : (n,) float
        0 to 1.
    codes : (n,) int
        Classes 0 to c − 1, each with an item.
    """
    sizes = np.bincount(codes)
    present = sizes > 0
    recalls = np.bincount(codes, right) / np.maximum(sizes, 1)
    unbiased = np.sqrt(sizes / np.maximum(sizes - 1, 1))
    pulls = (right - recalls[codes]) * (unbiased / np.maximum(sizes, 1))[codes] / present.sum()
    return np.asarray(recalls[present].mean() + right.size * pulls)


# Tests between two kernels, as functions of counts and differences: which are valid, and how far, says `compare`.

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
    return float(chdtrc(1, 2 * n * gap**2 / ((right / n) * (wrong / n))))


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
    return float(2.0 * stdtr(values.size - 1, -abs(statistic)))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values corrected for being many (Holm 1979), in the order given."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(np.minimum((p.size - np.arange(p.size)) * p[order], 1.0))
    corrected = np.empty_like(p)
    corrected[order] = stepped
    return tuple(corrected.tolist())


DIFFERENT = 0.05
"""p, after Holm's correction where there are several, below which two are told apart."""


@dataclass(frozen=True, eq=False)
class Paired(EqualByContent):
    """Two measures on the same items and folds.

    Attributes
    ----------
    difference : float
        The first less the second, mean over the passes.
    interval : Interval
        difference ± t √(f v₁).
    p : float
        The larger of both below.
    t_p : float
        Two-sided p of difference / √(f v₁) by Student's t, of one less than there are items (groups).
    floor_p : float
        Exact p that items (groups) fall to either side evenly, on the counts of one pass; McNemar's of right and wrong.
    first_better, second_better : int
        Items (groups) on whose side the difference falls: mean over the passes, rounded.
    """

    difference: float
    interval: Interval
    p: float
    t_p: float
    floor_p: float
    first_better: int
    second_better: int

    @property
    def told_apart(self) -> bool:
        """Whether p is below .05. Of several pairs p is corrected first: see `holm`."""
        return self.p < DIFFERENT


def paired(
    first: ArrayLike,
    second: ArrayLike,
    passes: Passes,
    *,
    groups: ArrayLike | None = None,
    named: tuple[ArrayLike, ArrayLike] | None = None,
    level: float = LEVEL,
) -> Paired:
    """Compare what each item has of a measure under two kernels (or settings, or methods).

    With d_i the difference of item i in one pass and v₁ = var(d)/n (ddof = 1), the mean over the passes, t is
    |mean d| / √(f v₁); p is the larger of that of t and the exact one of the signs of d. Where v₁ = 0 the interval is made
    with two more items, of +1 and −1 (times the largest value), as that of Bonett and Price (2012).

    Parameters
    ----------
    first, second : (n_passes, n_items) or (n_items,) float
        Right or not; or values whose mean over the items is the measure of a pass.
    passes : Passes
        How the items were judged.
    groups : (n_items,), optional
        Items that belong together: d is summed over them.
    named : two of (n_passes, n_items), optional
        Classes given to each item, of a measure that rests on them alone: one item that is named otherwise changes the
        values of all. Then p is not below the exact one of as many items (groups) as were named otherwise in one pass,
        all on one side.
    level : float
        Of the interval.

    Raises
    ------
    InvalidInputError
        Values of other shapes, none, or groups of another number of items.

    Examples
    --------
    >>> from kernex_core.learning.chance.interval import Passes
    >>> from kernex_core.learning.chance.paired import paired
    >>> one = paired([1] * 60 + [0] * 40, [1] * 50 + [0] * 50, Passes(2, 1))  # ten items gained, none lost
    >>> round(one.difference, 2), round(one.p, 4), one.told_apart
    (0.1, 0.021, True)
    """
    a, b = (np.atleast_2d(np.asarray(values, dtype=np.float64)) for values in (first, second))
    if a.shape != b.shape:
        raise InvalidInputError(
            "Two are compared on the same items and repetitions", f"shapes {a.shape} and {b.shape}"
        )
    d = as_passes(a - b)
    unit = units_of_items(groups, d.shape[1])
    n_units = int(unit.max()) + 1
    f = passes.factor_over(n_units)
    over: Literal["items", "groups"] = "items" if groups is None else "groups"
    if not len(d):
        nan = float("nan")
        return Paired(nan, Interval(nan, nan, level, n_units, over, "influence"), nan, nan, nan, 0, 0)
    difference = float(d.mean())
    sums = np.array([np.bincount(unit, row, n_units) for row in d])
    better, worse = (int(np.rint(count)) for count in _sides(sums))
    variance = variance_of_a_pass(d, unit)
    size = max(float(np.nanmax(np.abs(a))), float(np.nanmax(np.abs(b)))) or 1.0
    nothing = TINY * size
    still = variance <= nothing**2
    if abs(difference) <= nothing and still:
        t_p = floor_p = 1.0
        better = worse = 0
    else:
        t_p = 0.0 if still else 2.0 * _below(n_units, -abs(difference) / np.sqrt(f * variance))
        floor_p = mcnemar_p(better, worse)
        if named is not None:
            floor_p = max(floor_p, mcnemar_p(_named_otherwise(*named, unit), 0))
    half = quantile(level, max(n_units - 1, 1)) * float(np.sqrt(f * variance))
    middle = difference
    if still:
        middle = difference * n_units / (n_units + 2)
        spread = n_units * (difference - middle) ** 2 + (size - middle) ** 2 + (size + middle) ** 2
        half = quantile(level, max(n_units - 1, 1)) * float(np.sqrt(f * spread)) / (n_units + 2)
    low, high = middle - half, middle + half
    if min(a.min(), b.min()) >= 0.0 and size <= 1.0:  # of shares
        low, high = max(low, -1.0), min(high, 1.0)
    interval = Interval(low, high, level, n_units, over, "influence")
    return Paired(difference, interval, max(t_p, floor_p), t_p, floor_p, better, worse)


def _below(units: int, t: float) -> float:
    """Share of Student's distribution below t where the variance is known from so many units."""
    return float(stdtr(max(units - 1, 1), t))


def _named_otherwise(first: ArrayLike, second: ArrayLike, unit: IntArray) -> int:
    """Units with an item that the two name differently: mean over the passes, rounded."""
    differ = np.atleast_2d(np.asarray(first) != np.asarray(second))
    return int(np.rint(np.mean([np.unique(unit[row]).size for row in differ])))


def _sides(sums: FloatArray) -> tuple[float, float]:
    """Mean over the passes of the number of units on either side."""
    nothing = TINY * max(float(np.abs(sums).max()), 1e-300)
    return float((sums > nothing).sum(axis=1).mean()), float((sums < -nothing).sum(axis=1).mean())
