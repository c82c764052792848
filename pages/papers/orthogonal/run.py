"""Runs of the tables of "Almost orthogonal patterns": what is done is kept, never lost, and gone on from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

import streamlit as st

from kernex_core.errors import KernexError, NotPositiveSemidefiniteError
from kernex_core.studies.papers.paper_table import Partial

P = TypeVar("P", bound=Partial)
Args = tuple[Any, ...]
States = Callable[..., Iterator[Partial]]


class Cache(Protocol):
    """What a cached function remembers: whole tables or partial ones."""

    def peek(self, *args: Any) -> Any:
        """Return the kept result, or None."""

    def keep(self, result: Any, *args: Any) -> Any:
        """Keep a result."""


def known(begun: Cache, finished: Cache | None, args: Args) -> Any:
    """Look up the whole table, or what this session has of it.

    `begun` is a cache of this session, for what one visitor stops is no other's; `finished` may be one that all
    visitors share: it gets whole tables only.
    """
    whole = None if finished is None else finished.peek(*args)
    return begun.peek(*args) if whole is None else whole


def keep(begun: Cache, finished: Cache | None, args: Args, state: P) -> P:
    """Keep what is done, unless more is known."""
    before: P | None = known(begun, finished, args)
    if before is not None and before.done > state.done:
        return before
    cache = finished if finished is not None and state.done >= state.total else begun
    kept: P = cache.keep(state, *args)
    return kept


def refusal(start: States, args: Args) -> tuple[str, str, str] | None:
    """Return what the study finds wrong with its arguments before it measures, or None."""
    try:
        start(*args)
    except NotPositiveSemidefiniteError as error:
        return error.expected, error.found, "Repair it on the page Kernels and keep the repaired kernel"
    except KernexError as error:
        return error.expected, error.found, error.remedy
    return None


def measured_below(
    running: Callable[[], P | None],
    before: P | None,
    printed: Callable[[], None],
    draw: Callable[[P], None],
) -> None:
    """Draw what is measured below its button; what is printed stands there until there is something.

    Parameters
    ----------
    running : callable
        Draws the button and returns what is measured, or None.
    before : object or None
        What is known before anything runs.
    printed : callable
        Draws what the paper prints.
    draw : callable
        Draws what is measured.
    """
    head, waiting = st.container(), st.empty()
    below = st.empty() if before is None else st.container()
    if before is None:
        with waiting.container():
            printed()
    with head:
        found = running()
    if found is not None:
        waiting.empty()
        with below.container():
            draw(found)
