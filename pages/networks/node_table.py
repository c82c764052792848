"""A table of nodes joined to a network by id: labels, measurements, and nodes that no edge names."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.inputs import nodes
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.formats import labels
from kernex_core.inputs.items.join import NodeJoin, join_labels, join_nodes
from kernex_core.inputs.items.label_columns import LabelOptions
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.nodes import NodeOptions
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.inputs.upload import Upload
from pages.networks.subject import networks_of
from pages.server import workspace
from pages.server.messages import findings, plain
from pages.server.readers import tasks
from pages.ui.files import check_file_size, read_apart, upload

JOINED: Final = "networks.joined"
NONE: Final = "none"
ABOUT: Final = (
    "A table with ids of the nodes, and with labels or columns of numbers, by which nodes that are not in the network can "
    "be placed. It is joined by id, never by position."
)


def join_table(dataset: DataSet, network: Network) -> None:
    """Offer to join a table of nodes by id: labels, measurements, and nodes that no edge names."""
    said: str | None = workspace.recall(JOINED, None)
    if said is not None:
        workspace.remember(JOINED, None)
        st.toast(said)
    # a new one after every table that was joined: the file has left it
    turn: int = workspace.recall(f"{JOINED}.turn", 0)
    st.caption(ABOUT)
    file = upload("Table of nodes", key=f"networks.table.{turn}", types=["csv", "tsv", "txt", "gz", "xlsx"])
    if file is None:
        return
    check_file_size(file)
    table = _read(file, network.ids)
    if table is not None:
        _join(dataset, network, table, file)


def _read(file: Upload, ids: tuple[str, ...]) -> Labels | Vectors | None:
    """Read the table, its columns chosen: ids are those that name most of the nodes. None where nothing is to be joined."""
    seen = read_apart(tasks.node_columns, file, ids)
    found, numbers = seen.found, seen.numbers
    assert isinstance(found.options, LabelOptions)
    start, key = found.options, f"networks.{file.digest}"
    every = tuple(name for name in found.choices["id_column"] if name)
    first = every.index(start.id_column) if start.id_column in every else 0
    item = st.selectbox("Id column", every, index=first, key=f"{key}.id_column")
    others = [name for name in every if name != item]
    guess = _classes(file, replace(start, id_column=item), [name for name in others if name not in numbers])
    options = [NONE, *others]
    label = st.selectbox("Label column", options, index=options.index(guess), key=f"{key}.label_column")
    columns = [name for name in numbers if name not in (item, label)]
    findings(seen.notes)
    measured = st.multiselect(
        "Attributes", columns, columns, key=f"{key}.columns.{item}.{label}", help="Columns of numbers that are measurements."
    )  # fmt: skip
    if start.id_column == item:
        findings(found.notes)
    if measured:
        named = "" if label == NONE else label
        return read_apart(
            nodes.read, file, NodeOptions(id_column=item, label_column=named, columns=tuple(measured))
        )
    if label == NONE:
        st.caption("Choose a column of labels, or of numbers.")
        return None
    return read_apart(labels.read, file, replace(start, id_column=item, label_column=label))


def _classes(file: Upload, start: LabelOptions, texts: list[str]) -> str:
    """The column that is called so, else one of text, whose values repeat as those of classes do; "none" without any."""
    names = tuple(
        name for name in dict.fromkeys((start.label_column, *texts)) if name and name != start.id_column
    )
    return read_apart(tasks.class_column, file, start, names) or NONE


def _join(dataset: DataSet, network: Network, table: Labels | Vectors, file: Upload) -> None:
    there = set(network.ids)
    new = [name for name in table.ids if name not in there]
    isolated = bool(new) and st.toggle(
        "Lines without an edge become nodes", value=False, key="networks.isolated",
        help=f"{counted(len(new), 'line')} of the table that no edge names; such a node is similar to itself alone.",
    )  # fmt: skip
    made = join_nodes(network, table, new_nodes="isolated" if isolated else "ignore")
    findings((*table.notes, *made.notes))
    st.caption(_gets(made, table))
    if st.button("Join the table", key="networks.join", icon=":material/join_left:"):
        name = next(name for name, part in networks_of(dataset).items() if part is network)
        _into_workspace(dataset, name, made.network, table, file)
        workspace.remember(f"{JOINED}.turn", workspace.recall(f"{JOINED}.turn", 0) + 1)
        workspace.remember(JOINED, f"Joined {plain(file.filename)} by id.")
        st.rerun()


def _gets(made: NodeJoin, table: Labels | Vectors) -> str:
    """What the nodes get, in a sentence or two."""
    network, said = made.network, []
    if network.labels is not None and _labels(table) is not None:
        known = int(np.count_nonzero(network.labels.y != ""))
        classes = counted(len(network.labels.classes), "class")
        said.append(f"{known:,} of {network.n:,} nodes get one of {classes}.")
    if network.attributes is not None and isinstance(table, Vectors):
        whole = int(np.isfinite(network.attributes.X).all(axis=1).sum())
        said.append(f"{whole:,} of {network.n:,} nodes get {counted(table.X.shape[1], 'attribute')}.")
    return " ".join(said)


def _labels(table: Labels | Vectors) -> Labels | None:
    return table if isinstance(table, Labels) else table.labels


def _into_workspace(
    dataset: DataSet, name: str, network: Network, table: Labels | Vectors, file: Upload
) -> None:
    """Put the network into its data set; where its nodes are others than those, into a new one."""
    base = workspace.get(dataset.name)
    classes = network.labels if _labels(table) is not None else dataset.labels
    if network.ids == dataset.ids:
        whole = base if workspace.selection() is None else dataset
        changed = whole.with_samples(name, network).with_labels(classes)
    else:
        if classes is not None:
            classes = join_labels(network.ids, classes).labels
        changed = DataSet(dataset.name, network.ids, classes, {name: network}, defaults=dataset.defaults)
    if changed.ids == base.ids:
        workspace.replace(changed, base)
    else:
        workspace.add(replace(changed, name=f"{dataset.name} with {file.filename}"))
