"""A data set with one kernel in each state, planted by tests of the core and of pages in whatever takes a kernel."""

import numpy as np

from kernex_core import DataSet, Diffusion, GramMatrix, Labels, Laplace, Network, Vectors, mkl, weighted_sum
from kernex_core.gram.normalize import Center

N = 24
INDUCTIVE, TRANSDUCTIVE, LEAK, BROUGHT = "inductive", "transductive", "leak", "as brought"
BOTH = "transductive, as brought"
STATES = (INDUCTIVE, TRANSDUCTIVE, LEAK, BROUGHT, BOTH)


def planted():
    """Two classes of twelve items, which have vectors, a network, and five kernels called after their states."""
    rng = np.random.default_rng(23)
    ids = tuple(f"i{k:02d}" for k in range(N))
    y = np.repeat(["a", "b"], N // 2)
    X = rng.normal(size=(N, 3)) + 1.2 * (y == "b")[:, None]
    near = np.triu(rng.random((N, N)) < np.where(y[:, None] == y, 0.4, 0.1), 1).astype(float)
    vectors, network = Vectors(ids, X), Network(ids, near + near.T)
    plain, other = (Laplace(gamma=g).similarities(vectors) for g in (0.5, 2.0))
    kernels = {
        INDUCTIVE: plain,
        TRANSDUCTIVE: Diffusion(tau=1.0).similarities(network),
        LEAK: weighted_sum([plain, other], mkl([plain, other], y).weights),
        BROUGHT: GramMatrix(plain.values + 0.1, ids),
        BOTH: GramMatrix(plain.values + 0.1, ids).then(Center()),
    }
    named = {name: K.renamed(name) for name, K in kernels.items()}
    return DataSet("planted", ids, Labels(ids, y), {"vectors": vectors, "network": network}, named)


def worst(*states):
    """What a kernel of several is called, written out: the union of what is known, and of what nobody knows."""
    words = {word for state in states for word in state.split(", ")}
    if LEAK in words:
        return LEAK
    if TRANSDUCTIVE in words:
        return BOTH if BROUGHT in words else TRANSDUCTIVE
    return BROUGHT if BROUGHT in words else INDUCTIVE
