from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.catalogue import load_dataset
from kernex_core.inputs.networks.network import Network
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.networks.study import TAUS, diffusions_of, prepare_network, sweeping_network
from science.table import Row, difference_se

TITLE = """Blocks: accuracy of diffusion kernels against τ on simulated networks, beside other code: 18 networks."""
NETWORKS = 18
SMALL = {"NETWORKS": 3}
DOCUMENTED = (52.0, 62.0, 72.0, 75.5, 78.0, 79.5, 80.0, 81.0, 81.0, 78.0, 54.5, 52.0)
"""Means over 18 networks by other code, for each of TAUS."""
DOCUMENTED_NETWORKS = 18
INTERIOR = (1.0, 20.0)
"""Where the best τ lies on every network."""


def accuracies(seed: int) -> FloatArray:
    made = load_dataset("blocks", seed)
    network = made.samples["network"]
    assert isinstance(network, Network)
    assert made.labels is not None
    prepared = prepare_network(network)
    config = CrossValidation(folds=5, repeats=5, C=1.0, seed=seed)
    *_, found = sweeping_network(prepared, diffusions_of(prepared), made.labels, config)
    return np.asarray(100.0 * found.curve()[0])


def rows(map_: Callable[..., Iterable[FloatArray]]) -> Iterator[Row]:
    curves = np.array(list(map_(accuracies, range(NETWORKS))))
    for tau, documented, values in zip(TAUS, DOCUMENTED, curves.T, strict=True):
        se = float(values.std(ddof=1)) * difference_se(len(values) ** -0.5, DOCUMENTED_NETWORKS**-0.5)
        yield Row(f"τ = {tau:g}", float(values.mean()), documented, se, rounding=0.5)
    best = np.array(TAUS)[curves.argmax(axis=1)]
    inside = float(((best >= INTERIOR[0]) & (best <= INTERIOR[1])).mean())
    yield Row(f"share of networks with the best τ in {INTERIOR[0]:g} to {INTERIOR[1]:g}", inside, 1.0)
    yield Row(
        "gain of the best mean over τ = 0",
        float((curves.mean(axis=0) - curves.mean(axis=0)[0]).max()),
        29.0,
        2.0,
    )
