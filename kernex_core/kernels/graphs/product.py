"""Product graphs of pairs, one at a time and never as a dense matrix: compiled loops over the edges of both graphs.

All that is compiled and calls each other stands in this file: Numba takes what it compiled before as long as the file of the
caller is the same, whatever became of other files.

A vertex of the product is a pair of vertices with equal labels, an edge a pair of edges with equal labels between such
pairs. Its edges are listed twice, row by row, as in `CodedGraphs`.

Source of the iteration: Hestenes and Stiefel 1952; of the value along the way, Strakoš and Tichý, On error estimation in the
conjugate gradient method, ETNA 2002, formula (3.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.jit import jit
from kernex_core.kernels.base import Progress
from kernex_core.kernels.graphs.graph_kernel import CodedGraphs
from kernex_core.kernels.pairwise import Work
from kernex_core.runtime.executors import in_order, spread_in_steps

Places = NDArray[np.int32]

TOLERANCE = 1e-13
"""Largest error of a sum, relative to it, at which the iteration ends."""


@jit
def matched_vertices(starts: IntArray, labels: IntArray, i: int, j: int) -> tuple[Places, IntArray, IntArray]:
    """Number the vertices of the product of graphs i and j.

    Returns
    -------
    (n n',) number of each pair or −1, and (V,) both vertices of each number, counted through all graphs.
    """
    n, m = starts[i + 1] - starts[i], starts[j + 1] - starts[j]
    number = np.empty(n * m, np.int32)
    left, right = np.empty(n * m, np.int64), np.empty(n * m, np.int64)
    count = 0
    for u in range(n):
        for v in range(m):
            left[count], right[count] = starts[i] + u, starts[j] + v
            match = labels[starts[i] + u] == labels[starts[j] + v]
            number[u * m + v] = count if match else -1
            count += match
    return number, left[:count], right[:count]


@jit
def matched_edges(
    starts: IntArray, rows: IntArray, neighbours: IntArray, edge_labels: IntArray, i: int, j: int,
    number: Places, left: IntArray, right: IntArray,
) -> tuple[IntArray, Places]:  # fmt: skip
    """List the edges of the product of graphs i and j: (V + 1,) first place of each vertex, and its neighbours."""
    m = starts[j + 1] - starts[j]
    most = 0
    for p in range(left.size):
        u, v = left[p], right[p]
        most += (rows[u + 1] - rows[u]) * (rows[v + 1] - rows[v])
    first, heads = np.zeros(left.size + 1, np.int64), np.empty(most, np.int32)
    count = 0
    for p in range(left.size):
        u, v = left[p], right[p]
        for a in range(rows[u], rows[u + 1]):
            row = (neighbours[a] - starts[i]) * m - starts[j]
            for b in range(rows[v], rows[v + 1]):
                # written in any case and kept where it counts: a processor cannot foresee which ones match
                to = number[row + neighbours[b]]
                heads[count] = to
                count += (to >= 0) & (edge_labels[a] == edge_labels[b])
        first[p + 1] = count
    return first, heads[:count]


@jit
def step(first: IntArray, heads: Places, x: FloatArray, out: FloatArray) -> None:
    """Write A x into `out`."""
    for p in range(x.size):
        total = 0.0
        for at in range(first[p], first[p + 1]):
            total += x[heads[at]]
        out[p] = total


@jit
def walk_counts(
    starts: IntArray, rows: IntArray, neighbours: IntArray, labels: IntArray, edge_labels: IntArray,
    pairs: IntArray, weights: IntArray, order: int, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """Fill `out` (P,) with 1' A^order 1 of the product graph of each pair (rows of `pairs`).

    `weights` (n,) of the graphs: their product is counted into `meter[1]`; a nonzero `meter[0]` ends the work.
    """
    for p in range(pairs.shape[0]):
        i, j = pairs[p, 0], pairs[p, 1]
        number, left, right = matched_vertices(starts, labels, i, j)
        if order == 0:
            out[p] = left.size
        else:
            first, heads = matched_edges(starts, rows, neighbours, edge_labels, i, j, number, left, right)
            # A is symmetric: walks are joined in their middle
            x, y = np.ones(left.size), np.empty(left.size)
            for _ in range(order // 2):
                if meter[0] != 0:
                    return
                step(first, heads, x, y)
                x, y = y, x
            if order % 2 == 1:
                step(first, heads, x, y)
                out[p] = np.sum(x * y)
            else:
                out[p] = np.sum(x * x)
        meter[1] += weights[i] * weights[j]
        if meter[0] != 0:
            return


@jit
def walk_sums(
    starts: IntArray, rows: IntArray, neighbours: IntArray, labels: IntArray, edge_labels: IntArray,
    pairs: IntArray, weights: IntArray, scale: FloatArray, start: FloatArray, end: FloatArray, c: float,
    radii: FloatArray, alike: bool, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """Fill `out` (P,) with start' (I − c S)^(−1) end of each pair (see `resolvent.Walks`); NaN: no convergence.

    `weights` and `meter` as in `walk_counts`.
    """
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
        # q = (I − c D A D) p; z is D p already
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
        # with a = b the value grows by α r'r (Hestenes and Stiefel 1952), and x itself is never formed
        if alike:
            value += alpha * rr
        else:
            value = 0.0
            for v in range(b.size):
                x[v] += alpha * p[v]
                value += a[v] * x[v]
        # the next direction is conjugate to all before it
        beta = new / rr
        for v in range(b.size):
            p[v] = r[v] + beta * p[v]
            z[v] = D[v] * p[v]
        rr = new
    return math.nan


# Sums over all walks of a product graph, 1 + c S + (c S)² + ..., by conjugate gradients over its edges.


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

    return partial(_walk_sums, found.bare(), walks, weights, offset)


def _walk_sums(
    found: CodedGraphs, walks: Walks, weights: IntArray, offset: int, pairs: IntArray, meter: IntArray
) -> FloatArray:
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


# Largest eigenvalue of the product of each graph with itself, which bounds what a step of a walk may weigh.
#
# For any two graphs ρ(A_x(G, G')) ≤ √(ρ(A_x(G, G)) ρ(A_x(G', G'))), by Cauchy and Schwarz on the numbers of walks of each
# length, so that n radii bound all n² products.

STEPS = 300
"""Most steps of Lanczos' iteration: the largest eigenvalue has all its digits long before."""
BLOCK = 4_000_000
"""Pairs of edges and vertices in one task."""


def radii(found: CodedGraphs) -> FloatArray:
    """(n,) largest eigenvalue of A_x(G, G) of each graph, right to rounding: Lanczos' iteration from the vector of ones.

    A graph remembers its own: the check, the estimate and the kernel all ask for it, and so does every other β.
    """
    labels = found.n_labels > 1, found.n_edge_labels > 1
    new = np.array([k for k, graph in enumerate(found.graphs) if labels not in graph.radii], dtype=np.int64)
    if new.size:
        ends = np.cumsum(found.sizes[new].astype(np.float64) ** 2)
        pieces = np.split(new, np.flatnonzero(np.diff((ends / BLOCK).astype(np.int64))) + 1)
        for k, radius in zip(
            new.tolist(),
            np.concatenate(in_order(partial(_of_some, found.bare()), pieces)).tolist(),
            strict=True,
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
    # Lanczos: y = A x − (its parts along x and the vector before) is the next vector, those parts are the tridiagonal matrix
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
        # its largest eigenvalue only rises with k; looked at every eighth step, for it costs as much as some steps
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


# The same sums where all labels are equal: the product of two graphs has the products of their eigenvalues.

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
    for batch in spread_in_steps(partial(_decomposed, found.bare(), walks), range(found.n), small=True):
        made += batch
        progress(min(1.0, float((sizes[: len(made)].astype(np.float64) ** 3).sum()) / total))
    parts = [np.concatenate([np.zeros(0), *(each[k] for each in made)]) for k in (0, 1)]
    return Spectra(found.starts, *parts)


def _decomposed(found: CodedGraphs, walks: Walks, i: int) -> tuple[FloatArray, FloatArray]:
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


def spectral_sums(found: Spectra, c: float, offset: int) -> Work:
    """What computes Σ worth worth' / (1 − c λ λ') of some pairs; columns are graphs from `offset` on."""

    return partial(_spectral_sums, found, c, offset)


def _spectral_sums(found: Spectra, c: float, offset: int, pairs: IntArray, meter: IntArray) -> FloatArray:
    out = np.zeros(pairs.shape[0])
    _sums(found.starts, found.eigenvalues, found.worth, pairs + np.array([0, offset]), c, out, meter)
    return out


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
