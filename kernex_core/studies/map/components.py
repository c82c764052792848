"""Kernel principal components of some items, in which further items are placed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.center import Center
from kernex_core.gram.spectrum.components import kernel_pca


@dataclass(frozen=True, eq=False)
class PlacingComponents(ReadOnlyArrays):
    """Kernel PCA of n items.

    Attributes
    ----------
    K : (n, n) float
    coordinates : (n, q) float
    share : (q,) float
    """

    K: FloatArray
    coordinates: FloatArray
    share: FloatArray

    def by_rows(self, K_cross: FloatArray, diag: FloatArray) -> FloatArray:
        """(n_new, q) coordinates of new items from their similarities k(x, ·): k̃(x, ·) V diag(μ)^{-1/2}.

        Schoelkopf, Smola, Müller 1998, eq. 16, with the centring of the fitted items. A component without an eigenvalue is
        zero.
        """
        centred = Center().fit(self.K).apply_cross(K_cross, diag).values
        mu = (self.coordinates**2).sum(axis=0)
        positive = mu > 0.0
        return np.asarray(centred @ np.where(positive, self.coordinates / np.where(positive, mu, 1.0), 0.0))

    def by_weights(self, weights: FloatArray) -> FloatArray:
        """(n_new, q) coordinates of new items whose kernel is extrapolated, k(x, ·) = φ(x)' K with affine weights φ(x).

        Weights sum to 1, so centring commutes with them and the coordinate is φ(x)' times those of the items.
        """
        return np.asarray(weights @ self.coordinates)


def placing_components(K: FloatArray, n_components: int) -> PlacingComponents:
    """Kernel PCA that can place further items; see `kernel_pca`."""
    made = kernel_pca(K, n_components)
    return PlacingComponents(K, made.coordinates, made.share)
