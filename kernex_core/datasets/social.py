"""Networks: three small ones that everybody knows, and blocks, whose classes diffusion finds at middle times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.base.parameters import check_seed, repetition_rng
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.networks.network import Network, structure_notes
from kernex_core.inputs.samples import Labels, Note, Vectors
from kernex_core.kernels.networks.diffusion import Diffusion

# Three small networks that everybody knows, as networkx brings them: karate club, Les Misérables, Florentine families.

_KARATE = (
    "Real: 34 members of a karate club and who met whom outside it, weighted by the number of occasions, in the two years "
    "before it split (Zachary 1977). The classes are the clubs that they joined: Mr. Hi's or the officer's."
)
_MISERABLES = (
    "Real: 77 characters of Hugo's novel, joined by the number of chapters in which they appear together (Knuth 1993). "
    "The classes are communities that were found in the network itself by greedy modularity (Clauset, Newman and Moore "
    "2004): how well a kernel names them tells how the two methods agree, and nothing about the novel."
)
_FLORENCE = (
    "Real: 15 families of Renaissance Florence, joined by marriage (Padgett 1994, as in Breiger and Pattison 1986). There "
    "are no classes."
)
_CIRCULAR = Note(
    "The classes were computed from the network itself.",
    "Accuracy on them tells how two methods agree, not how well something unknown is predicted.",
    "Bring labels of your own.",
    "warning",
)


def karate_club(seed: int = 0) -> DataSet:
    """Zachary's karate club with the faction of each member, and its diffusion kernel at τ = 1.

    Parameters
    ----------
    seed : int
        Without effect: the data are real.

    Returns
    -------
    DataSet
        Samples "network", kernel "diffusion".

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    check_seed(seed)
    import networkx  # slow to import

    graph = networkx.karate_club_graph()
    faction = ["Mr. Hi" if graph.nodes[k]["club"] == "Mr. Hi" else "officer" for k in graph]
    return _data("Karate club", graph, [f"member {k + 1}" for k in graph], faction, _KARATE)


def les_miserables(seed: int = 0) -> DataSet:
    """Characters of Les Misérables with communities as classes, and their diffusion kernel at τ = 1; see `karate_club`."""
    check_seed(seed)
    import networkx

    graph = networkx.les_miserables_graph()
    found = networkx.community.greedy_modularity_communities(graph, weight="weight")
    community = {name: f"community {k}" for k, names in enumerate(found, 1) for name in names}
    names = list(graph)
    return _data("Les Misérables", graph, names, [community[n] for n in names], _MISERABLES, (_CIRCULAR,))


def florentine_families(seed: int = 0) -> DataSet:
    """Marriages of Florentine families, without classes, and their diffusion kernel at τ = 1; see `karate_club`."""
    check_seed(seed)
    import networkx

    graph = networkx.florentine_families_graph()
    return _data("Florentine families", graph, list(graph), None, _FLORENCE)


def _data(
    name: str,
    graph: Any,
    ids: Sequence[str],
    classes: Sequence[str] | None,
    description: str,
    notes: tuple[Note, ...] = (),
) -> DataSet:
    import networkx

    nodes = tuple(ids)
    labels = None if classes is None else Labels(nodes, np.array(classes, dtype=np.str_))
    B = networkx.to_scipy_sparse_array(graph, dtype=np.float64, format="csr")
    bare = Network(nodes, B, labels)
    network = Network(nodes, B, labels, None, structure_notes(bare.adjacency, nodes))
    return DataSet(
        name=name,
        ids=nodes,
        labels=labels,
        samples={"network": network},
        kernels={"diffusion": Diffusion(tau=1.0).similarities(network, name="diffusion")},
        description=description,
        target="diffusion",
        defaults=Defaults(C=1.0, folds=5, repeats=5),
        notes=notes,
    )


# Blocks: a stochastic block model whose classes diffusion finds at middle times.

