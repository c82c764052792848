"""The lecturer sees what the class has bet in each lesson, and an address to share."""

from pages.learn.heat_and_walks import QUESTION
from pages.server.navigation import LESSONS
from pages.ui.classroom import POOL


def test_the_bets_of_a_class_and_its_addresses(open_page_test):
    for number, bet in enumerate(["1", "1", "2"]):
        POOL.bet("lecture-1", "heat_and_walks", str(number), bet)
    at = open_page_test("learn/lecture.py", query={"class": "lecture-1"})
    (table,) = (each.value for each in at.markdown if each.value.startswith("| Lesson | Bets |"))
    assert f"| Heat and walks | 3 | 1 | {QUESTION.answers['1']} |" in table
    assert len(table.splitlines()) == 3  # no lines of zeros for lessons that nobody has bet in
    assert len(at.get("image")) == 1
    assert any(each.value.startswith("## ") and "learn" in each.value for each in at.markdown)
    assert any("nobody else can open it" in each.value for each in at.warning)
    assert [each.value.rsplit("/", 1)[-1] for each in at.code] == [
        f"{each.key}?class=lecture-1" for each in LESSONS
    ]
    assert len(at.expander) == len(LESSONS)
