"""Maps that follow neighbours or the order of distances: spectral embedding, t-SNE, non-metric scaling. Stress of maps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from kernex_core.base.errors import TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import repetition_rng
from kernex_core.completion.neighbour_weights import DIRECT, Cloud, nearest
from kernex_core.gram.spectrum import pca_in_steps
from kernex_core.runtime.progress import Steps, blocking, part
from kernex_core.studies.map.points import MapConfig, placing_components

MOST_LAID_OUT: Final = 3_000
"""Items up to which all pairs are moved at every step."""
_ENTRIES = 4_000_000


@dataclass(frozen=True, eq=False)
class Layout(ReadOnlyArrays):
    """Items laid flat by one of the methods of this file.

    Attributes
    ----------
    coordinates : (n, q) float
    eigenvalues : (q,) float
        Of the random walk, of a spectral embedding; empty elsewhere.
    iterations : int
        Steps that were taken; 0 where there are none.
    """

    coordinates: FloatArray
    eigenvalues: FloatArray = field(default_factory=lambda: np.zeros(0))
    iterations: int = 0

    def by_neighbours(self, cloud: Cloud, rows: IntArray, kept: IntArray, k: int) -> FloatArray:
        """(m, q) places of points: f(x) = mean of f over its k nearest kept items / λ, which holds for every item."""
        near = nearest(cloud.squared(rows, kept), k)
        return np.asarray(self.coordinates[near].mean(axis=1) / self.eigenvalues)


def check_laid_out(n: int) -> None:
    """Refuse more items than all pairs of which are moved at every step.

    Raises
    ------
    TooLargeError
        Naming what to do.
    """
    if n > MOST_LAID_OUT:
        raise TooLargeError(
            f"t-SNE and non-metric MDS move all pairs of up to {MOST_LAID_OUT:,} items at every step", f"{n:,}",
            "Choose kernel PCA, LLE or spectral embedding, or some of the items on the page Data",
        )  # fmt: skip


def laying_out(cloud: Cloud, kept: IntArray, config: MapConfig, q: int) -> Steps[Layout]:
    """Lay some items of a cloud flat, in steps."""
    if config.method == "spectral":
        return (yield from _spectral(cloud, kept, config.n_neighbors, q))
    check_laid_out(kept.size)
    # both begin from kernel PCA, so that nothing is left to chance but where items lie on one another
    start = (yield from part(placing_components(cloud, kept, 2), 0.0, 0.1)).coordinates
    size = float(np.sqrt((start**2).mean())) or 1.0
    start = start / size + 1e-2 * repetition_rng(config.seed, 0).normal(size=start.shape)
    squared = cloud.squared(kept, kept)
    np.fill_diagonal(squared, 0.0)
    if config.method == "t-sne":
        return (yield from part(_t_sne(squared, float(config.n_neighbors), start), 0.1, 1.0))
    return (yield from part(_non_metric(np.sqrt(squared), start), 0.1, 1.0))


# Spectral embedding (Laplacian eigenmaps, Belkin and Niyogi 2003), as in scikit-learn with nearest neighbours.


def neighbour_graph(cloud: Cloud, kept: IntArray, k: int) -> csr_array:
    """(n, n) 1 where two items are among each other's k nearest, 1/2 where one is among the other's."""
    n = kept.size
    near, rows = np.empty((n, k), dtype=np.int64), max(1, _ENTRIES // n)
    for start in range(0, n, rows):
        block = np.arange(start, min(start + rows, n))
        squared = cloud.squared(kept[block], kept)
        squared[np.arange(block.size), block] = np.inf
        near[block] = nearest(squared, k)
    A = csr_array((np.full(n * k, 0.5), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    return csr_array(A + A.T)


def _spectral(cloud: Cloud, kept: IntArray, k: int, q: int) -> Steps[Layout]:
    yield 0.0
    A = neighbour_graph(cloud, kept, k)
    lengths = np.sqrt(np.asarray(A.sum(axis=1)))
    first = lengths / np.linalg.norm(lengths)
    M = csr_array(A.multiply(1.0 / lengths[:, None]).multiply(1.0 / lengths[None, :]))
    walk, vectors = (None, None) if kept.size <= DIRECT else _leading(M, first, q)
    if walk is None or vectors is None:
        # eigenvalues lie in [-1, 1]: with 1 added none is negative, and the constant one is taken out
        dense = np.asarray(M.todense()) - 2.0 * np.outer(first, first)
        dense[np.diag_indices_from(dense)] += 1.0
        made = yield from pca_in_steps(dense, q, centred=False)
        values = np.maximum((made.coordinates**2).sum(axis=0), 1e-12)
        walk, vectors = values - 1.0, made.coordinates / np.sqrt(values)
    coordinates = vectors / lengths[:, None]
    spread = np.sqrt((coordinates**2).mean(axis=0))
    return Layout(coordinates / np.where(spread > 0.0, spread, 1.0), np.where(walk > 0.05, walk, 1.0))


def _leading(M: csr_array, first: FloatArray, q: int) -> tuple[FloatArray, FloatArray] | tuple[None, None]:
    """Largest eigenvalues beside the constant vector's, and their vectors, by Lanczos; None where they are not found."""
    n = M.shape[0]

    def without_first(x: FloatArray) -> FloatArray:
        x = x.ravel()
        return np.asarray(M @ x - first * (first @ x) * 2.0)

    try:
        walk, vectors = eigsh(
            LinearOperator((n, n), without_first, dtype=np.float64), k=q, which="LA", ncv=min(n - 1, 20 * q),
            v0=np.random.default_rng(0).normal(size=n), tol=1e-10,
        )  # fmt: skip
    except ArpackError:
        return None, None
    order = np.argsort(-walk)
    vectors = vectors[:, order]
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None, :], axis=0)
    return walk[order], vectors * np.where(largest < 0.0, -1.0, 1.0)


