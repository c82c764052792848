from streamlit.testing.v1 import AppTest


def watched():
    import streamlit as st

    from pages.complete.results import stoppable

    with stoppable(st.empty(), "study", "settings") as bar:
        bar.progress(0.5, "half")


def test_the_place_of_a_bar_stays_when_the_bar_is_gone():
    """A fragment that has drawn it clears that place before it runs again: without it the browser shows a blank page."""
    at = AppTest.from_function(watched).run()
    assert not at.exception
    assert not at.button
    (place,) = at.main.children.values()
    (row,) = place.children.values() if place.type == "vertical" else (place,)
    assert [each.type for each in row.children.values()] == ["empty", "empty"]
