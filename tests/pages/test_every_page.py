"""What holds for every page, whatever it does."""

import pytest

from pages.shared.navigation import PAGES

paths = pytest.mark.parametrize("path", [entry.path for entry in PAGES])


@paths
def test_opens_cold_without_data(open_page_test, path):
    at = open_page_test(path)
    assert at.sidebar.selectbox(key="data").value is None


@paths
def test_opens_warm_after_every_other_page(open_page_test, path, small_dataset):
    at = open_page_test(path, small_dataset)
    for other in PAGES:
        at.switch_page(other.path).run()
        assert not at.exception, other.path
    at.switch_page(path).run()
    assert not at.exception
    assert at.sidebar.selectbox(key="data").value == "thirty"


@paths
def test_opens_with_data_that_have_no_labels(open_page_test, path, small_dataset):
    open_page_test(path, small_dataset.with_labels(None))


BOUND = (
    "data", "kernel", "sort", "repair", "constraint", "hidden", "hidden_more", "lam", "combine_lam", "nugget", "seed", "p",
    "phi", "scheme", "basis", "folds", "measure", "trials",
)  # fmt: skip
"""Names that pages read from the address, or might."""


@paths
@pytest.mark.parametrize("nonsense", ["1e400", "nan", "-7", "many", ""])
def test_nonsense_in_the_address_breaks_no_page(open_page_test, path, small_dataset, nonsense):
    at = open_page_test(path, small_dataset, query=dict.fromkeys(BOUND, nonsense))
    at.run()
    assert not at.exception


def test_paths_lie_in_a_section_folder():
    # a script directly in pages/ would lose its frame on deep links
    for entry in PAGES:
        *wing, script = entry.path.split("/")
        assert script == f"{wing[-1]}.py"


def test_addresses_are_distinct():
    assert len({entry.url_path for entry in PAGES}) == len(PAGES)
