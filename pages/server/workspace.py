"""The visitor's data sets and kernels, the same in all their tabs. The ONLY user of st.session_state.

    current() -> DataSet | None            the chosen data set, selection applied, kept kernels attached
    datasets() -> tuple[str, ...]          names, in order of arrival
    get(name) -> DataSet                   a whole data set, without selection and kept kernels
    current_name() -> str | None
    add(dataset, select=True) -> str       the name it got
    change(name, made)                     new content of a data set, made of what it is at that moment
    replace(dataset, base)                 new content that was made of `base`; refused where that has changed since
    switch(name)   rename(old, new)   remove(name)   widget_says(key)
    keep_kernel(name, K) -> str            for the current data set; attached wherever its items cover the selection
    kept() -> dict[str, GramMatrix]        what was kept for the current data set, attached or not
    forget_kernel(name)
    set_labels(labels, base)               for the current data set, joined by DataSet.with_labels
    selection() -> ItemChoice | None       set_selection(spec | None)
    put(key, value)   setting(key, default)   alter(key, made, default)     page state of all tabs that is no widget
    remember(key, value)   recall(key, default)     of this tab: page state that is no widget; session_cache told
    begin(page, asked)   tab() -> Tab      a run of a page begins; what this tab knows: .space, .seen, .page, .forget()

The visitor is named by a cookie (pages/server/visitors/); without one the workspace belongs to the tab, and ends with it.
A run reads one state of it, and changes the newest one, under its lock. After a change in a page's script (not in a
callback), call st.rerun(): the sidebar is drawn before the page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import streamlit as st
from streamlit import runtime

from pages.server.visitors import contents
from pages.server.visitors import store as identity
from pages.server.visitors.contents import ItemChoice
from pages.server.visitors.store import STARTED
from pages.server.visitors.tab import Tab as _State

if TYPE_CHECKING:
    from kernex_core.gram.matrix import GramMatrix
    from kernex_core.inputs.dataset import DataSet
    from kernex_core.inputs.samples import Labels


T = TypeVar("T")
_Entry = contents.Entry
CHOICE_KEY = "data"
"""Key of the sidebar's select box, and so the query parameter that names the data set."""


def tab() -> _State:
    """What this tab knows."""
    state: _State | None = st.session_state.get("kernex")  # asked for a hundred times a run
    if state is None:
        state = st.session_state["kernex"] = _State()
        state.enter(visitor())
    return state


def visitor() -> str | None:
    """Return what names this visitor's browser; None where it keeps no cookie."""
    return identity.visitor_of(st.context.cookies.get(identity.cookie_name())) if runtime.exists() else None


def is_left_open() -> bool:
    """Whether this page was open while the server was started anew."""
    # without a browser, as in tests, whatever is asked for is there, and is no text
    return runtime.exists() and isinstance(st.context.cookies.get(identity.FORMER), str)


def begin(page: str, asked: str = "") -> None:
    """Look at the workspace as it is now; what was open last is, unless the address asks for other data."""
    state = tab()
    state.at(page)
    state.enter(who := visitor())
    if who is None and not recall(identity.FORMER, False) and is_left_open():
        remember(identity.FORMER, True)
        state.space.notice = f"{STARTED} Load this page anew first."
    if state.chosen is None and state.seen.last is not None and not asked:
        state.chosen, state.choice_is_stale = state.seen.last, True


def datasets() -> tuple[str, ...]:
    """Names of all data sets, in order of arrival."""
    return tuple(tab().seen.entries)


def get(name: str) -> DataSet:
    """Return a whole data set, without selection and kept kernels."""
    return tab().seen.entry(name).dataset


def current_name() -> str | None:
    """Name of the chosen data set."""
    return tab().chosen


def current() -> DataSet | None:
    """Return the chosen data set with its selection applied and the kept kernels that cover it attached."""
    state = tab()
    entry = state.seen.entries.get(state.chosen or "")
    return None if entry is None else entry.view


def add(dataset: DataSet, select: bool = True) -> str:
    """Add a data set under its name, numbered where that is taken, and return the name."""
    with tab().changing() as space:
        space.contents, name = space.contents.with_new(dataset)
    if select or tab().chosen is None:
        switch(name)
    return name


def change(name: str, made: Callable[[DataSet], DataSet]) -> None:
    """Put new content under a name, made of what is there at that moment; kept kernels and the selection stay."""
    with tab().changing() as space:
        space.contents = space.contents.with_content(name, made)


