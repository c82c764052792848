"""A planted regulator: a gene and its neighbours in a network whose sum decides the class, for what selects edges."""

from __future__ import annotations

import numpy as np

from kernex_core.datasets.expression_network import profiles_on_network
from kernex_core.frozen import BoolArray
from kernex_core.inputs.dataset import DataSet
from kernex_core.seeds import check_seed

GENES, SAMPLES = 150, 200
DEGREE, TARGETS = 3.0, 5
"""Mean number of edges of a gene, and edges of the one that decides."""
NOISE = 0.2
"""Standard deviation of what else decides, beside the standardised sum of the regulator and its targets."""

_DESCRIPTION = (
    "Simulated: 200 samples, 150 genes in a random network in which a gene has 3 edges on average. A gene with 5 edges and "
    "the 5 that it is joined to decide: the half of the samples with the larger sum of their expression, and a little "
    "noise, is called high, the other low. Expression of neighbours is independent, so that a kernel that spreads over "
    "edges has little to gain here; what selects edges has the regulator and its targets to find."
)


def planted_regulator(seed: int = 0) -> DataSet:
    """Expression profiles whose class is decided by one gene and its neighbours in a network.

    Parameters
    ----------
    seed : int
        At least 0; draws edges, expression and noise.

    Returns
    -------
    DataSet
        As `expression_on_a_network`: samples "expression" (200, 150), the network of the genes among `feature_networks`.

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng = np.random.default_rng(check_seed(seed))
    half = np.triu(rng.random((GENES, GENES)) < DEGREE / (GENES - 1), 1)
    edges = half | half.T
    effect = _regulator(edges).astype(np.float64)
    X = rng.normal(size=(SAMPLES, GENES))
    score = X @ effect / np.sqrt(effect.sum()) + NOISE * rng.normal(size=SAMPLES)
    classes = np.where(score > np.median(score), "high", "low")
    genes = tuple(f"g{k + 1:03d}" for k in range(GENES))
    return profiles_on_network("A planted regulator", genes, edges, effect, X, classes, _DESCRIPTION)


def _regulator(edges: BoolArray) -> BoolArray:
    """The first node with TARGETS edges (or nearest to it), and its neighbours."""
    hub = int(np.abs(edges.sum(axis=0) - TARGETS).argmin())
    return np.asarray(edges[hub] | (np.arange(GENES) == hub))
