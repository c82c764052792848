"""Is one better than the other? One rule and one p for everything that was judged on the same items and folds.

What counts is the difference of an item, in a single pass, and its variance with the factor for shared training sets. The
share of items on whose side it falls sets a floor (exact, McNemar's of right and wrong): neither more repetitions nor equal
gains in all folds make p smaller than one pass can say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray
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
from kernex_core.learning.chance.tests import mcnemar_p

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
