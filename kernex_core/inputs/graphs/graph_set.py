"""GraphSet: graphs as the items of a data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray, IntArray, digest
from kernex_core.gram.graph import Graph
from kernex_core.gram.positions import as_positions
from kernex_core.gram.provenance import Call, method
from kernex_core.inputs.chosen_items import ChosenItems, as_written
from kernex_core.inputs.samples import Labels, Note, Samples
from kernex_core.validation import LARGEST_ENTRY

T = TypeVar("T", bound=np.generic)
VERTEX_LIMIT = 2_000_000
"""Vertices of all graphs of a set together."""
EDGE_LIMIT = 5_000_000
"""Edges of all graphs of a set, and lines of edges that are read."""


@dataclass(frozen=True, eq=False)
class GraphSet(Samples):
    """Named graphs, held as long arrays: thousands of small graphs are few objects in a file and in a digest.

    Attributes
    ----------
    n_nodes, n_edges : (n,) int array
        Of each graph.
    edges : (sum of n_edges, 2) int array
        Graph after graph; vertices are counted from 0 in each.
    node_labels, edge_labels : str array or None
        Of all vertices and of all edges, graph after graph.
    node_attributes : (sum of n_nodes, d) float array or None
    attribute_names : tuple of str
        Of the d columns; empty: not named.
    """

    kind: ClassVar[str] = "graphs"
    n_nodes: IntArray
    n_edges: IntArray
    edges: IntArray
    node_labels: NDArray[np.str_] | None = None
    edge_labels: NDArray[np.str_] | None = None
    node_attributes: FloatArray | None = None
    attribute_names: tuple[str, ...] = ()
    labels: Labels | None = None
    notes: tuple[Note, ...] = ()
    recipe: Call | None = None

    def __post_init__(self) -> None:
        for name in ("n_nodes", "n_edges"):
            object.__setattr__(self, name, _whole(getattr(self, name)))
        object.__setattr__(self, "edges", _whole(self.edges).reshape(-1, 2))
        object.__setattr__(self, "attribute_names", tuple(map(str, self.attribute_names)))
        super().__post_init__()
        _check_lengths(self)
        _check_order(self)

    @classmethod
    def of(
        cls,
        graphs: Sequence[Graph],
        ids: Sequence[str] | None = None,
        *,
        labels: Labels | None = None,
        notes: tuple[Note, ...] = (),
        recipe: Call | None = None,
        attribute_names: Sequence[str] = (),
    ) -> Self:
        """Graphs put together.

        Parameters
        ----------
        graphs : sequence of Graph
            All with labels of vertices, or none; likewise of edges, and attributes.
        ids : sequence of str, optional
            g1, g2, ... where there are none.

        Raises
        ------
        InvalidInputError
            Labels or attributes in some graphs only.
        """
        return cls(
            tuple(ids) if ids is not None else tuple(f"g{k}" for k in range(1, len(graphs) + 1)),
            np.array([graph.n_nodes for graph in graphs], np.int64),
            np.array([graph.n_edges for graph in graphs], np.int64),
            np.concatenate([np.empty((0, 2), np.int64), *(graph.edges for graph in graphs)]),
            _together([graph.node_labels for graph in graphs], "labels of vertices"),
            _together([graph.edge_labels for graph in graphs], "labels of edges"),
            _together([graph.node_attributes for graph in graphs], "attributes of vertices"),
            tuple(attribute_names),
            labels,
            notes,
            recipe,
        )

    @cached_property
    def graphs(self) -> tuple[Graph, ...]:
        """Each graph for itself."""
        nodes, edges = np.cumsum(self.n_nodes)[:-1], np.cumsum(self.n_edges)[:-1]
        empty: list[None] = [None] * self.n
        return tuple(
            Graph(int(size), pairs, names, kinds, X)
            for size, pairs, names, kinds, X in zip(
                self.n_nodes,
                np.split(self.edges, edges),
                empty if self.node_labels is None else np.split(self.node_labels, nodes),
                empty if self.edge_labels is None else np.split(self.edge_labels, edges),
                empty if self.node_attributes is None else np.split(self.node_attributes, nodes),
                strict=True,
            )
        )

    @property
    def values(self) -> tuple[Graph, ...]:
        """What kernels take."""
        return self.graphs

    @cached_property
    def digest(self) -> str:
        """SHA-256 of ids and graphs."""
        return digest(
            list(self.ids),
            self.n_nodes,
            self.n_edges,
            self.edges,
            self.node_labels,
            self.edge_labels,
            self.node_attributes,
            list(self.attribute_names),
        )

    def take(self, items: ArrayLike | ChosenItems) -> GraphSet:
        """Select graphs by mask or positions."""
        at = as_positions(items, self.n)
        written = as_written(items, at)
        chosen = GraphSet.of([self.graphs[i] for i in at], [self.ids[i] for i in at])
        return replace(
            self,
            ids=chosen.ids,
            n_nodes=chosen.n_nodes,
            n_edges=chosen.n_edges,
            edges=chosen.edges,
            node_labels=chosen.node_labels,
            edge_labels=chosen.edge_labels,
            node_attributes=chosen.node_attributes,
            labels=self.labels.take(written) if self.labels else None,
            recipe=method("graphs", self.recipe, "take", written) if self.recipe else None,
        )


def _whole(values: ArrayLike) -> IntArray:
    given = np.asarray(values)
    if given.size and given.dtype.kind not in "iu":
        raise InvalidInputError("Vertices and edges are counted in whole numbers", str(given.dtype))
    return given.astype(np.int64)


def _check_order(found: GraphSet) -> None:
    """Edges of each graph have to be as a graph keeps them, or their labels would be those of others."""
    graph = np.repeat(np.arange(found.n), found.n_edges)
    i, j = found.edges.T
    outside = (i < 0) | (j < 0) | (i >= found.n_nodes[graph]) | (j >= found.n_nodes[graph])
    if outside.any() or bool((i == j).any()):
        _ = found.graphs  # a graph says best what is wrong with it
    # behind the edge before it, in the same graph: by the first vertex, then by the second
    rises = (graph[1:] != graph[:-1]) | (i[1:] > i[:-1]) | ((i[1:] == i[:-1]) & (j[1:] > j[:-1]))
    if not (bool((i < j).all()) and bool(rises.all())):
        raise InvalidInputError(
            "Edges of a set of graphs stand as a graph keeps them: i < j, sorted, each once",
            "another order",
            "Put graphs together with GraphSet.of",
        )


def check_graph_sizes(nodes: int, edges: int, where: str = "") -> None:
    """Refuse more vertices or edges than the limits, before room for them is taken.

    Raises
    ------
    TooLargeError
    """
    if nodes > VERTEX_LIMIT or edges > EDGE_LIMIT:
        raise TooLargeError(
            f"Graphs may have {VERTEX_LIMIT:,} vertices and {EDGE_LIMIT:,} edges in all",
            f"{nodes:,} and {edges:,}" + (f" lines in {where}" if where else ""),
            "Bring a part of the graphs",
        )


def _check_lengths(found: GraphSet) -> None:
    n = len(found.ids)
    if not (found.n_nodes.shape == found.n_edges.shape == (n,)) or n == 0:
        raise InvalidInputError(
            "There has to be at least one graph, and one number of vertices and of edges a graph",
            f"{n} ids, {found.n_nodes.size} and {found.n_edges.size} numbers",
        )
    if found.n_nodes.min() < 0 or found.n_edges.min() < 0:
        raise InvalidInputError("Numbers of vertices and edges are at least 0", "a negative number")
    nodes, edges = sum(found.n_nodes.tolist()), sum(found.n_edges.tolist())
    check_graph_sizes(nodes, edges)
    for name, part, expected in (
        ("edges", found.edges, edges),
        ("labels of vertices", found.node_labels, nodes),
        ("labels of edges", found.edge_labels, edges),
        ("rows of attributes", found.node_attributes, nodes),
    ):
        if part is not None and part.shape[:1] != (expected,):
            raise InvalidInputError(f"There have to be {expected:,} {name}", f"{part.shape[0]:,}")
    X = found.node_attributes
    if X is not None and (X.ndim != 2 or not (np.abs(X) <= LARGEST_ENTRY).all()):
        raise InvalidInputError(
            f"Attributes are one row a vertex, finite and at most {LARGEST_ENTRY:g} in size", "others"
        )
    if found.labels is not None and found.labels.ids != found.ids:
        raise InvalidInputError(
            "The classes of graphs have to be about the graphs in their order", "other ids"
        )


def _together(parts: Sequence[NDArray[T] | None], what: str) -> NDArray[T] | None:
    given = [part for part in parts if part is not None]
    if not given:
        return None
    if len(given) < len(parts):
        missing = next(k for k, part in enumerate(parts, 1) if part is None)
        raise InvalidInputError(f"All graphs have {what}, or none has", f"none in graph {missing}")
    if len({part.shape[1:] for part in given}) > 1:
        raise InvalidInputError(f"All graphs have the same number of {what}", "different numbers")
    return np.concatenate(given)
