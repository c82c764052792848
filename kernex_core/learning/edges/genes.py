"""Kernels and a network on the same genes, of which some are known to the network: everything is fitted on those alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import eigh

from kernex_core.conditioning.spectral import SpectralRepair
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays

CONSTANT = 1e-10
"""Eigenvalues below this share of the largest, and mean diagonals below this share of the entries, count as 0."""


@dataclass(frozen=True, eq=False)
class KernelSide(ReadOnlyArrays):
    """One kernel, or a weighted sum of several, centred and scaled by its training genes.

    Attributes
    ----------
    K : (n, n) float
        Centred with the mean of the training genes, which have a mean diagonal of 1.
    train, test : int array
    """

    K: FloatArray
    train: IntArray
    test: IntArray

    @cached_property
    def _spectrum(self) -> tuple[FloatArray, FloatArray]:
        d, U = eigh(self.K[np.ix_(self.train, self.train)])
        kept = np.flatnonzero(d > CONSTANT * max(float(d[-1]), 0.0))[::-1]
        return d[kept], U[:, kept]

    @property
    def d(self) -> FloatArray:
        """(r,) eigenvalues of the training block, largest first; those that are 0 left out."""
        return self._spectrum[0]

    @property
    def U(self) -> FloatArray:
        """(t, r) eigenvectors."""
        return self._spectrum[1]

    @cached_property
    def projected(self) -> FloatArray:
        """(n, r) K_xT U of every gene."""
        return np.asarray(self.K[:, self.train] @ self.U)


@dataclass(frozen=True, eq=False)
class NetworkSide(ReadOnlyArrays):
    """The network among the training genes.

    Attributes
    ----------
    A : (t, t) float
        1 where an edge is known; nothing on the diagonal.
    """

    A: FloatArray

    @cached_property
    def _laplacian(self) -> tuple[FloatArray, FloatArray]:
        degrees = self.A.sum(axis=0)
        roots = np.divide(1.0, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0.0)
        L = np.diag((degrees > 0.0).astype(np.float64)) - roots[:, None] * self.A * roots[None, :]
        mu, V = eigh(L)
        return mu, V

    def diffusion(self, tau: float) -> FloatArray:
        """(t, t) exp(−τ L), centred; L is the normalised Laplacian, in which a gene without an edge is 1 with itself."""
        mu, V = self._laplacian
        G = (V * np.exp(-tau * mu)) @ V.T
        means = G.mean(axis=0)
        G = G - means[:, None] - means[None, :] + means.mean()
        return np.asarray((G + G.T) / 2.0)

    @cached_property
    def _spectra(self) -> dict[float, tuple[FloatArray, FloatArray, float]]:
        return {}

    def spectrum(self, tau: float) -> tuple[FloatArray, FloatArray, float]:
        """(r,) eigenvalues above 0 and (t, r) eigenvectors of `diffusion`, and its mean diagonal; solved once a tau."""
        if tau not in self._spectra:
            G = self.diffusion(tau)
            d, U = eigh(G)
            kept = d > CONSTANT * max(float(d[-1]), 0.0)
            self._spectra[tau] = d[kept], U[:, kept], float(np.diag(G).mean())
        return self._spectra[tau]


def centred(K: FloatArray, train: IntArray) -> FloatArray | None:
    """K (n, n) with the mean of the training genes as origin, over their mean diagonal; None where they are all alike."""
    means = K[:, train].mean(axis=1)
    C = K - means[:, None] - means[None, :] + means[train].mean()
    level = float(C[train, train].mean())
    if level <= CONSTANT * float(np.abs(K[np.ix_(train, train)]).max(initial=0.0)):
        return None
    return np.asarray(C / level)


def repaired(K: FloatArray, train: IntArray, repair: SpectralRepair) -> FloatArray:
    """K (n, n) with a repair that is fitted on the training genes, and carried to all others by what it found there.

    Pairs of two other genes are read by nothing but `Direct`.
    """
    rest = np.setdiff1d(np.arange(K.shape[0]), train)
    fitted = repair.fit(K[np.ix_(train, train)])
    made = np.empty_like(K)
    made[np.ix_(train, train)] = fitted.apply(K[np.ix_(train, train)])
    cross, own = K[np.ix_(rest, train)], K[np.ix_(rest, rest)]
    values = fitted.apply_cross(cross, np.diag(own)).values
    made[np.ix_(rest, train)], made[np.ix_(train, rest)] = values, values.T
    made[np.ix_(rest, rest)] = fitted.between_new(own, cross)
    return made


def check_network(A: FloatArray, names: Sequence[str] = ()) -> None:
    """Refuse a network among the training genes that says nothing.

    Raises
    ------
    InvalidInputError
    """
    if not A.any():
        raise InvalidInputError(
            "Edges are learned from edges among the genes that the network knows",
            f"no edge among {A.shape[0]:,} genes",
            "Bring a network with more edges, or fewer folds",
        )
