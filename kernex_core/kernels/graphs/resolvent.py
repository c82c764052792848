"""Sums over all walks of a product graph, 1 + c S + (c S)² + ...: conjugate gradients over its edges, compiled.

Source: Hestenes and Stiefel 1952; the value along the way, Strakoš and Tichý, On error estimation in the conjugate
gradient method, ETNA 2002, formula (3.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.jit import jit
from kernex_core.kernels.graphs.coded import CodedGraphs
from kernex_core.kernels.graphs.product import Places, matched_edges, matched_vertices
from kernex_core.kernels.pairwise import Work

TOLERANCE = 1e-13
"""Largest error of a sum, relative to it, at which the iteration ends."""


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
        _sums(
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


@jit
def _sums(
    starts: IntArray, rows: IntArray, neighbours: IntArray, labels: IntArray, edge_labels: IntArray,
    pairs: IntArray, weights: IntArray, scale: FloatArray, start: FloatArray, end: FloatArray, c: float,
    radii: FloatArray, alike: bool, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """Fill `out` (P,); NaN: no convergence. `weights` and `meter` as in `product.walk_counts`."""
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        number, left, right = matched_vertices(starts, labels, i, j)
        first, heads = matched_edges(starts, rows, neighbours, edge_labels, i, j, number, left, right)
        D, a, b = np.empty(left.size), np.empty(left.size), np.empty(left.size)
        for p in range(left.size):
            u, v = left[p], right[p]
            D[p], a[p], b[p] = scale[u] * scale[v], start[u] * start[v], end[u] * end[v]
        gap = 1.0 - math.sqrt(radii[i] * radii[j])
        out[k] = conjugate_gradients(first, heads, D, a, b, c, gap, alike, meter)
        meter[1] += weights[i] * weights[j]
        if meter[0] != 0:
            return


@jit
def conjugate_gradients(
    first: IntArray, heads: Places, D: FloatArray, a: FloatArray, b: FloatArray, c: float, gap: float,
    alike: bool, meter: IntArray,
) -> float:  # fmt: skip
    """a' (I − c D A D)^(−1) b, whose smallest eigenvalue is at least `gap`.

    With a = b the value after k steps is the sum of α r'r, and its error e'(I − c S)e ≤ r'r / gap; else it is a'x, and
    its error at most |a| |r| / gap.
    """
    r, p, x, z, q = b.copy(), b.copy(), np.zeros(b.size), D * b, np.empty(b.size)
    rr, size, value = float(np.sum(b * b)), math.sqrt(np.sum(a * a)), 0.0
    for _ in range(int(100.0 + 30.0 * math.sqrt(2.0 / gap))):
        error = rr if alike else size * math.sqrt(rr)
        if error <= TOLERANCE * gap * value or rr == 0.0:
            return value
        if meter[0] != 0:
            return 0.0
        pq = 0.0
        for v in range(b.size):
            total = 0.0
            for at in range(first[v], first[v + 1]):
                total += z[heads[at]]
            q[v] = p[v] - c * D[v] * total
            pq += p[v] * q[v]
        alpha = rr / pq
        new = 0.0
        for v in range(b.size):
            r[v] -= alpha * q[v]
            new += r[v] * r[v]
        if alike:
            value += alpha * rr
        else:
            value = 0.0
            for v in range(b.size):
                x[v] += alpha * p[v]
                value += a[v] * x[v]
        beta = new / rr
        for v in range(b.size):
            p[v] = r[v] + beta * p[v]
            z[v] = D[v] * p[v]
        rr = new
    return math.nan
