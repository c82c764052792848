"""Networks that are not there yet: what to bring, one made of vectors; and a table of nodes joined to one that is."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.datasets.catalogue import DATASETS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.formats import labels
from kernex_core.inputs.formats.label_columns import LabelOptions
from kernex_core.inputs.formats.label_ids import suggest_for
from kernex_core.inputs.items.node_table import join_nodes
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.neighbour_network import neighbour_network
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.inputs.upload import Upload
from kernex_core.validation import ITEM_LIMIT
from pages.networks.subject import networks_of
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.controls import Change, controls
from pages.shared.files.uploads import check_file_size, upload
from pages.shared.frame import open_demo, panel_title
from pages.shared.messages import findings, guard, plain

JOINED: Final = "networks.joined"
SAYS: Final = (
    "This page looks at a network, and **{name}** has none. Bring one on the page Data: a list of edges is enough, "
    "two ids a line, perhaps with a weight; GraphML, GML and adjacency matrices are read too."
)
NEIGHBOURS_HELP: Final = (
    "Each item is joined to so many of its nearest others by Euclidean distance. Few leave the network in pieces, many join "
    "what is unlike. Columns count as they are: standardise them first if their units differ."
)


def say_what_to_bring(dataset: DataSet) -> None:
    """Say what a network is here, and offer one made of vectors and the demos."""
    st.markdown(SAYS.format(name=plain(dataset.name)))
    st.page_link("data/data.py", label="Bring a list of edges", icon=":material/upload:")
    neighbours(dataset)
    st.markdown("Or open a demo:")
    with st.container(horizontal=True):
        for demo in (demo for demo in DATASETS if demo.about == "network"):
            st.button(
                demo.title, key=f"networks.{demo.name}", help=demo.question, on_click=open_demo, args=(demo.title,)
            )  # fmt: skip


def more(dataset: DataSet) -> None:
    """Offer a network of nearest neighbours beside one that was brought, where there are vectors."""
    if any(isinstance(part, Vectors) for part in dataset.samples.values()):
        with st.expander("Another network, made of the vectors"):
            neighbours(dataset)


def neighbours(dataset: DataSet) -> None:
    """Offer a network of nearest neighbours for every part of the data that is vectors."""
    names = [name for name, part in dataset.samples.items() if isinstance(part, Vectors)]
    if not names or not 2 < dataset.n <= ITEM_LIMIT:
        return
    panel_title("Nearest-neighbour network", "made of the vectors of these data")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Vectors", names, key=f"networks.vectors.{dataset.name}", width=220)
        k = st.slider(
            "Neighbours k", 1, min(30, dataset.n - 1), min(5, dataset.n - 1), 1, key=f"networks.k.{dataset.name}",
            help=NEIGHBOURS_HELP, width=260,
        )  # fmt: skip
        weights = st.segmented_control(
            "Weights", ("one", "gaussian"), default="one", required=True, key="networks.weights", persist_state="session",
            help="one: every edge counts alike. gaussian: exp(−d²/(2σ²)), σ the median distance to neighbours.",
        )  # fmt: skip
        mutual = st.toggle(
            "Both ways", key="networks.mutual", persist_state="session",
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


def join_table(dataset: DataSet, network: Network) -> None:
    """Offer to join a table of nodes by id: labels, and nodes that no edge names."""
    said: str | None = workspace.recall(JOINED, None)
    if said is not None:
        workspace.remember(JOINED, None)
        st.toast(said)
    # a new one after every table that was joined: it is closed, and the file has left it
    turn: int = workspace.recall(f"{JOINED}.turn", 0)
    with st.popover("Node table", icon=":material/table_rows:", key=f"networks.popover.{turn}"):
        st.caption("A table with ids and labels of the nodes; it is joined by id, never by position.")
        file = upload(
            "Table of nodes", key=f"networks.table.{turn}", types=["csv", "tsv", "txt", "gz", "xlsx"]
        )
        if file is None:
            return
        with guard():
            check_file_size(file)
            _join(dataset, network, _read(file, network.ids), file)


def _read(file: Upload, ids: tuple[str, ...]) -> Labels:
    """Read the table, its columns of ids and labels chosen: ids are those that name most of the nodes."""
    found = suggest_for(file, ids)
    assert isinstance(found.options, LabelOptions)
    changed: dict[str, Change] = {}
    for name in ("id_column", "label_column"):
        columns = tuple(found.choices[name])
        changed[name] = {"choices": columns, "names": tuple(column or "none" for column in columns)}
    asked = controls(found.options, f"networks.{file.digest}", only=tuple(changed), changed=changed)
    if asked == found.options:
        findings(found.notes)
    return labels.read(file, asked)


def _join(dataset: DataSet, network: Network, table: Labels, file: Upload) -> None:
    new = [name for name in table.ids if name not in set(network.ids)]
    isolated = bool(new) and st.toggle(
        "Lines without an edge become nodes", value=False, key="networks.isolated",
        help=f"{counted(len(new), 'line')} of the table that no edge names; such a node is similar to itself alone.",
    )  # fmt: skip
    made = join_nodes(network, table, new_nodes="isolated" if isolated else "ignore")
    classes = made.network.labels
    findings(made.notes)
    if classes is not None:
        known = int(np.count_nonzero(classes.y != ""))
        st.caption(
            f"{known:,} of {made.network.n:,} nodes get one of {counted(len(classes.classes), 'class')}."
        )
    if st.button("Join the table", key="networks.join", icon=":material/join_left:"):
        name = next(name for name, part in networks_of(dataset).items() if part is network)
        base = workspace.get(dataset.name)
        if made.network.ids == dataset.ids:
            whole = base if workspace.selection() is None else dataset
            changed = whole.with_samples(name, made.network).with_labels(classes)
        else:
            changed = DataSet(
                dataset.name, made.network.ids, classes, {name: made.network}, defaults=dataset.defaults
            )
        if changed.ids == base.ids:
            workspace.replace(changed, base)
        else:
            workspace.add(replace(changed, name=f"{dataset.name} with {file.filename}"))
        workspace.remember(f"{JOINED}.turn", workspace.recall(f"{JOINED}.turn", 0) + 1)
        workspace.remember(JOINED, f"Joined {plain(file.filename)} by id.")
        st.rerun()
