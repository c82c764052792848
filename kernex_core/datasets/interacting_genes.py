"""Interacting genes: a network and four kernels of the same genes, each of which sees a part of what makes an edge."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.spatial.distance import pdist, squareform

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import check_seed
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.vectors.distance import Gaussian

GENES = 150
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
    Z = centres[np.arange(GENES) % _GROUPS] + 0.3 * rng.normal(size=(GENES, 3))
    kind = rng.integers(0, 2, GENES)
    A = _edges(Z, kind, complementary, rng)
    views = [_view(Z[:, v], kind, complementary, rng) for v in range(_VIEWS)]
    ids = tuple(f"gene{k:03d}" for k in range(1, GENES + 1))
    samples = {f"view {v + 1}": Vectors(ids, X) for v, X in enumerate(views)}
    samples["noise"] = Vectors(ids, rng.normal(size=(GENES, 4)))
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
    return np.array([f"group {k % _GROUPS + 1:02d}" for k in range(GENES)])


def unlike_partners(seed: int = 0) -> DataSet:
    """`interacting_genes` whose edges join unlike types."""
    return interacting_genes(seed, complementary=True)


def _edges(Z: FloatArray, kind: IntArray, complementary: bool, rng: np.random.Generator) -> FloatArray:
    reach = 0.6 if complementary else _REACH
    U = rng.random((GENES, GENES))
    near = np.exp(-squareform(pdist(Z, "sqeuclidean")) / (2.0 * reach**2)) > U
    if complementary:
        near &= kind[:, None] != kind[None, :]
    A = np.triu(near, 1)
    rows, columns = np.triu_indices(GENES, 1)
    drawn = rng.choice(rows.size, round(_SPURIOUS * int(A.sum())), replace=False)
    A[rows[drawn], columns[drawn]] = True
    return np.asarray(A | A.T, dtype=np.float64)


def _view(z: FloatArray, kind: IntArray, complementary: bool, rng: np.random.Generator) -> FloatArray:
    X = np.hstack([z[:, None] + 0.3 * rng.normal(size=(GENES, 1)), rng.normal(size=(GENES, 3))])
    if complementary:
        X = np.hstack([X, (2.0 * kind - 1.0 + 0.5 * rng.normal(size=GENES))[:, None]])
    return np.asarray(X)


def _median(X: FloatArray) -> float:
    """Width σ with σ² = the median squared distance; the kernel is exp(−d² / (2 σ²))."""
    return float(np.sqrt(np.median(pdist(X, "sqeuclidean"))))
