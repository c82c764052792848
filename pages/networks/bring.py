"""A network that is not there yet: of nearest neighbours, made of vectors."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.base.validation import ITEM_LIMIT
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.networks.network import Network, neighbour_network
from kernex_core.inputs.samples import Vectors
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.declared.settings import of_data, setting
from pages.shared.frame import panel_title
from pages.shared.messages import guard
from pages.shared.settings import widgets

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
