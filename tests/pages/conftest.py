import functools
import inspect

import numpy as np
import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.util import calc_hash

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from pages.server import cached
from pages.server.cache import BoundedCache
from pages.server.navigation import PAGES
from pages.server.visitors import limits
from pages.ui import widgets
from tests.conftest import REPOSITORY
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def _nobody_came_by_a_proxy():
    """Once somebody has, it stays so for the process: a test that says it says it for itself alone."""
    with pytest.MonkeyPatch.context() as patch:  # a test that takes `monkeypatch` keeps no results
        patch.setattr(limits, "_by_proxy", False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _what_is_installed_is_looked_through_once():
    """AppTest reads what is known of every installed package anew for each page: a quarter of the time of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner,
            "scan_component_manifests",
            functools.cache(manifest_scanner.scan_component_manifests),
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def _a_run_is_waited_for_once():
    """AppTest asks a thousand times a second whether the script has ended, and takes its turn each time.

    And it gives up after three seconds, or what a test says: here no test says any.
    """

    def wait(runner, _timeout):
        runner._script_thread.join(PATIENCE)
        if not runner.script_stopped():
            runner.request_stop()
            raise RuntimeError(f"the page still runs after {PATIENCE:g} s")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


LOOKS = {"open_panels", "open_tabs", "open_tab", "offered", "drawn", "saved", "spy"}
"""Fixtures that patch how a page is drawn or watched, not what it computes."""


def _patches(request):
    """Whether a test, or a fixture of it, puts something of its own in the place of code."""
    made = request._fixturemanager.getfixturedefs
    asked = {name for name in request.fixturenames if name not in LOOKS}
    takers = [each for name in asked for each in made(name, request.node) or ()]
    return "monkeypatch" in inspect.signature(request.function).parameters or any(
        "monkeypatch" in each.argnames for each in takers
    )


@pytest.fixture(scope="module")
def _kept():
    return BoundedCache(1_000, 1_000_000_000)


@pytest.fixture
def kept_results(request, _kept):
    """What a visitor has computed is there for the next one: tests of a module open a page on the same thirty items.

    Unless something is patched, which no key tells, or the test asks to be alone: then every visitor computes.
    """
    if _patches(request) or request.node.get_closest_marker("alone"):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cached, "_session_store", lambda: _kept)
        yield


class OpenPanel:
    """An expander that somebody has opened."""

    open = True

    def __init__(self, label, **_):
        self.inner = st.container()

    def __enter__(self):
        return self.inner.__enter__()

    def __exit__(self, *error):
        return self.inner.__exit__(*error)


@pytest.fixture
def open_panels(monkeypatch):
    monkeypatch.setattr(st, "expander", OpenPanel)


@pytest.fixture
def open_tabs(monkeypatch):
    """Every part of a page is open at once."""
    monkeypatch.setattr(
        widgets, "tabs", lambda name, titles, key=None: [OpenPanel(title) for title in titles]
    )


def switch(at, path):
    """Let a test go to a page, as a link does; by itself AppTest knows no page that is a function."""
    at._page_hash = calc_hash(path.rpartition("/")[2].removesuffix(".py"))
    return at


@pytest.fixture
def open_page_test():
    """Open a page as a visitor does, in its frame; with a data set already in the workspace if one is given."""

    def open_page(path, dataset=None, query=None):
        entry = next(entry for entry in PAGES if entry.path == path)
        at = AppTest.from_file(str(REPOSITORY / "pages" / "main.py"))
        for name, value in (query or {}).items():
            at.query_params[name] = value
        if dataset is not None:
            bring(at, dataset)
        switch(at, path).run()  # as by a link to it: a run of Start before it would cost as much again
        assert not at.exception
        assert [title.value for title in at.title] == [entry.heading or entry.title]
        return at

    return open_page


def bring(at, dataset):
    """Put a data set into the workspace of a session that has not run yet."""
    from pages.server import workspace

    entry = workspace._Entry(dataset)
    at.session_state["kernex"] = workspace._State({dataset.name: entry}, dataset.name, choice_is_stale=True)


@pytest.fixture
def small_dataset():
    """Thirty items in three classes, with a complete source kernel and a target of which six items are unknown."""
    rng = np.random.default_rng(5)
    y = np.repeat(["a", "b", "c"], 10)
    X = rng.normal(size=(30, 4)) + 2.0 * np.eye(3)[:, [0, 1, 2, 0]].repeat(10, axis=0)
    source = X @ X.T
    target = (X + 0.3 * rng.normal(size=X.shape)) @ X.T
    target = target @ target.T / 30.0
    target[::5] = np.nan
    target[:, ::5] = np.nan
    ids = tuple(f"item{i}" for i in range(30))
    kernels = {"source": GramMatrix(source, ids, "source"), "target": GramMatrix(target, ids, "target")}
    return DataSet("thirty", ids, Labels(ids, y), kernels=kernels, source="source", target="target")
