"""Files of the start go to every visitor of this machine once, and to others only where that was said."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.server.visitors import contents as start_files
from pages.server.visitors import limits
from pages.server.visitors.contents import Workspace
from tests.patience import PATIENCE


@pytest.fixture
def take():
    yield start_files.take
    start_files.take([])


def names(space):
    return [path.name for path in start_files.for_visitor(space)]


def test_each_visitor_has_them_once(take, monkeypatch):
    monkeypatch.setattr(limits, "answers_alone", lambda: True)
    take(["a.csv", "b.csv"])
    one, other = Workspace("one"), Workspace("other")
    assert names(one) == ["a.csv", "b.csv"]
    assert names(one) == []
    assert names(other) == ["a.csv", "b.csv"]
    one.empty()
    assert names(one) == []


def test_who_comes_from_elsewhere_has_them_only_where_that_was_said(take, monkeypatch):
    monkeypatch.setattr(limits, "answers_alone", lambda: False)
    take(["a.csv"])
    assert names(Workspace("one")) == []
    take([start_files.FOR_ALL, "a.csv"])
    assert names(Workspace("one")) == ["a.csv"]


def page():
    from pages.ui import files

    files.upload_box("box")


def test_they_come_by_the_door_of_all_files_and_what_is_wrong_is_said_once(take, monkeypatch, tmp_path):
    monkeypatch.setattr(limits, "answers_alone", lambda: True)
    (tmp_path / "empty.csv").touch()
    (tmp_path / "data.csv").write_text(",a\na,1\n")
    take([str(tmp_path / name) for name in ("gone.csv", "empty.csv", "data.csv")])
    at = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not at.exception
    waiting = at.session_state["kernex"].seen.settings["data.files"]
    assert [file.filename for file in waiting] == ["data.csv"]
    at.run()
    said = "".join(each.value for each in at.error)
    assert "gone" in said
    assert "empty" in said
    assert at.run().session_state["kernex"].seen.settings["data.files"] == waiting
