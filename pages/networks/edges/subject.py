"""What the page Edges of new nodes is about in this run: a network, kernels of its nodes, folds; all cached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.networks.network import Network
from kernex_core.learning.edges.methods import EDGE_METHODS, EdgeMethod
from kernex_core.learning.leakage import State
from kernex_core.studies.networks.edges.judging import MissingTable, judging_edges, judging_missing
from kernex_core.studies.networks.edges.predicting import (
    PredictedEdges,
    UnobservedPairs,
    choose_for_known,
    choose_for_new,
    predict_edges,
    rank_unobserved,
)
from kernex_core.studies.networks.edges.sources import (
    EdgeConfig,
    EdgeTable,
    GeneData,
    chosen_inside,
    edge_state,
    gene_copies,
    gene_data,
    knows_a_network,
)
from pages.shared.cached import cached
from pages.shared.panels.staged import Staged

SOURCES = {"sum": "sum", "alignment": "by alignment", "mkl": "MKL"}
"""What the page calls the weighings."""
KINDS = {kind.title: kind for kind in EDGE_METHODS}


@dataclass(frozen=True, eq=False)
class Subject:
    """Kernels and a network on the same nodes, how they are judged, and the method that is looked at."""

    dataset: DataSet
    network: Network
    kernels: Mapping[str, GramMatrix]
    data: GeneData
    config: EdgeConfig
    kind: type[EdgeMethod]

    @property
    def state(self) -> State:
        """What was seen of test nodes and their edges."""
        return edge_state(*self.kernels.values())

    @property
    def without_edges(self) -> tuple[str, ...]:
        """Nodes that the network has no edge of."""
        return tuple(np.asarray(self.data.ids)[self.data.A.sum(axis=0) == 0.0].tolist())

    @property
    def chooses(self) -> bool:
        """Whether parameters are chosen inside the folds of these data."""
        return chosen_inside(self.config.tuned, len(self.data.ids))

    def for_known(self, source: str) -> EdgeMethod:
        """The method that ranks pairs without a known edge, by the rule that its folds are judged by."""
        usual = self.kind()
        return chosen_for_known(self.data, usual, source) if self.chooses else usual

    def study(self) -> Staged[EdgeTable]:
        """Every method on every source, fold by fold."""
        return Staged(edge_table, judging_edges, (self.data, self.config), resumes=True)

    def missing(self) -> Staged[MissingTable]:
        """Every method on every source, over as many folds of hidden pairs."""
        config = self.config
        return Staged(
            missing_table, judging_missing, (self.data, config.folds, config.seed, config.tuned), resumes=True
        )


@cached(public=True)
def genes(kernels: Mapping[str, GramMatrix], network: Network, repair: str) -> GeneData:
    """Kernels and network brought to the same nodes."""
    return gene_data(kernels, network, repair=repair)


@cached(public=True)
def has_copies(data: GeneData) -> bool:
    """Whether a kernel does not tell nodes apart."""
    found = gene_copies(data, 1)
    return found.count > 0 or found.aside > 0


@cached(public=True)
def made_of_a_network(K: GramMatrix) -> bool:
    """Whether edges went into a kernel."""
    return knows_a_network(K)


@cached(public=True)
def edge_table(data: GeneData, config: EdgeConfig) -> EdgeTable:
    """The whole table; the page keeps partial ones under the same key."""
    *_, last = judging_edges(data, config)
    return last


@cached(public=True)
def missing_table(data: GeneData, folds: int, seed: int, tuned: bool) -> MissingTable:
    """The whole table of hidden pairs."""
    *_, last = judging_missing(data, folds, seed, tuned)
    return last


@cached(public=True, newest=8)
def unobserved(data: GeneData, method: EdgeMethod, source: str) -> UnobservedPairs:
    """All pairs without a known edge, ranked."""
    return rank_unobserved(data, method, source)


@cached(public=True, newest=8)
def predicted(data: GeneData, new: tuple[str, ...], method: EdgeMethod, source: str) -> PredictedEdges:
    """All pairs of new nodes, ranked."""
    return predict_edges(data, new, method, source)


@cached(public=True, newest=8)
def chosen_for_new(data: GeneData, new: tuple[str, ...], usual: EdgeMethod, source: str) -> EdgeMethod:
    """The method with the parameters that inner folds of the known nodes choose."""
    return choose_for_new(data, new, type(usual), source)


@cached(public=True, newest=8)
def chosen_for_known(data: GeneData, usual: EdgeMethod, source: str) -> EdgeMethod:
    """The method with the parameters that folds of all pairs choose."""
    return choose_for_known(data, type(usual), source)


def source_title(source: str, kind: Literal["short", "long"] = "short") -> str:
    """What a source is called; kernels have their own names."""
    return (
        SOURCES.get(source, source)
        if kind == "short" or source not in SOURCES
        else f"all kernels, {SOURCES[source]}"
    )
