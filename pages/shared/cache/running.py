"""A study in parts that several visitors ask for at the same time: one runs it, the others follow.

for state in in_turn(key, known, start): ...
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from kernex_core.studies.combination import Partial

P = TypeVar("P", bound=Partial)

PULSE: Final = 0.25
"""Seconds after which somebody who follows looks again."""


@dataclass
class _Run:
    """A study that somebody runs or waits for."""

    turn: threading.Lock = field(default_factory=threading.Lock)
    visitors: int = 0
    latest: Partial | None = None


_runs: dict[str, _Run] = {}
_lock = threading.Lock()


def in_turn(
    key: str, known: Callable[[], P | None], start: Callable[[], Iterator[P | None]]
) -> Generator[P | None, None, None]:
    """Yield the states of a study: those of whoever runs it, or, where they stop, one's own from what is known.

    Parameters
    ----------
    key : str
        Of the study with its arguments.
    known : callable
        Returns the whole result where there is one.
    start : callable
        Runs the study, one state a part; None where it waits.

    Close the iterator (`contextlib.closing`) as soon as nobody takes states any more: others wait for it.
    """
    with _lock:
        run = _runs.setdefault(key, _Run())
        run.visitors += 1
    try:
        while not run.turn.acquire(timeout=PULSE):
            if run.latest is not None:
                yield run.latest  # type: ignore[misc]  # a run has states of one kind
        try:
            whole = known()
            if whole is not None and whole.done >= whole.total:
                yield whole
                return
            for state in start():
                run.latest = run.latest if state is None else state
                yield state
        finally:
            run.turn.release()
    finally:
        with _lock:
            run.visitors -= 1
            if not run.visitors:
                del _runs[key]
