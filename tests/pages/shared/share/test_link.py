"""The button Copy link says what the address carries and what it does not."""

import pytest

from kernex_core.datasets.catalogue import DATASETS
from pages.shared.navigation import PAGES
from pages.shared.share.link import TO_READ, words


def test_words_tell_a_demo_from_own_data():
    demo, own, none = words(DATASETS[0].title, 2), words("a *b*", 0), words(None, 0)
    assert "the 2 settings that differ from" in demo
    assert "a demo opens by its name" in demo
    assert "asked for the data" in own
    assert "*a \\*b\\**" in own
    assert "no setting, since none differs" in own
    for said in (demo, own, none):
        assert "It does not carry data, labels, selected items, kept kernels or results" in said


@pytest.mark.parametrize("path", ["data/data.py", "glossary/glossary.py"])
def test_working_pages_have_it(open_page_test, small_dataset, path):
    at = open_page_test(path, small_dataset)
    entry = next(entry for entry in PAGES if entry.path == path)
    captions = " ".join(caption.value for caption in at.caption)
    assert ("It carries the page" in captions) == (entry.url_path not in TO_READ)
