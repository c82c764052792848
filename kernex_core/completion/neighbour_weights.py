"""Affine weights: how a point is put together from its nearest neighbours, with weights that sum to 1."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackError, LinearOperator, SuperLU, eigsh, splu
from scipy.spatial.distance import cdist

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import unit_of
from kernex_core.gram.spectrum import decomposing
from kernex_core.runtime.progress import Steps, finished, part

# Items as points, known by their coordinates or by a kernel alone: distances, and local Gram matrices around a point.
#
# cloud = VectorCloud(X, X.shape[0])       or KernelCloud(K, np.diag(K))
# cloud.squared(rows, among)               squared distances of some points to some items
# cloud.local(rows, near)                  Gram matrices of the neighbours of points, the point in the origin
#
# New points come after the items (`with_new`): they have distances to items, and no item leans on them.

SAME = 1e-12
"""Squared distance, as a share of the two self-similarities, below which items that a kernel describes are the same."""
WIDE = 32
"""Columns from which squared distances of many points are taken from a product of matrices."""
MANY = 1_200
"""Items from which this is done."""


class Cloud(Protocol):
    """What affine weights are made of."""

    @property
    def n(self) -> int:
        """Number of items, which come before new points."""

    @property
    def width(self) -> int:
        """Numbers that a local Gram matrix reads of a neighbour."""

    def squared(self, rows: IntArray, among: IntArray) -> FloatArray:
        """(b, c) squared distances of points to items."""

    def local(self, rows: IntArray, near: IntArray) -> FloatArray:
        """(b, k, k) Gram matrices (x_j − x)'(x_l − x) of neighbours `near` (b, k) around points."""


@dataclass(frozen=True, eq=False)
class VectorCloud(ReadOnlyArrays):
    """Points by their coordinates.

    Attributes
    ----------
    X : (n + m, d) float
        Items, then new points.
    n : int
    """

    X: FloatArray
    n: int

    @property
    def width(self) -> int:
        """See Cloud."""
        return max(1, int(self.X.shape[1]))

    def with_new(self, X_new: FloatArray) -> VectorCloud:
        """The same items with these new points, in place of others."""
        return VectorCloud(np.vstack([self.X[: self.n], X_new]), self.n)

    def squared(self, rows: IntArray, among: IntArray) -> FloatArray:
        """See Cloud."""
        A, B = self.X[rows], self.X[among]
        if self.width <= WIDE or among.size <= MANY:
            return np.asarray(cdist(A, B, "sqeuclidean"))
        centre = B.mean(axis=0)
        A, B = A - centre, B - centre
        made = (A**2).sum(axis=1)[:, None] + (B**2).sum(axis=1)[None, :] - 2.0 * (A @ B.T)
        return np.asarray(np.maximum(made, 0.0))

    def local(self, rows: IntArray, near: IntArray) -> FloatArray:
        """See Cloud."""
        gaps = self.X[near] - self.X[rows][:, None, :]
        return np.asarray(gaps @ gaps.transpose(0, 2, 1))


