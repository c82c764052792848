import pytest
from streamlit.testing.v1 import AppTest

from pages.server import workspace
from pages.server.visitors import limits, tab
from pages.server.visitors.store import Store


def app():
    import numpy as np

    from kernex_core.gram.matrix import GramMatrix
    from kernex_core.inputs.dataset import DataSet
    from pages.server import belongings, workspace

    workspace.begin("")
    if not workspace.recall("added", False):
        workspace.add(DataSet("mine", ("a", "b"), kernels={"K": GramMatrix(np.eye(2), ("a", "b"))}))
        workspace.remember("added", True)
    belongings.show()


def words(at):
    assert not at.exception
    return " ".join(part.value for part in (*at.caption, *at.warning))


@pytest.fixture
def store(monkeypatch):
    made = Store()
    monkeypatch.setattr(tab, "STORE", made)
    monkeypatch.setattr(workspace, "visitor", lambda: "somebody")
    return made


def test_it_says_how_long_the_workspace_is_kept_and_forgets_it_when_asked(store, monkeypatch, tmp_path):
    at = AppTest.from_function(app).run()
    assert "12 hours, or the server is started anew" in words(at)
    monkeypatch.setenv(limits.KEEP, str(tmp_path))
    assert "30 days." in words(at.run())
    K = store.of("somebody").contents.entries["mine"]
    at.button(key="workspace.forget").click().run()
    assert store.of("somebody").contents.entries.get("mine") is not K


def test_without_a_cookie_it_says_so():
    assert "takes no cookie" in words(AppTest.from_function(app).run())


def test_what_became_of_a_former_workspace_is_said_until_it_is_read(store, monkeypatch):
    monkeypatch.setenv(limits.VISITORS, "1")
    at = AppTest.from_function(app).run()
    space = store.of("somebody")
    other = store.of("another one")
    before, other.contents = other.contents, space.contents
    store.changed(other, before)
    assert space.gone
    for _ in range(2):
        assert "unused for the longest time" in words(at.run())
    at.button(key="workspace.understood.0").click().run()
    assert "unused for the longest time" not in words(at)


def test_start_says_that_everybody_can_come(monkeypatch):
    monkeypatch.setattr(limits, "answers_alone", lambda: False)
    assert limits.TOKEN in words(AppTest.from_function(app).run())
    monkeypatch.setenv(limits.TOKEN, "correct horse")
    assert limits.TOKEN not in words(AppTest.from_function(app).run())
