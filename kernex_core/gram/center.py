"""Centring: the origin of feature space moves to the mean of the items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import Matrix
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.validation import as_square


@dataclass(frozen=True)
class Center(Step):
    """Centring, H K H with H = I − 11'/n, the mean taken over the fitted items.

    New items are centred by the mean of the fitted ones:
    k̃(x, x_i) = k(x, x_i) − mean_j k(x, x_j) − mean_j k(x_i, x_j) + mean_jl k(x_j, x_l).

    Raises
    ------
    InvalidInputError
        If the block has unknown entries.
    """

    name: ClassVar[str] = "centring"
    sees: ClassVar[Sees] = Sees("fitted")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        K = as_square(K_train, "A matrix to be centred")
        means = K.mean(axis=1)
        return _Centered(means, float(means.mean()))


class _Centered(FittedStep):
    def __init__(self, means: FloatArray, total: float) -> None:
        self.means, self.total = means, total

    def apply(self, K: FloatArray) -> FloatArray:
        centred = K - self.means[:, None] - self.means[None, :] + self.total
        return np.asarray((centred + centred.T) / 2.0)

    def errors(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        # each entry, two means and the mean of all: at most four times the largest, and exactly that sum
        if errors.ndim == 0:
            return np.asarray(4.0 * errors)
        means = errors.mean(axis=1)
        return np.asarray(errors + means[:, None] + means + means.mean())

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        own = K_cross.mean(axis=1)
        return CrossBlock(
            K_cross - own[:, None] - self.means[None, :] + self.total, diag - 2.0 * own + self.total
        )


def center(K: Matrix) -> Matrix:
    """H K H with H = I − 11'/n; see Center. Takes an array or a GramMatrix and returns the same kind.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import center
    >>> center(np.array([[2.0, 0.0], [0.0, 2.0]])).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    return Center()(K)
