from streamlit.testing.v1 import AppTest

from pages.server import workspace
from pages.server.visitors import tab
from pages.server.visitors.store import Store


def app():
    import streamlit as st

    from pages.server import workspace
    from pages.ui.files import kept_upload

    workspace.begin("")
    file = kept_upload("File", key="new") if st.toggle("Box", True) else None
    st.text("none" if file is None else file.packed.decode())


def opened(monkeypatch):
    monkeypatch.setattr(workspace, "visitor", lambda: "somebody")
    return AppTest.from_function(app).run()


def said(at):
    assert not at.exception
    return at.text[0].value


def test_a_file_stays_when_its_box_goes_and_the_tab_too_until_it_is_let_go_of(monkeypatch):
    monkeypatch.setattr(tab, "STORE", Store())
    one = opened(monkeypatch)
    assert said(one) == "none"
    one.file_uploader[0].set_value(("a.txt", b"first", "text/plain")).run()
    assert said(one) == "first"
    for shown in (False, True):  # another page, and back
        one.toggle[0].set_value(shown).run()
    assert said(one) == "first"
    two = opened(monkeypatch)  # loaded anew, or another tab
    assert said(two) == "first"
    assert "a\\.txt is still here" in two.caption[0].value
    two.file_uploader[0].set_value(("b.txt", b"second", "text/plain")).run()
    assert said(two) == "second"
    assert said(one.run()) == "second"
    two.file_uploader[0].set_value(None).run()  # taken out of its box by hand
    assert said(two) == "none"
    two.file_uploader[0].set_value(("c.txt", b"third", "text/plain")).run()
    one.run()
    one.button(key="new.forget").click().run()
    assert said(one) == "none"
    assert said(opened(monkeypatch)) == "none"


def test_a_file_is_forgotten_with_everything_else_also_in_its_box(monkeypatch):
    store = Store()
    monkeypatch.setattr(tab, "STORE", store)
    one = opened(monkeypatch)
    one.file_uploader[0].set_value(("a.txt", b"first", "text/plain")).run()
    store.of("somebody").empty()
    assert said(one.run()) == "none"
