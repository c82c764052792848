"""What a visitor bets with: judged, called, and counted for a class, whatever text the address or a browser sends."""

import pytest

from kernex_core.studies.lessons.catalogue import Check
from pages.learn.screen import MOST_BARS, Choice, Click, Guess

CHOICE = Choice("Which?", {"a": "the first", "b": "the second"}, "b", {"a": "no", "b": "yes"})
GUESS = Guess(
    "How much?", 40.0, 100.0, 1.0, 70.0, lambda v: Check(abs(v - 70.0) < 3.0, v, "it is 70"), unit="%"
)
CLICK = Click(
    "Where?",
    {str(k): f"item {k}" for k in range(30)},
    lambda bet: Check(bet in ("3", "none"), 0.0, f"you said {bet}"),
    {"none": "no such item"},
)
every = pytest.mark.parametrize(
    "question", [CHOICE, GUESS, CLICK], ids=lambda question: type(question).__name__
)
NONSENSE = ("", "nan", "inf", "1e400", "-1", "<b>Ada</b>", "a, b", "99999", "½", "-")


@every
@pytest.mark.parametrize("bet", NONSENSE)
def test_what_is_no_bet_is_not_judged_and_not_counted(question, bet):
    assert question.judge(bet) is None
    assert sum(times for _, times, _ in question.bars({bet: 3})) == 0
    assert not any(bet and bet in what for what, _, _ in question.bars({bet: 3}))


@pytest.mark.parametrize(
    ("question", "bet", "right", "shown"),
    [
        (CHOICE, "a", False, "the first"),
        (CHOICE, "b", True, "the second"),
        (GUESS, "70", True, "70 %"),
        (GUESS, "40", False, "40 %"),
        (CLICK, "3", True, "item 3"),
        (CLICK, "4", False, "item 4"),
        (CLICK, "none", True, "no such item"),
    ],
)
def test_a_bet_is_judged_and_called_by_its_name(question, bet, right, shown):
    assert question.judge(bet).right is right
    assert question.shown(bet) == shown


@every
def test_the_bets_of_a_class_are_all_counted(question):
    bets = {
        "Choice": {"a": 7, "b": 23},
        "Guess": {"40": 4, "70": 5, "100": 6},
        "Click": {"3": 20, "none": 9, "4": 1},
    }
    given = bets[type(question).__name__]
    bars = question.bars(given)
    assert len(bars) <= MOST_BARS
    assert sum(times for _, times, _ in bars) == sum(given.values())
    marked = sum(times for _, times, right in bars if right)
    assert marked == {"Choice": 23, "Guess": 5, "Click": 29}[type(question).__name__]


def test_bins_of_a_guess_hold_their_ends():
    bars = GUESS.bars({"40": 1, "100": 1, "44.9": 1, "45": 1})
    assert [times for _, times, _ in bars] == [2, 1, *[0] * 9, 1]
    assert [what for what, _, right in bars if right] == ["70 to 75"]


def test_no_class_makes_more_bars_than_can_be_read():
    assert len(CLICK.bars({str(k): k + 1 for k in range(30)})) == MOST_BARS
