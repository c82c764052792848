"""The session's data sets and kernels. The ONLY user of st.session_state.

    current() -> DataSet | None            the chosen data set, selection applied, kept kernels attached
    datasets() -> tuple[str, ...]          names, in order of arrival
    get(name) -> DataSet                   a whole data set, without selection and kept kernels
    current_name() -> str | None
    add(dataset, select=True) -> str       the name it got: "x (2)" where "x" was taken
    replace(dataset)                       new content under a name that exists (labels fixed, samples added)
    switch(name)   rename(old, new)   remove(name)
    keep_kernel(name, K) -> str            for the current data set; attached wherever its items cover the selection
    kept() -> dict[str, GramMatrix]        what was kept for the current data set, attached or not
    forget_kernel(name)
    set_labels(labels)                     for the current data set, joined by DataSet.with_labels
    selection() -> ItemChoice | None        set_selection(spec | None)
    remember(key, value)   recall(key, default)     page state that is no widget
    session_cache(make)                    for pages.shared.cached only
    show_in(key, value)   told(key, name)  in callbacks: a widget's value; what a component has just told
    just_shown(key)                        whether the widget about to be drawn has such a value

The sidebar is drawn before the page: after a change in a page's script (not in a callback), call st.rerun().
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any, TypeVar, cast

import streamlit as st

from kernex_core.errors import InvalidInputError
from pages.shared.session import Entry as _Entry
from pages.shared.session import ItemChoice
from pages.shared.session import State as _State

if TYPE_CHECKING:
    from kernex_core.gram.matrix import GramMatrix
    from kernex_core.inputs.dataset import DataSet
    from kernex_core.inputs.samples import Labels

T = TypeVar("T")
CHOICE_KEY = "data"
"""Key of the sidebar's select box, and so the query parameter that names the data set."""


def _state() -> _State:
    if "kernex" not in st.session_state:
        st.session_state["kernex"] = _State()
    state: _State = st.session_state["kernex"]
    return state


def _chosen() -> _Entry:
    state = _state()
    if state.chosen is None:
        raise InvalidInputError(
            "A data set has to be open", "an empty workspace", "Open a demo, or upload your own"
        )
    return state.entries[state.chosen]


def datasets() -> tuple[str, ...]:
    """Names of all data sets, in order of arrival."""
    return tuple(_state().entries)


def get(name: str) -> DataSet:
    """Return a whole data set, without selection and kept kernels."""
    return _state().entries[name].dataset


def current_name() -> str | None:
    """Name of the chosen data set."""
    return _state().chosen


def current() -> DataSet | None:
    """Return the chosen data set with its selection applied and the kept kernels that cover it attached."""
    if _state().chosen is None:
        return None
    entry = _chosen()
    if entry.view is None:
        entry.view = _view(entry, entry.selection)
    return entry.view


def _view(entry: _Entry, selection: ItemChoice | None) -> DataSet:
    view = entry.dataset if selection is None else entry.dataset.select(selection.items(entry.dataset))
    for name, K in entry.kernels.items():
        position = {item: i for i, item in enumerate(K.ids)}
        if all(item in position for item in view.ids):
            same = K.ids == view.ids
            view = view.with_kernel(name, K if same else K.take([position[item] for item in view.ids]))
    return view


def add(dataset: DataSet, select: bool = True) -> str:
    """Add a data set under its name, numbered where that is taken, and return the name."""
    name = _free_name(dataset.name, _state().entries)
    if name != dataset.name:
        dataset = dataclasses.replace(dataset, name=name)
    _state().entries[name] = _Entry(dataset)
    if select or _state().chosen is None:
        switch(name)
    return name


def _free_name(wanted: str, taken: Container[str]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} ({number})", number + 1
    return name


def replace(dataset: DataSet) -> None:
    """Put new content under a name that exists; kept kernels and the selection stay."""
    entry = _state().entries[dataset.name]
    changed = dataclasses.replace(entry, dataset=dataset, view=None)
    changed.view = _view(changed, changed.selection)  # raises before anything is changed
    _state().entries[dataset.name] = changed


