"""One walk through the lesson; its numbers are those of the core."""

import pytest

from kernex_core.studies.lessons import joint_ellipses as bounds
from kernex_core.studies.lessons import joint_ellipses as ellipses
from pages.combine.subject import LAM
from pages.learn.joint_ellipses import Setting, drawn
from tests.pages.learn.walk import Walk


def test_walk():
    walk = Walk("joint_ellipses")
    walk.bet("a")
    right, because = walk.verdict()
    assert not right
    assert "prices" in because
    walk.set(lam=0.25, phi=60.0)
    joint, added = ellipses.joint_areas([0.25], 60.0)[:, 0]
    assert walk.readings()["area / π"] == f"joint {joint:.3f}, sum {added:.3f}"
    assert not walk.check()[0]  # nobody has bound anything yet
    walk.set(way="bounds")
    assert not walk.check()[0]
    walk.set(c2=0.3)
    made = bounds.bounded(1.0, 0.3)
    assert walk.readings()["multipliers β₁, β₂"] == f"{made.beta[0]:.3f}, {made.beta[1]:.3f}"
    assert walk.check()[0]
    walk.set(c1=20.0, c2=20.0)
    assert walk.readings()["λ = β₁ / (β₁ + β₂)"] == "not defined"
    walk.set(c1=1.0, c2=0.3)
    page = walk.carry()  # without data it asks for some, and has the setting by then
    assert page.session_state[LAM] == pytest.approx(made.lam, abs=0.005)


def test_the_answer_is_told_with_its_number_and_hidden_before():
    half = ellipses.joint_areas([0.5])[0, 0]
    walk = Walk("joint_ellipses", bet="b")
    assert walk.verdict()[0]
    assert f"{half:.3f} π" in walk.verdict()[1]
    before = drawn(Setting(open=False))
    assert not before.readings
    assert all(mark.get("name") not in ("joint", "sum") for panel in before.panels for mark in panel.marks)


@pytest.mark.parametrize("way", ["chosen", "bounds"])
def test_pictures_of_all_stops_have_the_same_marks(way):
    names = ("lam", "phi") if way == "chosen" else ("c1", "c2")
    base = drawn(Setting(way=way))
    for low, high in (
        ((0.0, 0.0), (1.0, 90.0)) if way == "chosen" else (bounds.BOUNDS, bounds.BOUNDS[::-1], (20.0, 20.0))
    ):
        base.frame(drawn(Setting(way=way, **dict(zip(names, (low, high), strict=True)))))
