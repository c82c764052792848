"""Networks made at random, and matrices of them by their definitions, entry by entry."""

import numpy as np


def random_network(rng, n, isolated=0, density=0.3):
    """Weights (n, n); the last nodes are isolated."""
    B = np.triu(rng.random((n, n)) < density, 1) * rng.gamma(2.0, size=(n, n))
    if isolated:
        B[n - isolated :], B[:, n - isolated :] = 0.0, 0.0
    return B + B.T


def laplacian(B, which):
    n = B.shape[0]
    d = [sum(B[i]) for i in range(n)]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if which == "unnormalized":
                L[i, j] = (d[i] if i == j else 0.0) - B[i, j]
            elif d[i] > 0.0 and d[j] > 0.0:
                L[i, j] = (1.0 if i == j else 0.0) - B[i, j] / np.sqrt(d[i] * d[j])
    return L


def series(M, coefficient, terms):
    """Σ_k coefficient(k) M^k."""
    power, total = np.eye(M.shape[0]), np.zeros_like(M)
    for k in range(terms):
        total = total + coefficient(k) * power
        power = power @ M
    return total
