"""The loops of the model of scattered pairs, compiled: one update of every row of U, and the sums that c, m and t rest on.

Pairs have one of two weights. The normal matrix of a row is that of most of its pairs times U'U, and what the others change:
no row looks at more than half of the items for it.
"""

from __future__ import annotations

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.base.jit import jit


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
