"""Stage 1: all views at once, one after the other from all others, until nothing moves. The objective never rises.

    J = V logdet(mean_v T_v + ρI) − Σ_v logdet R_v,   R_v = T_UU − T_US T_SS^-1 T_SU

is the LogDet objective of mutual kernel matrix completion (Rivero, Lemence and Kato, IEICE Transactions 2017) with the
common matrix eliminated and ρI as its prior. For one view with the others fixed the minimiser is the extrapolation with
residual from the mean of the others (Kernel extrapolation, Lemma 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.joint.views.problem import Views
from kernex_core.pieces import Pieces

RHO = 0.02
"""Prior of the common matrix, in units of a view's mean diagonal."""
TOLERANCE = 1e-3
MOST_SWEEPS = 12


@dataclass(frozen=True, eq=False)
class Swept(ReadOnlyArrays):
    """Views after the sweeps.

    Attributes
    ----------
    T : tuple of (n, n) float
        Each view, lifted, complete.
    objective : (1 + sweeps,) float
        J at the start and after each sweep.
    gap : float
        How far the last sweep moved all entries, relative to their size.
    converged : bool
        Whether the gap fell below the tolerance before the last sweep that was allowed.
    """

    T: tuple[FloatArray, ...]
    objective: FloatArray
    gap: float
    converged: bool

    def others(self, v: int) -> FloatArray:
        """(n, n) mean of all views but v."""
        return np.asarray(sum(T for u, T in enumerate(self.T) if u != v) / (len(self.T) - 1))


def lifted(K: FloatArray, tau: float) -> FloatArray:
    """exp(−τ/2 (K_ii + K_jj − 2 K_ij)): blind to a shift in feature space; τ = 0 leaves K as it is."""
    if tau == 0.0:
        return K.copy()
    d = np.diag(K)
    return np.asarray(np.exp(-tau / 2.0 * (d[:, None] + d[None, :] - 2.0 * K)))


def sweeping(
    views: Views, tau: float, *, tolerance: float = TOLERANCE, most: int = MOST_SWEEPS
) -> Pieces[Swept]:
    """Sweep over the views until the gap is below `tolerance`, at most `most` times; a piece a view."""
    T, R = map(list, zip(*(_started(views, v, tau) for v in range(views.count)), strict=True))
    total = np.sum(T, axis=0)
    objective, gap, done = [_objective(total, R)], np.inf, 0
    while done < most and not gap < tolerance:
        moved = 0.0
        for v in range(views.count):
            yield (done + v / views.count) / most
            if R[v].size:
                new, R[v] = _minimised(views, v, T[v], total)
                total += new - T[v]
                moved += float(((new - T[v]) ** 2).sum())
                T[v] = new
        gap, done = float(np.sqrt(moved / sum(float((each**2).sum()) for each in T))), done + 1
        objective.append(_objective(total, R))
    return Swept(tuple(T), np.array(objective), gap, gap < tolerance)


def _started(views: Views, v: int, tau: float) -> tuple[FloatArray, FloatArray]:
    """A view whose unknown items are all alike, each as similar to the known ones as these are on average."""
    S, U = views.have(v), views.lack(v)
    known = lifted(views.blocks[v], tau)
    r = known.mean(axis=0)
    level = float(r.mean())
    own = max(float(np.diag(known).mean()) - level, 1e-3)
    T = np.empty((views.n, views.n))
    T[np.ix_(S, S)] = known
    T[np.ix_(U, S)] = r
    T[np.ix_(S, U)] = r[:, None]
    T[np.ix_(U, U)] = level + own * np.eye(U.size)
    return T, own * np.eye(U.size)


def _minimised(views: Views, v: int, T: FloatArray, total: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The exact minimiser of J over view v, and its residual."""
    S, U = views.have(v), views.lack(v)
    N = (total - T) / (views.count - 1)
    N[np.diag_indices(views.n)] += views.count * RHO / (views.count - 1)
    W = cho_solve(cho_factor(N[np.ix_(S, S)], lower=True), N[np.ix_(S, U)])
    R = N[np.ix_(U, U)] - N[np.ix_(U, S)] @ W
    R = (R + R.T) / 2.0
    new = T.copy()
    across = T[np.ix_(S, S)] @ W
    new[np.ix_(S, U)], new[np.ix_(U, S)] = across, across.T
    block = W.T @ across + R
    new[np.ix_(U, U)] = (block + block.T) / 2.0
    return new, R


def _objective(total: FloatArray, residuals: list[FloatArray]) -> float:
    mean = total / len(residuals)
    return len(residuals) * _logdet(mean + RHO * np.eye(mean.shape[0])) - sum(map(_logdet, residuals))


def _logdet(M: FloatArray) -> float:
    if not M.size:
        return 0.0
    return 2.0 * float(np.log(np.diag(cholesky(M, lower=True))).sum())
