"""Kernels on one scale: every item gets length 1, or all items do on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.validation import as_square
from kernex_core.gram.matrix import Matrix
from kernex_core.gram.step import CrossBlock, FittedStep, PairwiseFit, Sees, Step


@dataclass(frozen=True)
class CosineNormalize(Step):
    """Cosine normalisation, K_ij / sqrt(K_ii K_jj).

    An item with self-similarity 0 gets a row and column of zeros (its direction is not defined). Looks at a pair and
    its two diagonals only, so it is inductive wherever it is fitted.

    Raises
    ------
    InvalidInputError
        On a negative self-similarity.
    """

    name: ClassVar[str] = "cosine normalisation"
    sees: ClassVar[Sees] = Sees("pair")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> PairwiseFit:
        """See Step."""
        return _Cosine(np.diag(K_train).copy())


class _Cosine(PairwiseFit):
    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        # D K D + D E D: of a kernel the first part is one whatever D is, and the second is what the digits make of it
        inverse = np.nan_to_num(_inverse_length(self.diag_train))
        return np.asarray(inverse[:, None] * errors * inverse)

    def entries(self, values: FloatArray, diag_rows: FloatArray, diag_columns: FloatArray) -> FloatArray:
        rows, columns = _inverse_length(diag_rows), _inverse_length(diag_columns)
        cosine = values * rows[:, None]
        cosine *= columns
        # an unknown similarity to an item of length 0 is known to be 0; elsewhere NaN stays unknown
        cosine[rows == 0.0, :] = 0.0
        cosine[:, columns == 0.0] = 0.0
        if diag_rows is diag_columns:
            own = np.where(np.isnan(diag_rows), np.nan, (rows > 0.0).astype(np.float64))
            np.fill_diagonal(cosine, own)
        return cosine

    def diagonal(self, diag: FloatArray) -> FloatArray:
        return np.where(np.isnan(diag), np.nan, (_inverse_length(diag) > 0.0).astype(np.float64))


@dataclass(frozen=True)
class MeanNormalize(Step):
    """All similarities divided by the mean self-similarity of the fitted items, which becomes 1 (trace n).

    Raises
    ------
    InvalidInputError
        A mean self-similarity that is not above 0.
    """

    name: ClassVar[str] = "mean self-similarity 1"
    sees: ClassVar[Sees] = Sees("fitted")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        unit = float(np.diag(K_train).mean())
        if not unit > 0.0:
            raise InvalidInputError(
                "A kernel needs self-similarities above 0, all of them known, to be put on a scale",
                f"mean {unit:g}",
            )
        return _Scaled(unit)


class _Scaled(FittedStep):
    def __init__(self, unit: float) -> None:
        self.unit = unit

    def apply(self, K: FloatArray) -> FloatArray:
        return np.asarray(K / self.unit)

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        return np.asarray(errors / self.unit)

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        return CrossBlock(K_cross / self.unit, diag / self.unit)


def _inverse_length(diag: FloatArray) -> FloatArray:
    if (diag < 0.0).any():
        item = int(np.flatnonzero(diag < 0.0)[0])
        raise InvalidInputError(
            "Cosine normalisation needs self-similarities of at least 0",
            f"{diag[item]:.6g} on the diagonal, item {item + 1}",
            "Repair the matrix first (clip, flip or shift)",
        )
    inverse = np.zeros_like(diag)
    np.divide(1.0, np.sqrt(diag), out=inverse, where=diag > 0.0)
    inverse[np.isnan(diag)] = np.nan
    return inverse


def cosine_normalize(K: Matrix) -> Matrix:
    """K_ij / sqrt(K_ii K_jj); see CosineNormalize. Takes an array or a GramMatrix and returns the same kind.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import cosine_normalize
    >>> cosine_normalize(np.array([[4.0, 2.0], [2.0, 9.0]])).round(3).tolist()
    [[1.0, 0.333], [0.333, 1.0]]
    """
    return CosineNormalize()(K)


# Centring: the origin of feature space moves to the mean of the items.


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

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
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
