"""The same download has the same name on every page, and the sheet of all pictures is offered once."""

import re

import pytest

from pages.shared.navigation import PAGES

NAMES = re.compile(r"CSV|NPZ|Figure|.+ as CSV|Script( of .+)?")


@pytest.mark.parametrize("path", [entry.path for entry in PAGES])
def test_downloads_are_named_alike(open_page_test, small_dataset, path):
    complete = small_dataset.with_kernel("again", small_dataset.kernels["source"].renamed("again"))
    labels = [each.label for each in open_page_test(path, complete).get("download_button")]
    assert [label for label in labels if not NAMES.fullmatch(label)] == []
    assert labels.count("Figure") <= 1
