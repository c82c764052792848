"""Adjacency matrices of networks: undirected, without self loops, sparse and read-only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, TypeGuard, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, owned, owned_sparse
from kernex_core.symmetry import SYMMETRY_RTOL
from kernex_core.validation import LARGEST_ENTRY, as_square


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
