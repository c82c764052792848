"""One walk through the lesson; its numbers are those of the core."""

import numpy as np
import pytest

from kernex_core.studies.lessons import missing_structures as core
from pages.learn.missing_structures import BROKEN, Setting, drawn
from tests.pages.learn.walk import Walk


def test_walk():
    walk = Walk("missing_structures")
    assert not walk.picture()["formula"]  # it has the answer in it
    walk.bet("a")
    right, because = walk.verdict()
    assert not right
    assert "q = 3" in because
    assert walk.readings()["your bet"] == "the shadow, ringed"
    assert not walk.check()[0]  # the rod points elsewhere
    walk.set(theta=60.0, q=2.36)
    made = core.rod(60.0, 2.36)
    shown = walk.readings()
    assert shown["longest rod inside, q"] == "?"  # it is asked for
    assert shown["shadow, q"] == f"{made.free:.3f}"
    assert shown["certificate"].startswith("broken")
    assert not walk.check()[0]
    walk.set(q=1.22)
    assert walk.check()[0]
    walk.set(theta=30.0)
    assert walk.readings()["longest rod inside, q"] == f"{core.rod(30.0, 1.22).shear:.3f}"
    walk.set(look="item")
    assert walk.readings()["T̂₁₃, T̂₂₃, T̂₃₃"] == "0.5965, 0.4298, 0.3789"
    assert walk.readings()["certificate"].startswith("holds")
    walk.set(rho=0.5, c=1.05)
    assert walk.readings()["certificate"].startswith("broken")
    walk.press("carry.complete.data")
    assert [title.value for title in walk.at.title] == ["Complete"]
    assert walk.at.sidebar.selectbox(key="data").value == "Three items"
    assert walk.at.session_state["nugget"] == 0.5


@pytest.mark.parametrize(("c", "broken"), [(0.9, False), (1.0, False), (1.05, True)])
def test_what_is_pressed_under_turns_red_where_it_sticks_out(c, broken):
    inner = drawn(Setting(look="item", c=c)).panels[1].marks[1]
    assert (inner["colour"] == BROKEN) == broken
    made, pair = core.hidden_item(0.1, c), np.ix_([0, 2], [0, 2])
    places = np.array([inner["x"], inner["y"]]).T
    inside = np.einsum("ij,jk,ik->i", places, np.linalg.inv(made.source[pair]), places)
    assert (inside.max() > 1.0 + 1e-4) == broken
    assert made.holds != broken


@pytest.mark.parametrize("settings", [({"theta": 180.0}, {"q": 0.0}, {"q": 4.0}), ({"rho": 0.0}, {"c": 1.5})])
def test_pictures_of_all_stops_have_the_same_marks(settings):
    look = "item" if "rho" in settings[0] else "rod"
    base = drawn(Setting(look=look))
    for values in settings:
        base.frame(drawn(Setting(look=look, **values)))


def test_the_question_is_that_of_the_core():
    made = core.rod(0.0, 1.0)
    assert (made.shear, made.free) == pytest.approx((2.0, 3.0))
    assert not drawn(Setting(open=False)).readings