def replace(dataset: DataSet, base: DataSet | None = None) -> None:
    """Put new content under a name that exists; kept kernels and the selection stay.

    Where `base`, of which it was made, is no longer what is there, another tab has changed it, and would lose that.
    """
    with tab().changing() as space:
        space.contents = space.contents.with_replaced(dataset, base)


def switch(name: str) -> None:
    """Choose a data set for all pages of this tab, and for tabs that are opened from now on."""
    state = tab()
    with tab().changing() as space:
        space.contents = space.contents.opened(name)
    state.chosen = name
    # where the visitor chose it in the box itself, nothing has to follow
    state.choice_is_stale = st.session_state.get(CHOICE_KEY) != name


def rename(old: str, new: str) -> str:
    """Rename a data set in place, numbered where the new name is taken, and return the name it got."""
    state = tab()
    with tab().changing() as space:
        space.contents, name = space.contents.moved(old, new)
    if state.chosen == old:
        state.chosen = name
        switch(name)
    return name


def remove(name: str) -> None:
    """Let go of a data set; the one that came last before it is chosen."""
    state = tab()
    with tab().changing() as space:
        space.contents = space.contents.without(name)
    if state.chosen == name:
        state.chosen, state.choice_is_stale = next(reversed(state.seen.entries), None), True


def keep_kernel(name: str, K: GramMatrix) -> str:
    """Keep a kernel for the current data set and return the name it got; all its items have to be of that set."""
    with tab().changing() as space:
        space.contents, free = space.contents.with_kernel(tab().chosen, name, K)
    return free


def kept(name: str | None = None) -> dict[str, GramMatrix]:
    """Kernels kept for the current data set, or for another, whether or not they cover the present selection."""
    return dict(tab().seen.entry(tab().chosen if name is None else name).kernels)


def forget_kernel(name: str) -> None:
    """Let go of a kept kernel."""
    with tab().changing() as space:
        space.contents = space.contents.without_kernel(tab().chosen, name)


def set_labels(labels: Labels | None, base: DataSet | None = None) -> None:
    """Give the current data set other labels; `base` as in `replace`."""
    replace(tab().seen.entry(tab().chosen).dataset.with_labels(labels), base)


def selection() -> ItemChoice | None:
    """Return the selection of the current data set."""
    return None if (chosen := tab().chosen) is None else tab().seen.entry(chosen).selection


def set_selection(spec: ItemChoice | None) -> None:
    """Keep only some items of the current data set, on every page; an error leaves the selection as it was."""
    with tab().changing() as space:
        space.contents = space.contents.with_selection(tab().chosen, spec)


def put(key: str, value: object) -> None:
    """Keep page state that is no widget, for all tabs."""
    alter(key, lambda _: value, None)


def setting(key: str, default: T) -> T:
    """What was put, of the type of `default`."""
    return cast("T", tab().seen.settings.get(key, default))


def alter(key: str, made: Callable[[T], object], default: T) -> None:
    """Put what is made of what is there at that moment."""
    with tab().changing() as space:
        before = cast("T", space.contents.settings.get(key, default))
        space.contents = space.contents.with_setting(key, made(before))


def remember(key: str, value: object) -> None:
    """Keep page state that is no widget until the tab is closed or loaded anew."""
    tab().memory[key] = value


def recall(key: str, default: T) -> T:
    """Return what was remembered, which is of the type of `default`."""
    return cast("T", tab().memory.get(key, default))


def session_cache(make: Callable[[], T]) -> T:
    """Return this visitor's cache, made once; for pages.server.cached."""
    space = tab().space
    with space.lock:
        space.results = cast("Any", make()) if space.results is None else space.results
    return cast("T", space.results)  # nobody else makes one


def follow_choice() -> None:
    """Let the select box show a choice that was made elsewhere; called just before it is drawn."""
    state = tab()
    # an address without data is none about no data
    is_emptied = CHOICE_KEY not in st.query_params and st.session_state.get(CHOICE_KEY) is None
    if state.choice_is_stale or (is_emptied and state.chosen is not None):
        st.session_state[CHOICE_KEY], state.choice_is_stale = state.chosen, False


def show_in(key: str, value: object) -> None:
    """Let the widget of that key show a value, which counts as if it had been moved; called before it is drawn."""
    st.session_state[key] = value


def widget_says(key: str, nothing: object = None) -> object:
    """What the widget of that key says, drawn in this run or not; `nothing` where it says nothing."""
    return st.session_state.get(key, nothing)


def told(key: str, name: str) -> Any:
    """Return what the component of that key has just told under a name; called in its callback."""
    return getattr(widget_says(key), name, None)
