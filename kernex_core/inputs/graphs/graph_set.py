"""GraphSet: graphs as the items of a data set."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, first_of
from kernex_core.base.sparse_rows import equal_sparse_rows
from kernex_core.base.validation import LARGEST_ENTRY
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import as_positions
from kernex_core.gram.provenance import Call, method
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import (
    ChosenItems,
    Labels,
    Note,
    Samples,
    Sequences,
    SparseVectors,
    Vectors,
    as_written,
)

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


_ROUNDS = 10
"""Refinements of the colours of vertices: two vertices that differ only farther away than this count as the same."""


def equal_items(samples: Samples) -> IntArray | None:
    """(n,) place of the first item that each one equals, its own where there is none before; None of other kinds of samples.

    Sequences letter by letter, vectors number by number (missing ones at the same places), graphs up to the numbering of
    their vertices, as far as refining colours of vertices by those of their neighbours tells.

    Examples
    --------
    >>> from kernex_core.inputs.graphs.graph_set import equal_items
    >>> from kernex_core.inputs.samples import Sequences
    >>> equal_items(Sequences(("a", "b", "c"), ("ACD", "ACE", "ACD"))).tolist()
    [0, 1, 0]
    """
    if isinstance(samples, Sequences):
        return first_of(samples.strings)
    if isinstance(samples, Vectors):
        # −0 and 0 are the same number, in other bytes
        return first_of([row.tobytes() for row in np.ascontiguousarray(samples.X + 0.0)])
    if isinstance(samples, SparseVectors):
        return equal_sparse_rows(samples.X)
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


# What is to be known about graphs: how large they are, which have no vertices or edges, what tells vertices apart.

WITHOUT_VERTICES: Final = "Graphs without vertices"
"""How a note on them begins: a reader that knows why says it already."""


def described(found: GraphSet) -> str:
    """What vertices and edges carry, as a phrase: "7 labels of vertices, 4 labels of edges"."""
    said = []
    for labels, of in ((found.node_labels, "vertices"), (found.edge_labels, "edges")):
        if labels is not None:
            said.append(f"{counted(np.unique(labels).size, 'label')} of {of}")
    if found.node_attributes is not None:
        said.append(f"{counted(found.node_attributes.shape[1], 'attribute')} of vertices")
    return ", ".join(said) or "no labels"


def graph_notes(found: GraphSet) -> tuple[Note, ...]:
    """Notes on the graphs as they are, each with what it means for kernels."""
    nodes, edges = found.n_nodes, found.n_edges
    notes = [
        Note(
            f"{counted(found.n, 'graph')} of {nodes.min():,} to {nodes.max():,} vertices (mean {nodes.mean():.1f}) and "
            f"{edges.mean():.1f} edges on average; {described(found)}.",
            severity="fine",
        )
    ]
    notes += _bare(found)
    if found.node_labels is None and found.node_attributes is None:
        notes.append(
            Note(
                "Vertices have no labels.",
                "All count as equal: kernels see the shape alone.",
                "Bring labels of the vertices, if there are any.",
            )
        )
    if found.node_labels is not None and (blank := int((found.node_labels == "").sum())):
        notes.append(
            Note(
                f"Vertices without a label, where others have one: {blank:,}.",
                "They are alike, and unlike all others.",
                "Give them a label.",
                "warning",
            )
        )
    return tuple(notes)


def without_vertices(ids: Sequence[str], why: str = "") -> list[Note]:
    """Name graphs without vertices, and say why there are such."""
    if not ids:
        return []
    return [
        Note(
            f"{WITHOUT_VERTICES}: {len(ids):,} ({listed(list(ids))}){why}.",
            "Each has similarity 0 with everything, itself included.",
            "Leave them out under Selection.",
            "warning",
        )
    ]


def _bare(found: GraphSet) -> list[Note]:
    """Graphs without vertices, without edges, and with vertices that no edge reaches."""
    said = any(note.text.startswith(WITHOUT_VERTICES) for note in found.notes)
    notes = [] if said else without_vertices([found.ids[k] for k in np.flatnonzero(found.n_nodes == 0)])
    bare = [found.ids[k] for k in np.flatnonzero((found.n_edges == 0) & (found.n_nodes > 0))]
    if bare:
        notes.append(
            Note(
                f"Graphs without edges: {len(bare):,} ({listed(bare)}).",
                "Kernels see their vertices alone, and some kernels nothing.",
                "Leave them out under Selection.",
                "warning",
            )
        )
    starts = np.cumsum(found.n_nodes) - found.n_nodes
    reached = np.unique(found.edges + np.repeat(starts, found.n_edges)[:, None])
    alone = int(found.n_nodes.sum()) - reached.size - int(found.n_nodes[found.n_edges == 0].sum())
    if alone:
        notes.append(
            Note(f"Vertices that no edge reaches, in graphs with edges: {alone:,}.", "They stay.", "", "fine")
        )
    return notes
