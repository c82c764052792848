"""A class on a lesson: who opens its link bets together, and sees the bets of all at the reveal, without names."""

import pytest

from pages.ui import classroom
from pages.ui.classroom import POOL
from tests.pages.learn.walk import Walk, at_lesson

LESSON = "heat_and_walks"


def captions(walk):
    return [each.value for each in walk.at.caption]


def table(walk):
    (found,) = (each.value for each in walk.at.markdown if each.value.startswith("| Answer | Bets |"))
    return found


def test_two_visitors_of_a_class_see_their_bets_and_others_do_not():
    first = Walk(LESSON, **{"class": "Room-1"})
    assert (
        "Class room-1: 0 bets so far. If others have bet, theirs is another code: compare it with the lecturer's."
        in captions(first)
    )
    first.bet("1")
    second = Walk(LESSON, **{"class": "room-1"})
    assert "Class room-1: 1 bet so far." in captions(second)
    assert not any(
        each.value.startswith("| Answer") for each in second.at.markdown
    )  # not before one's own bet
    second.bet("2")
    rows = table(second).splitlines()[2:]
    assert [row.rstrip(" |").split(" ")[-1] for row in rows] == ["1", "1", "0"]
    assert [("✓" in row) for row in rows] == [False, True, False]
    alone = Walk(LESSON, bet="2")
    assert not any("Class" in each or "room-1" in each for each in captions(alone))


def test_whoever_only_looks_is_not_counted_and_whoever_bets_again_is_counted_once():
    walk = Walk(LESSON, **{"class": "room-2"})
    walk.show()
    assert POOL.bets("room-2", LESSON) == {}
    walk.press("again")
    walk.bet("1")
    walk.press("again")
    walk.bet("=")
    assert POOL.bets("room-2", LESSON) == {"=": 1}


def test_what_a_browser_made_up_is_shown_to_nobody():
    POOL.bet("room-3", LESSON, "somebody", "Ada Lovelace, 12 May")
    walk = Walk(LESSON, bet="2", **{"class": "room-3"})
    assert "Ada" not in table(walk)


def test_an_address_with_a_bet_is_no_bet():
    Walk(LESSON, bet="2", **{"class": "room-4"})
    assert POOL.bets("room-4", LESSON) == {}


def test_a_code_that_is_none_is_said_and_the_lesson_goes_on():
    at = at_lesson(LESSON, {"class": "no / code"}).run()
    assert not at.exception
    assert "lecturer" in at.error[0].value
    at.radio(key=f"{LESSON}.bet").set_value("2").run()
    at.button(key=f"{LESSON}.take").click().run()
    assert not at.exception
    assert at.query_params["bet"] == "2"


def test_a_code_that_is_none_is_said_on_the_page_and_not_behind_a_button(monkeypatch):
    monkeypatch.setattr(Walk, "calm", lambda walk: None)  # an error is what is looked for
    walk = Walk(LESSON, **{"class": "plum birch!"})
    (said,) = walk.at.main.error
    assert "plum birch" in said.value
    assert not any(each.startswith("Class plum") for each in captions(walk))


def test_a_code_too_many_says_so_and_is_not_looked_up(monkeypatch):
    monkeypatch.setattr(classroom.limits, "answers_alone", lambda: False)
    monkeypatch.setattr(classroom, "CODES", classroom.Codes())
    monkeypatch.setattr(classroom, "MOST_CODES", 1)
    POOL.bet("room-8", LESSON, "somebody", "1")
    first = Walk(LESSON, **{"class": "room-7"})
    assert any("room-7" in each for each in captions(first))
    with pytest.raises(AssertionError, match="Wait some minutes"):  # a walk meets no error as a rule
        Walk(LESSON, **{"class": "room-8"})
