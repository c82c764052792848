"""Progress: a long computation is a generator of steps, which yields the share that is done and returns the result.

A page draws between two steps, and lets a click on Stop through; a script calls `finished` and waits.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")

Steps = Generator[float, None, T]
"""Yields the share of work that is done, 0 to 1, never falling; returns the result."""


def finished(steps: Steps[T]) -> T:
    """Do all of it and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


def last_state(states: Iterable[S | None]) -> S:
    """Do all of a study that yields its states, and return the last one; None is a step between two states.

    Raises
    ------
    ValueError
        No state at all.

    Examples
    --------
    >>> from kernex_core import last_state
    >>> last_state(iter([1, None, 2, None]))
    2
    """
    last: S | None = None
    for state in states:
        last = last if state is None else state
    if last is None:
        raise ValueError("a study without a state")
    return last


def part(steps: Steps[T], start: float, end: float) -> Steps[T]:
    """Return the same work as a part of a longer one, which it leads from share `start` to `end`."""
    while True:
        try:
            share = next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
        yield start + (end - start) * share


def with_states(steps: Steps[T], state: Callable[[float], S]) -> Generator[S, None, T]:
    """Return the same work with a state in place of the share at every step; to stop taking them ends it."""
    try:
        while True:
            try:
                share = next(steps)
            except StopIteration as stop:
                result: T = stop.value
                return result
            yield state(share)
    finally:
        steps.close()
