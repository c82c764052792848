"""Views: kernels of the same items, each lacking some of them, checked and brought to one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from kernex_core.base import lapack
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.validation import as_symmetric, check_kernel
from kernex_core.gram.matrix import GramMatrix
from kernex_core.runtime.progress import Steps

LEAST_KNOWN = 3
"""Items that a view has to have, and that two views have to share to reach each other."""
FEW_SHARED = 0.1
"""Share of the items below which an overlap is warned of."""


@dataclass(frozen=True, eq=False)
class Views(ReadOnlyArrays):
    """V kernels on parts of the same n items.

    Attributes
    ----------
    names, ids : tuple of str
        Of the views, and of the items.
    known : (V, n) bool
    blocks : tuple of (s_v, s_v) float
        Known similarities, divided by their mean diagonal.
    scales : (V,) float
        Those means.
    given : tuple of (s_v, s_v) float
        Known similarities as they came.
    """

    names: tuple[str, ...]
    ids: tuple[str, ...]
    known: BoolArray
    blocks: tuple[FloatArray, ...]
    scales: FloatArray
    given: tuple[FloatArray, ...]

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.ids)

    @property
    def count(self) -> int:
        """Number of views."""
        return len(self.names)

    def have(self, v: int) -> IntArray:
        """Positions of the items that view v has."""
        return np.flatnonzero(self.known[v])

    def lack(self, v: int) -> IntArray:
        """Positions of the items that view v lacks."""
        return np.flatnonzero(~self.known[v])

    def without(self, hidden: BoolArray) -> Views:
        """Return the same views, items of `hidden` (V, n) taken from them too; scales are those of what is left."""
        known = self.known & ~hidden
        kept = [known[v, self.have(v)] for v in range(self.count)]
        given = tuple(K[np.ix_(left, left)] for K, left in zip(self.given, kept, strict=True))
        return _scaled(self.names, self.ids, known, given)

    @property
    def overlaps(self) -> IntArray:
        """(V, V) numbers of items that two views share."""
        counts = self.known.astype(np.int64)
        return counts @ counts.T


def as_views(kernels: Mapping[str, GramMatrix]) -> Views:
    """Check kernels that are completed together.

    Parameters
    ----------
    kernels : dict of str to GramMatrix
        On the same ids in the same order (`expand` brings them there); what an item is not known in, is NaN in
        its whole row. Values there are never read.

    Raises
    ------
    InvalidInputError
        Fewer than two views, other ids, single pairs unknown, a view with fewer than 3 items, an item that no view has, or
        views that cannot reach each other over 3 shared items (all named).
    NotPositiveSemidefiniteError
        A known block that is no kernel.
    """
    if not isinstance(kernels, Mapping) or len(kernels) < 2:
        raise InvalidInputError(
            "Completing together takes at least two kernels of the same items",
            f"{len(kernels) if isinstance(kernels, Mapping) else type(kernels).__name__}",
            "One kernel that lacks items is completed from a source kernel on the page Complete",
        )
    names = tuple(map(str, kernels))
    ids = next(iter(kernels.values())).ids
    known = np.array([_known(name, K, ids) for name, K in zip(names, kernels.values(), strict=True)])
    given = tuple(
        check_kernel(
            as_symmetric(K.values[np.ix_(has, has)], f"The known part of {name!r}"),
            f"The known part of {name!r}",
        )
        for name, K, has in zip(names, kernels.values(), known, strict=True)
    )
    _check_reach(names, ids, known)
    return _scaled(names, ids, known, given)


def _known(name: str, K: GramMatrix, ids: tuple[str, ...]) -> BoolArray:
    if K.ids != ids:
        raise InvalidInputError(
            "Kernels that are completed together have the same items in the same order",
            f"other items in {name!r}",
            "Bring each to all ids with expand(K, ids)",
        )
    missing = np.isnan(K.values)
    known = ~missing.diagonal()
    block = missing[np.ix_(known, known)]
    if block.any():
        rows = np.flatnonzero(known)
        i, j = (rows[at[0]] for at in np.nonzero(block))
        raise InvalidInputError(
            "An item of a view is known with all others that the view has, or not at all",
            f"no similarity of {ids[i]!r} and {ids[j]!r} in {name!r}",
            "Complete single unknown pairs first (complete_pairs, or the page Complete), or leave one of the items out",
        )
    if known.sum() < LEAST_KNOWN:
        raise InvalidInputError(
            f"A view has to have at least {LEAST_KNOWN} items",
            f"{int(known.sum())} in {name!r}",
            "Leave it out",
        )
    return np.asarray(known)


def _check_reach(names: tuple[str, ...], ids: tuple[str, ...], known: BoolArray) -> None:
    nowhere = np.flatnonzero(~known.any(axis=0))
    if nowhere.size:
        others = f" and {nowhere.size - 1:,} more" if nowhere.size > 1 else ""
        raise InvalidInputError(
            "Each item has to be in at least one view", f"{ids[nowhere[0]]!r}{others} in none", "Leave it out"
        )
    counts = known.astype(np.int64)
    parts, of = connected_components(counts @ counts.T >= LEAST_KNOWN, directed=False)
    if parts > 1:
        apart = [name for name, own in zip(names, of, strict=True) if own != of[0]]
        raise InvalidInputError(
            f"Views reach each other over at least {LEAST_KNOWN} shared items, in one step or several",
            f"{', '.join(map(repr, apart))} shares fewer with the others",
            "Bring a kernel that has items of both, or leave it out: there is nothing to learn from",
        )


def _scaled(
    names: tuple[str, ...], ids: tuple[str, ...], known: BoolArray, given: tuple[FloatArray, ...]
) -> Views:
    scales = np.array([float(np.diag(K).mean()) for K in given])
    for name, scale in zip(names, scales, strict=True):
        if not scale > 0.0:
            raise InvalidInputError(
                "A view has to have similarities",
                f"nothing but 0 on the diagonal of {name!r}",
                "Leave it out",
            )
    return Views(names, ids, known, tuple(K / s for K, s in zip(given, scales, strict=True)), scales, given)


# Stage 1: all views at once, one after the other from all others, until nothing moves. The objective never rises.
#
#     J = V logdet(mean_v T_v + ρI) − Σ_v logdet R_v,   R_v = T_UU − T_US T_SS^-1 T_SU
#
# is the LogDet objective of mutual kernel matrix completion (Rivero, Lemence and Kato, IEICE Transactions 2017) with the
# common matrix eliminated and ρI as its prior. For one view with the others fixed the minimiser is the extrapolation with
# residual from the mean of the others (Kernel extrapolation, Lemma 1).

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
) -> Steps[Swept]:
    """Sweep over the views until the gap is below `tolerance`, at most `most` times; a step a view."""
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
    W = lapack.solve(N[np.ix_(S, S)], N[np.ix_(S, U)])
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
    return 2.0 * float(np.log(np.diag(np.linalg.cholesky(M))).sum())


# A view put together from its known block and W: known entries as they came, positive semidefinite by construction.

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
