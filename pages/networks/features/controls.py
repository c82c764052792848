"""The controls of the page Features on a network: what it is about, and how it is judged."""

from __future__ import annotations

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.conditioning.projected_features import (
    SCALINGS,
    PreparedFeatures,
    Scaling,
    preparing_features,
)
from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.matched_features import MatchedFeatures, Matching
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.networks.diffusion import Diffusion
from kernex_core.kernels.networks.laplacian import LaplacianPseudoinverse, RegularizedLaplacian
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import NODE_LIMIT
from kernex_core.learning.folds import CrossValidation
from kernex_core.parameters import parameters
from pages.networks.features import bring
from pages.networks.features.subject import Subject, matched, prepared
from pages.shared.controls import controls
from pages.shared.declared.settings import of, of_data, of_items, setting
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.panels.side_by_side import places
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


SETTINGS: Final = (
    of_data("vectors", "Vectors"), of_data("network", "Network of the columns"),
    setting("features_kernel", "Kernel of the columns"), setting("features_laplacian", "Laplacian"),
    setting("scaling", "Columns"), *of(Matching, prefix="matching_"), *of(CrossValidation, *PROTOCOL, prefix="cv_"),
    of_items("of", "Weights speak for"),
)  # fmt: skip


def choose(dataset: DataSet) -> Subject | None:
    """Draw the controls and return what they ask for; None where something has to be brought, which is then asked for."""
    offered = bring.vectors_of(dataset)
    if not offered:
        bring.say_no_vectors(dataset)
        return None
    first, second, third, fourth, fifth, more = places(150, 180, 190, 220, 210, "content", align="bottom")
    with first:
        key = f"features.vectors.{dataset.name}"
        vectors = offered[widgets.choose("vectors", list(offered), key=key, help=VECTORS_HELP)]
    networks = bring.networks_for(dataset, vectors)
    if not networks:
        bring.say_no_network(dataset)
        return None
    key = f"features.network.{dataset.name}.{len(networks)}"
    with second:
        network = networks[widgets.choose("network", list(networks), key=key, help=NETWORK_HELP)]
    kernel = _kernel(third, fourth)
    with fifth:
        scaling = _scaling()
    with more, st.container(horizontal=True, vertical_alignment="bottom"):
        with st.popover("Matching", icon=":material/join_inner:"):
            start = Matching(through=network.n <= NODE_LIMIT)
            key = f"features.matching.{dataset.name}.{network.digest[:8]}"
            matching = controls(start, key, prefix="matching_")
            bring.bring_network(dataset)
        validation = _protocol(dataset)
    labels = dataset.judgeable
    made = matched(vectors, network, matching)
    if labels is None:
        raise InvalidInputError(
            "Weights and accuracies need classes of the items", "fewer than two",
            "Join a table of labels on the page Data",
        )  # fmt: skip
    with more:
        which = _class(labels)
    found = _prepare(made, kernel, scaling)
    return (
        None
        if found is None
        else Subject(dataset, found, kernel, labels, validation, which, len(vectors.columns))
    )


def _kernel(place: DeltaGenerator, beside: DeltaGenerator) -> NetworkKernel:
    with place:
        title = widgets.choose(
            "features_kernel", [kind.title for kind in KINDS],
            help="How a weight is shared by columns that are joined. Formulas stand at the bottom of the page.",
        )  # fmt: skip
    kind = next(kind for kind in KINDS if kind.title == title)
    described = parameters(kind)["laplacian"]
    with beside:
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
    with st.popover("Protocol", icon=":material/rule:"):
        return controls(start, f"features.cv.{dataset.name}", only=PROTOCOL, prefix="cv_")


def _class(labels: Labels) -> int:
    """Position of the class that a positive weight speaks for."""
    names = [name for name, _ in labels.classes]
    help = "A positive weight speaks for this class, a negative one against it."
    if len(names) <= MOST_SIDE_BY_SIDE:
        name = widgets.pick("of", names, key="features.of", help=help)
    else:
        name = widgets.choose("of", names, key="features.of", width=220, help=help)
    return names.index(name)


def _prepare(made: MatchedFeatures, kernel: NetworkKernel, scaling: Scaling) -> PreparedFeatures | None:
    """Decompose, with progress and Stop where it takes a while; None where it was stopped."""
    if made.network.n > NODE_LIMIT:
        raise TooLargeError(
            f"A network is decomposed up to {NODE_LIMIT:,} nodes", f"{made.network.n:,} nodes",
            "Under Matching, take out nodes that were not measured",
        )  # fmt: skip
    return run_in_pieces(
        Pieced(prepared, preparing_features, (made, kernel.operator, scaling)),
        key="features.decompose", what="% of the decomposition", at_once=made.network.n <= AT_ONCE, label="Decompose",
    )  # fmt: skip
