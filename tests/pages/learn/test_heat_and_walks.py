"""One walk through the lesson; its numbers are tested with the core, here they are compared with it."""

import pytest

from kernex_core.studies.lessons.heat_and_walks import heat
from tests.pages.learn.walk import Walk


def test_walk():
    walk = Walk("heat_and_walks")
    assert walk.offered()
    walk.bet("1")
    right, because = walk.verdict()
    assert not right
    assert "heat" in because
    walk.set(tau=10.0)
    path = heat.small_graph(6, [(i, i + 1) for i in range(5)])
    similarity = heat.row(path, 10.0, "normalized")
    shown = walk.readings()
    assert [float(shown[f"node {i + 1}"]) for i in range(6)] == pytest.approx(similarity, abs=5e-4)
    assert walk.check() == (False, "Here node 2 is ahead, by 0.046.")
    walk.set(tau=2.1)
    assert walk.check()[0]
    walk.set(tau=2.0)
    page = walk.carry()
    assert page.select_slider(key="tau").value == 2.0
