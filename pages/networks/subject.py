"""What the page Networks is about in this run: a network, its decomposition, a kernel, a protocol; all that is cached."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, cast

import numpy as np

from kernex_core.base.frozen import IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import Operator
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.networks.layout import NetworkLayout, network_layout
from kernex_core.studies.networks.study import (
    NetworkSweep,
    NetworkView,
    PreparedNetwork,
    prepare_network,
    preparing_network,
    sweeping_network,
    view_network,
)
from pages.networks.scale import Scale, scale_of
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.declared.settings import own_prefix
from pages.shared.matrices import payload
from pages.shared.matrices.follows import FRAMES
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.panels.staged import Staged
from pages.shared.settings import held, widgets

AT_ONCE: Final = 500
"""Up to this number of nodes the decomposition takes no time worth a word."""
KINDS: Final = cast("tuple[type[NetworkKernel], ...]", kernels_for("network"))
LARGEST: Final = 1e30
TAU: Final = "tau"
"""Key of the slider τ, and so its name in the address."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A network with its decomposition, a kernel whose parameter the slider sets, and what judges it."""

    dataset: DataSet
    network: Network
    prepared: PreparedNetwork
    kernel: NetworkKernel
    labels: Labels | None
    validation: CrossValidation

    @cached_property
    def scale(self) -> Scale:
        """Values of the slider."""
        return scale_of(
            self.kernel, self.kernel.bound_on(self.prepared.spectrum), self.dataset.defaults.tau, asked_tau()
        )

    @property
    def start(self) -> GramMatrix:
        """The kernel where the slider starts, whose order of items holds for all values."""
        return start_kernel(self.prepared, self.scale.at(self.kernel, self.scale.start))

    def view(self, value: float, node: int) -> NetworkView:
        """Kernel, column and spectrum at a value of the slider."""
        return seen(self.prepared, self.scale.at(self.kernel, value), node)

    def study(self) -> Staged[NetworkSweep] | None:
        """Accuracy at every value of the grid; None without classes."""
        if self.labels is None:
            return None
        kernels = tuple(self.scale.at(self.kernel, value) for value in self.scale.grid) or (self.kernel,)
        return Staged(sweep, sweeping_network, (self.prepared, kernels, self.labels, self.validation))

    @property
    def judged(self) -> NetworkSweep | None:
        """What is known of it."""
        study = self.study()
        return None if study is None else study.known()

    @property
    def parameter(self) -> str:
        """Key of the slider, and so its name in the address; "" = the kernel has no parameter."""
        return scale_name(type(self.kernel), self.scale.name) if self.scale.name else ""

    def named(self, kernel: NetworkKernel) -> str:
        """A kernel by the value of its parameter."""
        scale = self.scale
        return scale.words(float(getattr(kernel, scale.name))) if scale.name else kernel.title

    def choosing(self, found: NetworkSweep) -> NestedChoice | None:
        """The choice of the parameter made again inside every training fold; None before all values are judged.

        Judging the values has made it already.
        """
        if found.done < found.total or not self.scale.name or len(found.judged) < 2:
            return None
        names = tuple(self.named(kernel) for kernel in found.kernels)
        return None if found.nested is None else replace(found.nested, names=names)


def asked_tau() -> float | None:
    """τ that a lesson has carried over, or that the address says; None where nobody asks for one."""
    asked = workspace.widget_says(TAU, held.text_of(TAU))
    try:
        return None if asked is None else float(str(asked))
    except ValueError:
        return None


@cached(public=True)
def prepared_network(network: Network, operator: Operator) -> PreparedNetwork:
    """Return the decomposition, from which every value of every kernel of that matrix follows."""
    return prepare_network(network, operator)


@cached(public=True)
def places(network: Network, seed: int = 0) -> NetworkLayout:
    """Return where nodes are drawn; no control moves them."""
    return network_layout(network, seed)


@cached(public=True)
def start_kernel(prepared: PreparedNetwork, kernel: NetworkKernel) -> GramMatrix:
    """Return one kernel of all nodes."""
    return prepared.gram(kernel)


