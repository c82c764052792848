"""One screen of a lesson: question and bet on the left, controls and picture on the right, reveal and challenge after.

    def show(screen):                                   # of each lesson, called as a fragment
        bet = screen.ask(QUESTION)                       # draws the question; bet.open is True once it is revealed
        with screen.picture():
            setting = screen.controls(Setting(), only=("tau", "laplacian")) if bet.open else Setting()
            screen.stage(drawn, setting, follows=("tau",), formula="k = e^{−[tau|τ]L}")
        if bet.open:
            screen.reveal("What is seen, in two sentences.")
            screen.challenge("Find …", setting, check)
            screen.carry("networks", "Try τ on your network", {"tau": setting.tau})

The bet is in the address (`bet=b`; `bet=-` where the visitor was shown the answer without one), and so is every setting.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.parameters import parameters
from kernex_core.inputs.dataset import DataSet
from kernex_core.studies.lessons.catalogue import Check
from pages.learn.stage import Drags, Picture, Thumb, Told, stage
from pages.server import workspace
from pages.server.colour_scheme import on_primary
from pages.server.declared import Declared, declared, label, of, setting
from pages.server.digits import number
from pages.server.navigation import Lesson, go_to, lesson
from pages.ui import classroom as room
from pages.ui import settings as held
from pages.ui import widgets
from pages.ui.glossary import hint
from pages.ui.panels.verdicts import Width, places
from pages.ui.widget import Change, controls, stops

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# Questions of lessons: what is asked, how a visitor bets, and what each bet assumes. A bet travels as text.

MOST_BARS = 12


class Question(Protocol):
    """What every question can do."""

    @property
    def text(self) -> str: ...

    def offer(self, key: str) -> str | None:
        """Draw what a visitor bets with; return the bet that stands there, None where there is none yet."""

    def judge(self, bet: str) -> Check | None:
        """Return whether a bet is right, and the sentence on what it assumes; None for what is no bet."""

    def shown(self, bet: str) -> str:
        """Return how a bet is called."""

    def bars(self, bets: Mapping[str, int]) -> list[tuple[str, int, bool]]:
        """Return the bets of a class as (what, how many, right)."""


@dataclass(frozen=True)
class Choice:
    """One of several answers.

    Attributes
    ----------
    text : str
    answers : mapping of str to str
        Letter -> answer.
    right : str
        Letter of the right one.
    because : mapping of str to str
        Letter -> what whoever says so assumes; of the right one, why it is right.
    """

    text: str
    answers: Mapping[str, str]
    right: str
    because: Mapping[str, str]

    def offer(self, key: str) -> str | None:
        """Draw the answers."""
        chosen: str | None = st.radio(
            "Your bet", list(self.answers), index=None, format_func=self.answers.__getitem__, key=key,
            help="What do you expect? There is nothing to lose: the picture and the reason come after it.",
        )  # fmt: skip
        return chosen

    def judge(self, bet: str) -> Check | None:
        """Look the letter up."""
        if bet not in self.answers:
            return None
        return Check(bet == self.right, float(list(self.answers).index(bet)), self.because[bet])

    def shown(self, bet: str) -> str:
        """Return the answer itself."""
        return self.answers.get(bet, bet)

    def bars(self, bets: Mapping[str, int]) -> list[tuple[str, int, bool]]:
        """One bar an answer, in their order."""
        return [
            (answer, bets.get(letter, 0), letter == self.right) for letter, answer in self.answers.items()
        ]


@dataclass(frozen=True)
class Guess:
    """A number on a slider; `because` judges it, `right` is the number that it is drawn beside, `start` where it begins."""

    text: str
    low: float
    high: float
    step: float
    right: float
    because: Callable[[float], Check]
    unit: str = ""
    start: float | None = None

    def offer(self, key: str) -> str | None:
        """Draw the slider; where it begins, in the middle or at `start`, counts as a bet once the button is pressed."""
        middle = self.low + round((self.high - self.low) / 2.0 / self.step) * self.step
        start = middle if self.start is None else self.start
        value = st.slider(
            f"Your guess{f' ({self.unit})' if self.unit else ''}", self.low, self.high, start, self.step, key=key,
            format="%d" if self.step >= 1.0 else None,
            help="There is nothing to lose: the picture and the reason come after it.",
        )  # fmt: skip
        return f"{value:g}"

    def judge(self, bet: str) -> Check | None:
        """Compare the number."""
        value = self._value(bet)
        return None if value is None else self.because(value)

    def shown(self, bet: str) -> str:
        """Return the number with its unit."""
        value = self._value(bet)
        return bet if value is None else f"{number(value)}{f' {self.unit}' if self.unit else ''}"

    def bars(self, bets: Mapping[str, int]) -> list[tuple[str, int, bool]]:
        """At most twelve bins over the range; the one that holds the right number is marked."""
        count = min(MOST_BARS, max(1, round((self.high - self.low) / self.step)))
        wide = (self.high - self.low) / count
        found = [0] * count
        for bet, times in bets.items():
            if (value := self._value(bet)) is not None:
                found[self._bin(value, wide, count)] += times
        right = self._bin(self.right, wide, count)
        ends = [self.low + k * wide for k in range(count + 1)]
        return [(f"{number(ends[k])} to {number(ends[k + 1])}", found[k], k == right) for k in range(count)]

    def _bin(self, value: float, wide: float, count: int) -> int:
        return min(max(int((value - self.low) / wide), 0), count - 1)

    def _value(self, bet: str) -> float | None:
        try:
            value = float(bet)
        except ValueError:
            return None
        return value if self.low <= value <= self.high else None


@dataclass(frozen=True)
class Click:
    """An item of the picture, or one of a few answers beside it.

    Attributes
    ----------
    text : str
    items : mapping of str to str
        Id in the picture -> how it is called.
    answers : mapping of str to str
        Answers that are no item.
    because : callable
        Bet -> Check.
    """

    text: str
    items: Mapping[str, str]
    because: Callable[[str], Check]
    answers: Mapping[str, str] = field(default_factory=dict)

    def offer(self, key: str) -> str | None:
        """Offer the items by name, for who cannot click, and the answers beside them."""
        everything = {**self.answers, **self.items}
        chosen: str | None = st.selectbox(
            "Click into the picture, or choose here",
            list(everything),
            index=None,
            format_func=everything.__getitem__,
            key=key,
            placeholder="Nothing clicked yet",
            help="There is nothing to lose: the picture and the reason come after it.",
        )  # fmt: skip
        return chosen

    def judge(self, bet: str) -> Check | None:
        """Ask the core about the item."""
        return self.because(bet) if bet in self.items or bet in self.answers else None

    def shown(self, bet: str) -> str:
        """Return the item's name."""
        return {**self.answers, **self.items}.get(bet, bet)

    def bars(self, bets: Mapping[str, int]) -> list[tuple[str, int, bool]]:
        """The answers, then the most clicked items."""
        known = [bet for bet in bets if self.judge(bet) is not None]
        order = sorted(known, key=lambda bet: (bet not in self.answers, -bets[bet], bet))[:MOST_BARS]
        return [(self.shown(bet), bets[bet], self.because(bet).right) for bet in order]


