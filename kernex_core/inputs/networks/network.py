"""Network: nodes and the weights of the edges between them, perhaps with labels and attributes of the nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import IntArray, digest, owned
from kernex_core.gram.adjacency import as_adjacency
from kernex_core.gram.positions import as_positions
from kernex_core.gram.provenance import Call, method
from kernex_core.inputs.chosen_items import ChosenItems, as_written
from kernex_core.inputs.samples import Labels, Note, Samples, Vectors


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
