"""Expression on a network: two modules of genes that differ a little between cases and controls, drowned in noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.defaults import Defaults
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.networks.network_notes import structure_notes
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.networks.diffusion import Diffusion
from kernex_core.kernels.vectors.dot_product import Linear
from kernex_core.seeds import check_seed

MODULES, PER_MODULE, SAMPLES = 10, 20, 60
WITHIN, BETWEEN = 0.25, 0.004
"""Probability of an edge between two genes of one module, and of different modules."""
EFFECT = 0.25
"""Shift of the genes of the first module in cases, and against it in controls, in standard deviations of the noise."""
TAU = 5.0
PLANTED = "planted effect"
"""Attribute of the genes that holds what was planted; nothing that is computed sees it."""
SPEAKS_FOR = ("case", "high")
"""Classes of the demos in which a gene of positive effect lies higher."""

_DESCRIPTION = (
    "Simulated: 60 samples, half of them cases, and 200 genes in 10 modules of 20. Two genes are joined with probability "
    ".25 inside a module and .004 between modules. In cases the genes of module 1 lie .25 standard deviations higher and "
    "those of module 2 lower, in controls the other way round; all else is noise. The signal is itself smooth on the "
    "network, which is what a kernel on a network hopes for: where it is not, nothing is gained. Single genes are too weak "
    "for 60 samples to select the edges of both modules."
)


def expression_on_a_network(seed: int = 0) -> DataSet:
    """Expression profiles of cases and controls with a network of their genes.

    Parameters
    ----------
    seed : int
        At least 0; draws edges and noise.

    Returns
    -------
    DataSet
        Samples "expression" (60, 200), the network of the genes among `feature_networks`, kernels "plain" and "on the
        network" (diffusion, τ = 5).

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng = np.random.default_rng(check_seed(seed))
    module = np.repeat(np.arange(MODULES), PER_MODULE)
    p = np.where(module[:, None] == module[None, :], WITHIN, BETWEEN)
    half = np.triu(rng.random(p.shape) < p, 1)
    genes = tuple(f"m{m + 1}g{k % PER_MODULE + 1:02d}" for k, m in enumerate(module))
    effect = np.where(module == 0, EFFECT, np.where(module == 1, -EFFECT, 0.0))
    y = np.repeat([1.0, -1.0], SAMPLES // 2)
    X = y[:, None] * effect + rng.normal(size=(SAMPLES, len(genes)))
    names = np.array(["control", "case"])[(y > 0.0).astype(int)]
    return profiles_on_network(
        "Expression on a network", genes, half | half.T, effect, X, names, _DESCRIPTION
    )


def profiles_on_network(
    name: str,
    genes: tuple[str, ...],
    edges: BoolArray,
    effect: FloatArray,
    X: FloatArray,
    classes: np.ndarray,
    description: str,
) -> DataSet:
    """Data set of profiles, their classes and a network of their genes that holds what was planted as an attribute."""
    ids = tuple(f"{label}{k + 1:03d}" for k, label in enumerate(classes.tolist()))
    B = edges.astype(np.float64)
    network = Network(genes, B, None, Vectors(genes, effect[:, None], (PLANTED,)))  # type: ignore[arg-type]
    network = replace(network, notes=structure_notes(network.adjacency, genes))
    profiles = Vectors(ids, X, genes)
    centred = X - X.mean(axis=0)
    diffused = centred @ Diffusion(tau=TAU).gram(B) @ centred.T
    return DataSet(
        name=name,
        ids=ids,
        labels=Labels(ids, classes),
        samples={"expression": profiles},
        kernels={
            "plain": Linear().similarities(profiles, name="plain"),
            "on the network": GramMatrix(diffused, ids, "on the network", seen=ITEMS),
        },
        description=description,
        simulated=True,
        target="on the network",
        defaults=Defaults(C=1.0, folds=5, repeats=5, tau=TAU),
        feature_networks={"genes": network},
    )
