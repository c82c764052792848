"""Where a visitor is sent with several kernels: nobody is led to a page that cannot take them."""

import numpy as np
import pytest

from kernex_core import DataSet, GramMatrix, Labels
from pages.data.next_step import step

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
    assert step(data(*gaps))[2] == page


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
