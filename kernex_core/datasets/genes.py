"""Genes: profiles whose columns are joined by a network, and edges that several kernels know something of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.spatial.distance import pdist, squareform

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.base.parameters import check_seed
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.networks.network import Network, structure_notes
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.networks.diffusion import Diffusion
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.kernels.vectors.dot_product import Linear

# Expression on a network: two modules of genes that differ a little between cases and controls, drowned in noise.

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


# A planted regulator: a gene and its neighbours in a network whose sum decides the class, for what selects edges.

GENES, SAMPLES_TOLD = 150, 200
DEGREE, TARGETS = 3.0, 5
"""Mean number of edges of a gene, and edges of the one that decides."""
NOISE = 0.2
"""Standard deviation of what else decides, beside the standardised sum of the regulator and its targets."""

_REGULATOR = (
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
    X = rng.normal(size=(SAMPLES_TOLD, GENES))
    score = X @ effect / np.sqrt(effect.sum()) + NOISE * rng.normal(size=SAMPLES_TOLD)
    classes = np.where(score > np.median(score), "high", "low")
    genes = tuple(f"g{k + 1:03d}" for k in range(GENES))
    return profiles_on_network("A planted regulator", genes, edges, effect, X, classes, _REGULATOR)


def _regulator(edges: BoolArray) -> BoolArray:
    """The first node with TARGETS edges (or nearest to it), and its neighbours."""
    hub = int(np.abs(edges.sum(axis=0) - TARGETS).argmin())
    return np.asarray(edges[hub] | (np.arange(GENES) == hub))


# Interacting genes: a network and four kernels of the same genes, each of which sees a part of what makes an edge.

INTERACTING = 150
_GROUPS, _VIEWS, _REACH, _SPURIOUS = 15, 3, 0.4, 0.05

_ALIKE = (
    "Simulated: 150 genes at hidden places in three dimensions, in 15 groups; genes that lie close interact, and one edge "
    "in twenty is spurious. Each of three kernels sees one of the dimensions, noisily and among three columns of noise; the "
    "fourth kernel sees noise alone. No kernel knows enough: their sum does better than the best of them."
)
_UNLIKE = (
    "Simulated: 150 genes of two types at hidden places in three dimensions; genes of unlike type that lie close "
    "interact, and one edge in twenty is spurious. Each of three kernels sees one dimension and the type, noisily; the "
    "fourth kernel sees noise alone. Partners are unlike: scores that take likeness for interaction fall below chance."
)


def interacting_genes(seed: int = 0, *, complementary: bool = False) -> DataSet:
    """Genes, four kernels of them and their network.

    Parameters
    ----------
    seed : int
    complementary : bool
        Edges only between genes of unlike type.

    Returns
    -------
    DataSet
        Samples "network" and "view 1" to "view 3" and "noise", a Gaussian kernel of each at the median distance.
    """
    rng = np.random.default_rng(check_seed(seed))
    centres = rng.normal(size=(_GROUPS, 3))
    Z = centres[np.arange(INTERACTING) % _GROUPS] + 0.3 * rng.normal(size=(INTERACTING, 3))
    kind = rng.integers(0, 2, INTERACTING)
    A = _edges(Z, kind, complementary, rng)
    views = [_view(Z[:, v], kind, complementary, rng) for v in range(_VIEWS)]
    ids = tuple(f"gene{k:03d}" for k in range(1, INTERACTING + 1))
    samples = {f"view {v + 1}": Vectors(ids, X) for v, X in enumerate(views)}
    samples["noise"] = Vectors(ids, rng.normal(size=(INTERACTING, 4)))
    kernels = {
        name: Gaussian(_median(part.X)).similarities(part, name=name) for name, part in samples.items()
    }
    return DataSet(
        name="Unlike partners" if complementary else "Interacting genes",
        ids=ids,
        labels=Labels(ids, _classes(kind, complementary)),
        samples={"network": Network(ids, sparse.csr_array(A)), **samples},
        kernels=kernels,
        description=_UNLIKE if complementary else _ALIKE,
        simulated=True,
    )


def _classes(kind: IntArray, complementary: bool) -> NDArray[np.str_]:
    if complementary:
        return np.array([f"type {k + 1}" for k in kind])
    return np.array([f"group {k % _GROUPS + 1:02d}" for k in range(INTERACTING)])


def unlike_partners(seed: int = 0) -> DataSet:
    """`interacting_genes` whose edges join unlike types."""
    return interacting_genes(seed, complementary=True)


def _edges(Z: FloatArray, kind: IntArray, complementary: bool, rng: np.random.Generator) -> FloatArray:
    reach = 0.6 if complementary else _REACH
    U = rng.random((INTERACTING, INTERACTING))
    near = np.exp(-squareform(pdist(Z, "sqeuclidean")) / (2.0 * reach**2)) > U
    if complementary:
        near &= kind[:, None] != kind[None, :]
    A = np.triu(near, 1)
    rows, columns = np.triu_indices(INTERACTING, 1)
    drawn = rng.choice(rows.size, round(_SPURIOUS * int(A.sum())), replace=False)
    A[rows[drawn], columns[drawn]] = True
    return np.asarray(A | A.T, dtype=np.float64)


def _view(z: FloatArray, kind: IntArray, complementary: bool, rng: np.random.Generator) -> FloatArray:
    X = np.hstack([z[:, None] + 0.3 * rng.normal(size=(INTERACTING, 1)), rng.normal(size=(INTERACTING, 3))])
    if complementary:
        X = np.hstack([X, (2.0 * kind - 1.0 + 0.5 * rng.normal(size=INTERACTING))[:, None]])
    return np.asarray(X)


def _median(X: FloatArray) -> float:
    """Width σ with σ² = the median squared distance; the kernel is exp(−d² / (2 σ²))."""
    return float(np.sqrt(np.median(pdist(X, "sqeuclidean"))))
