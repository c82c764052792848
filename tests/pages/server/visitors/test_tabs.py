"""Two tabs of one visitor: each run sees one state, and neither loses what the other does."""

import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.upload import Upload
from pages.server import workspace
from pages.server.visitors import limits, tab
from pages.server.visitors.store import FULL, Store
from tests.patience import PATIENCE

IDS = ("a", "b", "c")


class Sessions(threading.local):
    """st.session_state of the tab in which this thread runs."""

    def __init__(self):
        self.state = {}

    def __contains__(self, key):
        return key in self.state

    def __getitem__(self, key):
        return self.state[key]

    def __setitem__(self, key, value):
        self.state[key] = value

    def get(self, key, default=None):
        return self.state.get(key, default)


@pytest.fixture
def sessions(monkeypatch):
    found = Sessions()
    monkeypatch.setattr(st, "session_state", found)
    monkeypatch.setattr(workspace, "visitor", lambda: "somebody")
    monkeypatch.setattr(tab, "STORE", Store())
    return found


@pytest.fixture
def two(sessions):
    """Call it to go to the other tab, in which a page is drawn."""
    tabs, number = ({}, {}), 0

    def other():
        nonlocal number
        number = 1 - number
        sessions.state = tabs[number]
        workspace.begin("kernels")

    other()
    return other


def data(name="mine"):
    return DataSet(name, IDS, kernels={"K": GramMatrix(np.eye(3), IDS, "K")})


def test_a_tab_sees_what_another_did_at_its_next_run_and_not_before(two):
    workspace.add(data())
    two()
    assert workspace.current_name() == "mine"  # a new tab opens what was open
    K = workspace.current().kernels["K"]
    workspace.keep_kernel("mine too", K)
    two()
    before = workspace.current()
    assert list(workspace.kept()) == ["mine too"]
    first = workspace.tab()
    two()
    workspace.keep_kernel("third", K)
    workspace.remember("tab", 1)
    workspace.put("all", 1)
    assert first.entries["mine"].view is before  # the run goes on with what it began with
    two()
    assert list(workspace.kept()) == ["mine too", "third"]
    assert (workspace.recall("tab", 0), workspace.setting("all", 0)) == (0, 1)


def test_each_tab_has_its_own_data_set_open_and_follows_names(two):
    workspace.add(data("one"))
    two()
    workspace.add(data("two"))
    two()
    assert workspace.current_name() == "one"
    two()
    workspace.rename("one", "other")
    assert workspace.current_name() == "two"
    two()
    assert workspace.current_name() == "other"
    two()
    workspace.remove("other")
    two()
    assert workspace.current_name() == "two"


def test_what_was_made_of_what_another_tab_has_changed_is_refused(two):
    workspace.add(data())
    base = workspace.get("mine")
    two()
    workspace.change("mine", lambda whole: whole.with_kernel("L", whole.kernels["K"]))
    two()
    with pytest.raises(InvalidInputError, match="another tab"):
        workspace.replace(replace(base, description="new"), base)
    assert list(workspace.get("mine").kernels) == ["K", "L"]
    two()
    workspace.remove("mine")
    with pytest.raises(InvalidInputError, match="open"):
        workspace.get("mine")


def test_to_forget_everything_empties_all_tabs_at_once(two):
    workspace.add(data())
    workspace.remember("pictures", "of it")
    first = workspace.tab()
    two()
    workspace.put("data.files", ("a file",))
    results = workspace.session_cache(dict)
    assert workspace.tab().seen.is_own
    workspace.tab().space.results = results = tab.BoundedCache(8, 1_000)
    results.put("x", 1)
    workspace.tab().forget()
    assert not first.entries
    assert not first.memory
    assert len(results) == 0
    assert not workspace.tab().seen.is_own
    two()
    assert workspace.current() is None


def test_what_another_tab_closes_is_followed_also_by_a_run_that_has_begun(two):
    workspace.add(data("one"))
    workspace.add(data("two"))
    two()
    two()
    first = workspace.tab()
    two()
    workspace.remove("two")
    workspace.add(data("three"))
    with first.changing() as space:  # the first tab puts something, in the run that it is in
        space.contents = space.contents.with_setting("x", 1)
    assert first.chosen in first.entries


def test_what_was_forgotten_in_another_tab_is_not_named(two):
    workspace.add(data("secret"))
    two()
    assert workspace.tab().chosen == "secret"
    two()
    workspace.tab().forget()
    two()
    workspace.begin("kernels")
    said = workspace.tab().notice
    assert "closed in another tab" in said
    assert "secret" not in said


