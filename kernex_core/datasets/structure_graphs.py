"""Graphs of helices, strands and loops whose vertices have measurements and counts, for kernels on mixed attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import check_seed
from kernex_core.completion.node_kernels import NodeColumns, attributes_of
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.graphs.walks import walk_sums_in_steps
from kernex_core.kernels.vectors.distance import median_distance
from kernex_core.runtime.progress import finished

GRAPHS: Final = 80
SIZES: Final = (9, 14)
"""Fewest and most vertices."""
NAMES: Final = ("length", "hydrophobicity", "volume", "small", "polar", "charged", "greasy")
CENTRES: Final = np.array([[11.0, 1.5, 60.0], [6.0, 2.5, 45.0], [5.0, 0.5, 35.0]])
"""Mean measurements of helices, strands and loops."""
COLUMNS: Final = NodeColumns((0, 1, 2), (3, 4, 5, 6))
SPREADS: Final = np.array([2.5, 0.8, 8.0])
"""Standard deviations: each measurement alone tells the kinds apart badly."""
COUNTS: Final = np.array([[2.0, 0.5, 3.0, 3.0], [1.0, 1.0, 0.3, 5.0], [3.0, 4.0, 1.0, 0.5]])
"""Mean counts of the four kinds of residues."""
STAY: Final = 0.1
"""Share of contacts that do not follow the class."""

_DESCRIPTION = (
    "Simulated: 80 graphs of 9 to 14 helices, strands and loops along a chain, two classes of 40. A vertex has three "
    "measurements (length, hydrophobicity, volume) and counts of four kinds of residues, both noisy. Edges are labelled by "
    "type and rounded length: neighbours in sequence, contacts in space. Nine contacts in ten join vertices of one kind in "
    "class alike, and of two kinds in class mixed; composition and number of contacts are the same. Sum and product of "
    "a kernel on measurements and one on counts tell the classes best here, and a joint kernel between them (λ .1 to .9) "
    "does worse than either."
)


def structure_graphs(seed: int = 0) -> DataSet:
    """Graphs whose vertices have continuous and discrete attributes, and whose edges have a type and a rounded length.

    Parameters
    ----------
    seed : int
        At least 0.

    Returns
    -------
    DataSet
        Samples "structures": seven columns of attributes, the first three continuous. Kernel "walks": up to three edges,
        over the product of a Gaussian kernel (median width) and the cosine of the counts.

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng = np.random.default_rng(check_seed(seed))
    classes = np.array(["alike", "mixed"])[np.arange(GRAPHS) % 2]
    graphs = [_graph(name == "alike", rng) for name in classes]
    ids = tuple(f"s{k + 1:02d}" for k in range(GRAPHS))
    K = _walks(graphs, ids)
    return DataSet(
        name="Structure graphs",
        ids=ids,
        labels=Labels(ids, classes),
        samples={"structures": GraphSet.of(graphs, ids, attribute_names=NAMES)},
        kernels={K.name: K.then(CosineNormalize())},
        description=_DESCRIPTION,
        simulated=True,
        defaults=Defaults(C=10.0, folds=10),
    )


def _walks(graphs: Sequence[Graph], ids: tuple[str, ...]) -> GramMatrix:
    """Walks of up to three edges, vertices compared by the product of both kernels."""
    of = attributes_of(graphs, COLUMNS)
    sigma = median_distance(of.continuous)

    def product(first: int, end: int) -> FloatArray:
        rows, columns = slice(first, end), slice(first, None)
        return of.gaussian(rows, columns, sigma) * of.linear(rows, columns)

    return GramMatrix(finished(walk_sums_in_steps(graphs, product)).up_to(3), ids, "walks", seen=ITEMS)


def _graph(alike: bool, rng: np.random.Generator) -> Graph:
    n = int(rng.integers(SIZES[0], SIZES[1] + 1))
    kinds = rng.permutation(np.arange(n) % 3)
    pairs, labels = _edges(kinds, alike, rng)
    return Graph(n, pairs, edge_labels=labels, node_attributes=_attributes(kinds, rng))


def _attributes(kinds: IntArray, rng: np.random.Generator) -> FloatArray:
    """(n, 7) measurements and counts."""
    measured = CENTRES[kinds] + SPREADS * rng.normal(size=(kinds.size, 3))
    return np.hstack([np.round(measured, 2), rng.poisson(COUNTS[kinds]).astype(np.float64)])


def _edges(kinds: IntArray, alike: bool, rng: np.random.Generator) -> tuple[IntArray, list[str]]:
    """Neighbours in sequence, and as many contacts between vertices that are no neighbours; each with type and length."""
    n = kinds.size
    pairs = [(i, i + 1) for i in range(n - 1)]
    labels = [f"sequence {length}" for length in rng.integers(1, 3, n - 1)]
    far = np.argwhere(np.triu(np.ones((n, n), dtype=bool), 2))
    same = kinds[far[:, 0]] == kinds[far[:, 1]]
    for follows in rng.random(n - 1) >= STAY:
        wanted = np.flatnonzero(same == (alike == follows))
        if wanted.size:
            at = int(rng.choice(wanted))
            pairs.append((int(far[at, 0]), int(far[at, 1])))
            labels.append(f"space {int(rng.integers(4, 6))}")
            far, same = np.delete(far, at, axis=0), np.delete(same, at)
    return np.array(pairs, dtype=np.int64), labels
