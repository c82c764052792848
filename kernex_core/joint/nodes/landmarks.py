"""Landmarks: the few vertices by which all others are described."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy.spatial.distance import cdist

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.joint.nodes.attributes import NodeAttributes
from kernex_core.magnitude import units_of_columns
from kernex_core.parameters import check_choice, check_range

CHOICES: Final = ("sample", "k-means++")
"""Drawn evenly among vertices with different attributes, or each far from those before it."""


def landmarks(of: NodeAttributes, number: int, choice: str, *, rng: np.random.Generator) -> IntArray:
    """Choose vertices that differ in their attributes.

    Parameters
    ----------
    of : NodeAttributes
    number : int
        At least 1; all different vertices where there are fewer.
    choice : {"sample", "k-means++"}
        Drawn without weight; or one after the other with a probability that grows with the squared distance to the
        nearest one before (Arthur and Vassilvitskii 2007), on columns divided by their standard deviation.
    rng : Generator

    Returns
    -------
    (n,) int
        In the order of vertices.
    """
    check_choice("The choice of landmarks", choice, CHOICES)
    count = int(check_range("The number of landmarks", number, 1))
    different = of.different
    if count >= different.size:
        return different
    if choice == "sample":
        return np.sort(rng.choice(different, count, replace=False))
    units = units_of_columns(of.continuous[different])
    spread = units * (of.continuous[different] / units).std(axis=0)
    scaled = of.continuous[different] / np.where(spread > 0.0, spread, 1.0)
    return np.sort(different[_far_apart(np.hstack([scaled, of.discrete[different]]), count, rng)])


def _far_apart(X: FloatArray, count: int, rng: np.random.Generator) -> IntArray:
    chosen = [int(rng.integers(X.shape[0]))]
    nearest = cdist(X, X[chosen], "sqeuclidean")[:, 0]
    while len(chosen) < count:
        chosen.append(int(rng.choice(X.shape[0], p=nearest / nearest.sum())))
        nearest = np.minimum(nearest, cdist(X, X[chosen[-1:]], "sqeuclidean")[:, 0])
    return np.array(chosen, dtype=np.int64)
