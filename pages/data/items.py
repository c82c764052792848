"""The items one by one, with labels that can be corrected; and what leaves as files."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.graphs.written import tudataset_zip
from kernex_core.inputs.items.item_table import (
    EDGES,
    GROUP,
    ID,
    KNOWN_PAIRS,
    LABEL,
    LETTERS,
    VERTICES,
)
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.studies.data.assembly import dataset_script
from pages.shared import chosen, workspace
from pages.shared.downloads import zip_button
from pages.shared.messages import guard, plain
from pages.shared.panels.keep import Offer, Result, buttons
from pages.shared.settings import widgets

TURN: Final = "data.items.turn"


def items(view: DataSet, whole: DataSet) -> None:
    """Draw the closed table of items; corrected labels hold for the whole data set once they are saved."""
    lid = st.expander(
        f"Items and labels ({view.n:,})", icon=":material/list:", on_change="rerun", key="data.items.lid"
    )
    if not lid.open:
        return
    with lid:
        table = chosen.first(item_table(view), ID).reset_index(drop=True)
        fixed = [column for column in table.columns if column not in (LABEL, GROUP)]
        edited = st.data_editor(
            table,
            # what is edited is known by its row: rows in another order are another table
            key=f"data.items.{view.name}.{view.digest[:12]}.{hash(tuple(table[ID]))}.{workspace.recall(TURN, 0)}",
            disabled=fixed,
            hide_index=True,
            height=420 if view.n > 10 else "auto",
            column_config={
                LABEL: st.column_config.TextColumn(
                    "label", help="Double-click to correct; empty = unlabelled."
                )
            },
        )
        _save(table, edited, view, whole)


def item_table(data: DataSet) -> pd.DataFrame:
    """One row an item: id, label, group, and what is known of it in every part."""
    columns: dict[str, ArrayLike] = {ID: list(data.ids)}
    columns[LABEL] = [""] * data.n if data.labels is None else data.labels.y.tolist()
    if data.labels is not None and data.labels.groups is not None:
        columns[GROUP] = data.labels.groups.tolist()
    for name, samples in data.samples.items():
        if isinstance(samples, Sequences):
            columns[f"{LETTERS}{name}"] = [len(string) for string in samples.strings]
        if isinstance(samples, GraphSet):
            columns[f"{VERTICES}{name}"] = samples.n_nodes
            columns[f"{EDGES}{name}"] = samples.n_edges
    for name, K in data.kernels.items():
        if not K.unknown.complete:
            columns[f"{KNOWN_PAIRS}{name}"] = (~np.isnan(K.values)).sum(axis=1)
    return pd.DataFrame(columns)


def _save(table: pd.DataFrame, edited: pd.DataFrame, view: DataSet, whole: DataSet) -> None:
    editable = [column for column in (LABEL, GROUP) if column in table]
    # an emptied cell comes back as None
    edited = edited.assign(**{column: edited[column].fillna("") for column in editable})
    changed = int((table[editable] != edited[editable]).any(axis=1).sum())
    if not changed:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Save {changed:,} changed", key="data.items.save", icon=":material/check:"):
            with guard():
                workspace.set_labels(corrected(whole, edited), whole)
                workspace.remember(TURN, workspace.recall(TURN, 0) + 1)
                st.rerun()
        if st.button("Discard", key="data.items.discard", type="tertiary"):
            workspace.remember(TURN, workspace.recall(TURN, 0) + 1)
            st.rerun()


def corrected(whole: DataSet, edited: pd.DataFrame) -> Labels:
    """Labels of the whole data set with those of the edited items in place of the old ones."""
    old = whole.labels or Labels(whole.ids, np.array([""] * whole.n))
    place = {name: k for k, name in enumerate(whole.ids)}
    at = [place[name] for name in edited[ID]]
    y = old.y.astype(object)
    y[at] = [str(label).strip() for label in edited[LABEL]]
    groups = old.groups
    if groups is not None and GROUP in edited:
        groups = groups.astype(object)
        groups[at] = [str(group).strip() for group in edited[GROUP]]
        groups = groups.astype(str)
    # written out in scripts: no file holds these labels
    return replace(Labels(whole.ids, y.astype(str), groups), notes=old.notes, made_from=old.made_from)


def downloads(view: DataSet) -> None:
    """Draw the files that the data set can leave as: labels, matrices, and the script that makes it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if view.kernels:
            name = widgets.choose("matrix", list(view.kernels), key=f"data.matrix.{view.name}", width=260)
            K = view.kernels[name]
            buttons(Result(f"{view.name} {name}", kernel=lambda: K), key="data")
        labels = Offer(
            lambda: item_table(view),
            label="Items and labels as CSV",
            name=f"{view.name} labels",
            key="labels.csv",
        )
        script = Offer(
            lambda: dataset_script(view),
            help="Python that makes these data again from the uploaded files, with kernex_core alone.",
        )
        for name, samples in view.samples.items():
            if isinstance(samples, GraphSet):
                zip_button(
                    f"{plain(name)} as ZIP",
                    partial(tudataset_zip, samples, view.name, view.labels),
                    f"{view.name} {name}",
                    key=f"data.zip.{name}",
                    icon=":material/download:",
                    help="Text files as in TUDataset, and a table of ids.",
                )
        buttons(Result(view.name, table=labels, script=script), key="data")
