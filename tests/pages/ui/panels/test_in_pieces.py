from streamlit.testing.v1 import AppTest


def page(at_once, stopped=False):
    import streamlit as st

    from pages.server import workspace
    from pages.server.cached import cached
    from pages.ui.panels.staged import Pieced, run_in_pieces

    seen = st.session_state.setdefault("seen", [])

    def work(number):
        for share in (0.0, 0.004, 0.5, 1.0):
            seen.append(share)
            yield share
        return 2 * number

    def whole(number):
        seen.append("at once")
        return 2 * number

    whole.__qualname__ = "whole"
    pieced = Pieced(cached(whole), work, (21,))
    if stopped:
        workspace.remember("w.stopped", pieced.key(21))
    made = run_in_pieces(pieced, key="w", what="% of it", at_once=at_once, label="Do it")
    st.text(str(made))


def run(**given):
    at = AppTest.from_function(page, kwargs=given).run()
    assert not at.exception
    return at


def test_what_is_short_comes_at_once_without_a_button():
    at = run(at_once=True)
    assert at.session_state["seen"] == ["at once"]
    assert at.text[0].value == "42"
    assert not at.button


def test_what_is_long_comes_in_pieces_once_and_leaves_no_button():
    at = run(at_once=False)
    assert at.session_state["seen"] == [0.0, 0.004, 0.5, 1.0]
    assert at.text[0].value == "42"
    assert not at.button
    at.run()
    assert len(at.session_state["seen"]) == 4


def test_what_was_stopped_waits_for_a_click():
    at = run(at_once=False, stopped=True)
    assert at.session_state["seen"] == []
    assert at.text[0].value == "None"
    assert [button.label for button in at.button] == ["Do it"]
