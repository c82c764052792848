"""Incomplete views by definition: explicit inverses, one matrix after the other, nothing shared with the library.

Complete diagonals that are constant are assumed, as Gaussian kernels have them.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray

Blocks = Sequence[FloatArray]

RHO = 0.02


def inverse(M: FloatArray, ridge: float = 0.0) -> FloatArray:
    return np.asarray(np.linalg.inv(M + ridge * np.eye(len(M))))


def swept(
    blocks: Blocks, known: BoolArray, tau: float, tolerance: float = 1e-3, most: int = 12
) -> FloatArray:
    """Views (V, n, n) after the sweeps."""
    count, n = known.shape
    T = np.zeros((count, n, n))
    for v in range(count):
        S, U = np.flatnonzero(known[v]), np.flatnonzero(~known[v])
        K = blocks[v]
        squared = np.diag(K)[:, None] + np.diag(K)[None, :] - 2.0 * K
        own = K if tau == 0.0 else np.exp(-tau / 2.0 * squared)
        r = own.mean(axis=0)
        T[v][np.ix_(S, S)] = own
        T[v][np.ix_(U, S)] = r
        T[v][np.ix_(S, U)] = r[:, None]
        T[v][np.ix_(U, U)] = r.mean() + max((np.diag(own) - r.mean()).mean(), 1e-3) * np.eye(U.size)
    for _ in range(most):
        moved = 0.0
        for v in range(count):
            S, U = np.flatnonzero(known[v]), np.flatnonzero(~known[v])
            N = (sum(T[u] for u in range(count) if u != v) + count * RHO * np.eye(n)) / (count - 1)
            W = inverse(N[np.ix_(S, S)]) @ N[np.ix_(S, U)]
            new = T[v].copy()
            own = T[v][np.ix_(S, S)]
            new[np.ix_(S, U)] = own @ W
            new[np.ix_(U, S)] = (own @ W).T
            new[np.ix_(U, U)] = W.T @ own @ W + N[np.ix_(U, U)] - N[np.ix_(U, S)] @ W
            moved += ((new - T[v]) ** 2).sum()
            T[v] = new
        if np.sqrt(moved / (T**2).sum()) < tolerance:
            break
    return T


def alignment(blocks: Blocks, known: BoolArray) -> FloatArray:
    """(V, V) of the blocks that two views share."""
    count = len(known)
    A = np.zeros((count, count))
    for u, v in product(range(count), repeat=2):
        both = known[u] & known[v]
        if u == v or both.sum() < 4:
            continue
        C = np.eye(both.sum()) - 1.0 / both.sum()
        parts = []
        for w in (u, v):
            at = both[known[w]]
            part = C @ blocks[w][np.ix_(at, at)] @ C
            parts.append(part * (1.0 - np.eye(len(part))))
        A[u, v] = max(
            0.0, (parts[0] * parts[1]).sum() / np.sqrt((parts[0] ** 2).sum() * (parts[1] ** 2).sum())
        )
    return A


def candidates(
    blocks: Blocks, known: BoolArray, v: int, T: Mapping[float, FloatArray], taus: Sequence[float]
) -> list[FloatArray]:
    """W of every candidate for view v; `T` by tau."""
    S, U = np.flatnonzero(known[v]), np.flatnonzero(~known[v])
    A, made = alignment(blocks, known), []
    for tau, c, r, g in product(taus, (0.0, 1.0), (0.01, 0.1), (0, 2)):
        b = np.maximum(A[v], 1e-3) ** g
        b[v] = 0.0
        M = np.tensordot(b / b.sum(), T[tau], axes=1) + c
        made.append(inverse(M[np.ix_(S, S)], r) @ M[np.ix_(S, U)])
    if len(taus) > 1:
        for r in (0.1, 0.3):
            L = np.zeros_like(T[1.0][0])
            for u in range(len(known)):
                if u != v:
                    has = np.flatnonzero(known[u])
                    L[np.ix_(has, has)] += inverse(blocks[u] + 1.0, r)
            made.append(-(inverse(L[np.ix_(U, U)], 1e-8) @ L[np.ix_(U, S)]).T)
    return made


def assembled(K: FloatArray, known: BoolArray, v: int, W: FloatArray, T: Blocks, d: float) -> FloatArray:
    """View v from its block K, W (s, u) and views T by the taus that were chosen (repeated as often as they were)."""
    S, U = np.flatnonzero(known), np.flatnonzero(~known)
    B = W.T @ K @ W
    f = np.minimum(1.0, np.sqrt(d / np.diag(B)))
    W, B = W * f, f[:, None] * B * f
    mean = np.mean([(each.sum(axis=0) - each[v]) / (len(each) - 1) for each in T], axis=0)
    E = np.zeros((len(known), U.size))
    E[U], E[S] = np.eye(U.size), -W
    R = E.T @ (mean + RHO * np.eye(len(known))) @ E
    D = np.sqrt(np.maximum(d - np.diag(B), 0.0) / np.diag(R))
    Q = np.zeros((len(known),) * 2)
    Q[np.ix_(S, S)], Q[np.ix_(S, U)] = K, K @ W
    Q[np.ix_(U, S)] = Q[np.ix_(S, U)].T
    Q[np.ix_(U, U)] = B + D[:, None] * R * D
    return Q


def hidden_of(known: BoolArray, fold: int) -> BoolArray:
    """(V, n) what a fold hides."""
    count, n = known.shape
    place = np.argsort(np.random.default_rng(0).permutation(n))
    hidden: BoolArray = known & ((place[None, :] + np.arange(count)[:, None]) % 5 == fold)
    for i in range(n):
        if not (known[:, i] & ~hidden[:, i]).any():
            hidden[:, i] = False
    return hidden


def six_best(blocks: Blocks, known: BoolArray, taus: Sequence[float]) -> list[IntArray]:
    """By view, the places of the six candidates with the least error on what five folds hide."""
    errors: list[list[list[float]]] = [[] for _ in known]
    for fold in range(5):
        hidden = hidden_of(known, fold)
        left = known & ~hidden
        cut = [K[np.ix_(left[v][known[v]], left[v][known[v]])] for v, K in enumerate(blocks)]
        T = {tau: swept(cut, left, tau, 3e-3, 6) for tau in taus}
        for v in range(len(known)):
            made = candidates(cut, left, v, T, taus)
            U = np.flatnonzero(~left[v])
            for i in np.flatnonzero(hidden[v]):
                row = blocks[v][np.flatnonzero(known[v]) == i][0, left[v][known[v]]]
                at = int(np.searchsorted(U, i))
                errors[v].append(
                    [float(np.linalg.norm(cut[v] @ W[:, at] - row) / np.linalg.norm(row)) for W in made]
                )
    return [np.argsort(np.mean(found, axis=0), kind="stable")[:6] for found in errors]


def completed(kernels: FloatArray, known: BoolArray, tuned: bool = False) -> FloatArray:
    """Kernels (V, n, n), of which the rows of items that are not known are never read."""
    taus = (0.0, 1.0, 2.0) if tuned else (1.0,)
    blocks = [K[np.ix_(has, has)] for K, has in zip(kernels, known, strict=True)]
    scales = [np.diag(K).mean() for K in blocks]
    blocks = [K / s for K, s in zip(blocks, scales, strict=True)]
    T = {tau: swept(blocks, known, tau) for tau in taus}
    best = six_best(blocks, known, taus) if tuned else [np.arange(8)] * len(known)
    made = []
    for v, kept in enumerate(best):
        W = np.array(candidates(blocks, known, v, T, taus))[kept].mean(axis=0)
        chosen = [T[taus[k // 8]] if k < 8 * len(taus) else T[1.0] for k in kept]
        made.append(scales[v] * assembled(blocks[v], known[v], v, W, chosen, 1.0))
    return np.array(made)
