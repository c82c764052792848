"""A visitor's way through a lesson, for one test a lesson.

    walk = Walk("heat_and_walks")                      # opened: the question, and no answer
    walk.bet("2")                                      # revealed; walk.verdict() is what the bet is told
    walk.set(tau=10.0)                                 # controls, by the names of their fields
    walk.check()                                       # the challenge: (right, what is said)
    walk.readings()["node 2"]                          # numbers under the picture; walk.picture() is all of it
    page = walk.carry()                                # on the working page

What no control says (points that were placed) is put there by the address: Walk("smoothness", bet="b", s_points="…").
"""

import json

from streamlit.testing.v1 import AppTest

from pages.server.navigation import PAGES, lesson
from tests.conftest import REPOSITORY
from tests.pages.conftest import switch

RIGHT, WRONG = ":green[:material/check_circle:] ", ":orange[:material/cancel:] "
WIDGETS = (
    "slider",
    "select_slider",
    "segmented_control",
    "selectbox",
    "toggle",
    "number_input",
    "text_input",
    "radio",
)


class Walk:
    """One visitor in one lesson, opened with these settings in the address."""

    def __init__(self, key, **address):
        self.lesson = lesson(key)
        self.at = at_lesson(key, address)
        self.run()
        assert [title.value for title in self.at.title] == [self.lesson.title]

    def run(self):
        """Run the page, without an error; what was set in the meantime counts."""
        self.at.run()
        self.calm()

    def calm(self):
        """There is no traceback and no message of an error."""
        assert not self.at.exception, self.at.exception
        assert not self.at.error, [each.value for each in self.at.error]

    def bet(self, answer):
        """Give an answer and take it; whatever is drawn to answer with."""
        widget(self.at, f"{self.lesson.key}.bet").set_value(answer).run()
        self.press("take")

    def show(self):
        """Ask for the answer without a bet."""
        self.press("show")

    def press(self, name):
        """Press the lesson's button of that name."""
        self.at.button(key=f"{self.lesson.key}.{name}").click()
        self.run()

    def offered(self):
        """Whether there is something to bet with."""
        return any(each.key == f"{self.lesson.key}.take" for each in self.at.button)

    def revealed(self):
        """Whether the answer is on the screen."""
        return any(each.key == f"{self.lesson.key}.again" for each in self.at.button)

    def set(self, **values):
        """Move controls, and run once."""
        for name, value in values.items():
            bound, own = f"{self.lesson.address}{name}", f"{self.lesson.key}.{name}"
            (widget(self.at, bound) or widget(self.at, own)).set_value(value)
        self.run()

    def judged(self):
        """All that was said of bets and challenges, from the top: (right, what was said)."""
        return [judged for each in self.at.markdown if (judged := _judged(each.value))]

    def verdict(self):
        """What the bet is told: (right, because)."""
        return self.judged()[0]

    def check(self):
        """Press the challenge's button: (right, what is said)."""
        self.press("challenge")
        return self.judged()[-1]

    def picture(self):
        """What the browser is sent to draw: picture, follows, formula."""
        (sent,) = (
            each.proto
            for each in self.at.get("bidi_component")
            if each.proto.component_name.endswith("kernex_stage")
        )
        return json.loads(sent.json)

    def readings(self):
        """Numbers under the picture, by what they are."""
        return dict(self.picture()["picture"]["readings"])

    def carry(self, address=""):
        """Take the setting to the working page (of that address, where there are several), and return the page there."""
        start = f"{self.lesson.key}.carry.{address}"
        found = [each for each in self.at.button if each.key and each.key.startswith(start)]
        button = min(
            found, key=lambda each: len(each.key)
        )  # with the data that are open, before those of the lesson
        button.click()
        self.run()
        entry = next(
            each
            for each in PAGES
            if each.url_path == button.key.removeprefix(f"{self.lesson.key}.carry.").removesuffix(".data")
        )
        assert [title.value for title in self.at.title] == [entry.heading or entry.title]
        return self.at


def at_lesson(key, address):
    """Return the test of a lesson that has not run yet, with these settings in the address."""
    at = AppTest.from_file(str(REPOSITORY / "pages" / "main.py"))
    for name, value in address.items():
        at.query_params[name] = str(value)
    return switch(at, key)  # one file draws all lessons: the address tells which


def _judged(text):
    for mark in (RIGHT, WRONG):
        if text.startswith(mark):
            return mark == RIGHT, text.removeprefix(mark)
    return None


def widget(at, key):
    """Return the widget of that key, of whatever kind; None where there is none."""
    return next((each for kind in WIDGETS for each in getattr(at, kind) if each.key == key), None)
