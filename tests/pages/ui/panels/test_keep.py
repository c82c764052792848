"""The row that every page ends with: what stands in it, in which order, and under which names files leave."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.gram.matrix import GramMatrix
from pages.export import downloads
from pages.ui.panels import keep
from pages.ui.panels.keep import Drawing, Keep, Offer, Result

IDS = ("a", "b")


def kernel():
    return GramMatrix(np.eye(2), IDS, "k")


@pytest.fixture
def drawn(monkeypatch):
    """Labels, keys and file names of the row's buttons, in order."""
    seen = []

    def button(label, build, *, file_name, key, **look):
        seen.append((label, key, file_name))

    monkeypatch.setattr(downloads.st, "download_button", button)
    return seen


def test_a_kernel_is_table_and_arrays_unless_these_are_given(drawn):
    keep.buttons(Result("mine", kernel=kernel), key="p")
    assert drawn == [("CSV", "p.csv", "mine.csv"), ("NPZ", "p.npz", "mine.npz")]
    drawn.clear()
    table = Offer(kernel, label="Download filled", name="other")
    keep.buttons(Result("mine", kernel=kernel, table=table), key="p")
    assert drawn == [("Download filled", "p.csv", "other.csv"), ("NPZ", "p.npz", "mine.npz")]


def test_the_order_is_always_the_same(drawn):
    result = Result(
        "r",
        script=Offer(str),
        figure=Drawing(lambda: None, title="t"),
        further=(Offer(list, label="More", key="more"),),
        arrays=Offer(dict),
        table=Offer(list),
    )
    keep.buttons(result, key="p")
    assert [label for label, _, _ in drawn] == ["CSV", "NPZ", "More", "Figure", "Report", "Script"]
    assert [key for _, key, _ in drawn] == ["p.csv", "p.npz", "p.more", "p.figure", "p.report", "p.script"]


def test_only_a_kernel_can_be_kept():
    with pytest.raises(ValueError, match="only a kernel"):
        keep.buttons(Result("r", table=Offer(list)), key="p", keep=Keep())


def page():
    from kernex_core.inputs.dataset import DataSet
    from pages.server import workspace
    from pages.ui.panels.keep import Keep, Result, keep_row
    from tests.pages.ui.panels.test_keep import IDS, kernel

    if not workspace.datasets():
        workspace.add(DataSet("d", IDS))
    keep_row(Result("mine", kernel=kernel), key="p", keep=Keep(named=True, then="look."))


def test_a_kernel_is_kept_under_the_name_that_the_visitor_gives_and_that_is_said_once():
    at = AppTest.from_function(page).run()
    at.text_input(key="p.name.mine").set_value(" ours ").run()
    at.button(key="p.keep").click().run()
    assert not at.exception
    assert [toast.value for toast in at.toast] == ["Kept as ours: look."]
    assert not at.run().toast