@dataclass(frozen=True, eq=False)
class KernelCloud(ReadOnlyArrays):
    """Points in the feature space of a kernel, d² = k(x, x) − 2 k(x, x') + k(x', x').

    Attributes
    ----------
    K : (n, n) float
        Positive semidefinite.
    own : (n + m,) float
        k(x, x) of items, then of new points.
    cross : (m, n) float
        Of new points with items.
    """

    K: FloatArray
    own: FloatArray
    cross: FloatArray = field(default_factory=lambda: np.empty((0, 0)))

    @property
    def n(self) -> int:
        """See Cloud."""
        return int(self.K.shape[0])

    @property
    def width(self) -> int:
        """See Cloud."""
        return 1

    def with_new(self, cross: FloatArray, own: FloatArray) -> KernelCloud:
        """The same items with these new points, in place of others."""
        return KernelCloud(self.K, np.concatenate([self.own[: self.n], own]), cross)

    def similar(self, rows: IntArray, among: IntArray) -> FloatArray:
        """(b, c) similarities of points to items."""
        if rows.size == 0 or rows.max() < self.n:
            return np.asarray(self.K[np.ix_(rows, among)])
        made = np.empty((rows.size, among.size))
        new = rows >= self.n
        made[~new] = self.K[np.ix_(rows[~new], among)]
        made[new] = self.cross[np.ix_(rows[new] - self.n, among)]
        return made

    def squared(self, rows: IntArray, among: IntArray) -> FloatArray:
        """See Cloud."""
        sizes = self.own[rows][:, None] + self.own[among][None, :]
        made = sizes - 2.0 * self.similar(rows, among)
        made[made <= SAME * sizes] = 0.0
        return np.asarray(made)

    def local(self, rows: IntArray, near: IntArray) -> FloatArray:
        """See Cloud."""
        among, at = np.unique(near, return_inverse=True)
        to = np.take_along_axis(self.similar(rows, among), at.reshape(near.shape), axis=1)
        G = self.K[near[:, :, None], near[:, None, :]] - to[:, :, None] - to[:, None, :]
        G += self.own[rows][:, None, None]
        # what rounding leaves between items that are the same is no direction
        same = np.diagonal(G, axis1=1, axis2=2) <= SAME * (self.own[rows][:, None] + self.own[near])
        G[same[:, :, None] | same[:, None, :]] = 0.0
        return np.asarray(G)


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
) -> Steps[AffineWeights]:
    """Weights of points on their nearest items, in steps (Kernel extrapolation, section 4.3).

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


# The smoothest quantities on a neighbour graph: eigenvectors of the smallest eigenvalues of N = (I − W)'(I − W).
#
# N is sparse where there are many items and few neighbours. One factorisation then stands for all its eigenvectors;
# what Lanczos finds with it is checked by Sylvester's law of inertia, and where the check fails the whole matrix is
# decomposed.

DIRECT = 300
"""Items up to which N is decomposed."""
SPARSE = 0.03
"""Share of entries of N that are not zero, up to which it is factorised as a sparse matrix."""
_SHIFT = 1e-10
_APART = 1e-4
"""Relative distance of two eigenvalues between which eigenvalues are counted."""

Modes = tuple[FloatArray, FloatArray, float]
"""Eigenvalues (q,) ascending, unit vectors (n, q), and the largest eigenvalue of N."""


def gaps(W: csr_array) -> csr_array:
    """N = (I − W)'(I − W)."""
    gap = csr_array(eye_array(W.shape[0], format="csr") - W)
    return csr_array(gap.T @ gap)


def smooth_modes(W: csr_array, q: int) -> Steps[Modes]:
    """Eigenvectors of the q smallest eigenvalues of N, without the constant one, in steps.

    Parameters
    ----------
    W : (n, n) sparse
        Affine weights of items on one another.
    q : int
        1 to n − 1.
    """
    N = gaps(W)
    n = N.shape[0]
    if n > max(DIRECT, 2 * q + 4) and N.nnz <= SPARSE * n * n and closed_parts(W) == 1:
        yield 0.0
        made = _sparse_modes(N, q)
        if made is not None:
            return made
    D = np.asarray(N.todense())
    made_dense = yield from part(decomposing(-(D + D.T) / 2.0), 0.0, 1.0)
    largest, vectors = made_dense.leading(q, centred=True)
    return np.maximum(-largest, 0.0), vectors, max(float(-made_dense.centred_eigenvalues[0]), 0.0)


def _sparse_modes(N: csr_array, q: int) -> Modes | None:
    """By shift and invert on the vectors that sum to 0; None where it cannot be told that none was missed."""
    n = N.shape[0]
    start = np.random.default_rng(0).normal(size=n)
    try:
        a = float(eigsh(N, k=1, which="LA", v0=start, return_eigenvectors=False, tol=1e-10)[0])
        solver = _factor(N, -_SHIFT * a)

        def inverse(x: FloatArray) -> FloatArray:
            y = solver.solve(x.ravel() - x.mean())
            return np.asarray(y - y.mean())

        operator = LinearOperator((n, n), inverse, dtype=np.float64)
        _, found = eigsh(operator, k=q + 1, which="LM", v0=start - start.mean())
    except (ArpackError, RuntimeError):  # it did not converge, or met a pivot of 0
        return None
    basis, _ = np.linalg.qr(found - found.mean(axis=0))
    mu, turn = np.linalg.eigh(basis.T @ (N @ basis))
    if not _none_missed(N, mu, q):
        return None
    return np.maximum(mu[:q], 0.0), np.asarray(basis @ turn[:, :q]), a


def _factor(N: csr_array, shift: float) -> SuperLU:
    """L D L' of N − shift I, as far as SuperLU keeps to the diagonal."""
    shifted = csc_array(N - shift * eye_array(N.shape[0]))
    return splu(
        shifted,
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )


def _none_missed(N: csr_array, mu: FloatArray, q: int) -> bool:
    """Whether as many eigenvalues lie below one between the last two as were found, and that of the constant vector.

    The signs of D in L D L' are those of the eigenvalues (Sylvester).
    """
    if mu[q] - mu[q - 1] <= _APART * mu[q]:
        return False
    factor = _factor(N, float(mu[q - 1] + mu[q]) / 2.0)
    if not np.array_equal(factor.perm_r, factor.perm_c):
        return False
    return int((factor.U.diagonal() < 0.0).sum()) == q + 1
