"""What a node has of how pairs are ranked: pairs that share a node are not independent, nodes are what is drawn.

An area, or an average precision, changes with the weight of a node by the sum of what it changes with the weight of each of
the node's pairs (infinitesimal jackknife over nodes; of a mean over pairs the first part of Hoeffding's variance).
"""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.learning.scores import half_wins


def area_pulls(joined: BoolArray, scores: FloatArray) -> FloatArray:
    """Change of the area under the ROC curve with the weight of each pair; 0 without both kinds."""
    made = np.zeros(joined.shape)
    own, others = scores[joined], scores[~joined]
    if own.size and others.size:
        right = half_wins(own, others) / (2 * others.size)
        passed = 1.0 - half_wins(others, own) / (2 * own.size)
        area = float(right.mean())
        made[joined] = (right - area) / own.size
        made[~joined] = (passed - area) / others.size
    return made


def precision_pulls(joined: BoolArray, scores: FloatArray) -> FloatArray:
    """Change of the average precision with the weight of each pair; 0 without both kinds."""
    edge, values = joined.ravel(), scores.ravel()
    total = int(edge.sum())
    if not 0 < total < edge.size:
        return np.zeros(joined.shape)
    order = np.argsort(-values, kind="stable")
    ranked, hit = values[order], edge[order].astype(np.float64)
    first = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    group = np.cumsum(np.append(True, ranked[1:] != ranked[:-1])) - 1
    own = np.add.reduceat(hit, first)
    taken = np.append(first[1:], hit.size)
    precision = np.cumsum(own) / taken
    # a pair counts in the precision at its own place and at all below it
    share = np.cumsum((own / taken)[::-1])[::-1]
    drag = np.cumsum((own * precision / taken)[::-1])[::-1]
    average = float(own @ precision) / total
    pulls = (hit * (precision[group] - average) + hit * share[group] - drag[group]) / total
    made = np.empty(edge.size)
    made[order] = pulls
    return made.reshape(joined.shape)


def pulls_within(joined: BoolArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of the mean area within a row: change with the weight of each row, and of each column.

    Rows without both kinds have no area and no part.
    """
    kept = joined.any(axis=1) & ~joined.all(axis=1)
    rows, columns = np.zeros(joined.shape[0]), np.zeros(joined.shape[1])
    count = int(kept.sum())
    for at in np.flatnonzero(kept).tolist():
        own, others = scores[at, joined[at]], scores[at, ~joined[at]]
        rows[at] = half_wins(own, others).sum() / (2 * own.size * others.size)
        columns += area_pulls(joined[at], scores[at]) / count
    if count:
        rows[kept] = (rows[kept] - rows[kept].mean()) / count
    return rows, columns


def of_nodes(pulls: FloatArray, first: IntArray, second: IntArray, n: int) -> FloatArray:
    """(n,) sums of what pairs change by over those that each node is an end of."""
    flat = pulls.ravel()
    return np.asarray(np.bincount(first.ravel(), flat, n) + np.bincount(second.ravel(), flat, n))
