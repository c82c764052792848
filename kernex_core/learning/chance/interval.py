"""Where a cross-validated number would lie for other data sets of this size: one rule for every measure.

The decisions of one pass of cross-validation are not independent: their training sets overlap. Taken as independent, 95 %
intervals missed the truth in 9 to 28 % of data sets. The variance over the items of a single pass is therefore multiplied by
a factor for shared training sets, which further repetitions make smaller and never remove (Bates, Hastie and Tibshirani 2023
tell why; the factor is measured).

A measure is a mean over items: of right and wrong it is one as it is, of the others each item has the value of the pass plus
n times its influence, the change of the measure with the item's weight (infinitesimal jackknife, Efron 1981).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, gammaln, ndtri, stdtrit

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import as_numbers
from kernex_core.inputs.names import counted

LEVEL = 0.95
TINY = 1e-9
"""Standard error below which nothing moves: all items say the same, but for rounding."""
Scale = Literal["share", "area", "correlation", "error"]
"""Where an interval is symmetric: Wilson's for shares, the logit of an area, Fisher's z of a correlation, the logarithm of
an error. It never leaves the range of its measure."""


ONE_OUT, ONE_OUT_CORRELATION = 3.0, 5.0
"""The factor where each item (group) is left out alone: nearly the same machine then decides on all of them, and where
labels mean nothing it is often wrong on all of them together. Measured on pairs of equal kernels: 1.7 to 3.0; on the
Matthews correlation of labels that mean nothing 3.4 to 6.0, for whether a class is named at all is one decision."""


@dataclass(frozen=True)
class Passes(EqualByContent):
    """How often items were judged, and in how many folds each time.

    Attributes
    ----------
    folds : int
        Of one pass; of leave-one-out the number of items (of groups, where one of them is left out).
    repeats : int
        Passes.
    """

    folds: int
    repeats: int

    @property
    def factor(self) -> float:
        """f = 1 + ρ + (1 − ρ)/r, ρ = (k − 1)/k: what shared training sets make of the variance over the items of one pass.

        ρ is the share of training items that two passes have in common.

        Examples
        --------
        >>> from kernex_core.learning.chance.interval import Passes
        >>> Passes(2, 1).factor, Passes(2, 5).factor, round(Passes(5, 5).factor, 2)
        (2.0, 1.6, 1.84)
        """
        rho = (self.folds - 1) / self.folds
        return 1.0 + rho + (1.0 - rho) / self.repeats

    def factor_over(self, units: int, scale: Scale = "share") -> float:
        """`factor`, but `ONE_OUT` where there are as many folds as items (groups).

        Examples
        --------
        >>> from kernex_core.learning.chance.interval import Passes
        >>> Passes(10, 1).factor_over(40), Passes(40, 1).factor_over(40)
        (2.0, 3.0)
        """
        if self.folds < max(units, 2):
            return self.factor
        return ONE_OUT_CORRELATION if scale == "correlation" else ONE_OUT


@dataclass(frozen=True, eq=False)
class Interval(EqualByContent):
    """Where a number would lie for other data sets of this size.

    Attributes
    ----------
    low, high : float
        In the range of the measure.
    level : float
        Coverage that it is made for.
    units : int
        Items, or groups of items, that it rests on.
    over : {"items", "groups"}
    method : {"Wilson", "influence"}
    """

    low: float
    high: float
    level: float = LEVEL
    units: int = 0
    over: Literal["items", "groups"] = "items"
    method: Literal["Wilson", "influence"] = "Wilson"

    @property
    def kind(self) -> str:
        """What it is, in words: "95 %, for other data sets of this size"."""
        return f"{100 * self.level:g}\u00a0%, for other data sets of this size"

    @property
    def words(self) -> str:
        """What it is and what it allows for, as a caption says it."""
        of = {"items": "item", "groups": "group"}[self.over]
        return f"{self.kind}; allows for shared training sets ({self.method}, {counted(self.units, of)})"


def judged_times(n_items: int, n_repeats: int) -> str:
    """Return what an accuracy rests on: "296 items, each judged 5 times", for repetitions are no further items.

    Examples
    --------
    >>> judged_times(296, 5)
    '296 items, each judged 5 times'
    """
    times = {1: "once", 2: "twice"}.get(n_repeats, f"{n_repeats:,} times")
    return f"{counted(n_items, 'item')}, {'each ' if n_items != 1 else ''}judged {times}"


def interval_of(
    values: ArrayLike,
    passes: Passes,
    *,
    scale: Scale = "share",
    groups: ArrayLike | None = None,
    classes: ArrayLike | None = None,
    least: float = 0.0,
    freedom: float | None = None,
    level: float = LEVEL,
) -> Interval:
    """Interval of a measure, from what each item has of it in each pass.

    With v₁ the variance of the measure over the items (ddof = 1) of a single pass, the mean over the passes, and f the
    factor of `passes`:

    - a share p has Wilson's interval (1927) of p(1 − p)/(f v₁) items, which for right and wrong are n/f;
    - an area, a correlation and an error have mean ± t √(f v₁), carried to their scale by its slope.

    t is Student's (1908), of one less than there are items (groups): v₁ is known from them alone, and of few groups badly. A
    share of right and wrong knows its variance from itself.

    Where all items say the same, or the measure is at an end of its range, there is no v₁: then it is Wilson's interval of
    n/f items, n those of the smallest class, carried to the measure's range.

    Parameters
    ----------
    values : (n_passes, n_items) or (n_items,) float
        Their mean over the items is the measure of the pass; passes that have none (NaN) are left out.
    passes : Passes
        How the items were judged.
    scale : {"share", "area", "correlation", "error"}
    groups : (n_items,), optional
        Items that belong together: v₁ is that of sums over groups.
    classes : (n_items,), optional
        Of a measure that is a mean over classes.
    least : float
        v₁ is at least this: of squares the variance over few items is mostly too small, and what a normal distribution would
        make of the same items is known better.
    freedom : float, optional
        Degrees of freedom of v₁, at least 1: one less than there are items (groups), unless the measure rests on some alone.
    level : float
        Coverage, 0 to 1.

    Returns
    -------
    Interval
        NaN to NaN where no pass has the measure.

    Raises
    ------
    InvalidInputError
        No values, shares outside 0 to 1, or groups or classes of another number of items.

    Examples
    --------
    >>> from kernex_core.learning.chance.interval import Passes, interval_of
    >>> one = interval_of([True] * 90 + [False] * 10, Passes(folds=2, repeats=1))  # Wilson's interval of 45 of 50
    >>> round(one.low, 3), round(one.high, 3)
    (0.786, 0.957)
    """
    z = quantile(level)
    made = as_passes(values)
    unit = units_of_items(groups, made.shape[1])
    n_units = int(unit.max()) + 1
    free = max(n_units - 1.0 if freedom is None else freedom, 1.0)
    over: Literal["items", "groups"] = "items" if groups is None else "groups"
    if not len(made):
        return Interval(np.nan, np.nan, level, n_units, over, "influence")
    value = float(made.mean())
    plain = n_units == made.shape[1] and bool(np.isin(made, (0.0, 1.0)).all())
    variance = max(variance_of_a_pass(made, unit), least)
    moves = variance > TINY**2 * max(value**2, 1.0 if scale != "error" else 0.0)
    inside = {
        "share": TINY < value < 1.0 - TINY,
        "area": TINY < value < 1.0 - TINY,
        "correlation": abs(value) < 1.0 - TINY,
        "error": value > 0.0,
    }[scale]
    f = passes.factor_over(n_units, scale)
    if scale == "share":
        n = _smallest(unit, classes)
        if moves and inside:
            n = float(made.shape[1]) if plain else value * (1.0 - value) / variance
            z = z if plain else quantile(level, free)
            # the sums of a few groups may be alike by chance: there are no more items than there are
            n = min(n, made.shape[1]) if groups is not None else n
        low, high = wilson(value, n / f, z)
        return Interval(low, high, level, n_units, over)
    if moves and inside:
        low, high = _on_scale(value, quantile(level, free) * float(np.sqrt(f * variance)), scale)
        return Interval(low, high, level, n_units, over, "influence")
    n = min(_smallest(unit, classes), free + 1.0) / f
    if (
        scale == "error" and inside
    ):  # equal errors of all items: as if they were drawn from a normal distribution
        low, high = _on_scale(value, z * value / float(np.sqrt(2.0 * n)), scale)
    elif scale == "correlation":
        low, high = (2.0 * end - 1.0 for end in wilson((1.0 + value) / 2.0, n, z))
    else:
        low, high = wilson(min(value, 1.0), n, z)
    return Interval(low, high, level, n_units, over)


def interval_of_count(right: int, n: int, passes: Passes, *, level: float = LEVEL) -> Interval:
    """Interval of the share of `n` items that were right, as of a leave-one-out accuracy, whose passes have n folds.

    Raises
    ------
    InvalidInputError
        No items, or more right ones than there are.

    Examples
    --------
    >>> from kernex_core.learning.chance.interval import Passes, interval_of_count
    >>> one = interval_of_count(90, 100, Passes(100, 1))
    >>> round(one.low, 3), round(one.high, 3)
    (0.754, 0.964)
    """
    if not 0 <= right <= n:
        raise InvalidInputError(f"Of {n} items 0 to {n} are right", repr(right))
    return interval_of(np.arange(n) < right, passes, level=level)


def quantile(level: float, freedom: float | None = None) -> float:
    """z of a two-sided level, 1.96 of 95 %; Student's t, where the variance has so many degrees of freedom: of nine 2.26."""
    level = check_range("The level of an interval", level, 0.0, 1.0, open_low=True)
    upper = (1.0 + level) / 2.0
    return float(ndtri(upper) if freedom is None else stdtrit(freedom, upper))


