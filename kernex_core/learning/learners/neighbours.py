"""k nearest neighbours by the distance that a kernel induces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.learners.contract import Kind, Learner, Targets
from kernex_core.learning.learners.nearest import nearest
from kernex_core.parameters import check_parameters, parameter

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
