"""Whether probabilities mean what they say: of the items at 30 %, three in ten should be of the class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_range
from kernex_core.base.validation import as_numbers
from kernex_core.learning.chance.interval import LEVEL, quantile, wilson
from kernex_core.learning.judgement import Judgement

MOST_BINS = 1000


@dataclass(frozen=True, eq=False)
class Reliability(ReadOnlyArrays):
    """Predicted beside observed, bin by bin of equal width; bins without items are left out.

    Attributes
    ----------
    predicted : (b,) float
        Mean probability of the items in the bin.
    observed : (b,) float
        Share of them that are of the class.
    counts : (b,) int
    error : float
        Mean over items of |predicted − observed| of their bin.
    brier : float
        Mean squared difference of probability and truth.
    """

    predicted: FloatArray
    observed: FloatArray
    counts: IntArray
    error: float
    brier: float


def reliability(probabilities: ArrayLike, y: ArrayLike, *, bins: int = 10) -> Reliability:
    """Compare probabilities with what came true (Murphy and Winkler 1977).

    Parameters
    ----------
    probabilities : (n,) float
        0 to 1, of items that had no part in the fit.
    y : (n,) bool
        Whether the item is of the class.
    bins : int
        1 to 1,000.

    Raises
    ------
    InvalidInputError
        Numbers outside 0 to 1, not one truth value each, or other than 1 to 1,000 bins.

    Examples
    --------
    >>> made = reliability([0.1, 0.1, 0.9, 0.9], [False, False, True, False], bins=2)
    >>> made.predicted.round(3).tolist(), made.observed.tolist(), round(made.error, 3)
    ([0.1, 0.9], [0.0, 0.5], 0.25)
    """
    p, truth = as_numbers(probabilities, "Probabilities"), as_numbers(y, "y")
    if p.ndim != 1 or p.size == 0 or not ((p >= 0.0) & (p <= 1.0)).all():
        raise InvalidInputError("Probabilities lie in 0 to 1", f"an array of shape {p.shape}")
    if truth.shape != p.shape or not np.isin(truth, (0.0, 1.0)).all():
        raise InvalidInputError(f"There has to be one truth value a probability ({p.size})", f"{truth.shape}")
    bins = int(check_range("The number of bins", bins, 1, MOST_BINS))
    at = np.minimum((p * bins).astype(np.int64), bins - 1)
    counts = np.bincount(at, minlength=bins)
    used = counts > 0
    predicted, observed = (np.bincount(at, values, bins)[used] / counts[used] for values in (p, truth))
    error = float(np.average(np.abs(predicted - observed), weights=counts[used]))
    return Reliability(predicted, observed, counts[used], error, float(((p - truth) ** 2).mean()))


@dataclass(frozen=True, eq=False)
class FoldReliability(ReadOnlyArrays):
    """Reliability of the probabilities that items got while they were in no training fold.

    Attributes
    ----------
    table : Reliability
        Over all repetitions.
    items : (b,) int
        Different items in each bin: repetitions predict the same items again.
    low, high : (b,) float
        Interval of the observed share, by bootstrap over items (or groups).
    floor : float
        Brier score of always saying the share of the class.
    """

    table: Reliability
    items: IntArray
    low: FloatArray
    high: FloatArray
    floor: float


def fold_reliability(made: Judgement, of: str, *, bins: int = 10) -> FoldReliability:
    """Compare the probabilities of one class with what came true, over all folds of a judgement.

    Parameters
    ----------
    made : Judgement
        Of a learner with probabilities, such as KernelLogistic.
    of : str
        Class.
    bins : int
        1 to 1,000.

    Raises
    ------
    InvalidInputError
        No probabilities, or an unknown class.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, KernelLogistic, fold_reliability, judge
    >>> x = np.arange(-6.0, 6.0) + 0.5
    >>> made = judge(np.outer(x, x), np.where(x > 0, "b", "a"), CrossValidation(folds=2), learner=KernelLogistic())
    >>> fold_reliability(made, "b", bins=2).table.observed.round(1).tolist()
    [0.0, 1.0]
    """
    check_choice("The class", of, made.classes)
    if not made.probabilities.size:
        raise InvalidInputError(
            "Reliability needs a learner with probabilities", "none", "Take KernelLogistic"
        )
    place, at = made.classes.index(of), made.labelled
    p = made.probabilities[:, at, place]
    truth = np.broadcast_to(made.codes[at] == place, p.shape)
    table = reliability(p.ravel(), truth.ravel(), bins=bins)
    inside = np.minimum((p * bins).astype(np.int64), bins - 1)
    units = np.arange(at.sum()).astype(np.str_) if made.groups is None else made.groups[at]
    names = np.broadcast_to(units, p.shape)
    used = [inside == b for b in np.unique(inside)]
    z, f = quantile(LEVEL), made.passes.factor
    ends = [wilson(float(truth[each].mean()), np.unique(names[each]).size / f, z) for each in used]
    share = float(truth.mean())
    return FoldReliability(
        table,
        np.array([int(each.any(axis=0).sum()) for each in used]),
        np.array([low for low, _ in ends]),
        np.array([high for _, high in ends]),
        share * (1.0 - share),
    )