def as_passes(values: ArrayLike) -> FloatArray:
    """(n_passes, n_items) values of the passes that have the measure."""
    made = np.atleast_2d(as_numbers(values, "Values of items").astype(np.float64))
    if made.ndim != 2 or made.shape[1] == 0:
        raise InvalidInputError("There has to be a value of each item in each pass", f"shape {made.shape}")
    return made[~np.isnan(made).any(axis=1)]


def units_of_items(groups: ArrayLike | None, n: int) -> IntArray:
    """(n,) number of the group of each item; of itself where there are none."""
    if groups is None:
        return np.arange(n)
    given: NDArray[np.generic] = np.asarray(groups)
    if given.shape != (n,):
        raise InvalidInputError(f"There has to be one group an item ({n})", f"shape {given.shape}")
    return np.asarray(np.unique(given, return_inverse=True)[1], dtype=np.int64)


def variance_of_a_pass(values: FloatArray, unit: IntArray) -> float:
    """Variance of the mean of one pass over its items, or over sums of groups (ddof = 1): the mean over the passes.

    Never that of the mean over repetitions, which is smaller: repetitions judge the same items again.
    """
    n = values.shape[1]
    pulls = (values - values.mean(axis=1, keepdims=True)) / n
    count = int(unit.max()) + 1
    if count < n:
        pulls = np.array([np.bincount(unit, row, count) for row in pulls])
    return float((pulls**2).sum(axis=1).mean()) * count / max(count - 1, 1)


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's interval of a share p of n items, n not always whole.

    Examples
    --------
    >>> from kernex_core.learning.chance.interval import wilson
    >>> low, high = wilson(0.9, 100, 1.96)
    >>> round(low, 4), round(high, 4)
    (0.8256, 0.9448)
    """
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * float(np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))) / (1 + z**2 / n)
    return max(min(centre - half, p), 0.0), min(max(centre + half, p), 1.0)


def _smallest(unit: IntArray, classes: ArrayLike | None) -> float:
    """Units that have an item of the smallest class; all units where there are no classes."""
    if classes is None:
        return float(unit.max() + 1)
    given: NDArray[np.generic] = np.asarray(classes)
    if given.shape != unit.shape:
        raise InvalidInputError(
            f"There has to be one of the classes an item ({unit.size})", f"shape {given.shape}"
        )
    return float(min(np.unique(unit[given == each]).size for each in np.unique(given)))


def _on_scale(value: float, half: float, scale: Scale) -> tuple[float, float]:
    """Ends of value ± half, symmetric on the measure's scale (delta method)."""
    if scale == "area":
        middle, wide = np.log(value / (1.0 - value)), half / (value * (1.0 - value))
        return float(1.0 / (1.0 + np.exp(wide - middle))), float(1.0 / (1.0 + np.exp(-wide - middle)))
    if scale == "correlation":
        middle, wide = np.arctanh(value), half / (1.0 - value**2)
        return float(np.tanh(middle - wide)), float(np.tanh(middle + wide))
    return float(value * np.exp(-half / value)), float(value * np.exp(half / value))


