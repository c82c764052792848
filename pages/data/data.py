"""The page Data: bring files, look them over, choose the items that count."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.base.digests import digest
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.graphs.tudataset import tudataset_zip
from kernex_core.inputs.items.join import EDGES, GROUP, ID, KNOWN_PAIRS, LABEL, LETTERS, VERTICES
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.studies.data import dataset_script
from pages.data import add as bring
from pages.data import carried, health
from pages.export.downloads import zip_button
from pages.server import workspace
from pages.server.declared import declared, in_view, of_data, why_not
from pages.server.item_limit import needed
from pages.server.messages import guard, plain
from pages.server.navigation import page_at
from pages.ui import chosen, widgets
from pages.ui import files as spreadsheet
from pages.ui.frame import open_page, panel_title
from pages.ui.panels.keep import Offer, Result, buttons
from pages.ui.widget import controls

# The items one by one, with labels that can be corrected; and what leaves as files.

TURN: Final = "data.items.turn"
EDITS, LEFT = "data.items.edits", "data.items.left"
"""What the table holds that is not saved, and what such a table held that is no longer drawn: texts by item and column."""
MOST_SHOWN: Final = 6
Edits: TypeAlias = Mapping[str, Mapping[str, str]]


def items(view: DataSet, whole: DataSet) -> None:
    """Draw the closed table of items; corrected labels hold for the whole data set once they are saved."""
    lid = st.expander(
        f"Items and labels ({view.n:,})", icon=":material/list:", on_change="rerun", key="data.items.lid"
    )
    if lid.open:
        with lid:
            _table(view, whole)
            if not why_not("outliers", view):
                said = "Which items, and which labels, do not belong?"
                st.page_link(page_at("outliers"), label=said, icon=":material/person_search:")
    else:
        _note_left(whole)
    _left(whole)


def _table(view: DataSet, whole: DataSet) -> None:
    table = chosen.first(item_table(view), ID).reset_index(drop=True)
    fixed = [column for column in table.columns if column not in (LABEL, GROUP)]
    # what is edited is known by its row: rows in another order, or with other labels, are another table
    seen = digest(list(table.columns), pd.util.hash_pandas_object(table, index=False).to_numpy())
    key = f"data.items.{view.name}.{seen[:12]}.{workspace.recall(TURN, 0)}"
    if workspace.widget_says(key) is None:
        _note_left(whole)
    edited = st.data_editor(
        table,
        key=key,
        disabled=fixed,
        hide_index=True,
        height=420 if view.n > 10 else "auto",
        column_config={
            LABEL: st.column_config.TextColumn("label", help="Double-click to correct; empty = unlabelled.")
        },
    )
    _save(table, edited, whole)


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


def _save(table: pd.DataFrame, edited: pd.DataFrame, whole: DataSet) -> None:
    editable = [column for column in (LABEL, GROUP) if column in table]
    # an emptied cell comes back as None
    edited = edited.assign(**{column: edited[column].fillna("") for column in editable})
    is_changed = (table[editable] != edited[editable]).any(axis=1)
    rows = edited.loc[is_changed, [ID, *editable]].set_index(ID)
    edits: Edits = {
        str(name): {column: str(row[column]) for column in editable} for name, row in rows.iterrows()
    }
    workspace.remember(EDITS, (whole.name, edits))
    if not edits:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Save {len(edits):,} changed", key="data.items.save", icon=":material/check:"):
            _take(whole, edits)
        if st.button("Discard", key="data.items.discard", type="tertiary"):
            _forget(EDITS)


def _note_left(whole: DataSet) -> None:
    """A table that is drawn anew begins empty: what the former one held is kept beside it."""
    nothing: tuple[str, Edits] = ("", {})
    of, edits = workspace.recall(EDITS, nothing)
    was_of, before = workspace.recall(LEFT, nothing)
    if edits:
        workspace.remember(EDITS, nothing)
        workspace.remember(LEFT, (of, {**(before if was_of == of else {}), **edits}))


def _left(whole: DataSet) -> None:
    """Offer what was corrected and not saved before the table was drawn anew: another tab may have changed the data."""
    nothing: tuple[str, Edits] = ("", {})
    of, edits = workspace.recall(LEFT, nothing)
    here = set(whole.ids) if of == whole.name else set()
    edits = {name: row for name, row in edits.items() if name in here}
    if not edits:
        return
    named = [f"{plain(name)}: {plain(row[LABEL]) or 'none'}" for name, row in edits.items()]
    more = f" and {len(named) - MOST_SHOWN:,} more" if len(named) > MOST_SHOWN else ""
    st.warning(
        f"{counted(len(edits), 'item')} corrected and not saved before the table was drawn anew, here or because another "
        f"tab changed these data: {', '.join(named[:MOST_SHOWN])}{more}."
    )
    with st.container(horizontal=True):
        if st.button("Save them", key="data.items.left.save", icon=":material/check:"):
            _take(whole, edits, LEFT)
        if st.button("Let go of them", key="data.items.left.discard", type="tertiary"):
            _forget(LEFT)


def _take(whole: DataSet, edits: Edits, kept: str = EDITS) -> None:
    with guard():
        workspace.set_labels(corrected(whole, edits), whole)
        _forget(kept)


def _forget(kept: str) -> None:
    workspace.remember(kept, ("", {}))
    if kept == EDITS:
        workspace.remember(TURN, workspace.recall(TURN, 0) + 1)
    st.rerun()


def corrected(whole: DataSet, edits: Edits) -> Labels:
    """Labels of the whole data set with those of the edited items in place of the old ones."""
    old = whole.labels or Labels(whole.ids, np.array([""] * whole.n))
    place = {name: k for k, name in enumerate(whole.ids)}
    y = old.y.astype(object)
    groups = None if old.groups is None else old.groups.astype(object)
    for name, row in edits.items():
        y[place[name]] = str(row[LABEL]).strip()
        if groups is not None and GROUP in row:
            groups[place[name]] = str(row[GROUP]).strip()
    written = None if groups is None else groups.astype(str)
    # written out in scripts: no file holds these labels
    return replace(Labels(whole.ids, y.astype(str), written), notes=old.notes, made_from=old.made_from)


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
        spreadsheet.choose()


# Which items count, on every page: by class, smallest class, label pattern, or id.

SELECTION_TURN, SHOWN = "data.selection.turn", "data.selection.shown"


def heading(whole: DataSet) -> None:
    """Write name and description of the data set, with a way to rename it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(plain(whole.name), anchor=False, width="content")
        with st.popover("Rename", type="tertiary", icon=":material/edit:"):
            typed = st.text_input(
                "Name of the data set", whole.name, key=f"data.rename.{whole.name}", max_chars=60
            )
            name = " ".join(typed.split())
            if st.button("Rename it", key="data.rename", disabled=name in ("", whole.name)):
                workspace.rename(whole.name, name)
                st.rerun()
    if whole.description:
        st.caption(plain(whole.description))


