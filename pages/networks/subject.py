"""What the page Networks is about in this run: a network, its decomposition, a kernel, a protocol; all that is cached."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, cast

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.validation import ITEM_LIMIT
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.networks.network import Network, neighbour_network
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.networks.diffusion import Diffusion, RegularizedLaplacian
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import Operator
from kernex_core.kernels.networks.walks import Exponential, VonNeumann
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.networks.features.accuracy import FeatureSweep
from kernex_core.studies.networks.layout import NetworkLayout, network_layout
from kernex_core.studies.networks.study import (
    TAUS,
    NetworkSweep,
    NetworkView,
    PreparedNetwork,
    prepare_network,
    preparing_network,
    sweeping_network,
    view_network,
)
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import of_data, own_prefix, setting
from pages.server.digits import number
from pages.server.messages import guard
from pages.ui import payload, widgets
from pages.ui import settings as held
from pages.ui.frame import panel_title
from pages.ui.matrices import FRAMES
from pages.ui.panels.staged import Pieced, Staged, run_in_pieces

# The slider of a kernel on nodes: which values it runs through, where it ends on this network, which are judged.

DIGITS: Final = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
SHARES: Final = (
    0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999,
)  # fmt: skip
JUDGED_SHARES: Final = (0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99)
"""Of the bound of the von Neumann kernel."""
SYMBOLS: Final = {"tau": "τ", "lam": "λ", "c": "c"}


@dataclass(frozen=True)
class Scale:
    """Values of one kernel's parameter on one network.

    Attributes
    ----------
    name : str
        Of the parameter; "" = the kernel has none.
    options : tuple of float
        Of the slider, rising.
    start : float
    grid : tuple of float
        Those that accuracy is drawn against, a part of the options.
    ends : str
        Why the slider ends where it does; "" = it could go on.
    share_of : float
        Bound whose shares a chart runs over; 0: it runs over the logarithm.
    """

    name: str = ""
    options: tuple[float, ...] = ()
    start: float = math.nan
    grid: tuple[float, ...] = ()
    ends: str = ""
    share_of: float = 0.0

    @property
    def symbol(self) -> str:
        """Letter of the parameter."""
        return SYMBOLS.get(self.name, "")

    def at(self, kernel: NetworkKernel, value: float) -> NetworkKernel:
        """The kernel with a value of the parameter."""
        return replace(kernel, **{self.name: value}) if self.name else kernel

    def words(self, value: float) -> str:
        """ "τ = 5"; "" where there is no parameter."""
        return f"{self.symbol} = {number(value)}" if self.name else ""

    def called(self, kernel: NetworkKernel) -> str:
        """A kernel by the value of its parameter; by its title where it has none."""
        return self.words(float(getattr(kernel, self.name))) if self.name else kernel.title

    def choosing(self, found: NetworkSweep | FeatureSweep) -> NestedChoice | None:
        """The choice of the parameter made again inside every training fold; None before all values are judged.

        Judging the values has made it already.
        """
        if found.done < found.total or not self.name or len(found.judged) < 2:
            return None
        names = tuple(self.called(kernel) for kernel in found.kernels)
        return None if found.nested is None else replace(found.nested, names=names)

    @property
    def axis(self) -> str:
        """Title of the axis of a chart."""
        if self.share_of:
            return f"{self.symbol} as a share of its bound {number(self.share_of)}"
        return f"{self.symbol}, logarithmic"

    def tick(self, value: float) -> str:
        """What stands at a value on the axis."""
        return number(value / self.share_of, 2) if self.share_of else number(value)

    def places(self, values: Sequence[float]) -> FloatArray:
        """Where values stand on a chart; on a logarithmic one 0 is half a decade before the first that is not 0."""
        made = np.array(values, dtype=np.float64)
        if self.share_of:
            return made / self.share_of
        first = min(value for value in (*self.grid, 1.0) if value > 0.0)
        return np.log10(np.where(made > 0.0, np.maximum(made, first / 10**0.5), first / 10**0.5))


def scale_of(kernel: NetworkKernel, bound: float, tau: float = 1.0, asked: float | None = None) -> Scale:
    """Values for a kernel on a network where its parameter ends at `bound`; infinite: nowhere. τ starts at `tau`.

    A τ that was `asked` for, by a lesson or an address, is one of its values, too.
    """
    if isinstance(kernel, Diffusion):
        times = (0.0, *_steps(0.01, 200.0))
        if asked is not None and times[0] <= asked <= times[-1]:
            times = tuple(sorted({*times, asked}))
        return Scale("tau", times, _nearest(times, tau), TAUS)
    if isinstance(kernel, RegularizedLaplacian):
        return Scale("c", _steps(1e-4, 1e3), 1.0, _part(_steps(1e-3, 100.0), (1.0, 3.0)))
    if isinstance(kernel, Exponential):
        top = min(bound, 100.0)
        options = _steps(0.01, top)
        ends = (
            f"at {number(bound)}, for beyond it an entry leaves what is computed with"
            if math.isfinite(bound)
            else ""
        )
        return Scale("lam", options, _nearest(options, 1.0), _part(options, (1.0, 3.0)), ends)
    if isinstance(kernel, VonNeumann):
        bound = bound if math.isfinite(bound) else 1.0
        at = {share: _below(bound * share) for share in SHARES}
        ends = f"below {number(bound)}, one over the largest eigenvalue, for beyond it the series diverges"
        return Scale(
            "lam", tuple(at.values()), at[0.5], tuple(at[share] for share in JUDGED_SHARES), ends, bound
        )
    return Scale()


def _steps(low: float, high: float) -> tuple[float, ...]:
    """Ten values a decade."""
    every = [float(f"{digit}e{decade}") for decade in range(-5, 5) for digit in DIGITS]
    return tuple(value for value in every if low <= value <= high)


def _part(values: Sequence[float], digits: Sequence[float]) -> tuple[float, ...]:
    """Those that begin with these digits."""
    first = {f"{digit:.1f}" for digit in digits}
    return tuple(value for value in values if f"{value:.1e}".split("e")[0] in first)


def _nearest(values: Sequence[float], wanted: float) -> float:
    return min(values, key=lambda value: abs(value - wanted))


def _below(value: float) -> float:
    """Rounded down to four digits."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 3)
    return float(f"{math.floor(value / unit) * unit:.6g}")


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
        return self.scale.called(kernel)

    def choosing(self, found: NetworkSweep) -> NestedChoice | None:
        """The choice of the parameter made again inside every training fold; None before all values are judged."""
        return self.scale.choosing(found)


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