def test_of_what_another_tab_closes_one_is_told_and_of_what_one_closes_oneself_not(two):
    workspace.add(data("other"))
    workspace.add(data("one"))
    two()
    first = workspace.tab()
    assert first.chosen == "one"
    two()
    workspace.remove("one")
    assert workspace.tab().notice == ""
    two()
    assert "“one” was closed in another tab" in workspace.tab().notice
    two()
    assert workspace.tab().notice == ""
    two()
    assert "another tab" in first.notice  # until it is understood


def test_of_what_was_let_go_for_others_nobody_says_that_a_tab_closed_it(two):
    workspace.add(data("one"))
    with tab.STORE._lock:
        tab.STORE._leave(tab.STORE._spaces["somebody"], FULL, None)
    two()
    workspace.begin("kernels")
    assert workspace.tab().notice == ""
    assert workspace.tab().space.notice == FULL


def test_where_others_come_files_that_wait_count_too(two, monkeypatch):
    monkeypatch.setenv(limits.WORKSPACES, "50")
    monkeypatch.setattr(limits, "answers_alone", lambda: False)
    workspace.put("data.files", (Upload("a", bytes(20_000_000)),))
    with pytest.raises(TooLargeError, match="wait"):
        workspace.put("data.files", (Upload("a", bytes(20_000_000)), Upload("b", bytes(20_000_000))))
    workspace.put("data.files", ())


def test_nothing_is_put_into_a_workspace_that_was_let_go(two):
    workspace.add(data())
    mine = workspace.tab()
    with mine.space.lock:
        former = tab.STORE._spaces.pop("somebody")
    former.close()
    workspace.put("x", 1)
    assert mine.space is not former
    two()
    assert workspace.setting("x", 0) == 1


def test_another_cookie_is_another_visitor_and_none_is_nobody(two, sessions, monkeypatch):
    workspace.add(data())
    for visitor in ("somebody else", None):
        monkeypatch.setattr(workspace, "visitor", lambda visitor=visitor: visitor)
        workspace.begin("kernels")  # the same tab, joined to another connection
        assert workspace.datasets() == ()
        sessions.state = {}
        assert workspace.datasets() == ()


def test_where_others_come_nobody_takes_all_the_room(two, monkeypatch):
    monkeypatch.setenv(limits.WORKSPACES, "50")
    monkeypatch.setattr(limits, "answers_alone", lambda: False)
    ids = tuple(map(str, range(1_500)))
    workspace.add(DataSet("18 MB", ids, kernels={"K": GramMatrix(np.eye(1_500), ids)}))
    with pytest.raises(TooLargeError, match="25"):
        workspace.add(DataSet("more", ids, kernels={"K": GramMatrix(2.0 * np.eye(1_500), ids)}))
    assert workspace.datasets() == ("18 MB",)
    two()
    assert workspace.datasets() == ("18 MB",)
    workspace.remove("18 MB")


def test_two_tabs_at_the_same_moment_lose_nothing_and_wait_for_nothing(sessions):
    rounds, tabs, failures = 25, 4, []
    workspace.begin("")
    workspace.add(data())
    start = threading.Barrier(tabs)

    def hammer(number):
        try:
            workspace.begin("")
            start.wait()
            for turn in range(rounds):
                name = f"{number}.{turn}"
                workspace.keep_kernel(name, GramMatrix(np.eye(3), IDS, name))
                workspace.change("mine", lambda whole, name=name: whole.with_kernel(name, whole.kernels["K"]))
                workspace.alter("count", lambda before: before + 1, 0)
                workspace.add(data("same"), select=False)
                workspace.begin("")
                assert workspace.current() is not None
        except BaseException as error:
            failures.append(error)

    pause = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=hammer, args=(number,), daemon=True) for number in range(tabs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    finally:
        sys.setswitchinterval(pause)
    assert not any(thread.is_alive() for thread in threads)
    assert not failures
    workspace.begin("")
    names = {f"{number}.{turn}" for number in range(tabs) for turn in range(rounds)}
    assert set(workspace.get("mine").kernels) == {"K", *names}
    assert len(workspace.kept()) == tabs * rounds
    assert workspace.setting("count", 0) == tabs * rounds
    assert len(workspace.datasets()) == 1 + tabs * rounds
