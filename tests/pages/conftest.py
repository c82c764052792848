import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from pages.shared.navigation import PAGES
from tests.conftest import REPOSITORY

TIMEOUT = 30


@pytest.fixture
def open_page_test():
    """Open a page as a visitor does, in its frame; with a data set already in the workspace if one is given."""

    def open_page(path, dataset=None, query=None):
        entry = next(entry for entry in PAGES if entry.path == path)
        at = AppTest.from_file(str(REPOSITORY / "pages" / "main.py"), default_timeout=TIMEOUT)
        for name, value in (query or {}).items():
            at.query_params[name] = value
        if dataset is not None:
            bring(at, dataset)
        at.switch_page(path).run()  # as by a link to it: a run of Start before it would cost as much again
        assert not at.exception
        assert [title.value for title in at.title] == [entry.heading or entry.title]
        return at

    return open_page


def bring(at, dataset):
    """Put a data set into the workspace of a session that has not run yet."""
    from pages.shared import workspace

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