# A network that is not there yet: of nearest neighbours, made of vectors.

NEIGHBOURS_HELP: Final = (
    "Each item is joined to so many of its nearest others by Euclidean distance. Few leave the network in pieces, many join "
    "what is unlike. Columns count as they are: standardise them first if their units differ."
)


SETTINGS: Final = (
    of_data("knn_vectors", "Vectors"), setting("knn", "Neighbours k"), setting("knn_weights", "Weights"),
    setting("knn_mutual", "Both ways"),
)  # fmt: skip


def has_vectors(dataset: DataSet) -> bool:
    """Whether a network can be made of them."""
    return any(isinstance(part, Vectors) for part in dataset.samples.values())


def neighbours(dataset: DataSet) -> None:
    """Offer a network of nearest neighbours for every part of the data that is vectors."""
    names = [name for name, part in dataset.samples.items() if isinstance(part, Vectors)]
    if not names or not 2 < dataset.n <= ITEM_LIMIT:
        return
    panel_title("Nearest-neighbour network", "made of the vectors of these data")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = widgets.choose("knn_vectors", names, key=f"networks.vectors.{dataset.name}", width=220)
        k = widgets.slide(
            "knn", 1, min(30, dataset.n - 1), 1, default=min(5, dataset.n - 1), key=f"networks.k.{dataset.name}",
            help=NEIGHBOURS_HELP, width=260,
        )  # fmt: skip
        weights = widgets.pick(
            "knn_weights", ("one", "gaussian"), key="networks.weights",
            help="one: every edge counts alike. gaussian: exp(−d²/(2σ²)), σ the median distance to neighbours.",
        )  # fmt: skip
        mutual = widgets.switch(
            "knn_mutual", key="networks.mutual",
            help="An edge only where each of two items is among the neighbours of the other.",
        )  # fmt: skip
        asked = st.button("Make the network", key="networks.make", icon=":material/hub:")
    if asked:
        with guard():
            whole = workspace.get(dataset.name)
            vectors = whole.samples[name]
            assert isinstance(vectors, Vectors)
            made = made_of(vectors, int(k), weights == "gaussian", mutual)
            free = f"{k} neighbours of {name}" + (", gaussian" if weights == "gaussian" else "")
            workspace.replace(whole.with_samples(free + (", both ways" if mutual else ""), made), whole)
            st.rerun()


@cached
def made_of(vectors: Vectors, k: int, gaussian: bool, mutual: bool) -> Network:
    """Return the network of nearest neighbours."""
    return neighbour_network(vectors, k, weights="gaussian" if gaussian else "one", mutual=mutual)
