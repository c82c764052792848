"""How far the difference of two accuracies on the same items would move with other items."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from kernex_core.errors import InvalidInputError
from kernex_core.learning.chance.interval import LEVEL, Interval
from kernex_core.parameters import check_range
from kernex_core.validation import as_numbers


def of_difference(
    first: ArrayLike, second: ArrayLike, *, groups: ArrayLike | None = None, level: float = LEVEL
) -> Interval:
    """Interval of a difference of mean scores over the items that both are about.

    The gain of an item is its mean over repetitions under the first less that under the second. To the gains of n items
    two made-up ones of +1 and −1 are added; then it is the mean ± z times its standard error. Of one pass of right and
    wrong that is the adjusted Wald interval of Bonett and Price (2012), which holds its level where few items change, and
    stays wide where none does. Of items in groups the gains of a group are summed, and the made-up ones are as large as a
    group is on average.

    Parameters
    ----------
    first, second : (n_repeats, n_items) or (n_items,)
        0 to 1, on the same items, folds and repetitions.
    groups : (n_items,), optional
        Items that belong together.
    level : float
        Coverage, 0 to 1.

    Raises
    ------
    InvalidInputError
        Scores outside 0 to 1 or of other shapes, none, or groups of another number of items.

    Examples
    --------
    >>> made = of_difference([1] * 60 + [0] * 40, [1] * 50 + [0] * 50)  # ten items gained, none lost
    >>> round(made.low, 3), round(made.high, 3)
    (0.034, 0.162)
    """
    level = check_range("The level of an interval", level, 0.0, 1.0, open_low=True)
    a, b = (np.atleast_2d(as_numbers(scores, "Scores")) for scores in (first, second))
    if a.shape != b.shape or a.ndim != 2 or a.shape[1] == 0:
        raise InvalidInputError(
            "Two accuracies are compared on the same items and repetitions", f"{a.shape} and {b.shape}"
        )
    if not all(np.isfinite(scores).all() and 0.0 <= scores.min() <= scores.max() <= 1.0 for scores in (a, b)):
        raise InvalidInputError("Scores of items lie between 0 and 1", "others")
    gains = (a - b).mean(axis=0)
    units = np.arange(gains.size) if groups is None else np.asarray(groups)
    if units.shape != gains.shape:
        raise InvalidInputError(
            f"There has to be one of the groups an item ({gains.size})", f"shape {units.shape}"
        )
    of_unit = np.unique(units, return_inverse=True)[1]
    sums, sizes = np.bincount(of_unit, gains), np.bincount(of_unit).astype(np.float64)
    n_units, size = sums.size, float(sizes.mean())
    sums, sizes = np.append(sums, [size, -size]), np.append(sizes, [size, size])
    mean = float(sums.sum() / sizes.sum())
    half = float(ndtri((1.0 + level) / 2.0) * np.linalg.norm(sums - mean * sizes) / sizes.sum())
    over: Literal["items", "groups"] = "items" if groups is None else "groups"
    return Interval(
        max(mean - half, -1.0), min(mean + half, 1.0), level, n_units, over, method="Bonett and Price"
    )