# What can be set in a lesson: the bet, the picture, its controls, and what a visitor draws.

BET: Final = "bet"
STEP: Final = "step_"


def settings_of(key: str, owner: type[DataclassInstance], *drawn: str) -> Declared:
    """Declare the settings of a lesson.

    Parameters
    ----------
    key : str
        Of the lesson.
    owner : dataclass
        Its controls.
    drawn : str
        Names of what a visitor draws, kept as text.
    """
    address = lesson(key).address
    return declared(
        setting(BET, "Bet"), setting(f"{STEP}{address.strip('_')}", "Picture"), *of(owner, prefix=address),
        *(setting(f"{address}{name}", name) for name in drawn),
    )  # fmt: skip


S = TypeVar("S", bound="DataclassInstance")
SHOWN: Final = "-"
"""In the address, where somebody has asked for the answer without a bet."""
QUESTION_WIDTH, PICTURE_WIDTH = 5, 9


@dataclass(frozen=True)
class Bet:
    """Where a visitor stands: the bet ("" = none), and whether the answer is revealed."""

    answer: str = ""
    open: bool = False

    def is_on(self, answer: str) -> bool:
        """Whether the visitor has bet on this answer."""
        return self.open and self.answer == answer


class Screen:
    """The screen of one lesson in this run."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        left, right = st.columns([QUESTION_WIDTH, PICTURE_WIDTH], gap="large")
        self.left: Final[DeltaGenerator] = left
        self.right: Final[DeltaGenerator] = right
        self._question: Question | None = None
        self._slots: list[DeltaGenerator] = []

    def ask(self, question: Question, words: Sequence[str] = ()) -> Bet:
        """Draw the question, and what a visitor bets with, or the bet and what it assumes; `words` as in `reveal`."""
        self._question = question
        given = held.text_of(BET) or ""
        verdict = None if given == SHOWN else question.judge(given)
        bet = Bet("" if verdict is None else given, verdict is not None or given == SHOWN)
        with self.left, st.container(gap="small"):
            st.markdown(f"**Question**  \n{question.text}", help=hint(*words) if words else None)
            if bet.open:
                st.markdown(f"**{self.lesson.goal}**")  # before the bet it would be the answer
                self._judged(question, bet, verdict)
            else:
                self._offered(question)
        return bet

    def picture(self) -> AbstractContextManager[object]:
        """Return the right half of the screen."""
        return self.right

    def steps(self, names: Mapping[str, str]) -> str:
        """Draw which of several pictures is shown, above all controls, and return its key."""
        name = f"{STEP}{self.lesson.address.strip('_')}"
        return widgets.pick(name, list(names), said=names.__getitem__, label_visibility="collapsed")

    def more(self) -> DeltaGenerator:
        """Return a popover for controls that are seldom moved."""
        return st.popover("More", icon=":material/tune:", type="tertiary")

    def controls(
        self,
        owner: S,
        *,
        only: Sequence[str],
        changed: Mapping[str, Change] | None = None,
        of: int | Sequence[Width] = 0,
        within: DeltaGenerator | None = None,
    ) -> S:
        """Draw at most three controls in a row above the picture, or within a popover; all of them are in the address.

        Which controls there are may hang on one of them: `of` is the length of the row (or its widths, as `places` takes
        them), and what it has left is taken by the next call.
        """
        slots: Sequence[DeltaGenerator]
        if within is not None:
            slots = [within] * len(only)
        else:
            row = self._slots
            if not row:
                row = st.columns(of or len(only), gap="medium") if isinstance(of, int) else places(*of)
            slots, self._slots = row[: len(only)], row[len(only) :]
        return controls(owner, "", only=only, changed=changed, slots=slots, prefix=self.lesson.address)

    def kept(self, name: str, default: str = "") -> str:
        """Return what a visitor has drawn, as text; it is in the address, and is still there after another page."""
        return held.text_of(f"{self.lesson.address}{name}") or default

    def keep(self, name: str, text: str) -> None:
        """Keep what a visitor has drawn; called in a callback."""
        held.say(f"{self.lesson.address}{name}", text or None)

    def stage(
        self,
        draw: Callable[[S], Picture],
        setting: S,
        *,
        follows: Sequence[str] = (),
        play: Collection[str] = (),
        formula: str = "",
        on: Callable[[str, Told], None] | None = None,
        drags: Drags[S] | None = None,
    ) -> Picture:
        """Draw the picture; it follows the thumbs of the controls in `follows`, and plays those in `play`."""
        thumbs = [self._thumb(setting, name, name in play) for name in follows]
        key, address = f"{self.lesson.key}.stage", self.lesson.address
        return stage(key, draw, setting, follows=thumbs, formula=formula, address=address, on=on, drags=drags)

    def take(self, answer: str) -> None:
        """Bet on an answer from the picture; called in a callback, with a click on an item."""
        _bet(self.lesson, answer)

    def reveal(self, *sentences: str, words: Sequence[str] = ()) -> None:
        """Write what is seen, below the bet; terms of the glossary in it are explained by hover."""
        with self.left, st.container(gap="xxsmall"):
            for sentence in sentences:
                st.markdown(sentence, help=hint(*words) if sentence is sentences[-1] and words else None)

    def challenge(self, text: str, setting: object, check: Callable[[], Check]) -> None:
        """Draw the challenge and its button; what was judged stays until the setting changes."""
        key = f"{self.lesson.key}.challenge"
        with self.left, st.container(gap="xxsmall"):
            st.markdown(f"**Challenge**  \n{text}")
            if st.button("Check", key=key, icon=":material/flag:", help="Judges what the picture shows now."):
                workspace.remember(key, (setting, check()))
            nothing: tuple[object, Check | None] = (None, None)
            at, found = workspace.recall(key, nothing)
            if found is not None and at == setting:
                _say(found)

    def carry(
        self,
        address: str,
        label: str,
        settings: Mapping[str, object] | None = None,
        dataset: Callable[[], DataSet] | None = None,
        help: str = "",
    ) -> None:
        """Draw the way to a working page, which opens with these settings, on the visitor's data or the lesson's."""
        with self.left:
            if st.button(
                label, key=f"{self.lesson.key}.carry.{address}{'.data' if dataset else ''}",
                icon=":material/arrow_forward:", type="tertiary",
                help=help or "Opens the working page with this setting, on the data that are open.",
            ):  # fmt: skip
                if dataset is not None:
                    workspace.add(dataset())
                for name, value in (settings or {}).items():
                    workspace.show_in(name, value)
                go_to(address)

    def _thumb(self, setting: DataclassInstance, name: str, play: bool) -> Thumb:
        described, default = parameters(setting)[name], getattr(type(setting)(), name)
        places, indexed = stops(described, default)
        return Thumb(
            name, f"{self.lesson.address}{name}", places, label(described, name), play=play, indexed=indexed
        )

    def _offered(self, question: Question) -> None:
        bet = question.offer(f"{self.lesson.key}.bet")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                on_primary("Bet"), type="primary", key=f"{self.lesson.key}.take", disabled=bet is None,
                help="Take this answer, and see what is true.", on_click=_bet, args=(self.lesson, bet or ""),
            )  # fmt: skip
            st.button(
                "Show me", type="tertiary", key=f"{self.lesson.key}.show", on_click=_bet, args=(self.lesson, SHOWN),
                help="The answer without a bet; in a class it is not counted.",
            )  # fmt: skip
        room.waiting(self.lesson.key)

    def _judged(self, question: Question, bet: Bet, verdict: Check | None) -> None:
        if verdict is not None:
            st.markdown(f"Your bet: *{question.shown(bet.answer)}*")
            _say(verdict)
        st.button(
            "Ask me again", type="tertiary", key=f"{self.lesson.key}.again", icon=":material/replay:", on_click=_again,
            help="Takes the bet back and hides the answer.",
        )  # fmt: skip
        room.histogram(self.lesson.key, question.bars)


def _bet(lesson: Lesson, answer: str) -> None:
    """Put the bet into the address, and into the pool of the class."""
    held.say(BET, answer)
    if answer != SHOWN:
        room.count(lesson.key, answer)


def _again() -> None:
    held.say(BET, None)


def _say(found: Check) -> None:
    icon = ":green[:material/check_circle:]" if found.right else ":orange[:material/cancel:]"
    st.markdown(f"{icon} {found.said}")


# What a lesson tells the lecturer.


@dataclass(frozen=True)
class Teaching:
    """For one lesson, beside its question.

    Attributes
    ----------
    ask : tuple of str
        Further questions to ask in the room.
    wrong : tuple of (str, str)
        Likely wrong answers, and what whoever gives them assumes.
    state : str
        Query of an address that opens the lesson where it is worth a long look, e.g. "bet=-&haw_tau=10".
    """

    ask: tuple[str, ...]
    wrong: tuple[tuple[str, str], ...]
    state: str = ""
