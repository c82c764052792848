"""What an item has of measures that are no mean over items: ROC area, Matthews correlation, mean recall.

What an item adds is its influence, the change of the measure with the item's weight (infinitesimal jackknife, Efron 1981;
of an area DeLong, DeLong and Clarke-Pearson 1988). The variance over items, or over groups of items, is the sum of its
squares: what a bootstrap over items tends to, without its draws. See `interval_of`.
"""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.learning.scores import confusion_counts, half_wins_by_class, matthews


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
