"""Like beside like: graphs of two classes that have the same labels, arranged otherwise."""

from __future__ import annotations

import math

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import check_seed, repetition_rng
from kernex_core.gram.graph import Graph
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman

PER_CLASS = 50
SMALLEST, LARGEST = 12, 18
VALENCE, CLOSURES = 4, 3
"""Edges that a vertex may have, and pairs of vertices that a tree is closed to rings by, where both have room."""
LABELS = ("A", "B", "C", "D")
MORE = 0.04
"""By how much label A is more, and D less, probable than 1/4 in class "alike"; in class "mixed" the other way round."""
COUPLING, SWEEPS = 1.0, 4
"""J of exp(± J × edges with equal labels), and proposals a vertex of exchanging two labels."""
CENTRES = np.array([[0.0, 0.0], [70.0, 0.0], [0.0, 70.0], [70.0, 70.0]])
SPREAD = 20.0
RATES = np.array([[2.0, 0.3, 0.3], [0.3, 2.0, 0.3], [0.3, 0.3, 2.0], [1.0, 1.0, 1.0]])
"""Mean measurements of a vertex by its label, their standard deviation, and mean counts."""

_DESCRIPTION = (
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
    made = [_graph(1 if name == "alike" else -1, rng, others) for name in classes]
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
        description=_DESCRIPTION,
        simulated=True,
        target="subtrees",
        defaults=Defaults(C=10.0, folds=5, repeats=5),
    )


def _graph(sign: int, rng: np.random.Generator, others: np.random.Generator) -> Graph:
    n = int(rng.integers(SMALLEST, LARGEST + 1))
    edges = _edges(n, rng)
    p = 0.25 + sign * MORE * np.array([1.0, 0.0, 0.0, -1.0])
    label = rng.choice(len(LABELS), n, p=p)
    _rearrange(label, edges, sign * COUPLING, rng)
    return Graph(n, edges, np.array(LABELS)[label], node_attributes=_attributes(label, others))


def _edges(n: int, rng: np.random.Generator) -> IntArray:
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


def _attributes(label: IntArray, rng: np.random.Generator) -> FloatArray:
    """(n, 5) two measurements and three counts of each vertex."""
    measured = CENTRES[label] + rng.normal(scale=SPREAD, size=(label.size, CENTRES.shape[1]))
    return np.column_stack([measured, rng.poisson(RATES[label])])
