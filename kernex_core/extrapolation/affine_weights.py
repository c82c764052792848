"""Affine weights: how a point is put together from its nearest neighbours, with weights that sum to 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.point_clouds import Cloud, VectorCloud
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.magnitude import unit_of
from kernex_core.parameters import check_range
from kernex_core.pieces import Pieces, finished

REGULARISATION = 1e-3
"""Added to the diagonal of the local Gram matrix, relative to its trace; scikit-learn's convention."""
_ENTRIES = 2_000_000


@dataclass(frozen=True, eq=False)
class AffineWeights(ReadOnlyArrays):
    """Weights of m points on k items each.

    Attributes
    ----------
    near : (m, k) int
        Positions among the items that they lean on, nearest first.
    values : (m, k) float
        Weights; each row sums to 1.
    apart : (m, k) float
        Squared distances to these neighbours.
    n : int
        Number of items that they may lean on.
    """

    near: IntArray
    values: FloatArray
    apart: FloatArray
    n: int

    def of(self, F: FloatArray) -> FloatArray:
        """(m, q) what the points get of a quantity F (n, q) of the items."""
        return np.asarray(np.einsum("mk,mkq->mq", self.values, F[self.near]))

    @property
    def sparse(self) -> csr_array:
        """(m, n) by rows."""
        m, k = self.near.shape
        starts = np.arange(0, m * k + 1, k)
        return csr_array((self.values.ravel(), self.near.ravel(), starts), shape=(m, self.n))

    @property
    def dense(self) -> FloatArray:
        """(m, n)."""
        made = np.zeros((self.near.shape[0], self.n))
        np.put_along_axis(made, self.near, self.values, axis=1)
        return made


def check_neighbours(n_neighbors: object, n: int) -> int:
    """Return the number of neighbours if it is a whole number from 1 to n − 1.

    Raises
    ------
    InvalidInputError
        Otherwise, with the range.
    """
    whole = isinstance(n_neighbors, int | np.integer) and not isinstance(n_neighbors, bool)
    count = int(n_neighbors) if isinstance(n_neighbors, int | np.integer) else 0
    if not whole or not 1 <= count < n:
        raise InvalidInputError(
            f"The number of neighbours has to be a whole number from 1 to {n - 1}, one less than the items",
            repr(n_neighbors),
            "Take fewer neighbours or more items",
        )
    return count


def weighing(
    cloud: Cloud, rows: IntArray, among: IntArray, n_neighbors: int, reg: float = REGULARISATION
) -> Pieces[AffineWeights]:
    """Weights of points on their nearest items, in pieces (Kernel extrapolation, section 4.3).

    Point i minimises |x_i − Σ_j w_ij x_j|² + reg tr(G) |w_i|² subject to Σ_j w_ij = 1, G_jl = (x_j − x_i)'(x_l − x_i).
    Of equally near items those that come first are neighbours. A point at distance zero from an item that is not itself
    one of `among` is that item: its unit vector, spread evenly where several items are the same.

    Parameters
    ----------
    cloud : VectorCloud or KernelCloud
    rows : (m,) int
        Points: the same as `among`, of which none is its own neighbour, or others.
    among : (n,) int
        Items, positions in the cloud.
    n_neighbors : int
        Below n where rows are `among`, at most n elsewhere.
    reg : float
        Above 0.
    """
    check_range("The regularisation", reg, 0.0, open_low=True)
    own = rows is among
    step = max(1, min(_ENTRIES // among.size, 4 * _ENTRIES // (n_neighbors * max(cloud.width, n_neighbors))))
    near = np.empty((rows.size, n_neighbors), dtype=np.int64)
    values, apart = np.empty(near.shape), np.empty(near.shape)
    for start in range(0, rows.size, step):
        if start:
            yield start / rows.size
        part = slice(start, min(start + step, rows.size))
        d = cloud.squared(rows[part], among)
        if own:
            d[np.arange(d.shape[0]), np.arange(part.start, part.stop)] = np.inf
        near[part] = nearest(d, n_neighbors)
        G = cloud.local(rows[part], among[near[part]])
        apart[part] = np.diagonal(G, axis1=1, axis2=2)
        values[part] = _solved(G, reg)
    if not own:
        here = apart == 0.0
        same = here.any(axis=1)
        values[same] = here[same] / here[same].sum(axis=1, keepdims=True)
    return AffineWeights(near, values, apart, among.size)


def new_weights(
    X: FloatArray, X_new: FloatArray, n_neighbors: int, reg: float = REGULARISATION
) -> FloatArray:
    """(n_new, n) weights of new points on the nearest rows of X; see `weighing`."""
    n, m = X.shape[0], X_new.shape[0]
    points = np.vstack([X, X_new])
    cloud = VectorCloud(points / unit_of(points), n)
    return finished(weighing(cloud, np.arange(n, n + m), np.arange(n), n_neighbors, reg)).dense


def closed_parts(W: FloatArray | csr_array) -> int:
    """How many groups of items lean on nobody outside: so many independent f solve f = W f, not the constant alone."""
    graph = csr_array(W, copy=True)
    graph.eliminate_zeros()
    count, part = connected_components(graph, directed=True, connection="strong")
    rows, columns = graph.nonzero()
    leaving = np.unique(part[rows[part[rows] != part[columns]]])
    return int(count - leaving.size)


def nearest(d: FloatArray, k: int) -> IntArray:
    """(b, k) positions of the k smallest entries of every row, ascending; of equal ones those that come first."""
    if k >= d.shape[1]:
        return np.argsort(d, axis=1, kind="stable")[:, :k]
    near = np.argpartition(d, k - 1, axis=1)[:, :k]
    last = np.take_along_axis(d, near, axis=1).max(axis=1, keepdims=True)
    tied = np.flatnonzero((d <= last).sum(axis=1) > k)
    if tied.size:
        near[tied] = np.argsort(d[tied], axis=1, kind="stable")[:, :k]
    near.sort(axis=1)
    order = np.argsort(np.take_along_axis(d, near, axis=1), axis=1, kind="stable")
    return np.take_along_axis(near, order, axis=1)


def _solved(G: FloatArray, reg: float) -> FloatArray:
    """(b, k) weights for local Gram matrices (b, k, k): G w = 1, then Σ w = 1."""
    trace = np.trace(G, axis1=1, axis2=2)
    k = G.shape[1]
    # neighbours that all lie on the point itself leave G = 0: they share it evenly
    G[:, np.arange(k), np.arange(k)] += np.where(trace > 0.0, reg * trace, reg)[:, None]
    w = np.linalg.solve(G, np.ones((G.shape[0], k, 1)))[:, :, 0]
    return np.asarray(w / w.sum(axis=1, keepdims=True))
