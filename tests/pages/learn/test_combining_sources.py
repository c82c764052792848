"""One walk through the lesson; its numbers are tested with the core, here they are compared with it."""

import numpy as np
import pytest

from kernex_core.studies.lessons import combining_sources as core
from pages.learn.combining_sources import kernels
from tests.pages.learn.walk import Walk


def coefficients(walk):
    (panel,) = (each for each in walk.picture()["picture"]["panels"] if each["title"] == "Coefficients")
    return panel["marks"][0]["y"], panel["marks"][1]["y"]


def test_walk():
    walk = Walk("combining_sources")
    assert len(walk.picture()["picture"]["panels"]) == 1  # the data, and no coefficient
    walk.bet("a")
    assert walk.verdict() == (False, core.bet_check(0).said)
    made = core.combine(core.sources(noise=True), 0.2)
    learned, plain = coefficients(walk)
    assert learned == pytest.approx(made.beta, abs=1e-5)
    assert plain == pytest.approx(made.ridge, abs=1e-5)
    shown = walk.readings()
    assert (shown["η of noise"], shown["noise in the plain sum"]) == ("0.000", "−0.127")
    walk.set(lam=2.0)
    assert walk.check() == (False, core.drop_check(core.sources(noise=True), 2.0).said)
    walk.set(lam=2.5)
    assert walk.check()[0]
    walk.set(scale=3)
    assert not walk.check()[0]
    page = walk.carry()
    assert [each.value for each in page.title] == ["Combine"]


def test_sources_on_a_path_and_what_is_carried():
    walk = Walk("combining_sources", bet="-", cs_sources="Four on a path", cs_lam="3")
    made = core.combine_on_path(3.0)
    assert coefficients(walk)[0] == pytest.approx(made.beta, abs=1e-5)
    shown = walk.readings()
    assert (shown["pieces, graph lasso"], shown["pieces, lasso"]) == ("1", "2")
    assert not walk.check()[0]
    page = walk.carry("combine")
    assert page.sidebar.selectbox(key="data").value == "sources of the lesson"
    total = sum(K.values for K in kernels().kernels.values())
    side_by_side = core.sources(noise=True).X
    assert np.array_equal(total, side_by_side @ side_by_side.T)
