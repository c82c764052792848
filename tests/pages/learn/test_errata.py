"""One walk through the lesson, and every card on the screen beside the core."""

import pytest

from kernex_core.studies.lessons.errata import ERRATA, failing_from, solved
from pages.learn.errata import PAPERS, WORKING, Setting, asked, drawn, table
from tests.pages.learn.walk import Walk


def test_walk():
    walk = Walk("errata")
    assert len(walk.picture()["picture"]["panels"]) == 1
    walk.bet("von_neumann.y")
    right, because = walk.verdict()
    assert not right
    assert "strict" in because
    walk.set(lam=0.7)
    assert walk.readings()["k₁₁"] == f"{solved(0.7).k11:.3f}"
    assert walk.readings()["Kernex"] == "refuses it"
    assert not walk.check()[0]
    walk.set(lam=0.555)
    assert walk.readings()["1/ρ"] == f"{failing_from():.5f}"
    assert walk.check()[0]
    walk.set(card="all_subsets")
    assert walk.offered()  # the bet was on another card
    walk.bet("all_subsets.y")
    assert walk.verdict()[0]
    assert any(table(ERRATA[2].compute()) == each.value for each in walk.at.markdown)
    walk.set(card="lemma_6")
    walk.bet("lemma_6.n")
    assert walk.verdict()[0]
    assert not walk.check()[0]
    walk.carry("joint")


@pytest.mark.parametrize("card", ERRATA, ids=lambda card: card.key)
def test_a_card_is_asked_judged_by_its_computation_and_leads_on(card):
    question = asked(card)
    assert card.symbols  # nobody has to guess what a letter is
    assert card.symbols in question.text
    judged = [question.judge(f"{card.key}.{letter}") for letter in "yn"]
    assert [each.right for each in judged] == [card.holds, not card.holds]
    assert question.judge("another.y") is None
    rows = [line.strip("| ").split(" | ") for line in table(card.compute()).splitlines()[2:]]
    assert all(len(row) == 3 for row in rows)
    assert all((row[1] == row[2]) for row in rows) == card.holds
    assert card.source in PAPERS or card.lesson in WORKING


def test_what_was_told_is_coloured_and_no_answer_is_drawn_before():
    before = drawn(Setting(open=False))
    assert len(before.panels) == 1
    (chips,) = drawn(Setting("anova", told=(("anova", True), ("dual", False)))).panels
    colours = dict(zip(chips.marks[0]["ids"], chips.marks[0]["colour"], strict=True))
    assert len({colours["anova"], colours["dual"], colours["toy"]}) == 3
