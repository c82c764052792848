"""k nearest neighbours by the distance that a kernel induces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import as_matrix
from kernex_core.learning.learners.contract import Kind, Learner, Targets


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


_FIRST = 1e-6
"""What the nearest neighbour counts more than its vote: it decides where votes are equal, as `vote` has it."""


@dataclass(frozen=True)
class NearestNeighbours(Learner):
    """Most of the k nearest training items, or the mean of their numbers, by ‖φ(x) − φ(x_i)‖."""

    title: ClassVar[str] = "Nearest neighbours"
    summary: ClassVar[str] = "what most of the k nearest items are, or their mean"
    source: ClassVar[str] = "Cover and Hart, IEEE Trans. Inf. Theory 1967"
    learns: ClassVar[tuple[Kind, ...]] = ("classes", "numbers")
    strength: ClassVar[str] = "k"
    grid: ClassVar[tuple[float, ...]] = (21, 11, 7, 5, 3, 1)
    scaled: ClassVar[bool] = False
    k: int = parameter(
        5, label="Neighbours", symbol="k", low=1, high=1000, step=1,
        help="Nearest training items that are asked; all of them where there are fewer.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    def fit(self, K: FloatArray, targets: Targets) -> RememberedItems:
        """See Learner."""
        return RememberedItems(np.diag(K).copy(), targets.values, targets.n_classes, min(self.k, len(K)))


@dataclass(frozen=True, eq=False)
class RememberedItems(ReadOnlyArrays):
    """The training items: nothing is computed before a new one comes.

    Attributes
    ----------
    diag : (n,) float
        Self-similarities.
    values : (n,)
        Codes or numbers, see Targets.
    n_classes, k : int
    """

    diag: FloatArray
    values: IntArray | FloatArray
    n_classes: int
    k: int
    not_converged: int = 0
    at_bound: int = 0

    def decide(self, K_cross: FloatArray) -> FloatArray:
        """See Fitted: share of the votes less ½, or the mean number."""
        # the own length of a new item moves all its distances alike
        found = nearest(K_cross, np.zeros(len(K_cross)), self.diag, k=self.k).positions
        asked = self.values[found]
        if not self.n_classes:
            return np.asarray(asked.mean(axis=1, keepdims=True))
        weights = 1.0 + _FIRST / self.k * 0.5 ** np.arange(self.k)
        votes = ((asked[:, :, None] == np.arange(self.n_classes)) * weights[:, None]).sum(axis=1)
        return np.asarray(votes / weights.sum() - 0.5)
