"""A view put together from its known block and W: known entries as they came, positive semidefinite by construction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.joint.views.problem import Views
from kernex_core.joint.views.sweeps import RHO

CONSTANT = 1e-6
"""Relative spread of a diagonal up to which it counts as constant."""


@dataclass(frozen=True, eq=False)
class Reached(ReadOnlyArrays):
    """What W reaches of the items that a view lacks.

    Attributes
    ----------
    W : (s, u) float
        Columns scaled so that no self-similarity exceeds its level.
    B : (u, u) float
        W' K_SS W.
    level : (u,) float
        Self-similarity that an item is given.
    unexplained : (u,) float
        Share of it that W does not reach, 0 to 1.
    """

    W: FloatArray
    B: FloatArray
    level: FloatArray
    unexplained: FloatArray


def reached(K: FloatArray, W: FloatArray) -> Reached:
    """Scale W against the self-similarities of what is known."""
    d = _levels(np.diag(K), W)
    B = W.T @ K @ W
    own = np.maximum(np.diag(B), 0.0)
    f = np.minimum(1.0, np.sqrt(np.divide(d, own, out=np.ones_like(d), where=own > 0.0)))
    B = f[:, None] * ((B + B.T) / 2.0) * f[None, :]
    left = np.maximum(d - f * f * own, 0.0)
    return Reached(W * f, B, d, np.divide(left, d, out=np.ones_like(d), where=d > 0.0))


def _levels(diagonal: FloatArray, W: FloatArray) -> FloatArray:
    mean = float(diagonal.mean())
    if np.ptp(diagonal) <= CONSTANT * mean:
        return np.full(W.shape[1], mean)
    positive = np.maximum(W, 0.0)
    sums = positive.sum(axis=0)
    levels = np.full(W.shape[1], mean)
    np.divide(positive.T @ diagonal, sums, out=levels, where=sums > 0.0)
    return levels


def assembled(views: Views, v: int, found: Reached, others: Sequence[FloatArray]) -> FloatArray:
    """(n, n) completed view v in its own units; what it had is bit for bit what came.

    Parameters
    ----------
    others : sequence of (n, n)
        Mean of the other views for each candidate that W is a mean of: the shape of what W does not reach.
    """
    S, U = views.have(v), views.lack(v)
    Q = np.empty((views.n, views.n))
    Q[np.ix_(S, S)] = views.given[v]
    scale = views.scales[v]
    across = scale * (views.blocks[v] @ found.W)
    Q[np.ix_(S, U)], Q[np.ix_(U, S)] = across, across.T
    R = np.mean([_residual(M, found.W, S, U) for M in others], axis=0)
    D = np.sqrt(found.unexplained * found.level / np.diag(R))
    between = found.B + D[:, None] * R * D[None, :]
    Q[np.ix_(U, U)] = scale * (between + between.T) / 2.0
    return Q


def _residual(M: FloatArray, W: FloatArray, S: IntArray, U: IntArray) -> FloatArray:
    """E' (M + ρI) E with E = [I on U; −W on S]."""
    across = M[np.ix_(S, U)]
    cross = across.T @ W
    R = M[np.ix_(U, U)] - cross - cross.T + W.T @ (M[np.ix_(S, S)] @ W + RHO * W)
    R[np.diag_indices(U.size)] += RHO
    return np.asarray((R + R.T) / 2.0)
