"""One walk through the lesson; its numbers are tested with the core, here they are compared with it."""

import pytest

from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.studies.lessons import smoothness as core
from kernex_core.studies.lessons.smoothness import BETS, check_bet
from pages.learn.smoothness import QUESTION, START, Setting, along, drawn, parsed
from tests.pages.learn.walk import Walk


def test_walk():
    walk = Walk("smoothness")
    assert not walk.readings()
    walk.bet("smooth")
    assert walk.verdict() == (False, BETS["smooth"])
    _compare(walk, core.SmoothChoice())
    assert walk.check()[0] is False
    walk.set(kernel="Gaussian")
    walk.set(sigma=0.1)
    _compare(walk, core.SmoothChoice("Gaussian", sigma=0.1))
    ramp = Walk("smoothness", bet="pieces", s_points="0.2,0.2_0.5,0.5_0.8,0.8")
    right, said = ramp.check()
    assert right, said
    page = walk.carry()
    assert page.selectbox(key="build.kind.vectors").value is Gaussian
    assert page.sidebar.selectbox(key="data").value == "Points of a lesson"
    assert any(
        each.value == 0.1
        for each in (*page.number_input, *page.select_slider)
        if "Gaussian.points.sigma" in each.key
    )


def _compare(walk, choice):
    made = core.smooth_curve(core.START, choice)
    shown = walk.readings()
    assert float(shown["‖f‖²"]) == pytest.approx(made.squared_norm, abs=5e-3)
    assert float(shown["ratio"]) == pytest.approx(made.ratio, abs=5e-4)
    curve, beside = walk.picture()["picture"]["panels"]
    assert curve["marks"][1]["y"] == pytest.approx(made.mean[::2], abs=1e-4)
    made_of = made.pieces if made.pieces.size else made.density[::2]
    assert beside["marks"][0]["y"] == pytest.approx(made_of, rel=1e-4)


def test_the_question_is_about_what_the_core_finds():
    assert {bet: check_bet(bet).right for bet in QUESTION.answers} == {
        bet: bet == QUESTION.right for bet in QUESTION.answers
    }


@pytest.mark.parametrize("kernel", core.KERNELS_ON_THE_LINE)
def test_a_dragged_point_has_a_picture_at_every_stop(kernel):
    setting = Setting(kernel, bet="steps")
    base = drawn(setting)
    for way in along(setting, "1"):
        assert all(
            drawn(there).frame(base) is not None for there in way.values()
        )  # the same panels and marks
        same = [there for there in way.values() if there.at == START]
        assert len(same) == 1
        assert not drawn(same[0]).frame(base)
    assert along(setting, "7") == along(setting, "x") == []


def test_points_of_an_address():
    assert parsed("0.1,0.5_0.5,7") == ((0.1, 0.5), (0.5, 1.5))
    assert all(
        parsed(text) == START for text in ("", "a,b", "2,0", "1,2,3", "nan,0", "_".join(["0.1,0.1"] * 13))
    )
    nothing = drawn(Setting(at=((0.0, 0.0),)))
    assert dict(nothing.readings)["ratio"] == "not defined"
