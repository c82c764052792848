"""How far an accuracy would move with other items: an interval over the items that it rests on.

Repetitions judge the same items again, so they say nothing about other items: what is drawn anew is the item, with the
mean over its repetitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, EqualByContent, FloatArray, IntArray
from kernex_core.inputs.names import counted
from kernex_core.parameters import check_range
from kernex_core.validation import as_numbers

DRAWS = 1000
LEVEL = 0.95
FEW = 10
"""Below so many units that are not wholly right (or not wholly wrong) a bootstrap draws too few mistakes: near 1 it
covered 87 % of the time where it should 95 % (30 items, accuracy .97), so there the interval is Wilson's."""


@dataclass(frozen=True, eq=False)
class Interval(EqualByContent):
    """Where an accuracy would lie for other items of the same kind, training sets as large as these.

    Attributes
    ----------
    low, high : float
        0 to 1; of a difference of accuracies −1 to 1.
    level : float
        Coverage that it is made for.
    units : int
        Items, or groups of items, that were drawn.
    over : {"items", "groups"}
    method : {"bootstrap", "Wilson", "Bonett and Price", "influence", "jackknife"}
    """

    low: float
    high: float
    level: float = LEVEL
    units: int = 0
    over: Literal["items", "groups"] = "items"
    method: Literal["bootstrap", "Wilson", "Bonett and Price", "influence", "jackknife"] = "bootstrap"

    @property
    def half_width(self) -> float:
        """Half of its length: kernels that differ by less are not told apart."""
        return (self.high - self.low) / 2.0

    @property
    def kind(self) -> str:
        """What it is, in words: "95 % over items"."""
        return f"{100 * self.level:g}\u00a0% over {self.over}"

    @property
    def words(self) -> str:
        """What it is and how it was made, as a caption says it."""
        return f"{self.kind} ({self.method})"


def judged_times(n_items: int, n_repeats: int) -> str:
    """Return what an accuracy rests on: "296 items, each judged 5 times", for repetitions are no further items.

    Examples
    --------
    >>> judged_times(296, 5)
    '296 items, each judged 5 times'
    """
    times = {1: "once", 2: "twice"}.get(n_repeats, f"{n_repeats:,} times")
    return f"{counted(n_items, 'item')}, {'each ' if n_items != 1 else ''}judged {times}"


