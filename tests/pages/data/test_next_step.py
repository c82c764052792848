"""Where a visitor is sent with several kernels: nobody is led to a page that cannot take them."""

import numpy as np
import pytest

from kernex_core import DataSet, GramMatrix, Labels
from kernex_core.datasets.catalogue import DATASETS
from pages.server.declared import after_bringing, after_keeping, why_not
from pages.server.navigation import LINES, PAGES
from tests.pages.conftest import switch

IDS = tuple(f"i{k}" for k in range(12))


def data(*gaps):
    """Kernels of twelve items in two classes, each without the items of its gap."""
    kernels = {}
    for v, gap in enumerate(gaps):
        K = np.exp(-((np.arange(12.0)[:, None] - np.arange(12.0)) ** 2) / 20)
        K[list(gap)], K[:, list(gap)] = np.nan, np.nan
        kernels[f"k{v}"] = GramMatrix(K, IDS, f"k{v}")
    return DataSet("gaps", IDS, Labels(IDS, np.array(["a", "b"] * 6)), kernels=kernels)


@pytest.mark.parametrize(
    ("gaps", "page"),
    [
        (((0, 1), (11,)), "Complete together"),
        (((), (11,)), "Complete"),
        (((), ()), "Complete"),
        (((0,),), "Kernels"),
    ],
)
def test_a_visitor_is_sent_where_the_kernels_can_be_used(gaps, page):
    assert after_bringing(data(*gaps)).label == page


@pytest.mark.parametrize(
    ("gaps", "line", "page"),
    [
        (((0,), ()), "Kernels", "Complete"),
        (((), ()), "Kernels", "Evaluate"),
        (((0,), (), ()), "Complete", "Combine"),
        (((), (), ()), "Complete", "Many kernels"),
        (((), (), ()), "Combine", "Evaluate"),
        (((), ()), "Networks", "Combine"),
        (((0,), (1,)), "Kernels", "Complete together"),
        (((),), "Evaluate", "Map"),
    ],
)
def test_who_kept_a_kernel_is_sent_where_it_is_worth_something(gaps, line, page):
    parts = {entry.url_path for each in LINES if each.title == line for entry in each.parts}
    assert after_keeping(data(*gaps), parts.__contains__).label == page


@pytest.mark.parametrize("demo", DATASETS, ids=lambda demo: demo.name)
def test_nobody_is_sent_to_a_page_that_is_grey_or_to_the_one_that_is_open(demo):
    brought = demo.load(0)
    steps = [after_bringing(brought)]
    for each in LINES:
        parts = {entry.url_path for entry in each.parts}
        step = after_keeping(brought, parts.__contains__)
        if step is not None:
            assert step.address not in parts
            steps.append(step)
    assert {step.address for step in steps} <= {entry.url_path for entry in PAGES}
    assert all(why_not(step.address, brought) == "" for step in steps)


def test_after_a_kernel_was_kept_its_row_leads_on_and_no_other_page_does(open_page_test):
    at = open_page_test("kernels/kernels.py", data((), ()))

    def leads():
        return [link.proto.label for link in at.main.get("page_link") if link.proto.label.startswith("Next")]

    assert leads() == []
    at.button(key="kernels.keep").click().run()
    assert leads() == ["Next: Evaluate"]
    switch(at, "kernels/power/power.py").run()
    assert leads() == []


@pytest.mark.parametrize(
    "path",
    ["complete/complete.py", "data/data.py", "evaluate/evaluate.py"],
    ids=lambda path: path.split("/")[0],
)
def test_pages_name_many_kernels_where_no_kernel_is_known_everywhere(open_page_test, path):
    at = open_page_test(path, data((0, 1), (11,)))
    assert not at.exception
    said = " ".join(block.value for block in (*at.markdown, *at.caption, *at.error))
    assert "Complete together" in said
    assert "completed on the page Complete" not in said
    if path.startswith("complete"):
        assert not at.error
        assert "under Combine" in said