def selection(whole: DataSet) -> None:
    """Draw the conditions and keep what they say; a selection that leaves nothing is refused and changes nothing.

    Another tab or page may have changed it since this tab's widgets were drawn: what was moved here is joined to that.
    """
    kept = workspace.selection()
    now = kept if isinstance(kept, Selection) else Selection()
    nothing: dict[str, Selection] = {}
    before = workspace.recall(SHOWN, nothing).get(whole.name, now)
    key = f"select.{whole.name}.{workspace.recall(SELECTION_TURN, 0)}"
    head = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with head:
        panel_title("Selection", f"{_share(whole)}; holds on every page")
        if now != Selection():
            st.button(
                "All items", key="select.all", type="tertiary", icon=":material/close:", on_click=_clear
            )
    with guard():
        spec = before
        if whole.labels is not None:
            with (
                head.popover("By class", icon=":material/category:", type="tertiary"),
                st.container(width=420),
            ):
                spec = dataclasses.replace(spec, classes=_classes(whole, before, key))
                spec = controls(spec, key, only=["min_class_size", "label_pattern"], kept=False)
        with head.popover("By id", icon=":material/checklist:", type="tertiary"):
            spec = dataclasses.replace(spec, ids=_ids(whole, before, key))
        with head.popover("Random part", icon=":material/casino:", type="tertiary"):
            drawn = ["size", "seed", *(["stratified"] if whole.labels is not None else [])]
            spec = controls(spec, f"{key}.part", only=drawn, kept=False)
            view = workspace.current()
            st.caption(f"{needed(whole.n if view is None else view.n)}.")
        moved = {name: value for name, value in vars(spec).items() if value != getattr(before, name)}
        wanted = dataclasses.replace(now, **moved)
        if wanted != now:
            workspace.set_selection(None if wanted == Selection() else wanted)
        _show(whole.name, wanted)
        if before != now:  # widgets that begin anew, with what it is
            workspace.remember(SELECTION_TURN, workspace.recall(SELECTION_TURN, 0) + 1)
        if wanted != now or before != now:
            st.rerun()


