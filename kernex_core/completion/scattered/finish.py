"""From predictions of unknown pairs to a kernel: known values kept, repaired where needed, or the closest one exactly."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import scipy
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from kernex_core.base.frozen import BoolArray, FloatArray

NEXT_TO_NOTHING: Final = 1e-8
"""Of the largest entry: a smallest eigenvalue above minus that is rounding."""
ROUNDS: Final = 300
"""Of alternating projections, where what is known leaves no positive definite start."""


def clipped(K: FloatArray, diagonal: FloatArray) -> FloatArray:
    """The matrix without its negative eigenvalues, scaled back to its own diagonal.

    No kernel has a self-similarity below 0, and one of 0 would take all others of its item: in place of such ones stands
    what the eigenvalues leave.
    """
    values, vectors = np.linalg.eigh(K)
    made = (vectors * np.maximum(values, 0.0)) @ vectors.T
    own = np.diag(made).copy()
    can = (diagonal > 0.0) & (own > 0.0)
    factor = np.sqrt(np.where(can, diagonal, 1.0) / np.where(can, own, 1.0))
    made = factor[:, None] * made * factor
    np.fill_diagonal(made, np.where(diagonal > 0.0, diagonal, np.maximum(own, 0.0)))
    return np.asarray((made + made.T) / 2.0)


def completed_exactly(K: FloatArray, free: BoolArray, model: FloatArray) -> tuple[FloatArray, bool]:
    """The kernel D with the known entries of K that is closest to a model by the log-determinant divergence.

    min tr(M^-1 D) - log det D over the free entries; at the minimum D^-1 and M^-1 agree on them.

    Parameters
    ----------
    K : (n, n) float
        Known entries, and a start in the free ones.
    free : (n, n) bool
        Symmetric, False on the diagonal.
    model : (n, n) float
        M, positive definite.

    Returns
    -------
    D : (n, n) float
    reached : bool
        False: what is known leaves no positive definite start; D is the last of ROUNDS alternating projections.
    """
    start = K if _definite(K) else _projected(K, free)
    if not _definite(start):
        return start, False
    i, j = np.nonzero(np.triu(free, 1))
    if not i.size:
        return start, True
    inverse = cho_solve(cho_factor(model), np.eye(len(K)))
    begin, D = start[i, j], start.copy()
    # in these units a first step of length 1 stays inside
    unit = float(np.linalg.eigvalsh(start)[0]) / 2.0

    def value(z: Any) -> Any:
        D[i, j] = D[j, i] = begin + unit * z
        try:
            factor = cho_factor(D, lower=True)
        except LinAlgError:  # outside: a wall, uphill from where it began
            return 1e6 * (1.0 + float(z @ z)), 2e6 * z
        logdet = 2.0 * float(np.log(np.diag(factor[0])).sum())
        gradient = 2.0 * unit * (inverse - cho_solve(factor, np.eye(len(D))))[i, j]
        return float(np.sum(inverse * D)) - logdet, gradient

    settings: Any = {"maxiter": 5_000, "maxfun": 20_000, "ftol": 1e-16, "gtol": 1e-12 * unit, "maxcor": 30}
    found = scipy.optimize.minimize(
        value, np.zeros(begin.size), jac=True, method="L-BFGS-B", options=settings
    )
    D[i, j] = D[j, i] = begin + unit * found.x
    return D, True


def _definite(K: FloatArray) -> bool:
    try:
        cho_factor(K)
    except LinAlgError:
        return False
    return True


def _projected(K: FloatArray, free: BoolArray) -> FloatArray:
    """Dykstra's alternating projections on matrices without negative eigenvalues and on those with the known entries."""
    made, correction = K.copy(), np.zeros_like(K)
    least = NEXT_TO_NOTHING * float(np.abs(K).max())
    for _ in range(ROUNDS):
        values, vectors = np.linalg.eigh(made + correction)
        inside = (vectors * np.maximum(values, least)) @ vectors.T
        correction = made + correction - inside
        made = np.where(free, inside, K)
    return np.asarray((made + made.T) / 2.0)
