"""Runs of the tables of "Almost orthogonal patterns": what is done is kept, never lost, and gone on from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st

from kernex_core.errors import KernexError, NotPositiveSemidefiniteError
from pages.shared.panels.staged import run_staged

States = Callable[..., Iterator[Any]]


def run(
    begun: Any,
    start: States,
    args: tuple[Any, ...],
    *,
    key: str,
    what: str,
    automatic: bool,
    label: str,
    finished: Any = None,
) -> Any:
    """Return what is measured of one table; see `run_staged`.

    `begun` is a cache of this session, for what one visitor stops is no other's; `finished` may be one that all
    visitors share: it gets whole tables only.
    """
    return run_staged(
        lambda: start(*args, done=known(begun, finished, args)),
        lambda: known(begun, finished, args),
        lambda state: keep(begun, finished, args, state),
        key=key,
        what=what,
        automatic=automatic,
        label=label,
        resumes=True,
        settings=begun.key(*args),
    )


def known(begun: Any, finished: Any, args: tuple[Any, ...]) -> Any:
    """Look up the whole table, or what this session has of it."""
    whole = None if finished is None else finished.peek(*args)
    return begun.peek(*args) if whole is None else whole


def keep(begun: Any, finished: Any, args: tuple[Any, ...], state: Any) -> Any:
    """Keep what is done, unless more is known."""
    before = known(begun, finished, args)
    if before is not None and before.done > state.done:
        return before
    cache = finished if finished is not None and state.done >= state.total else begun
    return cache.keep(state, *args)


def refusal(start: States, args: tuple[Any, ...]) -> tuple[str, str, str] | None:
    """Return what the study finds wrong with its arguments before it measures, or None."""
    try:
        start(*args)
    except NotPositiveSemidefiniteError as error:
        return error.expected, error.found, "Repair it on the page Kernels and keep the repaired kernel"
    except KernexError as error:
        return error.expected, error.found, error.remedy
    return None


def measured_below(
    running: Callable[[], Any], before: Any, printed: Callable[[], None], draw: Callable[[Any], None]
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
