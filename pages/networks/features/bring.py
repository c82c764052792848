"""Which vectors, and which network of their columns: chosen among what is open, or brought here."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Vectors
from pages.shared import workspace
from pages.shared.files.reading import read_apart
from pages.shared.files.uploads import check_file_size, upload
from pages.shared.messages import findings, guard, plain
from pages.shared.readers import tasks

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
    st.page_link("data/data.py", label="Join a table of labels", icon=":material/upload:")


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
