"""The same download has the same name on every page; the sheet of all pictures and the report are offered once."""

import html
import re

import pytest

from pages.shared.navigation import PAGES
from pages.shared.report.collect import Given, build
from pages.shared.shown.registry import unmarked

NAMES = re.compile(r"CSV|NPZ|Figure|Report|.+ as CSV|Script( of .+)?")


@pytest.mark.parametrize("path", [entry.path for entry in PAGES])
def test_downloads_are_named_alike(open_page_test, small_dataset, path):
    complete = small_dataset.with_kernel("again", small_dataset.kernels["source"].renamed("again"))
    at = open_page_test(path, complete)
    labels = [each.label for each in at.get("download_button")]
    assert [label for label in labels if not NAMES.fullmatch(label)] == []
    assert labels.count("Figure") <= labels.count("Report") <= 1
    if "Report" in labels:
        report_holds_the_page(at, complete)


def report_holds_the_page(at, dataset):
    page = at.session_state["kernex"].memory["shown.page"]
    said = build(page, dataset, Given("this study")).decode()
    assert at.title[0].value in said
    assert all(
        f"<b>{html.escape(shown.title)}</b>" in said for shown in page.pictures.values() if shown.title
    )
    assert all(html.escape(unmarked(each.label)) in said for each in at.metric)
    assert said.count("<table") >= len(at.table) + 1  # the data with their digests
    assert dataset.digest in said
    assert "<h2>Script</h2>" in said
    assert len(said) < 1_000_000