def _show(name: str, spec: Selection) -> None:
    nothing: dict[str, Selection] = {}
    workspace.remember(SHOWN, {**workspace.recall(SHOWN, nothing), name: spec})


def _share(whole: DataSet) -> str:
    view = workspace.current()
    n = whole.n if view is None else view.n
    if n == whole.n:
        return f"all {counted(n, 'item')}"
    inside = (
        f", {len(view.labels.classes)} of {len(whole.labels.classes)} classes"
        if view and view.labels and whole.labels
        else ""
    )
    return f"{n:,} of {whole.n:,} items{inside}"


def _classes(whole: DataSet, before: Selection, key: str) -> tuple[str, ...] | None:
    assert whole.labels is not None  # asked by the caller
    sizes = dict(whole.labels.classes)
    chosen = st.multiselect(
        "Classes", list(sizes), default=[name for name in before.classes or () if name in sizes],
        format_func=lambda name: f"{name} ({sizes[name]:,})", key=f"{key}.classes", persist_state="session",
        placeholder="all", help="Classes that are kept, with their sizes.",
    )  # fmt: skip
    return tuple(chosen) or None


def _ids(whole: DataSet, before: Selection, key: str) -> tuple[str, ...] | None:
    text = st.text_area(
        "Ids that are kept, one a line", "\n".join(before.ids or ()), key=f"{key}.ids", persist_state="session",
        height=200, placeholder="all",
    )  # fmt: skip
    wanted = tuple(dict.fromkeys(name.strip() for name in re.split(r"[\n\t]", text) if name.strip()))
    strangers = sorted(set(wanted) - set(whole.ids))
    if strangers:
        st.caption(f":orange[:material/warning:] Not in these data: {plain(listed(strangers, 8))}.")
    return wanted or None


def _clear() -> None:
    workspace.set_selection(None)
    if (name := workspace.current_name()) is not None:
        _show(name, Selection())
    workspace.remember(SELECTION_TURN, workspace.recall(SELECTION_TURN, 0) + 1)


SETTINGS = declared(*in_view(of_data("matrix", "Matrix")))


def run() -> None:
    """Draw the page in its frame."""
    open_page("Data", "What do you have, is it sound, and which items count?", SETTINGS)
    carried.opened()
    carried.dropped()
    bring.bring()
    view, name = workspace.current(), workspace.current_name()
    if view is not None and name is not None:
        whole = workspace.get(name)
        health.show(view)
        heading(whole)
        selection(whole)
        health.report(view, whole)
        items(view, whole)
        downloads(view)
    bring.public()
    carried.show()
