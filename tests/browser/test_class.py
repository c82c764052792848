"""A class of thirty bets at once, by the load client: every bet is counted once, and all see the same bars at the reveal."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load.visitor import Visitor
from pages.learn.heat_and_walks import QUESTION
from tests.browser.script_runs import settle

CLASS = 30
LESSON, CODE = "heat_and_walks", "thirty-1"
ANSWERS = tuple(QUESTION.answers)


class Student:
    """One of the class; the table of bets that was seen last."""

    def __init__(self, number):
        self.answer = ANSWERS[number % 7 % len(ANSWERS)]
        self.table = b""

    def watch(self, raw):
        if b"| Answer | Bets |" in raw:
            self.table = raw

    def bars(self):
        """How many bets each answer has."""
        rows = self.table.decode("utf-8", "ignore").split("|:--|:--|\n")[1].split("\n")[: len(ANSWERS)]
        return [int(re.findall(r"(\d+) \|", row)[-1]) for row in rows]


async def bet(address, student):
    async with Visitor.arriving(address) as visitor:
        visitor.watch = student.watch
        await visitor.open(LESSON, f"class={CODE}")
        radio = visitor.widget("radio", "Your bet")
        chosen = WidgetState(id=radio.element.id, string_value=QUESTION.answers[student.answer])
        await visitor._run([chosen], radio.fragment)
        take = visitor.widget("button", "Bet")
        await visitor._run([chosen, WidgetState(id=take.element.id, trigger_value=True)], take.fragment)


async def look(address, student):
    async with Visitor.arriving(address) as visitor:
        visitor.watch = student.watch
        await visitor.open(LESSON, f"class={CODE}&bet=-")


async def together(address, students):
    await asyncio.gather(*(bet(address, student) for student in students))


def run(task):
    """Run it in a thread of its own: a browser of another test may have left a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, task).result()


@pytest.mark.parametrize("held", [0, 30])
def test_a_code_that_is_left_by_a_click_on_a_lesson_goes_with_it(visit, held):
    page = visit("learn", width=1280, height=720)
    link = page.get_by_test_id("stMain").locator(f"a[href$={LESSON}]")
    link.scroll_into_view_if_needed()
    page.get_by_placeholder("Class code").fill(f"held-{held}")
    link.click(delay=held)  # 0: as a finger taps
    page.wait_for_url(re.compile(rf"/{LESSON}\?.*class=held-{held}"))
    settle(page)
    assert page.url.partition("?")[0].endswith(LESSON)  # and it stays there


def test_thirty_bet_at_once_and_see_the_same_bars(server):
    address = server.removeprefix("http://")
    students = [Student(number) for number in range(CLASS)]
    run(together(address, students))
    given = [sum(student.answer == answer for student in students) for answer in ANSWERS]
    assert all(student.table for student in students)
    assert max(sum(student.bars()) for student in students) == CLASS  # whoever came last saw all
    assert all(1 <= sum(student.bars()) <= CLASS for student in students)
    teacher = Student(0)
    run(look(address, teacher))
    assert teacher.bars() == given
