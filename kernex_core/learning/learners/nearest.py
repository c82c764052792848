"""Nearest neighbours by the distance that a kernel induces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.validation import as_matrix


@dataclass(frozen=True, eq=False)
class Nearest(ReadOnlyArrays):
    """Nearest training items of each new item, nearest first.

    Attributes
    ----------
    positions : (n_new, k) int
    squared_distances : (n_new, k) float
        k(x, x) − 2 k(x, x_i) + k(x_i, x_i); below 0 only for a matrix that is no kernel, or by rounding.
    """

    positions: IntArray
    squared_distances: FloatArray


def nearest(K_cross: ArrayLike, diag_new: ArrayLike, diag: ArrayLike, *, k: int = 1) -> Nearest:
    """Find the k nearest training items by the induced distance (ties to the lowest position).

    Neither the largest similarity nor the largest cosine finds the same items.

    Parameters
    ----------
    K_cross : (n_new, n) array_like
    diag_new : (n_new,) array_like
        Self-similarities of the new items.
    diag : (n,) array_like
        Self-similarities of the training items.
    k : int
        1 to n.

    Raises
    ------
    InvalidInputError
        Shapes that do not fit, or k outside 1 to n.
    """
    cross = as_matrix(K_cross, "K_cross")
    own, others = np.asarray(diag_new, dtype=np.float64), np.asarray(diag, dtype=np.float64)
    if own.shape != cross.shape[:1] or others.shape != cross.shape[1:]:
        raise InvalidInputError(
            f"Self-similarities have to be one a row and one a column of K_cross {cross.shape}",
            f"{own.shape} and {others.shape}",
        )
    if isinstance(k, bool) or not 1 <= k <= cross.shape[1]:
        raise InvalidInputError(f"The number of neighbours has to lie in 1 to {cross.shape[1]}", repr(k))
    squared = own[:, None] - 2.0 * cross + others[None, :]
    positions = np.argsort(squared, axis=1, kind="stable")[:, :k].astype(np.int64)
    return Nearest(positions, np.take_along_axis(squared, positions, axis=1))


def vote(neighbours: Nearest, codes: IntArray) -> IntArray:
    """Class (n_new,) that most neighbours have; of equally frequent ones that of the nearest neighbour among them.

    Parameters
    ----------
    neighbours : Nearest
    codes : (n,) int
        Class of each training item, at least 0.
    """
    classes = codes[neighbours.positions]
    counts = (classes[:, :, None] == classes[:, None, :]).sum(axis=2)
    return np.asarray(classes[np.arange(classes.shape[0]), counts.argmax(axis=1)])
