"""One walk through the lesson; its numbers are tested with the core, here they are compared with it."""

from kernex_core.learning.folds import LEAVE_ONE_OUT
from kernex_core.studies.lessons.luck_or_skill import guess_check, leak_rows
from pages.learn import luck_or_skill as judged
from pages.learn.luck_or_skill import QUESTION
from tests.pages.learn.walk import Walk, widget


def bars_of(walk, panel):
    return walk.picture()["picture"]["panels"][panel]["marks"][0]["y"]


def test_walk():
    walk = Walk("luck_or_skill")
    found = judged.judged(5, 0, 1.0)
    assert not walk.readings()
    walk.bet(55.0)
    assert walk.verdict() == (False, guess_check(found, 0.55).said)
    answer = found.first(50)
    assert QUESTION.right == 100.0 * answer.best_share
    assert bars_of(walk, 0) == list(answer.histogram)
    made = judged.winner(answer.best_seed, 0)
    assert bars_of(walk, 1) == [made.same, made.other, made.new]
    walk.set(count=200)
    assert bars_of(walk, 0) == list(found.first(200).histogram)
    assert not walk.check()[0]
    walk.set(look="each")
    assert not walk.check()[0]
    walk.set(C=0.05)
    assert walk.readings()["right"] == "0 of 2,000"
    assert walk.check()[0]
    page = walk.carry("evaluate.data")
    name = page.sidebar.selectbox(key="data").value
    assert name == "noise of the lesson"
    assert widget(page, f"evaluate.{name}.folds").value == LEAVE_ONE_OUT
    assert widget(page, f"evaluate.{name}.C").value == 0.05


def test_a_leak_is_planted_and_found_by_its_tag():
    walk = Walk("luck_or_skill", bet="-", los_look="Labels seen too early")
    assert bars_of(walk, 0) == [row.right for row in leak_rows(0)]
    for plant, tag in enumerate(("inductive", "transductive", "leak", "inductive")):
        walk.set(plant=str(plant))
        assert walk.readings()["tag"] == tag
        assert walk.check()[0] == (tag == "leak")


def test_what_a_slider_leads_to_is_judged_ahead():
    Walk("luck_or_skill", bet="-")
    for stop in judged.STOPS["many"]:
        found = judged.judged.peek(*stop)
        assert found is not None
        made = [judged.winner.peek(found.first(m).best_seed, found.state) for m in (1, 50, 200)]
        assert None not in made
