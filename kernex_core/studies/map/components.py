"""Kernel principal components of some items, in which further items are placed by their own similarities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.extrapolation.point_clouds import Cloud, KernelCloud, VectorCloud
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.spectrum.components import kernel_pca
from kernex_core.gram.spectrum.decomposition import decomposing
from kernex_core.pieces import Pieces


@dataclass(frozen=True, eq=False)
class PlacingComponents(ReadOnlyArrays):
    """Kernel PCA of n items, k̃ = V diag(μ) V' the centred kernel.

    Attributes
    ----------
    coordinates : (n, q) float
        V diag(μ)^{1/2}; a component without an eigenvalue is zero.
    share : (q,) float
        Of the variance.
    carrier : (n, q) float, or (d, q) of vectors
        V diag(μ)^{-1/2}; of vectors X'V diag(μ)^{-1/2}, the directions in their own space.
    means : (n,) float, or (d,) of vectors
        Mean similarity of each item, or mean vector.
    total : float
        Mean of all similarities; 0 of vectors.
    """

    coordinates: FloatArray
    share: FloatArray
    carrier: FloatArray
    means: FloatArray
    total: float = 0.0

    def by_own(self, cloud: Cloud, rows: IntArray, kept: IntArray) -> FloatArray:
        """(m, q) coordinates of points from their similarities k(x, ·): k̃(x, ·) V diag(μ)^{-1/2}.

        Schoelkopf, Smola, Müller 1998, eq. 16, with the centring of the items that the map is made of.

        Parameters
        ----------
        cloud : VectorCloud or KernelCloud
        rows : (m,) int
            Points of the cloud.
        kept : (n,) int
            Items that the map is made of.
        """
        if isinstance(cloud, VectorCloud):
            return np.asarray((cloud.X[rows] - self.means) @ self.carrier)
        assert isinstance(cloud, KernelCloud)
        cross = cloud.similar(rows, kept)
        centred = cross - cross.mean(axis=1, keepdims=True) - self.means[None, :] + self.total
        return np.asarray(centred @ self.carrier)


def placing_components(cloud: Cloud, kept: IntArray, n_components: int) -> Pieces[PlacingComponents]:
    """Kernel PCA of some items of a cloud, in pieces; of vectors with the linear kernel, by the smaller of X'X and XX'."""
    if isinstance(cloud, VectorCloud):
        return (yield from _of_vectors(cloud.X[kept], n_components))
    assert isinstance(cloud, KernelCloud)
    K = cloud.similar(kept, kept)
    made = kernel_pca(K, n_components, decomposition=(yield from decomposing(K)))
    means = K.mean(axis=1)
    return PlacingComponents(
        made.coordinates, made.share, _divided(made.coordinates), means, float(means.mean())
    )


def _of_vectors(X: FloatArray, q: int) -> Pieces[PlacingComponents]:
    n, d = X.shape
    mean = X.mean(axis=0)
    X = X - mean
    if d >= n:
        K = X @ X.T
        made = kernel_pca(K, q, decomposition=(yield from decomposing(K)))
        return PlacingComponents(made.coordinates, made.share, X.T @ _divided(made.coordinates), mean)
    # the eigenvectors of X'X are the directions themselves
    made = kernel_pca(C := X.T @ X, min(q, d), centred=False, decomposition=(yield from decomposing(C)))
    directions = np.zeros((d, q))
    lengths = np.sqrt((made.coordinates**2).sum(axis=0))
    directions[:, : lengths.size] = made.coordinates / np.where(lengths > 0.0, lengths, 1.0)
    coordinates = X @ directions
    largest = np.take_along_axis(coordinates, np.abs(coordinates).argmax(axis=0)[None, :], axis=0)
    signs = np.where(largest < 0.0, -1.0, 1.0)
    share = np.append(made.share, np.zeros(q - made.share.size))
    return PlacingComponents(coordinates * signs, share, directions * signs, mean)


def _divided(coordinates: FloatArray) -> FloatArray:
    mu = (coordinates**2).sum(axis=0)
    return np.where(mu > 0.0, coordinates / np.where(mu > 0.0, mu, 1.0), 0.0)
