"""Sums over all walks of a product graph, 1 + c S + (c S)² + ..., by conjugate gradients over its edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.kernels.graphs.coded import CodedGraphs
from kernex_core.kernels.graphs.product import walk_sums
from kernex_core.kernels.pairwise import Work


@dataclass(frozen=True, eq=False)
class Walks(ReadOnlyArrays):
    """What walks are worth, vertex by vertex of all graphs; on a product the values of both vertices are multiplied.

    K = Σ_p start_p Σ_k ((c S)^k end)_p with S = D A_x D, D = diag(scale); c S has a radius below 1.

    Attributes
    ----------
    scale, start, end : (N,) float array
    c : float
    radii : (n,) float array
        Of each graph: that of c S on the product of graphs i and j is at most √(radii[i] radii[j]) < 1.
    alike : bool
        Whether start and end are equal, so that half the digits of the solution give all digits of the sum.
    """

    scale: FloatArray
    start: FloatArray
    end: FloatArray
    c: float
    radii: FloatArray
    alike: bool


def sums(found: CodedGraphs, walks: Walks, weights: IntArray, offset: int) -> Work:
    """What computes some pairs of graphs; columns are graphs from `offset` on.

    Raises
    ------
    InvalidInputError
        By the work: c is so close to its bound that the iteration does not end.
    """

    def work(pairs: IntArray, meter: IntArray) -> FloatArray:
        out = np.zeros(pairs.shape[0])
        both = pairs + np.array([0, offset])
        walk_sums(
            found.starts, found.rows, found.neighbours, found.labels, found.edge_labels, both, weights,
            walks.scale, walks.start, walks.end, walks.c, walks.radii, walks.alike, out, meter,
        )  # fmt: skip
        if np.isnan(out).any():
            i, j = (pairs[int(np.argmax(np.isnan(out)))] + 1).tolist()
            raise InvalidInputError(
                "The weight of a step has to be so far below its bound that the sum over walks converges",
                f"no end in sight for graphs {i} and {j}",
                "Choose a smaller weight",
            )
        return out

    return work
