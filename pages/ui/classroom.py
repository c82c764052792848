"""A class and its bets on questions: whoever opens the class's link bets together, and sees all bets at the reveal."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import streamlit as st

from kernex_core.base.errors import InvalidInputError, KernexError, TooLargeError
from pages.server import workspace
from pages.server.messages import guard, show_error
from pages.server.token import MOST_ADDRESSES, address_of
from pages.server.visitors import limits

# The bets of a class, pooled in the memory of the server: no names, gone two hours after the last bet, bounded.
#
#     pool.bet("plum-42", "heat_and_walks", visitor, "b")     one bet a visitor and lesson; a later one takes its place
#     pool.bets("plum-42", "heat_and_walks") -> {"b": 17, "a": 3}
#
# A visitor is known by a digest of what names the tab or the browser; it is kept only to count everybody once.

LIFETIME: Final = 2 * 60 * 60.0
MOST_CLASSES: Final = 200
MOST_VISITORS: Final = 500
MOST_CODES: Final = 40
WINDOW: Final = 10 * 60.0
"""So many codes are tried from one address in so many seconds: of a million and more that there are."""
LONGEST_BET: Final = 40
LONGEST_CODE: Final = 32
_WORDS: Final = (
    "acorn",
    "birch",
    "cedar",
    "daisy",
    "elder",
    "fern",
    "grape",
    "hazel",
    "iris",
    "linden",
    "maple",
    "plum",
)
_SALT: Final = secrets.token_bytes(16)


@dataclass
class _Class:
    touched: float
    bets: dict[str, dict[bytes, str]] = field(default_factory=dict)


class Pool:
    """Bets of all classes of this server, for all threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._classes: OrderedDict[str, _Class] = OrderedDict()

    def bet(self, code: str, lesson: str, visitor: str, bet: str) -> None:
        """Count a bet; whoever bets again in the same lesson changes theirs.

        Raises
        ------
        InvalidInputError
            A code or a bet that is none.
        TooLargeError
            The class is full.
        """
        code = checked_code(code)
        if not bet or len(bet) > LONGEST_BET:
            raise InvalidInputError(f"A bet has 1 to {LONGEST_BET} characters", f"{len(bet)}")
        with self._lock:
            found = self._open(code)
            bets = found.bets.setdefault(lesson, {})
            name = hashlib.blake2b(visitor.encode(), key=_SALT, digest_size=16).digest()
            if name not in bets and len(bets) >= MOST_VISITORS:
                raise TooLargeError(
                    f"A class has at most {MOST_VISITORS} visitors",
                    "one more",
                    "Open another class for them.",
                )
            bets[name] = bet

    def bets(self, code: str, lesson: str) -> dict[str, int]:
        """Return how often each bet was made; nothing for a class that is not, or no longer, there."""
        with self._lock:
            self._drop()
            found = self._classes.get(code.strip().casefold())
            return {} if found is None else dict(Counter(found.bets.get(lesson, {}).values()))

    def _open(self, code: str) -> _Class:
        self._drop()
        found = self._classes.pop(code, None) or _Class(0.0)
        found.touched = self._clock()
        self._classes[code] = found
        while len(self._classes) > MOST_CLASSES:
            self._classes.popitem(last=False)
        return found

    def _drop(self) -> None:
        """Let go of classes nobody has bet in for two hours; the least recently used stand first."""
        old = self._clock() - LIFETIME
        while self._classes and next(iter(self._classes.values())).touched < old:
            self._classes.popitem(last=False)


def checked_code(code: str) -> str:
    """Return a class's code as it is compared: letters, digits and hyphens, in whatever case.

    Raises
    ------
    InvalidInputError
        Empty, too long, or of other characters.
    """
    found = code.strip().casefold()
    if not 1 <= len(found) <= LONGEST_CODE or not all(
        c.isascii() and (c.isalnum() or c == "-") for c in found
    ):
        raise InvalidInputError(
            f"The code of a class has 1 to {LONGEST_CODE} letters, digits and hyphens", repr(code)[:60],
            "Take the one that the lecturer's link carries.",
        )  # fmt: skip
    return found


def new_code() -> str:
    """Return a code that nobody guesses by chance and everybody can type."""
    return f"{secrets.choice(_WORDS)}-{secrets.choice(_WORDS)}-{secrets.randbelow(9000) + 1000}"


POOL: Final = Pool()
"""Of this server."""


