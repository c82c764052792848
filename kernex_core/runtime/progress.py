"""Long computations in pieces: a generator that yields how much is done, and returns the result.

A page draws between two pieces, and lets a click on Stop through; a script calls `finished` and waits.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")

Pieces = Generator[float, None, T]
"""Yields the share of work that is done, 0 to 1, never falling; returns the result."""


def finished(pieces: Pieces[T]) -> T:
    """Do all of it and return the result."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: T = end.value
            return result


def last_state(states: Iterable[S | None]) -> S:
    """Do all of a study that yields its states, and return the last one; None is a piece between two states.

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


def part(pieces: Pieces[T], start: float, end: float) -> Pieces[T]:
    """Return the same work as a part of a longer one, which it leads from share `start` to `end`."""
    while True:
        try:
            share = next(pieces)
        except StopIteration as stop:
            result: T = stop.value
            return result
        yield start + (end - start) * share


def told(pieces: Pieces[T], state: Callable[[float], S]) -> Generator[S, None, T]:
    """Return the same work, of which a state is told at every piece in place of the share; who stops taking ends it."""
    try:
        while True:
            try:
                share = next(pieces)
            except StopIteration as stop:
                result: T = stop.value
                return result
            yield state(share)
    finally:
        pieces.close()
