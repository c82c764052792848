"""Graph: one undirected graph with labels of its vertices and edges and attributes of its vertices, all optional."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays, digest, owned, owned_sparse
from kernex_core.validation import LARGEST_ENTRY

Names = Sequence[object] | NDArray[np.generic]


@dataclass(frozen=True, eq=False, init=False)
class Graph(ReadOnlyArrays):
    """One undirected graph without loops.

    Attributes
    ----------
    n_nodes : int
        At least 0.
    edges : (m, 2) int array
        Pairs of different vertices, counted from 0; kept as i < j, sorted, each once. An edge that is given twice is one.
    node_labels : (n_nodes,) str array or None
        None: the vertices are not told apart.
    edge_labels : (m,) str array or None
        In the order of `edges` as they are given, and then as they are kept.
    node_attributes : (n_nodes, d) float array or None
        Finite.

    Raises
    ------
    InvalidInputError
        A vertex that there is not, a loop, an edge with two labels (named), or parts of other lengths.

    Examples
    --------
    >>> Graph(3, [(1, 0), (2, 1)], node_labels=["C", "C", "O"]).edges.tolist()
    [[0, 1], [1, 2]]
    """

    n_nodes: int
    edges: IntArray
    node_labels: NDArray[np.str_] | None
    edge_labels: NDArray[np.str_] | None
    node_attributes: FloatArray | None

    def __init__(
        self,
        n_nodes: int,
        edges: ArrayLike = (),
        node_labels: Names | None = None,
        edge_labels: Names | None = None,
        node_attributes: ArrayLike | None = None,
    ) -> None:
        if isinstance(n_nodes, bool) or int(n_nodes) != n_nodes or n_nodes < 0:
            raise InvalidInputError("The number of vertices is a whole number from 0", repr(n_nodes))
        pairs, labels = _kept(_pairs(edges, int(n_nodes)), edge_labels)
        for name, value in (
            ("n_nodes", int(n_nodes)),
            ("edges", pairs),
            ("node_labels", _names(node_labels, int(n_nodes), "vertex")),
            ("edge_labels", labels),
            ("node_attributes", _attributes(node_attributes, int(n_nodes))),
        ):
            object.__setattr__(self, name, value)
        self.__post_init__()

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return int(self.edges.shape[0])

    @cached_property
    def adjacency(self) -> sparse.csr_array:
        """(n_nodes, n_nodes) of 0 and 1."""
        i, j = self.edges.T
        ones = np.ones(2 * self.n_edges)
        shape = (self.n_nodes, self.n_nodes)
        return owned_sparse(sparse.csr_array((ones, (np.r_[i, j], np.r_[j, i])), shape=shape))

    @cached_property
    def degrees(self) -> IntArray:
        """(n_nodes,) number of edges at each vertex."""
        return owned(np.bincount(self.edges.ravel(), minlength=self.n_nodes).astype(np.int64))

    @cached_property
    def radii(self) -> dict[tuple[bool, bool], float]:
        """Largest eigenvalues of its product with itself, by whether labels of vertices and edges are told apart; filled by
        whoever computes one, for it depends on nothing else (`kernels.graphs.radius`).
        """
        return {}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything."""
        return digest(self.n_nodes, self.edges, self.node_labels, self.edge_labels, self.node_attributes)


def _pairs(edges: ArrayLike, n: int) -> IntArray:
    given = np.asarray(edges)
    if given.size == 0:
        return np.empty((0, 2), np.int64)
    if given.ndim != 2 or given.shape[1] != 2 or given.dtype.kind not in "iu":
        raise InvalidInputError("Edges are pairs of whole numbers", f"shape {given.shape} of {given.dtype}")
    pairs = given.astype(np.int64)
    outside = np.flatnonzero(((pairs < 0) | (pairs >= n)).any(axis=1))
    if outside.size:
        first = tuple(pairs[outside[0]].tolist())
        raise InvalidInputError(
            f"Edges join vertices 0 to {n - 1}" if n else "A graph without vertices has no edges",
            f"{first} (edge {outside[0] + 1})",
        )
    loops = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if loops.size:
        raise InvalidInputError(
            "Edges join two different vertices",
            f"vertex {pairs[loops[0], 0]} with itself (edge {loops[0] + 1})",
            "Leave loops out",
        )
    return np.sort(pairs, axis=1)


def _kept(pairs: IntArray, labels: Names | None) -> tuple[IntArray, NDArray[np.str_] | None]:
    named = _names(labels, pairs.shape[0], "edge")
    kept, first, of = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    if named is None:
        return owned(kept), None
    other = np.flatnonzero(named != named[first][of.ravel()])
    if other.size:
        i, j = pairs[other[0]].tolist()
        both = sorted({str(named[other[0]]), str(named[first][of.ravel()][other[0]])})
        raise InvalidInputError("An edge has one label", f"{both[0]!r} and {both[1]!r} for ({i}, {j})")
    return owned(kept), owned(named[first])


def _names(names: Names | None, n: int, of: str) -> NDArray[np.str_] | None:
    if names is None:
        return None
    made = np.asarray([str(name) for name in names], dtype=np.str_)
    if made.shape != (n,):
        raise InvalidInputError(
            f"There has to be one label a{'n' * (of == 'edge')} {of} ({n})", str(made.size)
        )
    return owned(made)


def _attributes(values: ArrayLike | None, n: int) -> FloatArray | None:
    if values is None:
        return None
    made = np.array(values, dtype=np.float64)
    if made.ndim != 2 or made.shape[0] != n:
        raise InvalidInputError(
            f"There has to be one row of attributes a vertex ({n})", f"shape {made.shape}"
        )
    if not np.isfinite(made).all() or np.abs(made).max(initial=0.0) > LARGEST_ENTRY:
        raise InvalidInputError(
            f"Attributes are finite and at most {LARGEST_ENTRY:g} in size", "one that is not"
        )
    return owned(made)