def parts_note(cloud: Cloud, kept: IntArray, k: int) -> tuple[str, ...]:
    """What a reader has to know where the graph of neighbours falls apart."""
    count, _ = connected_components(neighbour_graph(cloud, kept, k), directed=False)
    if count == 1:
        return ()
    return (
        f"The graph of neighbours falls into {count} parts: the first {count - 1} of its coordinates tell the parts apart "
        "and nothing within them. Take more neighbours.",
    )


# t-SNE (van der Maaten and Hinton 2008): scikit-learn's exact method, which cannot be stopped between two of its steps.

ITERATIONS: Final = 1_000
EARLY: Final = 250
"""Steps in which neighbours are drawn together EXAGGERATED times as strongly."""
EXAGGERATED: Final = 12.0
_HALVES = 50
_A_STEP = 2_000
"""Items over which one step of t-SNE is one of progress."""


@blocking
def joint_probabilities(squared: FloatArray, perplexity: float) -> Steps[NDArray[np.float32]]:
    """(n, n) p_ij of t-SNE, in steps: Gaussians around every item, so wide that each has that perplexity; their sum is 1.

    Parameters
    ----------
    squared : (n, n) float
        Squared distances.
    perplexity : float
        Below n − 1.
    """
    n = squared.shape[0]
    D = squared / (float(squared.mean()) or 1.0)
    np.fill_diagonal(D, np.inf)
    D -= D.min(axis=1, keepdims=True)
    low, high = np.full(n, -30.0), np.full(n, 60.0)  # log of the precision
    inside = np.where(np.isfinite(D), D, 0.0)
    for step in range(_HALVES):
        yield step / _HALVES
        middle = (low + high) / 2.0
        with np.errstate(under="ignore", over="ignore"):
            P = np.exp(-np.exp(middle)[:, None] * D)
            sums = P.sum(axis=1)
            entropy = np.log(sums) + np.exp(middle) * (P * inside).sum(axis=1) / sums
        wide = entropy > np.log(perplexity)
        low, high = np.where(wide, middle, low), np.where(wide, high, middle)
    P /= sums[:, None]
    P += P.T.copy()
    return np.asarray(P / P.sum(), dtype=np.float32)


