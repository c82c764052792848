"""The controls of the page Features on a network: what it is about, and how it is judged."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.base.errors import TooLargeError
from kernex_core.base.parameters import parameters
from kernex_core.conditioning.network_features import SCALINGS, PreparedFeatures, Scaling, preparing_features
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.match import MatchedFeatures, Matching
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.networks.diffusion import Diffusion, LaplacianPseudoinverse, RegularizedLaplacian
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import NODE_LIMIT
from kernex_core.learning.folds import CrossValidation
from pages.networks.features import bring
from pages.networks.features.subject import Subject, matched, prepared
from pages.shared.answer.first_row import first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.controls import controls
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.settings import widgets
from pages.shared.widget import widget

AT_ONCE: Final = 500
"""Up to this number of nodes the decomposition takes no time worth a word."""
KINDS: Final[tuple[type[NetworkKernel], ...]] = (Diffusion, RegularizedLaplacian, LaplacianPseudoinverse)
PROTOCOL: Final = ("folds", "repeats", "C", "seed", "copies")
MOST_SIDE_BY_SIDE: Final = 4
"""Classes up to which they stand side by side."""
VECTORS_HELP: Final = "Profiles: a line an item, a column a gene."
NETWORK_HELP: Final = (
    "Its nodes are columns of the vectors. Those of other open data sets are offered, if they share an id."
)


TABS: Final = "features.tab"


def choose(dataset: DataSet) -> Subject | None:
    """Draw the first row and Settings; None where something has to be brought, which is then asked for."""
    offered = bring.vectors_of(dataset)
    with first_row():
        first = st.container(width=240)
        fourth = st.container(width="stretch", horizontal_alignment="right")
    every = {name: bring.networks_for(dataset, vectors) for name, vectors in offered.items()}
    if not any(every.values()):
        bring.say_no_network(dataset)
        return None
    labels = dataset.judgeable
    if labels is None:
        bring.say_no_labels()
        return None
    with first:
        kind = _kind()
    with fourth, settings_box(2) as (left, right):
        with left:
            group("Data")
            vectors, network = _data(dataset, offered, every)
            which = _class(labels)
            group("Matching")
            start = Matching(through=network.n <= NODE_LIMIT)
            key = f"features.matching.{dataset.name}.{network.digest[:8]}"
            matching = controls(start, key, prefix="matching_")
        with right:
            group("Kernel")
            kernel, scaling = _kernel(kind), _scaling()
            group("Judging")
            validation = _protocol(dataset)
    found = _prepare(matched(vectors, network, matching), kernel, scaling)
    if found is None:
        return None
    return Subject(dataset, found, kernel, labels, validation, which, len(vectors.columns))


def _data(
    dataset: DataSet, offered: dict[str, Vectors], every: dict[str, dict[str, Network]]
) -> tuple[Vectors, Network]:
    """Draw which vectors, where there are several with a network, and which network."""
    names = [name for name in offered if every[name]]
    name = names[0]
    if len(names) > 1:
        name = widgets.choose("vectors", names, key=f"features.vectors.{dataset.name}", help=VECTORS_HELP)
    networks = every[name]
    key = f"features.network.{dataset.name}.{len(networks)}"
    return offered[name], networks[widgets.choose("network", list(networks), key=key, help=NETWORK_HELP)]


def _kind() -> type[NetworkKernel]:
    title = widgets.choose(
        "features_kernel", [kind.title for kind in KINDS],
        help="How a weight is shared by columns that are joined: Method.",
    )  # fmt: skip
    return next(kind for kind in KINDS if kind.title == title)


def _kernel(kind: type[NetworkKernel]) -> NetworkKernel:
    described = parameters(kind)["laplacian"]
    key = f"features.laplacian.{kind.__name__}"
    chosen = widget(described, "normalized", name="laplacian", key=key, setting="features_laplacian")
    return kind(laplacian=chosen)  # type: ignore[call-arg]  # these three have one


def _scaling() -> Scaling:
    scaling: Scaling = widgets.pick(
        "scaling", SCALINGS, key="features.scaling",
        help="centred: less their mean over the training items. standardised: also over their standard deviation, for "
        "columns of different units. Of every kernel here, the plain one too.",
    )  # fmt: skip
    return scaling


def _protocol(dataset: DataSet) -> CrossValidation:
    given = dataset.defaults
    start = CrossValidation(folds=given.folds, repeats=given.repeats, C=given.C, inductive=True)
    return controls(start, f"features.cv.{dataset.name}", only=PROTOCOL, prefix="cv_")


def _class(labels: Labels) -> int:
    """Position of the class that a positive weight speaks for."""
    names = [name for name, _ in labels.classes]
    help = "A positive weight speaks for this class, a negative one against it."
    if len(names) <= MOST_SIDE_BY_SIDE:
        name = widgets.pick("of", names, key="features.of", help=help)
    else:
        name = widgets.choose("of", names, key="features.of", width=200, help=help)
    return names.index(name)


def _prepare(made: MatchedFeatures, kernel: NetworkKernel, scaling: Scaling) -> PreparedFeatures | None:
    """Decompose, with progress and Stop where it takes a while; None where it was stopped."""
    if made.network.n > NODE_LIMIT:
        raise TooLargeError(
            f"A network is decomposed up to {NODE_LIMIT:,} nodes", f"{made.network.n:,} nodes",
            "In Settings, take out nodes that were not measured",
        )  # fmt: skip
    return run_in_pieces(
        Pieced(prepared, preparing_features, (made, kernel.operator, scaling)),
        key="features.decompose", what="% of the decomposition", at_once=made.network.n <= AT_ONCE, label="Decompose",
    )  # fmt: skip
