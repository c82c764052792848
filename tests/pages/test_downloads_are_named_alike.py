"""The same download has the same name on every page; the sheet of all pictures and the report are offered once.

What is saved of a page is named after its data and the page, wherever it comes from.
"""

import html
import json
import re

import pytest
import streamlit as st

from pages.export.report import Given, build
from pages.server.navigation import PAGES
from pages.ui.shown import unmarked
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.usefixtures("kept_results")

CONFIG = re.compile(r"chart_config\(([^\n]*)")
NAMES = re.compile(r"CSV|NPZ|Figure|Report|Save model|.+ as CSV|Script( of .+)?")


@pytest.mark.parametrize("path", [entry.path for entry in PAGES])
def test_downloads_are_named_alike(open_page_test, small_dataset, path, saved):
    complete = small_dataset.with_kernel("again", small_dataset.kernels["source"].renamed("again"))
    at = open_page_test(path, complete)
    labels = [each.label for each in at.get("download_button")]
    assert [label for label in labels if not NAMES.fullmatch(label)] == []
    assert labels.count("Figure") <= labels.count("Report") <= 1
    assert "Figure" in labels or "Report" not in labels or not at.get("plotly_chart")
    assert [name for name in (*saved, *pictures(at)) if not name.startswith(begins(path, at))] == []
    if "Report" in labels:
        report_holds_the_page(at, complete)


@pytest.fixture
def saved(monkeypatch):
    """Names of the files that a page offers."""
    names, button = [], st.download_button

    def noted(*args, file_name, **look):
        names.append(file_name)
        return button(*args, file_name=file_name, **look)

    monkeypatch.setattr(st, "download_button", noted)
    return names


def pictures(at):
    """Names of the files that the cameras of charts and matrices make."""
    charts = [
        json.loads(each.proto.config)["toImageButtonOptions"]["filename"] for each in at.get("plotly_chart")
    ]
    views = [
        each.proto
        for each in at.get("bidi_component")
        if each.proto.component_name.endswith("kernex_matrices")
    ]
    return [*charts, *(json.loads(each.json)["file"] for each in views)]


def begins(path, at):
    """How they begin: with the open data, unless the page is about others, and the page."""
    page = next(entry.url_path for entry in PAGES if entry.path == path)
    named = at.session_state["kernex"].memory["shown.page"].data
    return "-".join(filter(None, ("thirty" if named is None else named, page)))


def test_no_file_is_named_in_another_way():
    sources = [(path, path.read_text("utf-8")) for path in (REPOSITORY / "pages").rglob("*.py")]
    charts = [call for path, text in sources if "figures" not in path.parts for call in CONFIG.findall(text)]
    assert charts
    assert [call for call in charts if not call.startswith("registry.file_named(")] == []
    buttons = {path.name for path, text in sources if "download_button(" in text}
    assert buttons == {"downloads.py", "report.py", "carried.py"}


def report_holds_the_page(at, dataset):
    page = at.session_state["kernex"].memory["shown.page"]
    said = build(page, dataset, Given("this study")).decode()
    assert page.name in said
    assert all(
        f"<b>{html.escape(shown.title)}</b>" in said for shown in page.pictures.values() if shown.title
    )
    assert all(html.escape(unmarked(each.label.partition(" :gray[")[0])) in said for each in at.metric)
    assert said.count("<table") >= len(at.table) + 1  # the data with their digests
    assert dataset.digest in said
    assert "<h2>Script</h2>" in said
    assert len(said) < 1_000_000
