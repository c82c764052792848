"""Study of the page Many kernels: learned weights against the cost C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.mkl.learn import mkl_path
from kernex_core.learning.mkl.problem import MklConfig

COSTS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


@dataclass(frozen=True, eq=False)
class WeightPath(ReadOnlyArrays):
    """Weights for the costs that are done.

    Attributes
    ----------
    names : tuple of str
    costs : (k,) float
    weights : (k, M) float
    gaps : (k,) float
    done, total : int
    """

    names: tuple[str, ...]
    costs: FloatArray
    weights: FloatArray
    gaps: FloatArray
    done: int
    total: int


def weight_path(kernels: Sequence[GramMatrix], labels: Labels, loss: str = "hinge") -> Iterator[WeightPath]:
    """Learn weights for every cost from the smallest on; a state a cost.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        On one scale, known everywhere.
    labels : Labels
        Items without one are left out.
    loss : {"hinge", "square"}
    """
    at = np.flatnonzero(labels.labelled)
    blocks = [K.values[np.ix_(at, at)] for K in kernels]
    names, found = tuple(K.name for K in kernels), []
    for made in mkl_path(blocks, labels.y[at], COSTS, MklConfig(loss=loss)):
        found.append(made)
        yield WeightPath(
            names, np.array(COSTS[: len(found)]), np.array([one.weights for one in found]),
            np.array([one.gap for one in found]), len(found), len(COSTS),
        )  # fmt: skip
