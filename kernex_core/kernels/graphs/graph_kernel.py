"""GraphKernel: what all kernels between graphs share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import AbstractKernel, SampleObject
from kernex_core.kernels.explanation import Explanation
from kernex_core.parameters import check_range
from kernex_core.validation import LARGEST_ENTRY, check_item_count

GRAPH_LIMIT = 5_000
"""Largest number of graphs that are compared with each other."""

Graphs = Sequence[Graph]


@dataclass(frozen=True)
class GraphKernel(AbstractKernel[Graphs]):
    """Base of kernels between graphs: samples are Graph objects, with or without labels.

    A graph without vertices has similarity 0 with everything, also after normalisation; `remarks` reports it.
    """

    data_kind: ClassVar[str] = "graphs"

    def check(self, samples: Graphs, ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel."""
        if not len(samples):
            raise InvalidInputError("At least one graph is needed", "none")
        check_item_count(len(samples), GRAPH_LIMIT)
        for k, sample in enumerate(samples):
            if not isinstance(sample, Graph):
                raise InvalidInputError(
                    "Graphs are compared", f"{type(sample).__name__} at place {k + 1}", "Use Graph(...)"
                )

    def remarks(self, samples: Graphs) -> tuple[str, ...]:
        """See AbstractKernel: graphs without vertices or edges, and labels that there are not."""
        said = []
        empty = sum(graph.n_nodes == 0 for graph in samples)
        if empty:
            said.append(f"Graphs without vertices: {empty:,}. Each has similarity 0 with everything.")
        bare = sum(graph.n_nodes > 0 and graph.n_edges == 0 for graph in samples)
        if bare:
            said.append(f"Graphs without edges: {bare:,}.")
        if getattr(self, "vertex_labels", True) and all(graph.node_labels is None for graph in samples):
            said.append("Vertices have no labels: all count as equal.")
        return tuple(said)

    def remarks_on(self, data: SampleObject[Graphs]) -> tuple[str, ...]:
        """See AbstractKernel: a parameter that is set by the graphs is set by `remarks`, once."""
        return self.remarks(data.values)

    def explain(self, s: Graph, t: Graph, top: int = 20) -> Explanation:
        """See AbstractKernel."""
        self.check((s, t))
        check_range("The number of parts", top, 1)
        kernel = self.resolved((s, t))
        return kernel._explained(s, t, int(top), float(kernel.cross((s,), (t,))[0, 0]))

    def _explained(self, s: Graph, t: Graph, top: int, total: float) -> Explanation:
        """Return the parts of `total`, the similarity of two graphs that are fit to be compared."""
        return super().explain(s, t, top)


def in_range(K: FloatArray, title: str, remedy: str) -> FloatArray:
    """Return similarities unless one is too large to compute with.

    Raises
    ------
    InvalidInputError
        Naming the largest.
    """
    if np.isfinite(K).all() and K.max(initial=0.0) <= LARGEST_ENTRY:
        return K
    i, j = np.unravel_index(int(np.argmax(np.where(np.isfinite(K), K, np.inf))), K.shape)
    raise InvalidInputError(
        f"Similarities may be up to {LARGEST_ENTRY:g}",
        f"{K[i, j]:.3g} between graphs {i + 1} and {j + 1} ({title.lower()})",
        remedy,
    )
