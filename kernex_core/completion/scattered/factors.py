"""The model of scattered pairs, T_ij ~ c S_ij + m + u_i'u_j, fitted to the known pairs by updates of one row after another.

f(c, m, U) = 1/2 sum_{i<j} W_ij (T_ij - c S_ij - m - u_i'u_j)^2 + lam/2 tr(U'LU),  c, m >= 0

W is 1 where a pair is known and 0 elsewhere (or w0, where its absence says that it is low); the diagonal is never fitted.
L is the inverse of the source's kernel, so that what the source calls alike gets like factors. In (c, m, UU') f is convex.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.jit import jit
from kernex_core.runtime.progress import Steps, finished, part

# The loops of the model of scattered pairs, compiled: one update of every row of U, and the sums that c, m and t rest on.
#
# Pairs have one of two weights. The normal matrix of a row is that of most of its pairs times U'U, and what the others
# change: no row looks at more than half of the items for it.


@jit
def sweep(
    U: FloatArray,
    T: FloatArray,
    W: FloatArray,
    S: FloatArray,
    c: float,
    m: float,
    L: FloatArray,
    lam: float,
    lightest: float,
    diagonal: bool,
) -> None:
    """Update one row of U after the other, in place: the least squares that it is given all others.

    u_i <- (sum_j W_ij u_j u_j' + lam L_ii I)^-1 (sum_j W_ij (T_ij - c S_ij - m) u_j - lam sum_{j != i} L_ij u_j)

    Parameters
    ----------
    U : (n, k) float
    T, W : (n, n) float
    S : (n, n) float
        (0, 0) without a source.
    c, m : float
    L : (n, n) float
    lam : float
    lightest : float
        The weight of all pairs that do not have 1.
    diagonal : bool
        Whether L is.
    """
    n, k = U.shape
    G = U.T @ U  # kept up to date with every row
    others, pull = np.empty((n, k)), np.empty(n)
    A, b = np.empty((k, k)), np.empty(k)
    for i in range(n):
        # what every u_j is counted with on the right side
        if S.shape[0] > 0:
            for j in range(n):
                pull[j] = W[i, j] * (T[i, j] - c * S[i, j] - m)
        else:
            for j in range(n):
                pull[j] = W[i, j] * (T[i, j] - m)
        if not diagonal:
            for j in range(n):
                pull[j] -= lam * L[i, j]
        pull[i] = 0.0
        np.dot(pull, U, b)
        # on the left side, the weight of most pairs, and those that have the other one
        heavy = 0
        for j in range(n):
            heavy += W[i, j] == 1.0
        usual, other = (1.0, lightest) if 2 * heavy > n else (lightest, 1.0)
        count = 0
        for j in range(n):
            if j != i and W[i, j] == other:
                for a in range(k):
                    others[count, a] = U[j, a]
                count += 1
        np.dot(others[:count].T, others[:count], A)
        for a in range(k):
            for d in range(k):
                A[a, d] = (other - usual) * A[a, d] + usual * (G[a, d] - U[i, a] * U[i, d])
            A[a, a] += lam * L[i, i]
        if solved(A, b):  # rounding alone can make A indefinite, where its penalty is next to nothing
            for a in range(k):
                for d in range(k):
                    G[a, d] += b[a] * b[d] - U[i, a] * U[i, d]
            for a in range(k):
                U[i, a] = b[a]


@jit
def solved(A: FloatArray, b: FloatArray) -> bool:
    """Solve A x = b by Cholesky's method, A and b overwritten, x in b; False where A is not positive definite."""
    k = len(b)
    for j in range(k):  # R'R = A in the upper half, a row of R at a time; b with it, as one more column
        if not A[j, j] > 0.0:
            return False
        root = 1.0 / np.sqrt(A[j, j])
        for a in range(j, k):
            A[j, a] *= root
        b[j] *= root
        for i in range(j + 1, k):
            factor = A[j, i]
            for a in range(i, k):
                A[i, a] -= factor * A[j, a]
            b[i] -= factor * b[j]
    for j in range(k - 1, -1, -1):
        for a in range(j + 1, k):
            b[j] -= A[j, a] * b[a]
        b[j] /= A[j, j]
    return True


@jit
def moments(U: FloatArray, T: FloatArray, W: FloatArray, S: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Weighted products of S, 1 and UU' with each other, (3, 3), and with T, (3,), each over all pairs i < j."""
    n = U.shape[0]
    H, g = np.zeros((3, 3)), np.zeros(3)
    ss, s1, sp, oo, op, pp = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    st, ot, pt = 0.0, 0.0, 0.0
    for i in range(1, n):
        P = np.dot(U[:i], U[i])
        for j in range(i):
            w, t, p = W[i, j], T[i, j], P[j]
            oo += w
            op += w * p
            pp += w * p * p
            ot += w * t
            pt += w * p * t
        if S.shape[0] > 0:
            for j in range(i):
                w, s = W[i, j], S[i, j]
                ss += w * s * s
                s1 += w * s
                sp += w * s * P[j]
                st += w * s * T[i, j]
    H[0, 0], H[1, 1], H[2, 2] = ss, oo, pp
    H[0, 1], H[0, 2], H[1, 2] = s1, sp, op
    H[1, 0], H[2, 0], H[2, 1] = s1, sp, op
    g[0], g[1], g[2] = st, ot, pt
    return H, g


POWER: Final = 0.3
"""Exponent of the source's similarities in its kernel."""
STRENGTHS: Final = (10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01)
"""Strengths a of the penalty, lam = a * rms of the known pairs: from a strong one down to the one that is asked for."""
SWEEPS, LAST_SWEEPS = 5, 25
"""Sweeps at every strength on the way, and at the last."""
TOLERANCE: Final = 1e-4
"""Largest change of an entry of U at which it has converged, in square roots of the rms of the known pairs."""
VANISHED: Final = 1e-6
"""Largest entry of U, in these square roots, below which it is as good as 0."""
NOTHING: Final = owned(np.zeros((0, 0)))
"""Stands for a source that is not there."""


@dataclass(frozen=True, eq=False)
class PairProblem(ReadOnlyArrays):
    """What is known of a matrix, and a source beside it.

    Attributes
    ----------
    T : (n, n) float
        Known similarities, 0 (or what stands for unreported ones) elsewhere; its diagonal is not looked at.
    W : (n, n) float
        Weight of every pair, symmetric: 1 where it is known, the same smaller one elsewhere, 0 on the diagonal.
    S : (n, n) float or None
        The source, its mean self-similarity 1.
    mean_term : bool
        Whether there is a constant m.
    """

    T: FloatArray
    W: FloatArray
    S: FloatArray | None
    mean_term: bool = True

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.T)

    @cached_property
    def lightest(self) -> float:
        """Smallest weight of a pair: 0 where unknown pairs say nothing, w0 where their absence says that they are low."""
        off = self.W[~np.eye(self.n, dtype=np.bool_)]
        return float(off.min()) if off.size else 0.0

    @cached_property
    def scale(self) -> float:
        """Root mean square of the known pairs."""
        known = self.W > 0.0
        if not known.any():
            raise InvalidInputError(
                "Pairs are completed from known ones",
                "none between two different items",
                "Bring some similarities",
            )
        size = float(np.abs(self.T[known]).max())
        return size * float(np.sqrt(np.mean((self.T[known] / size) ** 2))) if size > 0.0 else 1.0

    def without(self, pairs: IntArray) -> PairProblem:
        """Return the same with some known pairs unknown, (p, 2)."""
        T, W = self.T.copy(), self.W.copy()
        for i, j in (pairs.T, pairs.T[::-1]):
            T[i, j] = W[i, j] = 0.0
        return PairProblem(T, W, self.S, self.mean_term)


@dataclass(frozen=True, eq=False)
class PairModel(ReadOnlyArrays):
    """A fitted model.

    Attributes
    ----------
    U : (n, k) float
    c, m : float
        At least 0.
    lam, rho : float
        Penalty, and how much of the identity is in the source's kernel; rho is inf without a source in the penalty.
    change : float
        Largest change of an entry of U in the last sweep, in square roots of the scale.
    sweeps : int
    """

    U: FloatArray
    c: float
    m: float
    lam: float
    rho: float
    change: float
    sweeps: int

    @property
    def converged(self) -> bool:
        """Whether the last sweep changed next to nothing."""
        return self.change < TOLERANCE

    def predict(self, S: FloatArray | None) -> FloatArray:
        """c S + m + UU', (n, n), also on the diagonal, where nothing was fitted."""
        base = self.m if S is None else self.c * S + self.m
        return base + self.U @ self.U.T

    def at(self, S: FloatArray | None, pairs: IntArray) -> FloatArray:
        """Return predictions of some pairs alone, (p,)."""
        i, j = pairs.T
        base = self.m if S is None else self.c * S[i, j] + self.m
        return np.asarray(base + np.einsum("pa,pa->p", self.U[i], self.U[j]))


def source_penalty(S: FloatArray | None, n: int, rho: float) -> FloatArray:
    """L, (n, n): the inverse of the source's kernel of mean eigenvalue 1; the identity where rho is inf.

    N = clip(sign(S) |S|^.3) + rho I, rescaled to trace n, and L = N^-1.
    """
    if S is None or np.isinf(rho):
        return np.eye(n)
    values, vectors = _source_kernel(S)
    kernel = values + rho
    inverse = (vectors * (kernel.mean() / kernel)) @ vectors.T
    return np.asarray((inverse + inverse.T) / 2.0)


def _source_kernel(S: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues of sign(S) |S|^.3, negative ones 0, and eigenvectors."""
    values, vectors = np.linalg.eigh(_powered((S + S.T) / 2.0))
    return np.maximum(values, 0.0), vectors


def _powered(S: FloatArray) -> FloatArray:
    return np.asarray(np.sign(S) * np.abs(S) ** POWER)


def new_factors(
    problem: PairProblem,
    model: PairModel,
    T_new: FloatArray,
    known: BoolArray,
    S_new: FloatArray | None,
    S_own: FloatArray | None,
) -> FloatArray:
    """Factors of further items, each beside the fitted ones alone, whose factors stay: its own row update.

    With N of the fitted items and b, b_ii of a new one in the same units, the row of L that belongs to it has
    L_ii = 1 / (b_ii + rho - b' L b) and L_ij = -L_ii (L b)_j, the inverse of a matrix with one row more. Of b counts what
    lies in the directions that clipping has left.

    Parameters
    ----------
    problem, model
        What was fitted, and how.
    T_new : (n_new, n) float
        Known similarities, 0 elsewhere.
    known : (n_new, n) bool
    S_new : (n_new, n) float, S_own : (n_new,) float, optional
        Their rows of the source, in the units of `problem`.

    Returns
    -------
    (n_new, k) float
    """
    U, k = model.U, model.U.shape[1]
    target = T_new - model.m if S_new is None else T_new - model.m - model.c * S_new
    pulled = np.where(known, target, 0.0) @ U
    alone = np.ones(len(T_new))
    if S_new is not None and S_own is not None and problem.S is not None and not np.isinf(model.rho):
        values, vectors = _source_kernel(problem.S)
        unit = float((values + model.rho).mean())
        b = _powered(S_new) @ (vectors * (values > 0.0))
        Lb = (b / (values + model.rho)) @ vectors.T
        # between kernels no less than rho is left
        left = _powered(S_own) + model.rho - np.einsum("ij,ij->i", b / (values + model.rho), b)
        alone = unit / np.maximum(left, model.rho)
        pulled += model.lam * alone[:, None] * (Lb @ U)
    A = np.einsum("ij,ja,jb->iab", known.astype(np.float64), U, U, optimize=True)
    A += (model.lam * alone)[:, None, None] * np.eye(k)
    return np.asarray(np.linalg.solve(A, pulled[:, :, None])[:, :, 0])


def objective(problem: PairProblem, model: PairModel, L: FloatArray) -> float:
    """f at a model."""
    residual = problem.T - model.predict(problem.S)
    penalty = float(np.einsum("ij,ik,jk->", L, model.U, model.U)) if model.U.size else 0.0
    return 0.25 * float(np.sum(problem.W * residual**2)) + 0.5 * model.lam * penalty


def certificate(problem: PairProblem, model: PairModel, L: FloatArray) -> tuple[float, float, float]:
    """How far a model is from the optimum over all ranks.

    G = lam L - W o (T - c S - m - UU')

    Returns
    -------
    stationarity : float
        max |GU|, 0 at a stationary point.
    smallest : float
        Smallest eigenvalue of G; from -tolerance upwards the point is the global optimum.
    gap : float
        What f is at most above it where GU is 0 and c, m are optimal: -min(0, smallest) tr(UU') / 2.
    """
    G = model.lam * L - problem.W * (problem.T - model.predict(problem.S))
    smallest = float(np.linalg.eigvalsh(G)[0])
    stationarity = float(np.abs(G @ model.U).max()) if model.U.size else 0.0
    return stationarity, smallest, -min(0.0, smallest) * float(np.sum(model.U**2)) / 2.0


def begin(problem: PairProblem, k: int) -> PairModel:
    """The model that updates start from: the top k eigenpairs of what c S + m leaves of the known pairs."""
    zero = np.zeros((problem.n, 1))
    c, m, _ = _levels(problem, zero, 0.0)
    base = m if problem.S is None else c * problem.S + m
    R = np.where(problem.W > 0.0, problem.T - base, 0.0)
    values, vectors = np.linalg.eigh((R + R.T) / 2.0)
    top = np.argsort(-values, kind="stable")[:k]
    U = vectors[:, top] * np.sqrt(np.maximum(values[top], 1e-3 * problem.scale))
    return PairModel(owned(np.ascontiguousarray(U)), c, m, 0.0, np.inf, np.inf, 0)


def fitting(problem: PairProblem, L: FloatArray, strength: float, k: int, rho: float) -> Steps[PairModel]:
    """Go down the strengths to the one that is asked for, each from the last, in steps.

    Parameters
    ----------
    problem : PairProblem
    L : (n, n) float
        See `source_penalty`.
    strength : float
        a; the penalty is a times the scale of the problem.
    k : int
        Number of factors.
    rho : float
        That L was made with, to be remembered.
    """
    model = begin(problem, min(k, problem.n))
    way = [a for a in STRENGTHS if a > strength * (1.0 + 1e-9)]
    total = SWEEPS * len(way) + LAST_SWEEPS
    for place, before in enumerate(way):
        model = swept(problem, model, L, before * problem.scale, SWEEPS, 0.0)
        yield SWEEPS * (place + 1) / total
    last = sweeping(problem, model, L, strength * problem.scale, LAST_SWEEPS, TOLERANCE)
    model = yield from part(last, SWEEPS * len(way) / total, 1.0)
    return replace(model, rho=rho)


def sweeping(
    problem: PairProblem, model: PairModel, L: FloatArray, lam: float, sweeps: int, tolerance: float
) -> Steps[PairModel]:
    """Update every row of U, then c, m and the size of U, so often or until next to nothing changes; a step a sweep."""
    U, c, m = model.U.copy(), model.c, model.m
    root = float(np.sqrt(problem.scale))
    if (
        float(np.abs(U).max()) < VANISHED * root
    ):  # a stronger penalty left nothing, and from nothing no sweep leads away
        U = begin(problem, U.shape[1]).U.copy()
    change, count = np.inf, 0
    identity = not np.count_nonzero(L - np.diag(np.diag(L)))
    S = NOTHING if problem.S is None else problem.S
    for _ in range(sweeps):
        before = U.copy()
        sweep(U, problem.T, problem.W, S, c, m, L, lam, problem.lightest, identity)
        c, m, t = _levels(problem, U, lam * _roughness(U, L, identity))
        if t > 0.0:
            U *= np.sqrt(t)
        change, count = float(np.abs(U - before).max()) / root, count + 1
        yield count / sweeps
        if change < tolerance:
            break
    return PairModel(owned(U), c, m, lam, model.rho, change, model.sweeps + count)


def swept(
    problem: PairProblem, model: PairModel, L: FloatArray, lam: float, sweeps: int, tolerance: float
) -> PairModel:
    """All of `sweeping`."""
    return finished(sweeping(problem, model, L, lam, sweeps, tolerance))


def _roughness(U: FloatArray, L: FloatArray, identity: bool) -> float:
    """tr(U'LU), where L is diagonal that of the diagonal alone."""
    return float(np.diag(L) @ np.sum(U * U, axis=1)) if identity else float(np.sum(U * (L @ U)))


def _levels(problem: PairProblem, U: FloatArray, penalty: float) -> tuple[float, float, float]:
    """c, m and the factor t of UU', all at least 0, that fit best; every set of those above 0 is tried."""
    S = NOTHING if problem.S is None else problem.S
    H, g = moments(U, problem.T, problem.W, S)
    g[2] -= 0.5 * penalty
    size = np.sqrt(np.diag(H))
    size[size == 0.0] = 1.0
    H, g = (
        H / np.outer(size, size),
        g / size,
    )  # however small UU' is, its factor is found as sharply as c and m
    there = [
        column
        for column, is_there in enumerate(
            (problem.S is not None, problem.mean_term, penalty > 0.0 or bool(U.any()))
        )
        if is_there
    ]
    best, lowest = np.zeros(3), 0.0
    for chosen in product((True, False), repeat=len(there)):
        at = [k for k, taken in zip(there, chosen, strict=True) if taken]
        if not at:
            continue
        found = np.linalg.lstsq(H[np.ix_(at, at)], g[at], rcond=None)[0]
        value = 0.5 * found @ H[np.ix_(at, at)] @ found - g[at] @ found
        if (found >= 0.0).all() and value < lowest:
            best, lowest = np.zeros(3), float(value)
            best[at] = found
            if all(chosen):  # the best of all is allowed: no smaller set can be better
                break
    best /= size
    return float(best[0]), float(best[1]), float(best[2])