def switch(name: str) -> None:
    """Choose a data set for all pages."""
    state = _state()
    if name not in state.entries:
        raise InvalidInputError("The data set has to be open", repr(name), "Choose one of the workspace")
    state.kernel_is_stale |= state.chosen not in (None, name)  # one in the first address stays
    state.chosen = name
    # where the visitor chose it in the box itself, nothing has to follow
    state.choice_is_stale = st.session_state.get(CHOICE_KEY) != name


def rename(old: str, new: str) -> str:
    """Rename a data set in place, numbered where the new name is taken, and return the name it got."""
    state = _state()
    name = old if new == old else _free_name(new, state.entries)
    renamed: dict[str, _Entry] = {}
    for key, entry in state.entries.items():
        if key == old:
            entry.dataset, entry.view = dataclasses.replace(entry.dataset, name=name), None
        renamed[name if key == old else key] = entry
    state.entries = renamed
    if state.chosen == old:
        state.chosen = name
        switch(name)
    return name


def remove(name: str) -> None:
    """Let go of a data set; the one that came last before it is chosen."""
    state = _state()
    state.entries.pop(name, None)
    if state.chosen == name:
        state.chosen, state.choice_is_stale = next(reversed(state.entries), None), True


def keep_kernel(name: str, K: GramMatrix) -> str:
    """Keep a kernel for the current data set and return the name it got; all its items have to be of that set."""
    entry = _chosen()
    strangers = set(K.ids) - set(entry.dataset.ids)
    if strangers:
        raise InvalidInputError(
            f"A kernel kept for {entry.dataset.name} has to be on its items",
            f"{len(strangers)} others, for example {min(strangers)!r}",
        )
    free = _free_name(name, {*entry.dataset.kernels, *entry.kernels})
    entry.kernels[free], entry.view = K.renamed(free), None
    return free


def kept() -> dict[str, GramMatrix]:
    """Kernels kept for the current data set, whether or not they cover the present selection."""
    return dict(_chosen().kernels)


def forget_kernel(name: str) -> None:
    """Let go of a kept kernel."""
    _chosen().kernels.pop(name, None)
    _chosen().view = None


def set_labels(labels: Labels) -> None:
    """Give the current data set other labels."""
    replace(_chosen().dataset.with_labels(labels))


def selection() -> ItemChoice | None:
    """Return the selection of the current data set."""
    return None if _state().chosen is None else _chosen().selection


def set_selection(spec: ItemChoice | None) -> None:
    """Keep only some items of the current data set, on every page; an error leaves the selection as it was."""
    entry = _chosen()
    entry.view = _view(entry, spec)
    entry.selection = spec


def remember(key: str, value: object) -> None:
    """Keep page state that is no widget until the session ends."""
    _state().memory[key] = value


def recall(key: str, default: T) -> T:
    """Return what was remembered, which is of the type of `default`."""
    return cast("T", _state().memory.get(key, default))


def session_cache(make: Callable[[], T]) -> T:
    """Return this session's cache, made once; for pages.shared.cached."""
    if _state().cache is None:
        _state().cache = make()
    return cast("T", _state().cache)  # nobody else makes one


def follow_choice() -> None:
    """Let the select box show a choice that was made elsewhere; called just before it is drawn."""
    state = _state()
    if state.choice_is_stale:
        st.session_state[CHOICE_KEY] = state.chosen
        state.choice_is_stale = False


def begin_with_kernel(key: str, name: str) -> bool:
    """Let a select box of kernels begin anew where another data set was opened; called just before it is drawn."""
    if stale := _state().kernel_is_stale:
        st.session_state[key], _state().kernel_is_stale = name, False
    return stale


def show_in(key: str, value: object) -> None:
    """Let the widget of that key show a value; called in a callback, before the widget is drawn."""
    st.session_state[key] = value
    remember(f"{key}.shown", True)


def just_shown(key: str) -> bool:
    """Whether `show_in` has put a value into the widget of that key since it was drawn last."""
    shown = recall(f"{key}.shown", False)
    if shown:
        remember(f"{key}.shown", False)
    return shown


def told(key: str, name: str) -> Any:
    """Return what the component of that key has just told under a name; called in its callback."""
    return getattr(st.session_state.get(key), name, None)
