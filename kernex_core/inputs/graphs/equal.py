"""Items that are equal: the same sequence, vector or graph under several ids."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from kernex_core.alike import first_of
from kernex_core.frozen import IntArray
from kernex_core.gram.graph import Graph
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Samples, Sequences, Vectors

_ROUNDS = 10
"""Refinements of the colours of vertices: two vertices that differ only farther away than this count as the same."""


def equal_items(samples: Samples) -> IntArray | None:
    """(n,) place of the first item that each one equals, its own where there is none before; None of other kinds of samples.

    Sequences letter by letter, vectors number by number (missing ones at the same places), graphs up to the numbering of
    their vertices, as far as refining colours of vertices by those of their neighbours tells.

    Examples
    --------
    >>> from kernex_core.inputs.graphs.equal import equal_items
    >>> from kernex_core.inputs.samples import Sequences
    >>> equal_items(Sequences(("a", "b", "c"), ("ACD", "ACE", "ACD"))).tolist()
    [0, 1, 0]
    """
    if isinstance(samples, Sequences):
        return first_of(samples.strings)
    if isinstance(samples, Vectors):
        # −0 and 0 are the same number, in other bytes
        return first_of([row.tobytes() for row in np.ascontiguousarray(samples.X + 0.0)])
    if isinstance(samples, GraphSet):
        return equal_graphs(samples.graphs)
    return None


def equal_graphs(graphs: Sequence[Graph]) -> IntArray:
    """The same of graphs."""
    made = first_of([_counts(graph) for graph in graphs])
    alike = np.flatnonzero(np.bincount(made, minlength=len(graphs))[made] > 1).tolist()
    # few are as large as another one, and only these are refined
    refined = dict(zip(alike, _refined([graphs[i] for i in alike]), strict=True))
    return first_of([(int(made[i]), refined.get(i)) for i in range(len(graphs))])


def _counts(graph: Graph) -> Hashable:
    return graph.n_nodes, graph.n_edges, tuple(sorted(_own(graph))), tuple(sorted(_names(graph.edge_labels)))


def _own(graph: Graph) -> list[tuple[str, bytes]]:
    """What each vertex is by itself."""
    labels = _names(graph.node_labels) or [""] * graph.n_nodes
    if graph.node_attributes is None:
        return [(label, b"") for label in labels]
    rows = np.ascontiguousarray(graph.node_attributes + 0.0)
    return [(label, row.tobytes()) for label, row in zip(labels, rows, strict=True)]


def _names(labels: Iterable[object] | None) -> list[str]:
    return [] if labels is None else [str(label) for label in labels]


def _refined(graphs: Sequence[Graph]) -> list[Hashable]:
    """Sorted colours of the vertices of each graph; one dictionary numbers the colours of all."""
    numbers: dict[Hashable, int] = {}
    colours = [[numbers.setdefault(own, len(numbers)) for own in _own(graph)] for graph in graphs]
    for _ in range(_ROUNDS):
        numbers = {}
        colours = [_once(graph, own, numbers) for graph, own in zip(graphs, colours, strict=True)]
    return [tuple(sorted(own)) for own in colours]


def _once(graph: Graph, colours: Sequence[int], numbers: dict[Hashable, int]) -> list[int]:
    around: list[list[tuple[str, int]]] = [[] for _ in colours]
    labels = _names(graph.edge_labels) or [""] * graph.n_edges
    for (i, j), label in zip(graph.edges.tolist(), labels, strict=True):
        around[i].append((label, colours[j]))
        around[j].append((label, colours[i]))
    keys = [(own, tuple(sorted(near))) for own, near in zip(colours, around, strict=True)]
    return [numbers.setdefault(key, len(numbers)) for key in keys]
