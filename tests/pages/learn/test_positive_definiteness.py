"""One walk through the lesson on positive definiteness; its numbers are those of the core."""

import re

import numpy as np
import pytest

from kernex_core.studies.lessons.positive_definiteness import band, edited, three_items, trained
from pages.learn.positive_definiteness.pictures import Setting, read, written
from tests.pages.learn.walk import Walk


def numbers(text):
    return [float(part.replace("−", "-")) for part in text.replace(" to ", ", ").split(", ")]


def test_walk():
    walk = Walk("positive_definiteness")
    walk.bet("a")
    right, because = walk.verdict()
    assert not right
    assert "free numbers" in because
    made, shown = three_items(0.9, 0.9, 0.1), walk.readings()
    assert numbers(shown["fits from"]) == pytest.approx([made.low, made.high], abs=5e-4)
    assert numbers(shown["eigenvalues"]) == pytest.approx(made.eigenvalues, rel=5e-3)
    assert shown["clip costs"] == "0.224 (r₁₃ 0.154)"
    assert not walk.check()[0]
    walk.set(r12=0.6, r23=-0.5, r13=0.5)
    right, said = walk.check()
    assert not right
    assert "below 0" in said
    walk.set(r13=0.39)
    assert "clip costs" not in walk.readings()
    assert walk.check()[0]
    page = walk.carry("complete")
    assert page.sidebar.selectbox(key="data").value == "Three items, one unknown"


@pytest.mark.parametrize(("step", "reading", "value"), [
    ("Two unknown", "of the square", "34.2 %"), ("Three unknown", "of the cube", "61.7 %"),
])  # fmt: skip
def test_two_and_three_unknown(step, reading, value):
    walk = Walk("positive_definiteness", bet="-", step_pd=step)
    assert walk.readings()[reading].replace("\u00a0", " ") == value
    walk.set(r12=1.0, r13=-1.0)
    assert not re.search(r"\bnan\b", str(walk.picture()))


def test_the_editor_shows_what_the_core_says_of_the_matrix():
    walk = Walk("positive_definiteness", bet="-", step_pd="A matrix of yours", pd_n=4)
    shown, made = walk.readings(), edited(band(4))
    assert numbers(shown["eigenvalues"]) == pytest.approx(made.eigenvalues, abs=5e-4)
    assert float(shown["flip costs"]) == pytest.approx(made.repairs[1].distance, rel=5e-3)
    weights = walk.picture()["picture"]["panels"][3]["marks"]
    for mark, machine in zip(weights[1:3], trained(band(4), [-1, 1, 1, -1], 10.0), strict=True):
        assert mark["y"] == pytest.approx(machine.beta, abs=1e-4)
    page = walk.carry("data")
    assert page.sidebar.selectbox(key="data").value == "Similarities of the lesson"


def test_one_class_alone_trains_no_machine():
    walk = Walk("positive_definiteness", bet="-", step_pd="A matrix of yours", pd_y="mmm")
    assert "dual at C = 1, 10, 100" not in walk.readings()


@pytest.mark.parametrize("text", ["", "90_x_10", "1_2_3_4_5_6", "900000_1_2", "--_1_2"])
def test_what_is_no_matrix_in_the_address_is_not_read(text):
    assert np.array_equal(read(text, 3), band(3))


def test_a_matrix_travels_in_the_address():
    K = np.array([[1.0, -0.35, 0.2], [-0.35, 1.0, 0.9], [0.2, 0.9, 1.0]])
    assert read(written(K), 3).tolist() == K.tolist()
    setting = Setting(edits=written(K), at="0-1", value=0.5)
    assert setting.K[1, 0] == setting.K[0, 1] == 0.5
    assert Setting(at="2-9").pair == (0, 2)
