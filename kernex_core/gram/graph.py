"""Graph: one undirected graph with labels of its vertices and edges and attributes of its vertices, all optional."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias, TypeGuard, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, owned, owned_sparse
from kernex_core.base.validation import LARGEST_ENTRY, SYMMETRY_RTOL, as_square

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


# Adjacency matrices of networks: undirected, without self loops, sparse and read-only.


@runtime_checkable
class Linked(Protocol):
    """What holds the weights of a network: a Network, a Graph."""

    @property
    def adjacency(self) -> sparse.csr_array:
        """(n, n) weights."""


Links: TypeAlias = ArrayLike | sparse.sparray | Linked
"""Weights (n, n) of a network, dense or sparse, or what holds them."""


def as_adjacency(values: Links, ids: Sequence[str] | None = None) -> sparse.csr_array:
    """Weights B (n, n) of an undirected network as a sparse, read-only array with an empty diagonal.

    Parameters
    ----------
    values : (n, n)
        Dense or sparse, or a network that holds them. Symmetric up to rounding; self loops are dropped, and weights of 0
        are no edges.
    ids : sequence of str, optional
        Of the nodes, for messages; a network's own by default.

    Raises
    ------
    InvalidInputError
        Not square, not finite, weights beyond LARGEST_ENTRY, or a pair of nodes whose two weights differ (named).

    Examples
    --------
    >>> as_adjacency([[5.0, 1.0], [1.0, 0.0]]).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    ids = names_of(values, ids)
    values = _weights(values)
    if not _is_sparse(values):
        values = as_square(cast("ArrayLike", values), "The adjacency matrix")
    elif values.ndim != 2 or values.shape[0] != values.shape[1] or values.shape[0] == 0:
        raise InvalidInputError("An adjacency matrix has as many rows as columns", f"shape {values.shape}")
    elif values.dtype.kind not in "fiub":
        raise InvalidInputError("Weights of edges have to be real numbers", f"entries of type {values.dtype}")
    if isinstance(values, sparse.csr_array) and values.dtype == np.float64 and _is_clean(values):
        return cast("sparse.csr_array", owned_sparse(values.copy()))
    given = sparse.coo_array(values)
    rows, columns, weights = (*given.coords, given.data.astype(np.float64))
    if not np.isfinite(weights).all() or np.abs(weights).max(initial=0.0) > LARGEST_ENTRY:
        raise InvalidInputError(
            f"Weights of edges have to be finite and at most {LARGEST_ENTRY:g} in size",
            "a weight that is not",
        )
    apart = rows != columns
    B = sparse.csr_array((weights[apart], (rows[apart], columns[apart])), shape=given.shape)
    B.sum_duplicates()
    _check_symmetric(B, ids)
    B = sparse.csr_array((B + B.T) / 2.0)
    B.eliminate_zeros()
    B.sort_indices()
    made: sparse.csr_array = owned_sparse(B)
    return made


def _is_clean(B: sparse.csr_array) -> bool:
    """Whether weights are what `as_adjacency` makes of any: then they need not be made again."""
    if not B.nnz or not B.has_canonical_format or not np.isfinite(B.data).all() or B.diagonal().any():
        return False
    if not B.data.all() or np.abs(B.data).max() > LARGEST_ENTRY:
        return False
    T = sparse.csr_array(B.T)
    return all(np.array_equal(getattr(T, part), getattr(B, part)) for part in ("indptr", "indices", "data"))


def _check_symmetric(B: sparse.csr_array, ids: Sequence[str] | None) -> None:
    apart = sparse.coo_array(abs(B - B.T))
    if apart.nnz and apart.data.max() > SYMMETRY_RTOL * np.abs(B.data).max():
        at = int(apart.data.argmax())
        i, j = int(apart.coords[0][at]), int(apart.coords[1][at])
        a, b = (f"node {k + 1}" if ids is None else repr(ids[k]) for k in (i, j))
        raise InvalidInputError(
            "An adjacency matrix has to be symmetric: edges have no direction here",
            f"{B[i, j]:g} from {a} to {b} and {B[j, i]:g} the other way",
            "Take the larger or the mean of both; read_samples(..., kind='network') does so and says it",
        )


def degrees(B: sparse.csr_array) -> FloatArray:
    """(n,) sums of the weights at each node."""
    return owned(np.asarray(B.sum(axis=1), dtype=np.float64).ravel())


def components(B: sparse.csr_array) -> IntArray:
    """(n,) number of the connected component of each node, from 0 in the order of their first nodes."""
    from scipy.sparse.csgraph import connected_components  # slow to import

    return owned(np.asarray(connected_components(B, directed=False)[1], dtype=np.int64))


def isolated(B: sparse.csr_array) -> IntArray:
    """Positions of the nodes without any edge."""
    return owned(np.flatnonzero(np.diff(B.indptr) == 0))


def names_of(values: Links, ids: Sequence[str] | None = None) -> Sequence[str] | None:
    """Ids of the nodes for messages: those that are given, or a network's own."""
    own: Sequence[str] | None = getattr(values, "ids", None)
    return own if ids is None else ids


def self_loops(values: Links) -> int:
    """Number of nodes with an edge to themselves in a matrix (n, n) as it was given, dense or sparse."""
    values = _weights(values)
    own = values.diagonal() if _is_sparse(values) else np.diagonal(np.asarray(values))
    return int(np.count_nonzero(np.asarray(own)))


def _weights(values: Links) -> ArrayLike | sparse.sparray:
    return values.adjacency if isinstance(values, Linked) else values


def _is_sparse(values: object) -> TypeGuard[sparse.csr_array]:
    return bool(sparse.issparse(values))
