"""What an item has of measures that are no mean over items: ROC area, Matthews correlation, mean recall.

What an item adds is its influence, the change of the measure with the item's weight (infinitesimal jackknife, Efron 1981;
of an area DeLong, DeLong and Clarke-Pearson 1988). The variance over items, or over groups of items, is the sum of its
squares: what a bootstrap over items tends to, without its draws. See `interval_of`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.learning.scores import confusion_counts, half_wins_by_class, matthews


def area_influence(truth: IntArray, decisions: FloatArray, wins: IntArray | None = None) -> FloatArray:
    """(n_classes, n) influence of each item of a fold on the area under the ROC curve of each class.

    Of an area A with m items of the class and n others: (V − A) / m and (V − A) / n, V being the share of the other kind on
    the right side of the item, ties half. A class without both kinds has none: 0. `wins` are `half_wins_by_class`, where
    somebody has them.
    """
    wins = half_wins_by_class(truth, decisions) if wins is None else wins
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
