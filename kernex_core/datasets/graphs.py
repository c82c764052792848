"""Data sets of graphs: structures with mixed attributes, and graphs whose classes only walks or only counts tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import check_seed, repetition_rng
from kernex_core.completion.node_kernels import NodeColumns, attributes_of
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.graphs.walks import walk_sums_in_steps
from kernex_core.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman
from kernex_core.kernels.vectors.distance import median_distance
from kernex_core.runtime.progress import finished

# Graphs of helices, strands and loops whose vertices have measurements and counts, for kernels on mixed attributes.

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


# Like beside like: graphs of two classes that have the same labels, arranged otherwise.

PER_CLASS = 50
SMALLEST, LARGEST = 12, 18
VALENCE, CLOSURES = 4, 3
"""Edges that a vertex may have, and pairs of vertices that a tree is closed to rings by, where both have room."""
LABELS = ("A", "B", "C", "D")
MORE = 0.04
"""By how much label A is more, and D less, probable than 1/4 in class "alike"; in class "mixed" the other way round."""
COUPLING, SWEEPS = 1.0, 4
"""J of exp(± J × edges with equal labels), and proposals a vertex of exchanging two labels."""
ALIKE_CENTRES = np.array([[0.0, 0.0], [70.0, 0.0], [0.0, 70.0], [70.0, 70.0]])
SPREAD = 20.0
RATES = np.array([[2.0, 0.3, 0.3], [0.3, 2.0, 0.3], [0.3, 0.3, 2.0], [1.0, 1.0, 1.0]])
"""Mean measurements of a vertex by its label, their standard deviation, and mean counts."""

_LIKE = (
    "Simulated: 100 graphs of 12 to 18 vertices, each a random tree with up to three rings, whose vertices have one of "
    "four labels. Both classes have nearly the same labels; they were rearranged so that in class “alike” neighbours tend "
    "to have the same label, and in class “mixed” another one. Counting labels gets 65 % right, counting pairs of "
    "neighbours as well 92 % (means over 60 seeds). Vertices also have two measurements and three counts, which depend on "
    "their label."
)


def like_beside_like(seed: int = 0) -> DataSet:
    """Two classes of 50 labelled graphs that differ in which labels are neighbours.

    Parameters
    ----------
    seed : int
        At least 0; draws the graphs, their labels and attributes.

    Returns
    -------
    DataSet
        Samples "graphs", kernel "subtrees" (Weisfeiler-Lehman, two iterations, cosine); class after class.

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng, others = np.random.default_rng(check_seed(seed)), repetition_rng(seed, 1)
    classes = np.repeat(["alike", "mixed"], PER_CLASS)
    made = [_alike_graph(1 if name == "alike" else -1, rng, others) for name in classes]
    ids = tuple(f"{name} {k % PER_CLASS + 1:02d}" for k, name in enumerate(classes))
    labels = Labels(ids, classes)
    names = ("size", "charge", "rings", "donors", "acceptors")
    graphs = GraphSet.of(made, ids, labels=labels, attribute_names=names)
    K = WeisfeilerLehman(iterations=2).similarities(graphs, name="subtrees")
    return DataSet(
        name="Like beside like",
        ids=ids,
        labels=labels,
        samples={"graphs": graphs},
        kernels={"subtrees": K.then(CosineNormalize()).renamed("subtrees")},
        description=_LIKE,
        simulated=True,
        target="subtrees",
        defaults=Defaults(C=10.0, folds=5, repeats=5),
    )


def _alike_graph(sign: int, rng: np.random.Generator, others: np.random.Generator) -> Graph:
    n = int(rng.integers(SMALLEST, LARGEST + 1))
    edges = _alike_edges(n, rng)
    p = 0.25 + sign * MORE * np.array([1.0, 0.0, 0.0, -1.0])
    label = rng.choice(len(LABELS), n, p=p)
    _rearrange(label, edges, sign * COUPLING, rng)
    return Graph(n, edges, np.array(LABELS)[label], node_attributes=_alike_attributes(label, others))


def _alike_edges(n: int, rng: np.random.Generator) -> IntArray:
    """A tree that every further vertex joins at one with room, and up to three edges that close rings."""
    degree = np.zeros(n, np.int64)
    found: set[tuple[int, int]] = set()
    for new in range(1, n):
        old = int(rng.choice(np.flatnonzero(degree[:new] < VALENCE)))
        found.add((old, new))
        degree[[old, new]] += 1
    for _ in range(CLOSURES):
        i, j = sorted(rng.choice(n, 2, replace=False).tolist())
        if (i, j) not in found and degree[i] < VALENCE and degree[j] < VALENCE:
            found.add((i, j))
            degree[[i, j]] += 1
    return np.array(sorted(found), np.int64)


def _rearrange(label: IntArray, edges: IntArray, coupling: float, rng: np.random.Generator) -> None:
    """Exchange labels of two vertices by Metropolis, weight exp(coupling × edges with equal labels); in place."""
    equal = int((label[edges[:, 0]] == label[edges[:, 1]]).sum())
    for _ in range(SWEEPS * label.size):
        i, j = rng.choice(label.size, 2, replace=False)
        if label[i] == label[j]:
            continue
        label[[i, j]] = label[[j, i]]
        after = int((label[edges[:, 0]] == label[edges[:, 1]]).sum())
        if rng.random() < math.exp(min(0.0, coupling * (after - equal))):
            equal = after
        else:
            label[[i, j]] = label[[j, i]]


def _alike_attributes(label: IntArray, rng: np.random.Generator) -> FloatArray:
    """(n, 5) two measurements and three counts of each vertex."""
    measured = ALIKE_CENTRES[label] + rng.normal(scale=SPREAD, size=(label.size, ALIKE_CENTRES.shape[1]))
    return np.column_stack([measured, rng.poisson(RATES[label])])