N_BLOCKS, PER_BLOCK = 6, 20
WITHIN, BETWEEN = 0.2, 0.012
"""Probability of an edge between two nodes of one block, and of different blocks."""
FLIPPED = 0.15
"""Share of the nodes that carry the label of the other class: nobody can name more than 85 % rightly."""
TAU = 5.0
MEASUREMENTS, NOISE = 30, 0.5
"""Measurements of every node: those of its block, drawn from N(0, 1), with noise of this standard deviation. With one marker
a block instead, even without noise, no features explain enough of the kernel at τ = 5 for what a bias row adds to show."""

_DESCRIPTION = (
    "Simulated: 120 nodes in 6 blocks of 20. Two nodes are joined with probability .2 inside a block and .012 between "
    "blocks; nodes that no edge reached are joined to one of their block. The classes are even and odd blocks, and 15 % "
    "of the nodes carry the wrong one, so that 85 % is the most that a classifier can get. A diffusion kernel that "
    "reaches too near knows nothing of the block, one that reaches too far mixes all blocks. Every node has 30 "
    "measurements, those of its block and noise, by which a node that is not in the network can be placed."
)


def blocks(seed: int = 0) -> DataSet:
    """A network of six blocks in two classes, with its diffusion kernel at τ = 5.

    Parameters
    ----------
    seed : int
        At least 0; draws the edges and the flipped labels.

    Returns
    -------
    DataSet
        Samples "network" of 120 nodes, kernel "diffusion"; sorted by block.

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng = np.random.default_rng(check_seed(seed))
    block = np.repeat(np.arange(N_BLOCKS), PER_BLOCK)
    B = _joined(_edges(block, rng), block, rng)
    ids = tuple(f"b{int(b) + 1}n{k % PER_BLOCK + 1:02d}" for k, b in enumerate(block))
    flipped = rng.choice(block.size, round(FLIPPED * block.size), replace=False)
    odd = block % 2
    odd[flipped] = 1 - odd[flipped]
    labels = Labels(ids, np.where(odd == 1, "odd", "even"))
    network = Network(ids, B, labels, _measured(ids, block, seed))  # type: ignore[arg-type]  # a dense array is taken, too
    network = replace(network, notes=structure_notes(network.adjacency, ids))
    return DataSet(
        name="Blocks",
        ids=ids,
        labels=labels,
        samples={"network": network},
        kernels={"diffusion": Diffusion(tau=TAU).similarities(network, name="diffusion")},
        description=_DESCRIPTION,
        simulated=True,
        target="diffusion",
        defaults=Defaults(C=1.0, folds=5, repeats=5, tau=TAU),
    )


def _edges(block: IntArray, rng: np.random.Generator) -> BoolArray:
    """(n, n) whether two nodes are joined."""
    p = np.where(block[:, None] == block[None, :], WITHIN, BETWEEN)
    half = np.triu(rng.random(p.shape) < p, 1)
    return np.asarray(half | half.T)


def _joined(edges: BoolArray, block: IntArray, rng: np.random.Generator) -> FloatArray:
    """Join every node without an edge to another one of its block."""
    B = edges.astype(np.float64)
    for node in np.flatnonzero(~edges.any(axis=1)):
        other = rng.choice(np.flatnonzero((block == block[node]) & (np.arange(block.size) != node)))
        B[node, other] = B[other, node] = 1.0
    return B


def _measured(ids: tuple[str, ...], block: IntArray, seed: int) -> Vectors:
    """Measurements of the nodes, drawn apart from the edges."""
    rng = repetition_rng(seed, 1)
    profiles = rng.normal(size=(N_BLOCKS, MEASUREMENTS))
    X = profiles[block] + rng.normal(scale=NOISE, size=(block.size, MEASUREMENTS))
    return Vectors(ids, X, tuple(f"measurement {k + 1}" for k in range(MEASUREMENTS)))
