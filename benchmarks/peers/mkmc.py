"""Mutual kernel matrix completion (Rivero, Lemence and Kato 2017), written from its two alternating formulas.

M = mean of all kernels, then each kernel the conditional of M given what it has, from zeros.
"""

import numpy as np

NUGGET = 0.02
"""Added to M as our sweeps have it: without it the first mean is singular."""
MOST = 500


def mkmc(kernels, known, tolerance):
    """Kernels (V, n, n) completed by the alternation of the paper."""
    Q = np.where(known[:, :, None] & known[:, None, :], kernels, 0.0)
    for _ in range(MOST):
        before = Q.copy()
        M = Q.mean(axis=0) + NUGGET * np.eye(len(Q[0]))
        for v, has in enumerate(known):
            S, U = np.flatnonzero(has), np.flatnonzero(~has)
            W = np.linalg.inv(M[np.ix_(S, S)]) @ M[np.ix_(S, U)]
            own = Q[v][np.ix_(S, S)]
            Q[v][np.ix_(S, U)] = own @ W
            Q[v][np.ix_(U, S)] = (own @ W).T
            Q[v][np.ix_(U, U)] = M[np.ix_(U, U)] - M[np.ix_(U, S)] @ W + W.T @ own @ W
        if np.linalg.norm(Q - before) < tolerance * np.linalg.norm(Q):
            break
    return Q
