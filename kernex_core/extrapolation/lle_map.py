"""Locally linear embedding as a map alone: a few coordinates, and what places new points in it.

`locally_linear.LleKernel` holds the whole kernel with every eigenvector; a map of thousands of items needs three or five of
them, and those of the smoothest quantities on its neighbour graph (`lle_modes`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh, svdvals
from scipy.sparse import csr_array

from kernex_core.extrapolation.affine_weights import AffineWeights
from kernex_core.extrapolation.lle_modes import gaps, smooth_modes
from kernex_core.extrapolation.locally_linear import TRUNCATION, shrunk
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.spectrum.decomposition import decompose
from kernex_core.pieces import Pieces, part

_SQUARED = 1e-10
"""Smallest squared singular value, of the largest, that the eigenvalues of W'W still tell."""


@dataclass(frozen=True, eq=False)
class LleMap(ReadOnlyArrays):
    """Coordinates of n items, and what carries them to new ones.

    Attributes
    ----------
    coordinates : (n, q) float
        Eigenvectors v_c of the largest eigenvalues of K = H (aI − N) H; orthonormal, the largest entry of each positive.
    eigenvalues : (q,) float
        λ_c of K, descending.
    a : float
        Largest eigenvalue of N = (I − W)'(I − W).
    through : (n, q) float or None
        W⁻¹ v_c, singular values of W below TRUNCATION times the largest left out; None where it was not asked for.
    condition : float
        cond(W), largest over smallest singular value; infinite where W is singular, NaN where it was not asked for.
    """

    coordinates: FloatArray
    eigenvalues: FloatArray
    a: float
    through: FloatArray | None
    condition: float

    def place(self, weights: AffineWeights) -> dict[str, FloatArray]:
        """Coordinates (m, q) of new points by each form of `LleKernel.embed_new`, by its name."""
        made = {"identity": weights.of(self.coordinates)}
        if self.through is not None:
            made["paper"] = weights.of(self.through)
        return made | {"bengio": made["identity"] * shrunk(self.a, self.eigenvalues)}


def lle_mapping(weights: AffineWeights, n_components: int, *, paper: bool = False) -> Pieces[LleMap]:
    """The map of given weights of n items on one another, in pieces.

    Parameters
    ----------
    weights : AffineWeights
        Of n points on n items: these points.
    n_components : int
        1 to n − 1.
    paper : bool
        Whether the paper's form of placing is made ready, which takes all singular values of W.
    """
    W = weights.sparse
    mu, vectors, a = yield from part(smooth_modes(W, n_components), 0.0, 0.9)
    signs = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None, :], axis=0)
    vectors = vectors * np.where(signs < 0.0, -1.0, 1.0)
    yield 0.9
    through, condition = _through_inverse(W, vectors) if paper else (None, float("nan"))
    return LleMap(vectors, a - mu, a, through, condition)


def lle_gram(weights: AffineWeights) -> FloatArray:
    """(n, n) the kernel K = H (aI − N) H of given weights of n items on one another; see `locally_linear.LleKernel`."""
    N = np.asarray(gaps(weights.sparse).todense())
    N = (N + N.T) / 2.0
    a = max(float(-decompose(-N).centred_eigenvalues[0]), 0.0)
    K = -N - a / weights.n
    K[np.diag_indices(weights.n)] += a
    return np.asarray(K)


def _through_inverse(W: csr_array, directions: FloatArray) -> tuple[FloatArray, float]:
    """W⁻¹ directions without small singular values, and cond(W), from the eigenvalues of W'W: half the work of W's own."""
    squares, V = eigh((W.T @ W).todense(), check_finite=False, driver="evd")
    kept = squares > TRUNCATION**2 * squares[-1]
    through = V[:, kept] @ ((V[:, kept].T @ (W.T @ directions)) / squares[kept, None])
    if squares[0] > _SQUARED * squares[-1]:
        return np.asarray(through), float(np.sqrt(squares[-1] / squares[0]))
    singular = svdvals(W.todense(), check_finite=False)
    return np.asarray(through), float(singular[0] / singular[-1]) if singular[-1] > 0.0 else np.inf