def _t_sne(squared: FloatArray, perplexity: float, start: FloatArray) -> Steps[Layout]:
    P = yield from part(joint_probabilities.steps(squared, perplexity), 0.0, 0.05)
    n = P.shape[0]
    Y, moved, gains = 1e-4 * start, np.zeros(start.shape), np.ones(start.shape)
    rate = max(n / EXAGGERATED / 4.0, 50.0)
    for step in range(ITERATIONS):
        if step % max(1, _A_STEP // n) == 0:
            yield 0.05 + 0.95 * step / ITERATIONS
        strength, momentum = (EXAGGERATED, 0.5) if step < EARLY else (1.0, 0.8)
        slope = t_sne_slope(Y, P, strength)
        turns = moved * slope < 0.0
        gains = np.maximum(np.where(turns, gains + 0.2, gains * 0.8), 0.01)
        moved = momentum * moved - rate * gains * slope
        Y = Y + moved
    return Layout(Y - Y.mean(axis=0), iterations=ITERATIONS)


def t_sne_slope(Y: FloatArray, P: NDArray[np.float32], strength: float = 1.0) -> FloatArray:
    """(n, 2) gradient of the divergence of p and q: 4 Σ_j (p_ij − q_ij) (y_i − y_j) / (1 + |y_i − y_j|²)."""
    near = heavy_tails(Y)
    F = P * np.float32(strength) if strength != 1.0 else P.copy()
    F -= near * np.float32(1.0 / float(near.sum(dtype=np.float64)))
    F *= near
    pull = F @ np.column_stack([Y, np.ones(len(Y))]).astype(np.float32)
    return np.asarray(4.0 * (pull[:, -1:] * Y - pull[:, :-1]), dtype=np.float64)


def heavy_tails(Y: FloatArray) -> NDArray[np.float32]:
    """(n, n) 1 / (1 + |y_i − y_j|²), 0 on the diagonal."""
    Z = Y.astype(np.float32)
    lengths = (Z**2).sum(axis=1)
    near = Z @ Z.T
    near *= -2.0
    near += lengths[:, None]
    near += lengths[None, :]
    np.maximum(near, 0.0, out=near)
    near += 1.0
    np.reciprocal(near, out=near)
    np.fill_diagonal(near, 0.0)
    return np.asarray(near)


# Non-metric multidimensional scaling (Kruskal 1964) by majorisation: scikit-learn's SMACOF, which cannot be stopped either.

MOVES: Final = 300
ENOUGH: Final = 1e-6
"""Gain of the stress, over the sum of squared distances, from which no further step is taken."""


@dataclass(frozen=True, eq=False)
class _Ranks(ReadOnlyArrays):
    """The order of distances: which of the different ones each pair has, and how often each is there."""

    rank: IntArray
    counts: IntArray

    @classmethod
    def of(cls, far: FloatArray) -> _Ranks:
        """Of condensed distances; what rounding alone tells apart is equal."""
        unit = float(far.max(initial=0.0)) or 1.0
        _, rank, counts = np.unique(np.round(far / unit, 10), return_inverse=True, return_counts=True)
        return cls(rank.astype(np.int64), counts.astype(np.int64))

    def followed(self, d: FloatArray) -> FloatArray:
        """Numbers nearest to `d` that never fall where the distances rise, equal for equal ones (isotonic regression)."""
        from scipy.optimize import isotonic_regression

        means = np.bincount(self.rank, d) / self.counts
        return np.asarray(isotonic_regression(means, weights=self.counts.astype(np.float64)).x[self.rank])


def _non_metric(D: FloatArray, X: FloatArray) -> Steps[Layout]:
    n = D.shape[0]
    i, j = np.triu_indices(n, 1)
    ranks = _Ranks.of(D[i, j])
    aims, before = D[i, j], np.inf
    d = _lengths(X, i, j)
    for step in range(MOVES):
        yield step / MOVES
        if step:  # the first step aims at the distances themselves
            aims = ranks.followed(d)
        aims = aims * np.sqrt(aims.size / (float((aims**2).sum()) or 1.0))
        B = np.zeros((n, n))
        B[i, j] = -aims / np.maximum(d, 1e-5)
        B += B.T
        np.fill_diagonal(B, -B.sum(axis=1))
        X = B @ X / n
        d = _lengths(X, i, j)
        stress = float(((d - aims) ** 2).sum())
        if (before - stress) / (float((d**2).sum()) or 1.0) < ENOUGH:
            break
        before = stress
    return Layout(X - X.mean(axis=0), iterations=step + 1)


def _lengths(X: FloatArray, i: IntArray | NDArray[np.intp], j: IntArray | NDArray[np.intp]) -> FloatArray:
    gap = X[i] - X[j]
    return np.asarray(np.sqrt((gap**2).sum(axis=1)))


# How much a map keeps of all distances, whatever its unit.

MOST_COMPARED: Final = 1_000


def stress(cloud: Cloud, items: IntArray, coordinates: FloatArray) -> float:
    """Kruskal's stress of the order of distances, 0 to 1: 0 where a map has all of them in the order of the points.

    √(Σ (d − d̂)² / Σ d²) over pairs, d on the map and d̂ nearest to it in the order of the points (equal for equal ones). Of
    more than 1,000 items every second, third … is looked at.

    Parameters
    ----------
    cloud : VectorCloud or KernelCloud
    items : (n,) int
        Of the cloud.
    coordinates : (n, q) float
        Of these items.
    """
    every = slice(None, None, -(-items.size // MOST_COMPARED))
    items, X = items[every], coordinates[every]
    i, j = np.triu_indices(items.size, 1)
    d = _lengths(X, i, j)
    ranks = _Ranks.of(np.sqrt(np.maximum(cloud.squared(items, items)[i, j], 0.0)))
    return float(np.sqrt(((d - ranks.followed(d)) ** 2).sum() / (float((d**2).sum()) or 1.0)))
