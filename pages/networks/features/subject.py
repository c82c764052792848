"""What the page Features on a network is about in this run: profiles on their network, a kernel, a protocol; all cached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.conditioning.network_features import (
    PreparedFeatures,
    Scaling,
    features_kernel,
    prepare_features,
)
from kernex_core.datasets.genes import PLANTED, SPEAKS_FOR
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.match import MatchedFeatures, Matching, match_features
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import Operator
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.networks.features.accuracy import (
    FeatureSweep,
    NodeWeights,
    node_weights,
    sweeping_features,
)
from kernex_core.studies.networks.features.graph_lasso import (
    GraphLasso,
    LassoAccuracy,
    graph_lasso,
    judging_lasso,
)
from pages.networks.subject import Scale, scale_of
from pages.server import workspace
from pages.server.cached import cached
from pages.server.messages import findings, guard, plain
from pages.server.navigation import page_at
from pages.server.readers import tasks
from pages.ui.files import check_file_size, read_apart, upload
from pages.ui.panels.staged import Staged


@dataclass(frozen=True, eq=False)
class Subject:
    """Profiles on their network, a kernel whose parameter the slider sets, and what judges it."""

    dataset: DataSet
    prepared: PreparedFeatures
    kernel: NetworkKernel
    labels: Labels
    validation: CrossValidation
    which: int
    columns: int = 0

    @property
    def of(self) -> str:
        """The class that a positive weight speaks for."""
        return self.labels.classes[self.which][0]

    @property
    def mode(self) -> Literal["inductive", "transductive"]:
        """Whether tested items were seen: in choosing columns by how much they vary, if at all."""
        return "transductive" if self.matched.varied else "inductive"

    @property
    def matched(self) -> MatchedFeatures:
        """Columns and nodes."""
        return self.prepared.matched

    @cached_property
    def scale(self) -> Scale:
        """Values of the slider."""
        return scale_of(self.kernel, self.kernel.bound_on(self.prepared.spectrum), self.dataset.defaults.tau)

    def weights(self, value: float | None) -> NodeWeights:
        """Weights of the classifier at a value of the slider; None: of the plain kernel."""
        kernel = None if value is None else self.scale.at(self.kernel, value)
        return weights(self.prepared, kernel, self.labels, self.validation.C, self.which)

    def gram(self, value: float | None, name: str = "") -> GramMatrix:
        """The kernel at a value of the slider; None: the plain kernel."""
        kernel = None if value is None else self.scale.at(self.kernel, value)
        return features_kernel(self.prepared, kernel, name=name)

    @property
    def unmeasured(self) -> IntArray:
        """Nodes that no column measures."""
        return np.setdiff1d(np.arange(self.matched.network.n), self.matched.at)

    @property
    def planted(self) -> FloatArray | None:
        """(N,) what a demo has planted, with the sign that speaks for the class; None of other data."""
        attributes = self.matched.network.attributes
        if not self.dataset.simulated or attributes is None or PLANTED not in attributes.columns:
            return None
        effect = attributes.X[:, attributes.columns.index(PLANTED)]
        return np.asarray(effect if self.of in SPEAKS_FOR else -effect)

    def study(self) -> Staged[FeatureSweep]:
        """Accuracy at every value of the grid, beside the plain kernel."""
        kernels = tuple(self.scale.at(self.kernel, value) for value in self.scale.grid) or (self.kernel,)
        return Staged(sweep, sweeping_features, (self.prepared, kernels, self.labels, self.validation))

    @property
    def judged(self) -> FeatureSweep | None:
        """What is known of it."""
        return self.study().known()

    def named(self, kernel: NetworkKernel) -> str:
        """A kernel by the value of its parameter."""
        return self.scale.called(kernel)

    def choosing(self, found: FeatureSweep) -> NestedChoice | None:
        """The choice of the parameter made again inside every training fold; None before all values are judged."""
        return self.scale.choosing(found)

    def lasso(self) -> GraphLasso:
        """The path of the graph lasso on all labelled items."""
        return lasso_path(self.prepared, self.labels, self.which)

    def lasso_study(self) -> Staged[LassoAccuracy]:
        """Accuracy at every penalty."""
        return Staged(
            lasso_accuracy, _judging_lasso, (self.prepared, self.labels, self.validation, self.which)
        )


@cached(public=True)
def matched(vectors: Vectors, network: Network, matching: Matching) -> MatchedFeatures:
    """Columns and nodes brought together."""
    return match_features(vectors, network, matching)


@cached(public=True)
def prepared(matched: MatchedFeatures, operator: Operator, scaling: Scaling) -> PreparedFeatures:
    """The decomposition, from which every value of every kernel of that matrix follows."""
    return prepare_features(matched, operator, scaling)


@cached(public=True, newest=16)
def weights(
    prepared: PreparedFeatures, kernel: NetworkKernel | None, labels: Labels, C: float, which: int
) -> NodeWeights:
    """Weights of one classifier."""
    return node_weights(prepared, kernel, labels, C=C, of=labels.classes[which][0])


@cached(public=True)
def sweep(
    prepared: PreparedFeatures,
    kernels: tuple[NetworkKernel, ...],
    labels: Labels,
    validation: CrossValidation,
) -> FeatureSweep:
    """Accuracies of all kernels; the page keeps partial ones under the same key."""
    *_, last = sweeping_features(prepared, kernels, labels, validation)
    return last


@cached(public=True)
def lasso_path(prepared: PreparedFeatures, labels: Labels, which: int) -> GraphLasso:
    """The graph lasso at every penalty."""
    return graph_lasso(prepared, labels, of=labels.classes[which][0])


@cached(public=True)
def lasso_accuracy(
    prepared: PreparedFeatures, labels: Labels, validation: CrossValidation, which: int
) -> LassoAccuracy:
    """Accuracies of the graph lasso; the page keeps partial ones under the same key."""
    *_, last = _judging_lasso(prepared, labels, validation, which)
    return last


def _judging_lasso(
    prepared: PreparedFeatures, labels: Labels, validation: CrossValidation, which: int
) -> Iterator[LassoAccuracy]:
    return judging_lasso(prepared, labels, validation, of=labels.classes[which][0])


# Which vectors, and which network of their columns: chosen among what is open, or brought here.

TURN: Final = "features.upload.turn"
NO_NETWORK: Final = (
    "**{name}** has vectors, and no network of their columns yet. Bring one: a list of edges between column names is "
    "enough, two ids a line, perhaps with a weight; GraphML, GML and adjacency matrices are read too."
)
NO_LABELS: Final = "Weights and accuracies need items of at least two classes, and these have fewer."


def vectors_of(dataset: DataSet) -> dict[str, Vectors]:
    """Vectors with names of columns, by name."""
    return {
        name: part for name, part in dataset.samples.items() if isinstance(part, Vectors) and part.columns
    }


def networks_for(dataset: DataSet, vectors: Vectors) -> dict[str, Network]:
    """Networks that may be of the columns: those brought for them, then those of other open data sets with a common id."""
    found: dict[str, Network] = dict(dataset.feature_networks)
    columns = set(vectors.columns)
    for other in workspace.datasets():
        data = workspace.get(other)
        parts = {**data.samples, **(data.feature_networks if other != dataset.name else {})}
        for name, part in parts.items():
            if isinstance(part, Network) and not columns.isdisjoint(part.ids):
                found[f"{other}: {name}"] = part
    return found


def say_no_network(dataset: DataSet) -> None:
    """Ask for a network of the columns."""
    st.markdown(NO_NETWORK.format(name=plain(dataset.name)))
    bring_network(dataset)


def say_no_labels() -> None:
    """Ask for classes of the items."""
    st.markdown(NO_LABELS)
    st.page_link(page_at("data"), label="Join a table of labels", icon=":material/upload:")


def bring_network(dataset: DataSet) -> None:
    """Read a network and add it to the data set."""
    # a new box after every network that was added: the file has left it
    turn: int = workspace.recall(TURN, 0)
    file = upload(
        "Network of the columns", key=f"features.network.{turn}",
        help="Directed edges are read without their direction. With other wishes bring it on the page Data as a data set "
        "of its own: it can then be chosen here.",
    )  # fmt: skip
    if file is None:
        return
    with guard():
        check_file_size(file)
        network = read_apart(tasks.network, file)
        findings(network.notes)
        st.caption(f"{counted(network.n, 'node')}, {counted(network.n_edges, 'edge')}.")
        if st.button("Use this network", key="features.use", icon=":material/hub:", type="primary"):
            workspace.change(dataset.name, lambda whole: whole.with_feature_network(file.filename, network))
            workspace.remember(TURN, turn + 1)
            st.rerun()
