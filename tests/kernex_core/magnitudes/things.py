"""Small kernels, vectors, networks and labels that laws are asked of."""

import numpy as np

import kernex_core as kx

N = 16
RNG = np.random.default_rng(7)
IDS = tuple(f"i{k:02d}" for k in range(N))
CODES = np.arange(N) % 2
Y = np.array(["a", "b"])[CODES]
LABELS = kx.Labels(IDS, Y)
X = RNG.normal(size=(N, 4)) + 1.2 * np.eye(4)[CODES]
ABOVE = np.abs(X) + 0.1
Z = X[:, 0] - 0.4 * X[:, 2] + 2.0
K = X @ X.T / 4.0 + 0.3 * np.eye(N)
T = ABOVE @ ABOVE.T / 4.0 + 0.2 * np.eye(N)
INDEFINITE = K - 1.1 * np.eye(N)
KNOWN = np.arange(N) < 10
PARTLY = np.where(KNOWN[:, None] & KNOWN, T, np.nan)
GAPS = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
VIEWS = {
    name: np.where(had[:, None] & had, matrix, np.nan)
    for name, matrix, had in (("one", K, np.arange(N) < 13), ("two", T, np.arange(N) >= 3))
}
B = np.triu(np.where(RNG.random((N, N)) < 0.3, RNG.uniform(0.5, 2.0, (N, N)), 0.0), 1)
B[np.arange(N - 1), np.arange(1, N)] = 1.0
B = B + B.T
FOLDS = kx.CrossValidation(folds=2, repeats=1, choose_C=True)
STRINGS = ("ACDEFGHIKL", "ACDEFGHIKM", "MNPQRSTVWY", "ACDAAGHICL")


def gram(values, name="gram", ids=IDS):
    return kx.GramMatrix(values, ids, name)


def vectors(values=X):
    return kx.Vectors(IDS, values)


def network(s):
    return kx.Network(IDS, s * B, LABELS)


def last(states):
    *_, made = states
    return made
