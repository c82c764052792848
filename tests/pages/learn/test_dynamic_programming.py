"""One walk through the lesson; its numbers are tested with the core, here they are compared with it."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.studies.lessons import dynamic_programming as alignments
from kernex_core.studies.lessons import dynamic_programming as subsets
from kernex_core.studies.lessons import dynamic_programming as words
from pages.learn.dynamic_programming import (
    ALL,
    BEST,
    QUESTION,
    STEPS,
    SUBSETS,
    WORDS,
    Setting,
    drawn,
    read,
    short,
)
from tests.pages.learn.walk import Walk, widget


def test_walk():
    walk = Walk("dynamic_programming")
    assert not walk.readings()
    walk.bet("a")
    assert walk.verdict() == (False, QUESTION.because["a"])
    assert walk.readings()["K(cat, car)"] == "1/256"
    assert walk.readings()["your bet"] == "1/16"
    assert _cells(walk, 1)[0] == ["1/16", "1/64", "1/256"]
    assert _cells(walk, 1)[2][2] == "17/4096"
    assert walk.check() == (False, words.check(0.25).said)
    walk.set(typed="a sentence that is far too long for a table")
    assert "Two words are compared" in _said(walk)
    assert walk.readings()["K(cat, car)"] == "1/256"
    walk.set(typed="cat cart")
    assert not _said(walk)
    assert walk.readings()["K(cat, cart)"] == short(words.shared_words("cat", "cart").value)
    walk.set(decay=0.5)
    assert walk.check()[0]
    page = walk.carry()
    assert page.selectbox(key="build.kind.sequences").value is Subsequence
    assert widget(page, "build.Subsequence.words.decay").value == 0.5


def test_the_other_tables():
    walk = Walk("dynamic_programming", bet="-")
    widget(walk.at, "step_dp").set_value(SUBSETS)
    walk.run()
    assert _cells(walk, 0) == [
        ["1", "1", "1", "1"],
        ["0", "2", "4", "7"],
        ["0", "0", "4", "16"],
        ["0", "0", "0", "12"],
    ]
    assert walk.readings()["sum of the last column"] == "36"
    walk.set(edge="printed", route=2)
    assert walk.readings()["sum of the last column"] == "53"
    lit = subsets.lattice(2).subsets[1].cells
    rings = walk.picture()["picture"]["panels"][0]["marks"][1]["ring"]
    assert {divmod(k, 4) for k, ring in enumerate(rings) if ring} == {(row, column) for _, row, column in lit}
    widget(walk.at, "step_dp").set_value(ALL)
    walk.run()
    made = alignments.alignments("AWCA", "AACA", 0.1)
    shown = walk.readings()
    assert shown["alignments, the empty one included"] == "70"
    assert [float(shown[name]) for name in ("K", "K if X followed Y, too", "log K / β")] == pytest.approx(
        [94.818, 117.016, 45.52], rel=5e-3
    )
    assert made.value == pytest.approx(94.818, abs=1e-3)
    widget(walk.at, "step_dp").set_value(BEST)
    walk.run()
    assert walk.readings() == {"score": "15", "best alignment": "AWCA over A–CA"}


def test_the_question_is_about_what_the_core_finds():
    assert list(QUESTION.answers).index(QUESTION.right) == words.right_bet()


@pytest.mark.parametrize(
    "typed", ["", "cat", "cat car dog", "cat sentences", "<b>x</b> " * 30, "\u0000 " * 9]
)
def test_what_is_no_two_short_words_is_a_sentence(typed):
    for step, start in ((WORDS, words.WORDS), (BEST, alignments.PROTEINS)):
        pair, said = read(step, typed)
        assert pair == start
        assert said.endswith(".")
        assert "<" not in said


def test_words_that_fit():
    assert read(WORDS, " Ab, ç ") == (("Ab", "ç"), "")
    assert read(ALL, "awca;aaca") == (("AWCA", "AACA"), "")
    assert read(ALL, "A1 AA")[1]


@pytest.mark.parametrize("step", STEPS)
def test_every_stop_has_the_same_panels_and_marks(step):
    base = drawn(Setting(step=step))
    moved = [
        replace(Setting(step=step), filled=share) for share in np.linspace(0.0, 1.0, 51).round(2).tolist()
    ]
    moved += [replace(Setting(step=step), s=s, route=route) for s in range(4) for route in (1, 3)]
    moved += [replace(Setting(step=step), beta=2.0, decay=0.05)]
    assert all(drawn(each).frame(base) is not None for each in moved)
    if step in (WORDS, BEST):
        texts = [sum(map(bool, drawn(each).panels[0].marks[0]["text"])) for each in moved[:51]]
        assert texts[0] == 0
        assert texts == sorted(texts)
        assert texts[-1] == len(base.panels[0].marks[0]["text"])


def _cells(walk, panel):
    mark = next(
        mark for mark in walk.picture()["picture"]["panels"][panel]["marks"] if mark["kind"] == "cells"
    )
    wide = len(set(mark["x"]))
    return [mark["text"][k : k + wide] for k in range(0, len(mark["text"]), wide)]


def _said(walk):
    return " ".join(each.value for each in walk.at.caption if "warning" in each.value)