@cached(public=True, newest=8)
def seen(prepared: PreparedNetwork, kernel: NetworkKernel, node: int) -> NetworkView:
    """Return what is drawn of one kernel and node."""
    return view_network(prepared, kernel, node)


@cached(public=True)
def followed(prepared: PreparedNetwork, kernels: tuple[NetworkKernel, ...]) -> payload.Carrier | None:
    """Return what the browser makes each of these kernels of: U, and f of the eigenvalues for each.

    None where some f leaves the single precision that the browser computes with.
    """
    x, U = prepared.spectrum.whole
    weights = np.array([kernel.resolved_on(prepared.spectrum).weights(x) for kernel in kernels])
    return payload.spectrum(U, weights) if weights.max(initial=0.0) < LARGEST else None


@cached(public=True)
def frames_of(
    prepared: PreparedNetwork, kernels: tuple[NetworkKernel, ...], order: IntArray
) -> payload.Carrier | None:
    """Return some of these kernels, between which the browser draws lines: means of blocks in the order of the picture.

    None where some entries are too large for codes over the range of all to show anything.
    """
    x, U = prepared.spectrum.whole
    at = np.unique(np.linspace(0, len(kernels) - 1, FRAMES).round().astype(int))
    rows = payload.row_means(U[order], payload.FRAME)
    weights = [kernels[k].resolved_on(prepared.spectrum).weights(x) for k in at]
    if max(float(each.max(initial=0.0)) for each in weights) >= LARGEST:
        return None
    return payload.frames([(rows * each) @ rows.T for each in weights], at.tolist(), len(order))


@cached(public=True)
def sweep(
    prepared: PreparedNetwork,
    kernels: tuple[NetworkKernel, ...],
    labels: Labels,
    validation: CrossValidation,
) -> NetworkSweep:
    """Accuracies of all kernels; the page keeps partial ones under the same key."""
    *_, last = sweeping_network(prepared, kernels, labels, validation)
    return last


def networks_of(dataset: DataSet) -> dict[str, Network]:
    """Networks among the samples of a data set, by name."""
    return {name: part for name, part in dataset.samples.items() if isinstance(part, Network)}


def choose_network(dataset: DataSet) -> Network:
    """Draw the choice among several networks; of one nothing is asked."""
    found = networks_of(dataset)
    names = list(found)
    if len(names) == 1:
        return found[names[0]]
    name = widgets.choose(
        "network", names, default=names[-1], key=f"networks.network.{dataset.name}.{len(names)}",
        help="Which of the networks of this data set.", width=200,
    )  # fmt: skip
    return found[name]


def laplacian_of(kind: type[NetworkKernel]) -> str:
    """Name of the setting: kernels begin with different ones."""
    return "laplacian" if kind is KINDS[0] else f"{own_prefix(kind)}laplacian"


def scale_name(kind: type[NetworkKernel], parameter: str) -> str:
    """Name of the slider's setting; kernels that end at a bound have one each."""
    return parameter if parameter in (TAU, "c") else f"{own_prefix(kind)}{parameter}"


def described_default(kind: type[NetworkKernel]) -> str:
    """Laplacian that a kernel begins with."""
    return str(kind().laplacian)  # type: ignore[attr-defined]


def prepare(network: Network, kernel: NetworkKernel) -> PreparedNetwork | None:
    """Decompose, with progress and Stop where it takes a while; None where it was stopped."""
    return run_in_pieces(
        Pieced(prepared_network, preparing_network, (network, kernel.operator)),
        key="networks.decompose", what="% of the decomposition", at_once=network.n <= AT_ONCE, label="Decompose",
    )  # fmt: skip


def best_connected(network: Network) -> str:
    """Id of the node with most edges, which is looked at first."""
    return network.ids[int(network.neighbours.argmax())]


def node_key(dataset: DataSet) -> str:
    """Key of the node chooser."""
    return f"networks.node.{dataset.name}"
