"""One walk through the lesson; its numbers are tested with the core, here they are compared with it."""

import numpy as np
import pytest

from kernex_core.studies.lessons import learning_by_heart as core
from pages.learn.learning_by_heart import BETS, COLUMNS, QUESTION, SPOKES, toy
from tests.pages.learn.walk import Walk


def test_walk():
    walk = Walk("learning_by_heart")
    assert walk.offered()
    assert not walk.readings()
    walk.bet("a")
    right, because = walk.verdict()
    assert not right
    assert "no other" in because
    _compare(walk, core.memory())
    assert walk.check()[0] is False
    walk.set(kernel="power")
    walk.set(p=0.1)
    _compare(walk, core.memory(0.1))
    assert walk.check() == (False, core.check(0.1).said)
    walk.set(p=0.205)
    assert walk.check() == (True, core.check(0.205).said)
    page = walk.carry()
    assert page.slider(key="power").value == 0.205
    assert page.sidebar.selectbox(key="data").value == toy().name


def _compare(walk, made):
    shown = walk.readings()
    assert float(shown["says of the new string"]) == pytest.approx(made.shared, abs=5e-4)
    assert float(shown["of one that shares nothing"].replace("−", "-")) == pytest.approx(made.bias, abs=5e-4)
    assert float(shown["similarity of A and B"]) == pytest.approx(made.cosine, abs=5e-4)
    star, answers = walk.picture()["picture"]["panels"]
    assert np.stack([star["marks"][2]["x"], star["marks"][2]["y"]]) == pytest.approx(
        SPOKES @ made.directions.T, abs=1e-5
    )
    assert answers["marks"][0]["y"] == pytest.approx(made.decisions[list(COLUMNS)], rel=1e-4)
    assert answers["marks"][3]["y"] == [1.0]  # the bet


def test_the_question_is_about_what_the_core_finds():
    assert list(QUESTION.answers).index(QUESTION.right) == core.right_bet()
    assert BETS[QUESTION.right] == pytest.approx(core.memory().shared, abs=5e-4)
