"""GraphKernel: what all kernels between graphs share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kernex_core.errors import InvalidInputError
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import AbstractKernel
from kernex_core.validation import check_item_count

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
