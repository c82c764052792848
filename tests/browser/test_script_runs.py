"""The waiting itself: no test of a page can be trusted whose waiting ends early."""

import pytest

from tests.browser.conftest import start_server
from tests.browser.script_runs import click, rerunning
from tests.patience import IN_VAIN, PATIENCE

SCRIPT = """
import time
import streamlit as st

def late(seconds):
    time.sleep(seconds)

st.session_state.runs = st.session_state.get("runs", 0) + 1
st.button("Slow to begin", on_click=late, args=(0.5,))
if st.button("Again and again"):
    st.session_state.left = 3
if st.session_state.get("left"):
    time.sleep(0.2)
    st.session_state.left -= 1
    st.rerun()
value = st.slider("Value", 0, 100, 0)

@st.fragment
def piece():
    st.session_state.pieces = st.session_state.get("pieces", 0) + 1
    if st.button("Piece"):
        time.sleep(0.3)
    st.text(f"pieces {st.session_state.pieces}")

time.sleep(0.3)
piece()
st.text(f"runs {st.session_state.runs}")
st.text(f"value {value}")
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    (folder / "script.py").write_text(SCRIPT)
    process, address = start_server(folder / "script.py", folder / "log")
    yield address
    process.terminate()
    process.wait(PATIENCE)


@pytest.fixture
def page(visit, address):
    return visit(address=address)


def shown(page):
    """Text of the page, read at once: whoever reads too early reads the numbers of the run before."""
    return page.evaluate("document.body.innerText")


def test_a_visit_is_the_first_run(page):
    assert "runs 1" in shown(page)


def test_one_click_after_the_other_is_one_run_after_the_other(page):
    for number in range(2, 7):
        click(page.get_by_role("button", name="Slow to begin"))
        assert f"runs {number}" in shown(page)


def test_runs_that_the_script_asks_for_belong_to_the_click(page):
    click(page.get_by_role("button", name="Again and again"))
    assert "runs 5" in shown(page)
    assert page.evaluate("[scriptRuns.asked, scriptRuns.begun, scriptRuns.ended]") == [2, 5, 5]


def test_a_run_of_a_piece_is_a_run(page):
    click(page.get_by_role("button", name="Piece"))
    assert "pieces 2" in shown(page)
    assert "runs 1" in shown(page)


def test_a_slider_that_waits_for_more_keys_is_waited_for(page):
    handle = page.get_by_role("slider", name="Value")
    handle.focus()
    with rerunning(page):
        handle.press("ArrowRight")
    assert "value 1" in shown(page)


def test_what_makes_no_run_is_no_success(page):
    page.set_default_timeout(1000.0 * IN_VAIN)
    with pytest.raises(Exception, match="Timeout"):
        click(page.get_by_text("runs 1"))
