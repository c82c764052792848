"""The same sums where all labels are equal: the product of two graphs has the products of their eigenvalues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import TooLargeError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.jit import jit
from kernex_core.kernels.base import Progress
from kernex_core.kernels.graphs.coded import CodedGraphs
from kernex_core.kernels.graphs.resolvent import Walks
from kernex_core.kernels.pairwise import Work
from kernex_core.threads import spread_in_pieces

VERTEX_LIMIT = 4_000
"""Most vertices of a graph whose eigenvalues are computed: 130 MB and some ten seconds."""


@dataclass(frozen=True, eq=False)
class Spectra(ReadOnlyArrays):
    """Eigenvalues of D A D = Σ λ u u' of each graph, and how much each counts.

    Attributes
    ----------
    starts : (n + 1,) int array
        First eigenvalue of each graph.
    eigenvalues, worth : (N,) float array
        λ, and (start'u)(u'end).
    """

    starts: IntArray
    eigenvalues: FloatArray
    worth: FloatArray


def spectra(found: CodedGraphs, walks: Walks, progress: Progress) -> Spectra:
    """Decompose each graph once.

    Raises
    ------
    TooLargeError
        A graph of more than VERTEX_LIMIT vertices.
    """
    sizes = np.diff(found.starts)
    if sizes.max(initial=0) > VERTEX_LIMIT:
        raise TooLargeError(
            f"Graphs without labels may have {VERTEX_LIMIT:,} vertices, for all their eigenvalues are computed",
            f"{sizes.max():,} (graph {int(sizes.argmax()) + 1})",
            "Leave out the largest graphs",
        )
    made: list[tuple[FloatArray, FloatArray]] = []
    total = max(float((sizes.astype(np.float64) ** 3).sum()), 1.0)
    for piece in spread_in_pieces(_decomposing(found, walks), range(found.n), small=True):
        made += piece
        progress(min(1.0, float((sizes[: len(made)].astype(np.float64) ** 3).sum()) / total))
    parts = [np.concatenate([np.zeros(0), *(each[k] for each in made)]) for k in (0, 1)]
    return Spectra(found.starts, *parts)


def _decomposing(found: CodedGraphs, walks: Walks) -> Callable[[int], tuple[FloatArray, FloatArray]]:
    def decomposed(i: int) -> tuple[FloatArray, FloatArray]:
        here = slice(found.starts[i], found.starts[i + 1])
        n = here.stop - here.start
        if n == 0:
            return np.zeros(0), np.zeros(0)
        first = found.rows[here.start : here.stop + 1]
        S = np.zeros((n, n))
        tails = np.repeat(np.arange(n), np.diff(first))
        S[tails, found.neighbours[first[0] : first[-1]] - here.start] = 1.0
        D = walks.scale[here]
        eigenvalues, U = np.linalg.eigh(D[:, None] * S * D)
        return eigenvalues, (walks.start[here] @ U) * (walks.end[here] @ U)

    return decomposed


def spectral_sums(found: Spectra, c: float, offset: int) -> Work:
    """What computes Σ worth worth' / (1 − c λ λ') of some pairs; columns are graphs from `offset` on."""

    def work(pairs: IntArray, meter: IntArray) -> FloatArray:
        out = np.zeros(pairs.shape[0])
        _sums(found.starts, found.eigenvalues, found.worth, pairs + np.array([0, offset]), c, out, meter)
        return out

    return work


@jit
def _sums(
    starts: IntArray, eigenvalues: FloatArray, worth: FloatArray, pairs: IntArray, c: float, out: FloatArray,
    meter: IntArray,
) -> None:  # fmt: skip
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        sum_of_pair = 0.0
        for a in range(starts[i], starts[i + 1]):
            step, row = c * eigenvalues[a], 0.0
            for b in range(starts[j], starts[j + 1]):
                row += worth[b] / (1.0 - step * eigenvalues[b])
            sum_of_pair += worth[a] * row
            if meter[0] != 0:
                return
        out[k] = sum_of_pair
        meter[1] += (starts[i + 1] - starts[i]) * (starts[j + 1] - starts[j])
