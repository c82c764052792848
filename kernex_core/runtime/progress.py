"""Progress: a long computation is a generator of steps, which yields the share that is done and returns the result.

A page draws between two steps, and lets a click on Stop through; a script calls `finished` and waits.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
Result = TypeVar("Result", covariant=True)

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


def quietly(steps: Steps[T]) -> Generator[None, None, T]:
    """The same, which says that something happened, and not how much is done."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        yield None


class Blocking(Protocol[P, Result]):
    """A function that waits, and the steps that it is made of."""

    steps: Callable[P, Generator[float, None, Any]]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Result:
        """Do all of them."""
        ...


def blocking(steps: Callable[P, Steps[T]]) -> Blocking[P, T]:
    """Derive from a computation in steps the function that does all of them; the steps stay as its attribute `steps`.

    Examples
    --------
    >>> @blocking
    ... def counted(n):
    ...     for k in range(n):
    ...         yield k / n
    ...     return n
    >>> counted(3), list(counted.steps(2))
    (3, [0.0, 0.5])
    """

    @wraps(steps)
    def waits(*args: P.args, **kwargs: P.kwargs) -> T:
        return finished(steps(*args, **kwargs))

    made = cast("Any", waits)
    made.steps = steps
    return cast("Blocking[P, T]", made)


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
