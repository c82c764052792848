"""Pairs of known genes that are hidden in folds over pairs, and what the network without them says of them by itself.

Liben-Nowell and Kleinberg, The link-prediction problem for social networks, JASIST 2007 (common neighbours, and the
product of degrees as preferential attachment).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray


def pair_folds(n: int, folds: int, seed: int) -> tuple[IntArray, ...]:
    """Pairs (k, 2) of n genes that each fold hides: every one of `folds` in a permutation of all pairs by the seed.

    Whether a pair is an edge has no part in it: a fold that hid edges alone would tell by what it hides.

    Raises
    ------
    InvalidInputError
        Fewer than two folds, or than two pairs a fold.
    """
    pairs = np.stack(np.triu_indices(n, 1), axis=1)
    if not 2 <= folds <= len(pairs) // 2:
        raise InvalidInputError(
            "There are two folds over pairs or more, of two pairs or more",
            f"{folds} of {len(pairs):,}",
        )
    order = np.random.default_rng(2000 + seed).permutation(len(pairs))
    return tuple(pairs[np.sort(order[i::folds])] for i in range(folds))


def without_pairs(A: FloatArray, pairs: IntArray) -> FloatArray:
    """A (n, n) in which the pairs (k, 2) have no edge, whether or not they had one."""
    left = np.array(A, dtype=np.float64)
    left[pairs[:, 0], pairs[:, 1]] = left[pairs[:, 1], pairs[:, 0]] = 0.0
    return left


def common_neighbours(A: FloatArray) -> FloatArray:
    """(n, n) how many genes are joined to both: A²."""
    return np.asarray(A @ A)


def degree_product(A: FloatArray) -> FloatArray:
    """(n, n) products of degrees, dᵢ dⱼ."""
    degrees = A.sum(axis=0)
    return np.asarray(np.outer(degrees, degrees))


PAIR_BASELINES: Final[dict[str, Callable[[FloatArray], FloatArray]]] = {
    "common neighbours": common_neighbours,
    "degree product": degree_product,
}
"""What ranks pairs of known genes without any kernel."""
