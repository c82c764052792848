"""Scheduler: quick answers go before long studies, and both go round the clients.

    for part in schedule(parts, places=1):      a long study, a part at a time; None while it waits for others
        ...

    queue = FairQueue()                         tasks that wait for a thread of the pool
    queue.put(work, client, patient=False)
    queue.take()                                does the task that comes next

The order of tasks changes when a result comes, never what it is.
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
"""So many tasks of quick answers go first; then one of a study, which would wait for ever otherwise."""

HOLD: Final = 1.0
"""Seconds for which studies leave a thread to the next quick task."""

_here = threading.local()


def is_patient() -> bool:
    """Whether this thread runs a part of a long study."""
    return bool(getattr(_here, "patient", False))


class FairQueue:
    """Fair queue: tasks of each client in their order, clients in a circle; quick tasks and those of studies apart.

    A task is never interrupted. So that a quick one does not wait for the end of long ones, studies leave threads free as
    long as quick tasks keep coming.

    Parameters
    ----------
    places : int
        So many tasks of studies are done at a time while the last quick one is at most HOLD seconds ago.
    """

    def __init__(self, places: int = 1) -> None:
        self._changed = threading.Condition()
        self._places = places
        self._studies = 0
        self._last_quick = -math.inf
        self._quick: OrderedDict[Hashable, deque[Callable[[], object]]] = OrderedDict()
        self._patient: OrderedDict[Hashable, deque[Callable[[], object]]] = OrderedDict()
        self._in_a_row = 0

    def put(self, work: Callable[[], object], client: Hashable, *, patient: bool = False) -> None:
        """Add a task behind the others of this client."""
        with self._changed:
            waiting = self._patient if patient else self._quick
            waiting.setdefault(client, deque()).append(work)
            if not patient:
                self._last_quick = time.monotonic()
                self._changed.notify()

    def take(self) -> None:
        """Do the next task: the first of the client that has waited longest since it had one.

        To be called once for every task.
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
            waiting = self._quick if quick else self._patient
            client, tasks = next(iter(waiting.items()))
            work = tasks.popleft()
            if tasks:
                waiting.move_to_end(client)
            else:
                del waiting[client]
            self._studies += not quick
        try:
            work()
        finally:
            with self._changed:
                self._studies -= not quick
                self._changed.notify()


class _RoundRobin:
    """Studies that want to go on, in the order in which they asked; `places` of them run at a time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()
        self._present: set[object] = set()
        self._running = 0

    @contextmanager
    def waiting(self) -> Iterator[object]:
        """Wait in the queue as long as this is open."""
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
        """Wait for a place, at most so long; True once it is there.

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


_round_robin = _RoundRobin()


def schedule(parts: Iterator[T], places: int) -> Generator[T | None, None, None]:
    """Take the parts of a long study one by one, and give way to other studies between two of them.

    Parameters
    ----------
    parts : iterator
        What is done between two of its values is one task: it should take no more than some tenths of a second.
    places : int
        So many studies of this process run at the same time.

    Yields None every PULSE seconds while others run. Nobody holds a place while a value is looked at, so that
    whoever stops asking, or never asks again, is in nobody's way.
    """
    nothing = object()
    while True:
        part: object = nothing
        with _round_robin.waiting() as ticket:
            while not _round_robin.comes(ticket, places, PULSE):
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
    global _round_robin
    _round_robin = _RoundRobin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
