"""Data that take longer than a moment: every page says what it computes, with a bar and Stop, and a stop holds."""

import dataclasses

import pytest

from pages.combine import subject as combine
from pages.complete import complete
from pages.kernels.power import subject as diagonals
from pages.map import subject as mapped
from pages.server import workspace
from pages.ui.panels import source_target

BUTTONS = {
    "complete": "complete.decompose",
    "combine": "combine.decompose",
    "kernels/power": "diagonals.shrink",
    "map": "map.make",
}


@pytest.fixture
def whole(small_dataset):
    """Two kernels that are known everywhere."""
    source = small_dataset.kernels["source"]
    target = dataclasses.replace(source, values=source.values @ source.values).renamed("target")
    return dataclasses.replace(small_dataset, kernels={"source": source, "target": target})


@pytest.mark.parametrize("page", BUTTONS)
def test_a_decomposition_can_be_stopped_and_asked_for_again(open_page_test, whole, monkeypatch, page):
    for module in (combine, complete, source_target, diagonals, mapped):
        monkeypatch.setattr(module, "AT_ONCE", 10)
    key, path = BUTTONS[page], f"{page}/{page.rpartition('/')[2]}.py"
    stopped, recall = {}, workspace.recall

    def remembered(name, default):
        return stopped["settings"] if name == f"{key}.stopped" and stopped else recall(name, default)

    monkeypatch.setattr(workspace, "recall", remembered)
    stopped["settings"] = Always()
    at = open_page_test(path, whole)
    assert "Stopped before anything was done." in [each.value for each in at.caption]
    assert not at.get("plotly_chart")
    stopped.clear()
    at.button(key=f"{key}.run").click().run()
    assert not at.exception
    assert at.get("plotly_chart")


class Always:
    """What equals everything: whatever was asked for has been stopped."""

    def __eq__(self, other):
        return True

    __hash__ = None
