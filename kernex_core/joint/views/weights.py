"""Stage 2: W of a view from the others in one solve, in several ways whose mean is taken."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.joint.views.problem import Views
from kernex_core.joint.views.sweeps import Swept

FEWEST_ALIGNED = 4
"""Shared items below which nothing is said about the alignment of two views."""


@dataclass(frozen=True, eq=False)
class Way(EqualByContent):
    """One way to W: (M_SS + c 11' + rI)^-1 (M_SU + c 11') with M = Σ b_u T_u, b_u ∝ max(A_uv, .001)^g."""

    tau: float
    constant: float
    ridge: float
    power: int

    @property
    def lift(self) -> float:
        """τ of the views that the residual is taken from."""
        return self.tau


@dataclass(frozen=True, eq=False)
class ByPrecisions(EqualByContent):
    """W from joint regularization of the other kernels, (Σ_u (K_u + 11' + rI)^-1)^-1, each 0 outside its items."""

    ridge: float

    @property
    def lift(self) -> float:
        """τ of the views that the residual is taken from."""
        return 1.0


Candidate = Way | ByPrecisions


def _ways(tau: float) -> tuple[Way, ...]:
    return tuple(Way(tau, *rest) for rest in product((0.0, 1.0), (0.01, 0.1), (0, 2)))


FAST: Final[tuple[Candidate, ...]] = _ways(1.0)
TUNED: Final[tuple[Candidate, ...]] = (
    *(way for tau in (0.0, 1.0, 2.0) for way in _ways(tau)),
    ByPrecisions(0.1),
    ByPrecisions(0.3),
)


def alignments(views: Views) -> FloatArray:
    """(V, V) max(0, cosine) of two views on the items that they share: centred, without diagonals.

    0 below 4 shared items, and between a view and itself.
    """
    A = np.zeros((views.count, views.count))
    for u in range(views.count):
        for v in range(u):
            shared = np.flatnonzero(views.known[u] & views.known[v])
            if shared.size >= FEWEST_ALIGNED:
                a, b = (_off_diagonal(views, w, shared) for w in (u, v))
                size = float(np.sqrt((a * a).sum() * (b * b).sum()))
                A[u, v] = A[v, u] = max(0.0, float((a * b).sum()) / size) if size > 0.0 else 0.0
    return A


def _off_diagonal(views: Views, v: int, items: IntArray) -> FloatArray:
    at = np.searchsorted(views.have(v), items)
    block = views.blocks[v][np.ix_(at, at)]
    means = block.mean(axis=0)
    centred = block - means[:, None] - means[None, :] + means.mean()
    np.fill_diagonal(centred, 0.0)
    return np.asarray(centred)


def shares_of_others(A: FloatArray, v: int, power: int) -> FloatArray:
    """(V,) b_u, summing to 1, 0 for v itself."""
    b = np.maximum(A[v], 1e-3) ** power
    b[v] = 0.0
    return np.asarray(b / b.sum())


def weights_of(candidate: Candidate, views: Views, v: int, swept: Swept | None, A: FloatArray) -> FloatArray:
    """W (s_v, u_v) of one candidate."""
    S, U = views.have(v), views.lack(v)
    if isinstance(candidate, ByPrecisions):
        return _by_precisions(views, v, candidate.ridge)
    assert swept is not None  # one for each τ of the ways
    M = sum(b * T for b, T in zip(shares_of_others(A, v, candidate.power), swept.T, strict=True) if b)
    M = M + candidate.constant
    known = M[np.ix_(S, S)] + candidate.ridge * np.eye(S.size)
    return np.asarray(cho_solve(cho_factor(known, lower=True), M[np.ix_(S, U)]))


def _by_precisions(views: Views, v: int, ridge: float) -> FloatArray:
    L = np.zeros((views.n, views.n))
    for u in range(views.count):
        if u != v:
            have = views.have(u)
            regular = views.blocks[u] + 1.0 + ridge * np.eye(have.size)
            L[np.ix_(have, have)] += cho_solve(cho_factor(regular, lower=True), np.eye(have.size))
    S, U = views.have(v), views.lack(v)
    between = L[np.ix_(U, U)] + 1e-8 * np.eye(U.size)
    return np.asarray(-cho_solve(cho_factor(between, lower=True), L[np.ix_(U, S)]).T)
