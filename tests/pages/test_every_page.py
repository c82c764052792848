"""What holds for every page, whatever it does."""

import pytest

from kernex_core import DataSet, load_dataset
from pages.server.navigation import PAGES
from tests.pages.conftest import switch

pytestmark = pytest.mark.usefixtures("kept_results")

paths = pytest.mark.parametrize("path", [entry.path for entry in PAGES])


OPENS_ON = {
    "papers/extrapolation/extrapolation.py": "Protein world",
    "networks/networks.py": "Blocks",
    "networks/features/features.py": "Expression on a network",
    "networks/edges/edges.py": "Interacting genes",
    "graphs/graphs.py": "Like beside like",
    "papers/joint/joint.py": "Structure graphs",
}
"""Pages that open on a demo, never empty; the other paper generates its own data."""


@paths
def test_opens_cold_without_data(open_page_test, path):
    at = open_page_test(path)
    assert at.sidebar.selectbox(key="data").value == OPENS_ON.get(path)


def test_every_page_opens_warm_after_every_other_page(open_page_test, small_dataset):
    at = open_page_test(PAGES[0].path, small_dataset)
    for entry in (*PAGES, *PAGES[::-1]):
        switch(at, entry.path).run()
        assert not at.exception, entry.path
        assert [title.value for title in at.title] == [entry.heading or entry.title]
        assert at.sidebar.selectbox(key="data").value == "thirty"


@paths
def test_opens_with_data_that_have_no_labels(open_page_test, path, small_dataset):
    open_page_test(path, small_dataset.with_labels(None))


@paths
@pytest.mark.no_cover
def test_opens_with_a_network_of_which_there_is_no_kernel_yet(open_page_test, path):
    network = load_dataset("florentine_families").samples["network"]
    open_page_test(path, DataSet("families", network.ids, samples={"network": network}))


BOUND = (
    "data", "kernel", "sort", "repair", "constraint", "hidden", "hidden_more", "lam", "combine_lam", "nugget", "seed", "p",
    "phi", "scheme", "basis", "folds", "measure", "trials", "tau", "node_kernel", "laplacian", "graphs_tab", "graph_kernel",
    "edge_method", "edge_folds", "edge_seed", "edge_tuned", "edge_measure", "edge_new", "edge_shown", "edge_many",
    "many_way", "many_items", "normalize", "kind", "weigh", "kernels", "weights", "mkl_cost", "mkl_loss", "mkl_solver",
)  # fmt: skip
"""Names that pages read from the address, or might."""


DEFAULTS = {
    "complete/complete.py": ("seed", "nugget", "lam", "hidden", "constraint", "repair"),
    "combine/many/many.py": ("normalize", "kind", "weigh", "kernels", "weights"),
    "combine/combine.py": ("nugget", "lam", "repair"),
    "kernels/kernels.py": ("kernel", "sort"),
    "kernels/power/power.py": ("kernel",),
}
"""Those whose nonsense leaves the address of a page, which opens with its defaults."""


@paths
@pytest.mark.parametrize("nonsense", ["1e400", "nan", "-7", "many", ""])
@pytest.mark.no_cover
def test_nonsense_in_the_address_breaks_no_page_and_leaves_the_address(
    open_page_test, path, complete_pair, nonsense
):
    at = open_page_test(path, complete_pair, query=dict.fromkeys(BOUND, nonsense))
    at.run()
    assert not at.exception
    assert not at.error or path not in DEFAULTS
    assert set(DEFAULTS.get(path, ())) & set(at.query_params) == set()


@pytest.fixture
def complete_pair(small_dataset):
    source = small_dataset.kernels["source"]
    return small_dataset.with_kernel("target", source.renamed("target"))


@paths
def test_at_most_one_button_of_a_page_is_primary(open_page_test, path, complete_pair):
    at = open_page_test(path, complete_pair)
    leads = [button.label for button in at.button if button.proto.type == "primary"]
    assert len(leads) <= 1
    assert "keep" not in " ".join(leads).lower()


def test_paths_lie_in_a_section_folder():
    # Streamlit would show a file directly in pages/ as a page of its own, without the frame
    assert all("/" in entry.path for entry in PAGES)


def test_addresses_are_distinct():
    assert len({entry.url_path for entry in PAGES}) == len(PAGES)
