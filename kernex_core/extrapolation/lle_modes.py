"""The smoothest quantities on a neighbour graph: eigenvectors of the smallest eigenvalues of N = (I − W)'(I − W).

N is sparse where there are many items and few neighbours. One factorisation then stands for all its eigenvectors; what
Lanczos finds with it is checked by Sylvester's law of inertia, and where the check fails the whole matrix is decomposed.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.linalg import ArpackError, LinearOperator, SuperLU, eigsh, splu

from kernex_core.extrapolation.affine_weights import closed_parts
from kernex_core.frozen import FloatArray
from kernex_core.gram.spectrum.decomposition import decomposing
from kernex_core.pieces import Pieces, part

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


def smooth_modes(W: csr_array, q: int) -> Pieces[Modes]:
    """Eigenvectors of the q smallest eigenvalues of N, without the constant one, in pieces.

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