def over_items(
    scores: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    level: float = LEVEL,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """Interval of a mean score over the items that it rests on.

    One pass of right and wrong has Wilson's interval (1927). Scores over several repetitions, shares, means over
    classes and items in groups have the percentile bootstrap (Efron and Tibshirani 1993, section 13.3): items are drawn
    with replacement, each with the mean over its repetitions; of items in groups, whole groups. Where fewer than `FEW`
    units are not wholly right, or not wholly wrong, or all units of a class are alike, which no draw can change, the
    interval is Wilson's over the units; of several classes each side is √(Σ side²) / c (Zou and Donner 2008).

    Parameters
    ----------
    scores : (n_repeats, n_items) or (n_items,)
        0 to 1: right or not, or the share of an item's decisions that is right.
    classes : (n_items,), optional
        With them the mean over classes of the mean of each, as balanced accuracy is.
    groups : (n_items,), optional
        Items that belong together; they are drawn together.
    level : float
        Coverage, 0 to 1.
    draws : int
        Of the bootstrap.
    seed : int
        Of the bootstrap.

    Raises
    ------
    InvalidInputError
        Scores outside 0 to 1, none, or classes or groups of another number of items.

    Examples
    --------
    >>> one = over_items([True] * 90 + [False] * 10)
    >>> round(one.low, 4), round(one.high, 4), one.method
    (0.8256, 0.9448, 'Wilson')
    """
    level = check_range("The level of an interval", level, 0.0, 1.0, open_low=True)
    passes = np.atleast_2d(as_numbers(scores, "Scores"))
    n = passes.shape[1]
    if (
        passes.ndim != 2
        or n == 0
        or not (np.isfinite(passes).all() and 0 <= passes.min() <= passes.max() <= 1)
    ):
        raise InvalidInputError("Scores of items lie between 0 and 1", f"an array of shape {passes.shape}")
    # thirds and fifths of one item are equal to the last digit only after rounding
    values = np.round(passes.mean(axis=0), 12)
    of_class, of_group = _numbers(classes, n, "classes"), _numbers(groups, n, "groups")
    singly = groups is None or np.unique(of_group).size == n
    sums, sizes = _by_unit(values, of_class, np.arange(n) if singly else of_group)
    over: Literal["items", "groups"] = "items" if groups is None else "groups"
    plain = singly and len(passes) == 1 and sizes.shape[1] == 1 and bool(np.isin(values, (0.0, 1.0)).all())
    total = sums.sum(axis=1), sizes.sum(axis=1)
    few = min(np.sum(total[0] < total[1]), np.sum(total[0] > 0.0)) < FEW
    if plain or few or _alike(sums, sizes):
        low, high = _wilson(sums, sizes, level)
        return Interval(low, high, level, len(sums), over, "Wilson")
    drawn = _bootstrap(sums, sizes, draws, np.random.default_rng(seed))
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(drawn, [tail, 1.0 - tail]).tolist()
    return Interval(low, high, level, len(sums), over, "bootstrap")


def _alike(sums: FloatArray, sizes: FloatArray) -> bool:
    """Whether all units of some class are as right as each other: however they are drawn, its share stays the same."""
    shares = np.divide(sums, sizes, out=np.full_like(sums, np.nan), where=sizes > 0.0)
    return bool((np.nanmax(shares, axis=0) - np.nanmin(shares, axis=0) < 1e-9).any())


def of_count(right: int, n: int, *, level: float = LEVEL) -> Interval:
    """Wilson's interval of the share of `n` items that were right in one pass, as of a leave-one-out accuracy.

    Raises
    ------
    InvalidInputError
        No items, or more right ones than there are.

    Examples
    --------
    >>> made = of_count(90, 100)
    >>> round(made.low, 4), round(made.high, 4)
    (0.8256, 0.9448)
    """
    if not 0 <= right <= n:
        raise InvalidInputError(f"Of {n} items 0 to {n} are right", repr(right))
    return over_items(np.arange(n) < right, level=level)


def _numbers(names: ArrayLike | None, n: int, what: str) -> IntArray:
    """(n,) number of each item's class or group; without any all are in one class, and each in a group of its own."""
    if names is None:
        return np.zeros(n, dtype=np.int64) if what == "classes" else np.arange(n)
    given: NDArray[np.generic] = np.asarray(names)
    if given.shape != (n,):
        raise InvalidInputError(f"There has to be one of the {what} an item ({n})", f"shape {given.shape}")
    return np.asarray(np.unique(given, return_inverse=True)[1], dtype=np.int64)


def _by_unit(values: FloatArray, of_class: IntArray, of_unit: IntArray) -> tuple[FloatArray, FloatArray]:
    """(n_units, n_classes) sums of scores and counts of items."""
    shape = int(of_unit.max()) + 1, int(of_class.max()) + 1
    if shape == (values.size, 1):  # one item a unit, one class
        return values[np.argsort(of_unit), None], np.ones(shape)
    sums, sizes = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (of_unit, of_class), values)
    np.add.at(sizes, (of_unit, of_class), 1.0)
    return sums, sizes


def _bootstrap(sums: FloatArray, sizes: FloatArray, draws: int, rng: np.random.Generator) -> FloatArray:
    """(draws,) means; units that are alike are drawn together, as one count of a multinomial."""
    if sizes.shape[1] == 1 and (sizes == 1.0).all():  # single items, one class
        values, counts = np.unique(np.round(sums[:, 0], 9), return_counts=True)
        return np.asarray(rng.multinomial(len(sums), counts / len(sums), size=draws) @ values / len(sums))
    kinds, counts = np.unique(np.round(np.hstack([sums, sizes]), 9), axis=0, return_counts=True)
    drawn = rng.multinomial(len(sums), counts / len(sums), size=draws).astype(np.float64) @ kinds
    right, of = np.split(drawn, 2, axis=1)
    # a class of which no item was drawn is left out of that mean
    shares = np.divide(right, of, out=np.zeros_like(right), where=of > 0.0)
    present: BoolArray = of > 0.0
    return np.asarray(shares.sum(axis=1) / present.sum(axis=1))


def _wilson(sums: FloatArray, sizes: FloatArray, level: float) -> tuple[float, float]:
    """Wilson's interval of each class over its units, put together; of one class it is Wilson's."""
    z = float(ndtri((1.0 + level) / 2.0))
    p, n = sums.sum(axis=0) / sizes.sum(axis=0), (sizes > 0.0).sum(axis=0)
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    mean, c = float(p.mean()), p.size
    below = float(np.sqrt(((p - centre + half) ** 2).sum())) / c
    above = float(np.sqrt(((centre + half - p) ** 2).sum())) / c
    return max(mean - below, 0.0), min(mean + above, 1.0)