# What the highest of several accuracies is worth where none of them knows anything.


def best_of_coins(count: int, n: int, right: float = 0.5) -> float:
    """Expected highest accuracy of independent predictors that name every one of n items rightly with one probability.

    E max = Σ_{k<n} (1 − F(k)^count) / n, F the binomial distribution. Decisions of one cross-validation depend on each
    other: the highest of real ones is higher than this.

    Parameters
    ----------
    count : int
        How many predictors, at least 1.
    n : int
        How many items, at least 1.
    right : float
        Probability, 0 to 1.

    Raises
    ------
    InvalidInputError
        Outside these ranges.

    Examples
    --------
    >>> from kernex_core.learning.chance.interval import best_of_coins
    >>> [round(best_of_coins(count, 40), 3) for count in (1, 10, 50)]
    [0.5, 0.621, 0.676]
    """
    check_range("The number of predictors", count, 1)
    check_range("The number of items", n, 1)
    check_range("The probability", right, 0.0, 1.0)
    below = bdtr(np.arange(n, dtype=np.float64), n, right)
    return float((1.0 - below**count).sum() / n)


def best_of_drawn(values: ArrayLike) -> FloatArray:
    """(N,) expected highest of m of these values, drawn without putting back, for m = 1 to N.

    The i-th smallest of N is the highest of m with probability C(i − 1, m − 1) / C(N, m).

    Parameters
    ----------
    values : (N,) float

    Raises
    ------
    InvalidInputError
        No values, or an unknown one.

    Examples
    --------
    >>> from kernex_core.learning.chance.interval import best_of_drawn
    >>> best_of_drawn([1.0, 3.0, 2.0]).round(3).tolist()
    [2.0, 2.667, 3.0]
    """
    rising = np.sort(as_numbers(values, "The values"))
    if rising.ndim != 1 or rising.size == 0 or not np.isfinite(rising).all():
        raise InvalidInputError("There has to be at least one value, all known", f"shape {rising.shape}")
    N = rising.size
    i, m = np.arange(1, N + 1), np.arange(1, N + 1)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        log = _log_choose(i - 1, m - 1) - _log_choose(np.array(N), m)
    return np.asarray(np.where(i >= m, np.exp(np.where(i >= m, log, 0.0)), 0.0) @ rising)


def _log_choose(n: np.ndarray, k: np.ndarray) -> FloatArray:
    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(np.maximum(n - k, 0) + 1.0))
