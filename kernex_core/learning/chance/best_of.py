"""What the highest of several accuracies is worth where none of them knows anything."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln
from scipy.stats import binom

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.parameters import check_range
from kernex_core.validation import as_numbers


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
    >>> from kernex_core.learning.chance.best_of import best_of_coins
    >>> [round(best_of_coins(count, 40), 3) for count in (1, 10, 50)]
    [0.5, 0.621, 0.676]
    """
    check_range("The number of predictors", count, 1)
    check_range("The number of items", n, 1)
    check_range("The probability", right, 0.0, 1.0)
    below = binom.cdf(np.arange(n), n, right)
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
    >>> from kernex_core.learning.chance.best_of import best_of_drawn
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