class Codes:
    """Codes that were tried from each address lately: whoever tries one after the other finds none of another class.

    What is no class is not told from a class in which nobody has bet, so every code counts once, right or wrong. A whole
    class behind one address uses one.

    Parameters
    ----------
    clock : callable
        Seconds, for tests.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tried: OrderedDict[str, OrderedDict[str, float]] = OrderedDict()

    def may_try(self, address: str, code: str) -> bool:
        """Count a code, and say whether it is looked up."""
        now = self._clock()
        with self._lock:
            tried = self._tried.pop(address, OrderedDict())
            self._tried[address] = tried
            while len(self._tried) > MOST_ADDRESSES:
                self._tried.popitem(last=False)
            while (
                tried and next(iter(tried.values())) <= now - WINDOW
            ):  # the one that was used longest ago stands first
                tried.popitem(last=False)
            if code not in tried and len(tried) >= MOST_CODES:
                return False
            tried.pop(code, None)
            tried[code] = now
            return True


CODES: Final = Codes()
"""Of this server."""


def _may_try(code: str) -> bool:
    """Whether this visitor's code is looked up; on a machine of one's own there is nobody to guess."""
    if limits.answers_alone():
        return True
    return CODES.may_try(address_of({"client": (st.context.ip_address or "", 0)}), code)


Bars = Callable[[Mapping[str, int]], Sequence[tuple[str, int, bool]]]
"""Of the bets on a question: each answer, how many gave it, and whether it is right."""
KEY: Final = "class"
"""Name of the code in the address."""
EVERY: Final = 2.0
"""Seconds between two looks at the bets of the others."""


def code(*, in_a_row: bool = False) -> str:
    """Draw the field of the class's code and return it; "" for a visitor of no class, or a code that is none.

    In a row of other things it has no label above it.
    """
    st.text_input(
            "Class code", key=KEY, bind="query-params", persist_state="session", max_chars=40,
            placeholder="Class code" if in_a_row else "none", label_visibility="collapsed" if in_a_row else "visible",
            help="Whoever opens a lesson with the same code bets together: the bets of all are shown at the reveal, without "
            "names, and are gone two hours later. The lecturer's page makes a code and a link.",
        )  # fmt: skip
    return current()


def tell_wrong() -> None:
    """Say on the page, where everybody looks, that the code of an address or of the field is none."""
    asked: object = workspace.widget_says(KEY)
    if asked and not current():
        with guard():
            checked_code(str(asked))
            raise TooLargeError(
                f"From one address {MOST_CODES} codes of classes are tried in {round(WINDOW / 60)} minutes",
                "one more",
                "Wait some minutes; a class that was open here before is open still",
            )


def current() -> str:
    """Code of the class of this visitor, "" for none."""
    asked: object = workspace.widget_says(KEY)
    try:
        code = checked_code(str(asked)) if asked else ""
    except KernexError:
        return ""
    return code if code and _may_try(code) else ""


def count(question: str, bet: str) -> None:
    """Count the visitor's bet on the question of that key in their class, if they are in one."""
    if here := current():
        try:
            POOL.bet(here, question, _visitor(), bet)
        except KernexError as error:
            show_error(error)


def waiting(question: str) -> None:
    """Say how many of the class have bet, before the reveal."""
    if current():
        _counted(question)


def histogram(question: str, bars: Bars) -> None:
    """Draw the bets of the class."""
    if current():
        _drawn(question, bars)


@st.fragment(run_every=EVERY)
def _counted(question: str) -> None:
    bets = sum(POOL.bets(current(), question).values())
    # a code with a letter wrong is the code of another class, in which nobody is
    alone = " If others have bet, theirs is another code: compare it with the lecturer's." if not bets else ""
    st.caption(f"Class {current()}: {bets} {'bet' if bets == 1 else 'bets'} so far.{alone}")


@st.fragment(run_every=EVERY)
def _drawn(question: str, bars: Bars) -> None:
    counted = bars(POOL.bets(current(), question))
    total = sum(times for _, times, _ in counted)
    st.markdown(f"**The class** :small[:gray[{total} {'bet' if total == 1 else 'bets'}, {current()}]]")
    rows = [
        f"| {'**' if right else ''}{what}{' ✓**' if right else ''} | {'█' * round(16 * times / max(total, 1))} {times} |"
        for what, times, right in counted
    ]
    st.markdown("| Answer | Bets |\n|:--|:--|\n" + "\n".join(rows))


@st.fragment(run_every=EVERY)
def results(lessons: Sequence[tuple[str, str, Bars]]) -> None:
    """Draw what the class has bet in every lesson (title, key, bars): how many, how many right, and the usual answer."""
    rows = []
    for title, key, bars in lessons:
        counted = bars(POOL.bets(current(), key))
        total, right = (sum(times for _, times, hit in counted if hit or every) for every in (True, False))
        if total:
            usual = max(counted, key=lambda bar: bar[1])[0]
            rows.append(f"| {title} | {total} | {right} | {usual} |")
    if not rows:
        st.caption(f"Nobody of {current()} has bet yet.")
        return
    st.markdown("| Lesson | Bets | Right | Most bet on |\n|:--|--:|--:|:--|\n" + "\n".join(rows))


def _visitor() -> str:
    """What tells this visitor from the others of the class: their browser, or where it has no name, their tab."""
    named = workspace.visitor()
    if named is None:
        named = workspace.recall("class.visitor", "") or secrets.token_hex(8)
        workspace.remember("class.visitor", named)
    return named
