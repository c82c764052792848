"""Items as points, known by their coordinates or by a kernel alone: distances, and local Gram matrices around a point.

cloud = VectorCloud(X, X.shape[0])       or KernelCloud(K, np.diag(K))
cloud.squared(rows, among)               squared distances of some points to some items
cloud.local(rows, near)                  Gram matrices of the neighbours of points, the point in the origin

New points come after the items (`with_new`): they have distances to items, and no item leans on them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.spatial.distance import cdist

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays

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
