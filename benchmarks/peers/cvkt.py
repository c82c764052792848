"""Cross-view kernel transfer (Huusari, Capponi, Villoutreix and Kadri, 2019), written here from the formulas of the paper.

Psi holds the features of all other views side by side (rows of items that a view lacks are 0). View v becomes Psi U U' Psi',
where U of Frobenius norm 1 maximises the centred alignment with the known block of v:

    f(U) = <K_c, B B'> / |B' B|,   B = A U,   A = C Psi_S,   K_c = C K_SS C,

by steepest descent on the sphere from a random U, halving steps until Armijo's condition holds, 200 steps at most, as the
authors' solver (Pymanopt) does it by default. Then all values are stretched and shifted until range and mean of the known
block are right. Known entries are not kept.

Every step of U is A' M for some M with n rows, so neither U (hundreds of columns) nor the products of Psi are needed: B
moves by T M with T = A A', and f along a step is a quotient of polynomials whose coefficients are traces. This is the same
descent, step by step, in matrices no larger than n x n: from the same U the alignments are those of the authors' code to
1e-12 over ten steps; later both part, as the authors' code parts from itself when U is moved by 1e-15.
"""

from dataclasses import dataclass

import numpy as np

MOST = 200
ARMIJO, HALVINGS = 1e-4, 25
LEAST_GRADIENT, LEAST_STEP = 1e-6, 1e-10
SINGULAR = 1e-12


def features(K, level, rng):
    """(n, m) Nyström features of a kernel from a share of its items, all of them at level 1."""
    n = len(K)
    m = int(np.ceil(level * n))
    chosen = rng.permutation(n)[:m] if m < n else np.arange(n)
    d, V = np.linalg.eigh(K[np.ix_(chosen, chosen)])
    kept = d > SINGULAR * d[-1]
    return K[:, chosen] @ (V[:, kept] / np.sqrt(d[kept]))


@dataclass(frozen=True)
class Line:
    """f(B + step D) along a direction, from traces."""

    above: tuple
    below: tuple

    @classmethod
    def of(cls, B, D, KB, KD):
        BB, BD, DD = B.T @ B, B.T @ D, D.T @ D
        cross = BD + BD.T
        above = ((KB * B).sum(), 2.0 * (KB * D).sum(), (KD * D).sum())
        below = (
            (BB * BB).sum(),
            2.0 * (BB * cross).sum(),
            (cross * cross).sum() + 2.0 * (BB * DD).sum(),
            2.0 * (cross * DD).sum(),
            (DD * DD).sum(),
        )
        return cls(above[::-1], below[::-1])

    def at(self, step):
        return np.polyval(self.above, step) / np.sqrt(np.polyval(self.below, step))


def aligned(K, A, U):
    """Climb from U; return c and M, so that the U reached is c U + A' M, and the alignments on the way."""
    n = len(K)
    K, A = K - K.mean(axis=0), A - A.mean(axis=0)
    K = K - K.mean(axis=1, keepdims=True)
    T, B = A @ A.T, A @ U
    Q = np.eye(U.shape[1])
    if B.shape[1] > n:  # B B' is all that f sees
        Q, R = np.linalg.qr(B.T)
        B = R.T
    M, KB, c, before, path = np.zeros_like(B), K @ B, 1.0, None, []
    for _ in range(MOST):
        BB = B.T @ B
        above, below = (KB * B).sum(), np.linalg.norm(BB)
        path.append(above / below)
        G = 2.0 * (KB / below - (above / below**3) * (B @ BB))
        D = T @ G
        slope = (G * D).sum()
        line = Line.of(B, D, KB, KD := K @ D)
        step = 1.0 / np.sqrt(slope) if before is None else 4.0 * (path[-1] - before) / slope
        for _ in range(HALVINGS):
            if line.at(step) >= path[-1] + ARMIJO * step * slope:
                break
            step /= 2.0
        before = path[-1]
        if line.at(step) < before or step * np.sqrt(slope) < LEAST_STEP or np.sqrt(slope) < LEAST_GRADIENT:
            break
        size = np.sqrt(1.0 + step**2 * slope)  # the gradient stands at right angles to U
        B, KB, M, c = (B + step * D) / size, (KB + step * KD) / size, (M + step * G) / size, c / size
    return c, M @ Q.T, path


def rescaled(made, K, S):
    """The range of the known block, then its mean."""
    block = made[np.ix_(S, S)]
    stretch = np.ptp(K) / np.ptp(block)
    return K.mean() + stretch * (made - block.mean())


def view(kernels, known, v, approximation, rank, rng):
    """View v from the others, and the alignments on the way."""
    S, parts = np.flatnonzero(known[v]), []
    for u in range(len(kernels)):
        if u != v:
            has = np.flatnonzero(known[u])
            own = features(kernels[u][np.ix_(has, has)], approximation, rng)
            parts.append(np.zeros((len(known[u]), own.shape[1])))
            parts[-1][has] = own
    Psi = np.hstack(parts)
    U = rng.random((Psi.shape[1], max(1, int(rank * Psi.shape[1]))))
    U /= np.linalg.norm(U)
    K = kernels[v][np.ix_(S, S)]
    c, M, path = aligned(K, Psi[S], U)
    A = Psi[S] - Psi[S].mean(axis=0)
    P = c * (Psi @ U) + (Psi @ A.T) @ M
    return rescaled(P @ P.T, K, S), path


def cvkt(kernels, known, approximation, rank, rng):
    """Kernels (V, n, n) by transfer; those that lack nothing stay."""
    return np.array(
        [
            K if known[v].all() else view(kernels, known, v, approximation, rank, rng)[0]
            for v, K in enumerate(kernels)
        ]
    )
