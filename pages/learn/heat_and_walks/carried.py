"""What the lesson takes along to the working pages: the drawn graph as a network, and the two graphs of the product."""

from __future__ import annotations

from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.networks.network import Network
from kernex_core.studies.lessons.heat_and_walks import FIRST, SECOND
from pages.learn.heat_and_walks.sketch import sketch_of


def drawn_network(graph: str, tau: float) -> DataSet:
    """The drawn graph as a network whose kernels start at τ."""
    found = sketch_of(graph).graph
    ids = tuple(f"node {k + 1}" for k in range(found.n_nodes))
    return DataSet(
        "graph of the lesson", ids, samples={"network": Network(ids, found.adjacency)}, defaults=Defaults(tau=tau),
        description="The graph that was drawn in the lesson Heat and walks.",
    )  # fmt: skip


def two_graphs() -> DataSet:
    """Both graphs of the product, as items."""
    ids = ("G", "H")
    return DataSet(
        "two graphs of the lesson", ids, samples={"graphs": GraphSet.of((FIRST, SECOND), ids)},
        description="The two graphs of the lesson Heat and walks, whose shared walks it counts.",
    )  # fmt: skip
