"""Which items count, on every page: by class, smallest class, label pattern, or id."""

from __future__ import annotations

import dataclasses
import re

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.names import counted, listed
from pages.shared import workspace
from pages.shared.controls import controls
from pages.shared.frame import panel_title
from pages.shared.item_limit import needed
from pages.shared.messages import guard, plain

TURN, SHOWN = "data.selection.turn", "data.selection.shown"


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
    key = f"select.{whole.name}.{workspace.recall(TURN, 0)}"
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
            workspace.remember(TURN, workspace.recall(TURN, 0) + 1)
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
    workspace.remember(TURN, workspace.recall(TURN, 0) + 1)
