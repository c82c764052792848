"""The server caps to how many items a visitor may raise the limit."""

import numpy as np
import pytest
import streamlit as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Vectors
from pages.server import item_limit, warmup
from pages.ui.files import limits

N = 160
IDS = tuple(f"i{k}" for k in range(N))


@pytest.fixture
def address(monkeypatch):
    """A server at this address."""
    monkeypatch.delenv("KERNEX_MAX_ITEMS", raising=False)
    asked = st.get_option
    return lambda at: monkeypatch.setattr(
        st, "get_option", lambda name: at if name == "server.address" else asked(name)
    )


@pytest.mark.parametrize(
    ("at", "most"), [("localhost", 10_000), ("127.0.0.1", 10_000), ("0.0.0.0", 5_000), (None, 5_000)]
)
def test_without_a_setting_a_server_for_others_allows_what_needs_no_asking(address, at, most):
    address(at)
    assert item_limit.most_items() == most


@pytest.mark.parametrize(("setting", "most"), [("8000", 8_000), (" 2 ", 2), ("10000", 10_000), ("", 5_000)])
def test_a_setting_comes_before_the_address(address, monkeypatch, setting, most):
    address("0.0.0.0")
    monkeypatch.setenv("KERNEX_MAX_ITEMS", setting)
    assert item_limit.most_items() == most


@pytest.mark.parametrize("setting", ["1", "0", "-5", "10001", "1e4", "5,000", "many", "²", "9" * 5000])
def test_a_setting_that_is_no_number_of_items_stops_the_start(monkeypatch, setting):
    monkeypatch.setenv("KERNEX_MAX_ITEMS", setting)
    with pytest.raises(InvalidInputError, match="KERNEX_MAX_ITEMS has to be a whole number") as told:
        warmup.check_settings()
    assert setting[:40] in str(told.value)
    assert len(str(told.value)) < 400


def said(at):
    return " ".join(part.value for part in (*at.markdown, *at.caption))


def test_the_page_says_when_the_limit_of_the_server_is_reached(open_page_test, monkeypatch):
    monkeypatch.setenv("KERNEX_MAX_ITEMS", "120")
    samples = Vectors(IDS, np.arange(2.0 * N).reshape(N, 2) % 17.0)
    at = open_page_test("kernels/kernels.py", DataSet("many", IDS, None, samples={"v": samples}))
    assert not at.exception
    assert "160 items: choose a part of them" in said(at)
    box = at.number_input(key="part.limit.120")
    assert box.max == 120
    assert "120 items are the most that this server allows" in said(at)
    box.set_value(100).run()
    assert "the most that this server allows" not in said(at)
    at.button(key="part.limit.set").click().run()
    assert at.number_input(key="part.limit.100").max == 120


def test_a_cap_that_came_later_holds_for_sessions_that_are_open(monkeypatch):
    monkeypatch.setattr("pages.server.workspace.recall", lambda key, default: 10_000)
    monkeypatch.setenv("KERNEX_MAX_ITEMS", "3000")
    assert item_limit.item_limit() == 3_000
    assert "matrices of at most 3,000 items, which is all that this server allows, and" in limits()
    monkeypatch.setattr("pages.server.workspace.recall", lambda key, default: default)
    monkeypatch.setenv("KERNEX_MAX_ITEMS", "8000")
    assert "matrices of at most 5,000 items, unless you raise the limit on the page Data, and" in limits()
