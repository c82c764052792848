"""Whose turn it is where many ask at the same time: quick answers before long studies, studies of several in a circle.

    for part in in_turns(parts, places=1):      a long study, a part a turn; None while another study has its turn
        ...

    lines = Lines()                             pieces of work that wait for a thread of the pool
    lines.put(work, asker, patient=False)
    lines.take()                                does the piece whose turn it is

What is computed does not depend on turns, only when.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Hashable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

T = TypeVar("T")

PULSE: Final = 0.25
"""Seconds after which a study that waits says that it does."""
QUICK_IN_A_ROW: Final = 8
"""So many pieces of quick answers go first; then one of a study, which would wait for ever otherwise."""

HOLD: Final = 1.0
"""Seconds for which studies leave a thread to the next quick piece."""

_here = threading.local()


def is_patient() -> bool:
    """Whether this thread runs a part of a long study."""
    return bool(getattr(_here, "patient", False))


class Lines:
    """Pieces of work in lines, one line for each who asks: quick ones and those of studies apart.

    A piece is never interrupted. So that a quick one does not wait for the end of long ones, studies leave threads free as
    long as quick pieces keep coming.

    Parameters
    ----------
    places : int
        So many pieces of studies are done at a time while the last quick piece is at most HOLD seconds ago.
    """

    def __init__(self, places: int = 1) -> None:
        self._changed = threading.Condition()
        self._places = places
        self._studies = 0
        self._last_quick = -math.inf
        self._quick: OrderedDict[Hashable, deque[Callable[[], object]]] = OrderedDict()
        self._patient: OrderedDict[Hashable, deque[Callable[[], object]]] = OrderedDict()
        self._in_a_row = 0

    def put(self, work: Callable[[], object], asker: Hashable, *, patient: bool = False) -> None:
        """Add a piece at the end of the line of whoever asks."""
        with self._changed:
            lines = self._patient if patient else self._quick
            lines.setdefault(asker, deque()).append(work)
            if not patient:
                self._last_quick = time.monotonic()
                self._changed.notify()

    def take(self) -> None:
        """Do the piece whose turn it is: the first of the line that has waited longest since it had one.

        To be called once for every piece.
        """
        with self._changed:
            while not self._quick and self._studies >= self._places:
                left = self._last_quick + HOLD - time.monotonic()
                if left <= 0.0:
                    break
                self._changed.wait(left)
            quick = bool(self._quick) and not (self._patient and self._in_a_row >= QUICK_IN_A_ROW)
            # those that no study waited for keep none waiting
            self._in_a_row = self._in_a_row + 1 if quick and self._patient else 0
            lines = self._quick if quick else self._patient
            asker, line = next(iter(lines.items()))
            work = line.popleft()
            if line:
                lines.move_to_end(asker)
            else:
                del lines[asker]
            self._studies += not quick
        try:
            work()
        finally:
            with self._changed:
                self._studies -= not quick
                self._changed.notify()


class _Circle:
    """Studies that want to go on, in the order in which they asked; `places` of them have a turn at a time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()
        self._present: set[object] = set()
        self._running = 0

    @contextmanager
    def asking(self) -> Iterator[object]:
        """Stand in line as long as this is open."""
        ticket = object()
        with self._changed:
            self._waiting.append(ticket)
        try:
            yield ticket
        finally:
            with self._changed:
                if ticket in self._waiting:
                    self._waiting.remove(ticket)
                else:
                    self._running -= 1
                self._changed.notify_all()

    def comes(self, ticket: object, places: int, seconds: float) -> bool:
        """Wait for one's turn, at most so long; True once it is there.

        Between two of these calls one keeps one's place, and is passed by those behind: nobody waits for who draws.
        """
        with self._changed:
            self._present.add(ticket)
            free = self._changed.wait_for(
                lambda: self._running < places and self._first() is ticket, timeout=seconds
            )
            self._present.remove(ticket)
            if free:
                self._waiting.remove(ticket)
                self._running += 1
            self._changed.notify_all()  # somebody else is the first who is there
            return free

    def _first(self) -> object:
        return next(ticket for ticket in self._waiting if ticket in self._present)


_circle = _Circle()


def in_turns(parts: Iterator[T], places: int) -> Generator[T | None, None, None]:
    """Take the parts of a long study one a turn, and give way to other studies between two of them.

    Parameters
    ----------
    parts : iterator
        What is done between two of its values is one turn: it should take no more than some tenths of a second.
    places : int
        So many studies of this process have a turn at the same time.

    Yields None every PULSE seconds while others have their turn. Nobody holds a turn while a value is looked at, so that
    whoever stops asking, or never asks again, is in nobody's way.
    """
    nothing = object()
    while True:
        part: object = nothing
        with _circle.asking() as ticket:
            while not _circle.comes(ticket, places, PULSE):
                yield None
            with _patiently():
                part = next(parts, nothing)
        if part is nothing:
            return
        yield part  # type: ignore[misc]  # it is one of the parts


@contextmanager
def _patiently() -> Iterator[None]:
    before, _here.patient = is_patient(), True
    try:
        yield
    finally:
        _here.patient = before


def _forget() -> None:
    """A forked process has none of its parent's studies."""
    global _circle
    _circle = _Circle()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
