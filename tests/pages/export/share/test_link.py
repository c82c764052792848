"""The button Copy link says what the address carries and what it does not."""

import pytest

from kernex_core.datasets.catalogue import DATASETS
from pages.export.downloads import NONE, ONE, SEVERAL, TO_READ, words
from pages.server.navigation import PAGES


def test_words_tell_a_demo_from_own_data():
    demo, own, none = words(DATASETS[0].title, SEVERAL), words("a *b*", NONE), words(None, ONE)
    assert "the {} settings that differ from" in demo
    assert "a demo opens by its name" in demo
    assert "asked for the data" in own
    assert "“a *b*”" in own
    assert "no setting, since none differs" in own
    for said in (demo, own, none):
        assert (
            "It does not carry data, labels, names of items, classes and columns, kept kernels or results"
            in said
        )


@pytest.mark.parametrize("path", ["data/data.py", "learn/glossary.py"])
def test_working_pages_have_it(open_page_test, small_dataset, path):
    at = open_page_test(path, small_dataset)
    entry = next(entry for entry in PAGES if entry.path == path)
    drawn = " ".join(str(each.proto) for each in at.get("bidi_component"))
    assert ("It carries the page" in drawn) == (entry.url_path not in TO_READ)
