"""Joint kernels and approximations written as the papers write them: explicit inverses, loops, nothing clever."""

import numpy as np


def joint_by_inverses(K, T, S, lam, nugget):
    """(m, m) by the definition; lam weights the source's inverse."""
    m, s = K.shape[0], len(S)
    K1, T1 = K + nugget * np.eye(m), T + nugget * np.eye(s)
    A, Phi = K1[np.ix_(S, S)], K1[S, :]
    Q_seq = np.linalg.inv(A)
    Q_str = np.linalg.inv(A) @ T1 @ np.linalg.inv(A)
    Q = np.linalg.inv(lam * np.linalg.inv(Q_seq) + (1 - lam) * np.linalg.inv(Q_str))
    return Phi.T @ Q @ Phi


def random_kernel(rng, n, rank=None, cosine=True):
    X = rng.normal(size=(n, rank or 2 * n))
    K = X @ X.T
    d = np.sqrt(np.diag(K))
    return K / np.outer(d, d) if cosine else K
