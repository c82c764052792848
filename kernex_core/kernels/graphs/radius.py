"""Largest eigenvalue of the product of each graph with itself, which bounds what a step of a walk may weigh.

For any two graphs ρ(A_x(G, G')) ≤ √(ρ(A_x(G, G)) ρ(A_x(G', G'))), by Cauchy and Schwarz on the numbers of walks of each
length, so that n radii bound all n² products.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit
from kernex_core.kernels.graphs.coded import CodedGraphs
from kernex_core.kernels.graphs.product import Places, matched_edges, matched_vertices
from kernex_core.threads import in_order

STEPS = 300
"""Most steps of Lanczos' iteration: the largest eigenvalue has all its digits long before."""
PIECE = 4_000_000
"""Pairs of edges and vertices in one piece of work."""


def radii(found: CodedGraphs) -> FloatArray:
    """(n,) largest eigenvalue of A_x(G, G) of each graph, right to rounding: Lanczos' iteration from the vector of ones.

    A graph remembers its own: the check, the estimate and the kernel all ask for it, and so does every other β.
    """
    labels = found.n_labels > 1, found.n_edge_labels > 1
    new = np.array([k for k, graph in enumerate(found.graphs) if labels not in graph.radii], dtype=np.int64)
    if new.size:
        ends = np.cumsum(found.sizes[new].astype(np.float64) ** 2)
        pieces = np.split(new, np.flatnonzero(np.diff((ends / PIECE).astype(np.int64))) + 1)
        for k, radius in zip(
            new.tolist(), np.concatenate(in_order(partial(_of_some, found), pieces)).tolist(), strict=True
        ):
            found.graphs[k].radii[labels] = radius
    return np.array([graph.radii[labels] for graph in found.graphs], dtype=np.float64)


def _of_some(found: CodedGraphs, graphs: IntArray) -> FloatArray:
    """Where all labels are equal a radius is that of the graph itself, squared."""
    alone = found.n_labels == 1 and found.n_edge_labels == 1
    out = np.zeros(graphs.size)
    for k, i in enumerate(graphs.tolist()):
        if alone:
            rows = found.rows[found.starts[i] : found.starts[i + 1] + 1]
            heads = (found.neighbours[rows[0] : rows[-1]] - found.starts[i]).astype(np.int32)
            out[k] = largest_eigenvalue(rows - rows[0], heads) ** 2
        else:
            number, left, right = matched_vertices(found.starts, found.labels, i, i)
            out[k] = largest_eigenvalue(
                *matched_edges(
                    found.starts, found.rows, found.neighbours, found.edge_labels, i, i, number, left, right
                )
            )
    return out


@jit
def largest_eigenvalue(first: IntArray, heads: Places) -> float:
    """Of a symmetric matrix of 0 and 1, in rows. Lost orthogonality makes copies of eigenvalues, never a larger one."""
    n = first.size - 1
    if heads.size == 0:
        return 0.0
    x, before, y = np.full(n, 1.0 / math.sqrt(n)), np.zeros(n), np.empty(n)
    diagonal, beside = np.zeros(STEPS), np.zeros(STEPS)
    norm, value = 0.0, 0.0
    for k in range(STEPS):
        middle = 0.0
        for v in range(n):
            total = 0.0
            for at in range(first[v], first[v + 1]):
                total += x[heads[at]]
            y[v] = total - norm * before[v]
            middle += y[v] * x[v]
        square = 0.0
        for v in range(n):
            y[v] -= middle * x[v]
            square += y[v] * y[v]
        norm = math.sqrt(square)
        diagonal[k], beside[k] = middle, norm
        ended = norm <= 1e-13 * max(value, middle)
        if ended or k % 8 == 7 or k == STEPS - 1:
            new = largest_of_band(diagonal, beside, k + 1, value)
            if ended or new - value <= 1e-14 * new:
                return new
            value = new
        for v in range(n):
            before[v], x[v] = x[v], y[v] / norm
    return value


@jit
def largest_of_band(diagonal: FloatArray, beside: FloatArray, n: int, low: float) -> float:
    """Largest eigenvalue of a symmetric tridiagonal matrix (n, n), at least `low`: by bisection."""
    high = low
    for k in range(n):
        around = (beside[k - 1] if k > 0 else 0.0) + (beside[k] if k < n - 1 else 0.0)
        high = max(high, diagonal[k] + around)
    for _ in range(60):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        # all pivots of T − middle I are negative where no eigenvalue is above
        pivot, above = diagonal[0] - middle, False
        for k in range(1, n):
            if pivot >= 0.0:
                above = True
                break
            pivot = diagonal[k] - middle - beside[k - 1] ** 2 / pivot
        if above or pivot >= 0.0:
            low = middle
        else:
            high = middle
    return high
