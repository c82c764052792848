"""Network: nodes and the weights of the edges between them, perhaps with labels and attributes of the nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, owned
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import MOST_ITEMS, check_item_count, unit_of
from kernex_core.gram.graph import as_adjacency, components, isolated
from kernex_core.gram.matrix import as_positions
from kernex_core.gram.provenance import Call, call, method
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import ChosenItems, Labels, Note, Samples, Vectors, as_written


@dataclass(frozen=True, eq=False)
class Network(Samples):
    """An undirected network; its nodes are the items.

    Attributes
    ----------
    adjacency : (n, n) scipy.sparse.csr_array, read-only
        Weights of the edges: symmetric, nothing on the diagonal, 0 = no edge. A dense array is taken, too.
    labels : Labels or None
        Of the nodes.
    attributes : Vectors or None
        Measurements of the nodes, in their order; NaN = unknown.
    """

    kind: ClassVar[str] = "network"
    adjacency: sparse.csr_array
    labels: Labels | None = None
    attributes: Vectors | None = None
    notes: tuple[Note, ...] = ()
    recipe: Call | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", tuple(map(str, self.ids)))
        object.__setattr__(self, "adjacency", as_adjacency(self.adjacency, self.ids))
        if self.adjacency.shape[0] != len(self.ids):
            raise InvalidInputError(
                f"There has to be one id a node ({self.adjacency.shape[0]})", str(len(self.ids))
            )
        for part, name in ((self.labels, "labels"), (self.attributes, "attributes")):
            if part is not None and part.ids != self.ids:
                raise InvalidInputError(
                    f"The {name} of a network have to be about its nodes in their order", "other ids"
                )
        super().__post_init__()

    @property
    def values(self) -> sparse.csr_array:
        """What kernels take."""
        return self.adjacency

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return int(self.adjacency.nnz) // 2

    @cached_property
    def neighbours(self) -> IntArray:
        """(n,) number of edges at each node, whatever their weights."""
        return owned(np.diff(self.adjacency.indptr).astype(np.int64))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of ids, edges and attributes."""
        return digest(list(self.ids), self.adjacency, self.attributes and self.attributes.digest)

    def take(self, items: ArrayLike | ChosenItems) -> Network:
        """Select nodes by mask or positions, with the edges among them: as if only these had been brought."""
        at = as_positions(items, self.n)
        written = as_written(items, at)
        return replace(
            self,
            ids=tuple(self.ids[i] for i in at),
            adjacency=sparse.csr_array(self.adjacency[at][:, at]),
            labels=self.labels.take(written) if self.labels else None,
            attributes=self.attributes.take(written) if self.attributes else None,
            recipe=method("network", self.recipe, "take", written) if self.recipe else None,
        )


def structure_notes(B: sparse.csr_array, ids: Sequence[str]) -> tuple[Note, ...]:
    """Notes on the structure of a network (n, n), each with what it means for kernels."""
    notes = []
    alone = isolated(B)
    if alone.size:
        notes.append(
            Note(
                f"Nodes without an edge: {alone.size:,} ({listed([ids[int(k)] for k in alone])}).",
                "Each is similar to itself alone.",
                "Leave them out under Selection.",
            )
        )
    sizes = np.bincount(components(B))
    joined = int((sizes > 1).sum())
    if joined > 1:
        notes.append(
            Note(
                f"The network falls into {joined:,} components with edges; the largest has {sizes.max():,} of "
                f"{len(ids):,} nodes.",
                "Between components every similarity is 0.",
            )
        )
    below = int((B.data < 0.0).sum()) // 2
    if below:
        notes.append(
            Note(
                f"Edges with a negative weight: {below:,}; the lowest is {B.data.min():.6g}.",
                "They stay. Kernels of the Laplacian refuse them, the exponential and von Neumann kernels take them.",
                "Let their size count, or drop them.",
                "warning",
            )
        )
    return tuple(notes)


_ENTRIES = 2_000_000


def neighbour_network(
    vectors: Vectors,
    n_neighbors: int = 5,
    *,
    weights: Literal["one", "gaussian"] = "one",
    mutual: bool = False,
) -> Network:
    """Join every item to its nearest neighbours by Euclidean distance.

    Parameters
    ----------
    vectors : Vectors
        Known everywhere; columns count as they are, so standardise them first if their units differ.
    n_neighbors : int
        1 to n − 1; of equally near items those that come first. Spelt as scikit-learn spells it, like `lle_kernel`'s.
    weights : {"one", "gaussian"}
        All edges alike, or exp(−d²/(2σ²)) with σ the median distance of an item to its neighbours.
    mutual : bool
        An edge only where each is among the neighbours of the other; else where one is.

    Raises
    ------
    InvalidInputError
        Unknown entries, a number of neighbours out of range.
    TooLargeError
        More than MOST_ITEMS items.

    Notes
    -----
    von Luxburg, A tutorial on spectral clustering, Statistics and Computing 17 (2007), section 2.2.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors, neighbour_network
    >>> line = Vectors(("a", "b", "c", "d"), np.array([[0.0], [1.0], [3.0], [9.0]]))
    >>> neighbour_network(line, 1).adjacency.toarray().astype(int).tolist()
    [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    """
    check_choice("The weights", weights, ("one", "gaussian"))
    if not isinstance(vectors, Vectors) or not np.isfinite(vectors.X).all():
        raise InvalidInputError(
            "Nearest neighbours need vectors that are known everywhere",
            "unknown entries",
            "Fill them first: impute",
        )
    n = vectors.n
    check_item_count(n, MOST_ITEMS)
    if (
        isinstance(n_neighbors, bool)
        or not isinstance(n_neighbors, int | np.integer)
        or not 1 <= n_neighbors < n
    ):
        raise InvalidInputError(
            f"The number of neighbours is a whole number from 1 to {n - 1}", repr(n_neighbors)
        )
    near, distance = _nearest(vectors.X / unit_of(vectors.X), int(n_neighbors))
    sigma = float(np.median(distance)) or 1.0
    one = np.ones(distance.size)
    made = one if weights == "one" else np.exp(-0.5 * (distance.ravel() / sigma) ** 2)
    own = np.repeat(np.arange(n), int(n_neighbors))
    to = sparse.csr_array((made, (own, near.ravel())), shape=(n, n))
    B = sparse.csr_array(to.minimum(to.T) if mutual else to.maximum(to.T))
    how = "each among the nearest of the other" if mutual else "one among the nearest of the other"
    note = Note(
        f"An edge joins two items, {how}; {n_neighbors} neighbours count.",
        "",
        "Choose another number.",
        "fine",
    )
    recipe = call(
        "network",
        "neighbour_network",
        vectors,
        int(n_neighbors),
        weights=weights,
        mutual=mutual,
    )
    notes = (note, *structure_notes(B, vectors.ids))
    return Network(vectors.ids, B, vectors.labels, vectors, notes, recipe)


def _nearest(X: FloatArray, k: int) -> tuple[IntArray, FloatArray]:
    """(n, k) positions of the nearest other rows, and their distances."""
    from scipy.spatial.distance import cdist  # slow to import

    n = X.shape[0]
    near, distance = np.empty((n, k), dtype=np.int64), np.empty((n, k))
    rows = max(1, _ENTRIES // n)
    for at in range(0, n, rows):
        d = cdist(X[at : at + rows], X)
        d[np.arange(d.shape[0]), at + np.arange(d.shape[0])] = np.inf
        found = np.argsort(d, axis=1, kind="stable")[:, :k]
        near[at : at + rows], distance[at : at + rows] = found, np.take_along_axis(d, found, axis=1)
    return near, distance
