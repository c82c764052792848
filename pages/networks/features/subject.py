"""What the page Features on a network is about in this run: profiles on their network, a kernel, a protocol; all cached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.conditioning.network_features import (
    PreparedFeatures,
    Scaling,
    features_kernel,
    prepare_features,
)
from kernex_core.datasets.expression_network import PLANTED, SPEAKS_FOR
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.match import MatchedFeatures, Matching, match_features
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
from pages.networks.scale import Scale, scale_of
from pages.shared.cached import cached
from pages.shared.panels.staged import Staged


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
        scale = self.scale
        return scale.words(float(getattr(kernel, scale.name))) if scale.name else kernel.title

    def choosing(self, found: FeatureSweep) -> NestedChoice | None:
        """The choice of the parameter made again inside every training fold; None before all values are judged.

        Judging the values has made it already.
        """
        if found.done < found.total or not self.scale.name or len(found.judged) < 2:
            return None
        names = tuple(self.named(kernel) for kernel in found.kernels)
        return None if found.nested is None else replace(found.nested, names=names)

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
