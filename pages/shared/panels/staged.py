"""A long study on a page: progress, time left, a way to stop, and what is done is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

import streamlit as st

from kernex_core.errors import KernexError
from pages.shared import workspace


class Partial(Protocol):
    """Frozen partial result of a study."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...


P = TypeVar("P", bound=Partial)


def run_staged(
    start: Callable[[], Iterator[P]],
    known: Callable[[], P | None],
    keep: Callable[[P], P],
    *,
    key: str,
    what: str,
    automatic: bool,
    label: str = "Run",
    cost: str = "",
    resumes: bool = False,
    settings: str = "",
    place: st.delta_generator.DeltaGenerator | None = None,
) -> P | None:
    """Return a finished result, or run the study with progress; what a stop leaves is returned from then on.

    Parameters
    ----------
    start : callable
        Makes the generator of partial results.
    known, keep : callable
        Look up and keep a partial result under the present settings.
    key : str
        Of the two buttons.
    what : str
        Unit of progress, for example "runs".
    automatic : bool
        Start without a click where nothing is known yet.
    label : str
        Of the button that starts it.
    cost : str
        What a click will cost, said beside the button where nothing has been run yet.
    resumes : bool
        `start` goes on from what is known. Then a study that was interrupted by a move of another control goes on
        by itself; one that was stopped waits for a click.
    settings : str
        Tells these settings from others (`key` of the cached function): a stop holds for them alone, and even before
        anything was done.
    place : container, optional
        Where progress and Stop are drawn; without it beside the button.
    """
    found = known()
    stopped = workspace.recall(f"{key}.stopped", None) == settings
    with st.container(horizontal=True, vertical_alignment="center"):
        finished = found is not None and found.done >= found.total
        name = label if found is None else ("Continue" if resumes and not finished else "Run again")
        clicked = st.button(
            name, type="primary", icon=":material/play_arrow:", key=f"{key}.run", disabled=finished,
            help="All of it is done for these settings. Change one to run again." if finished else None,
        )  # fmt: skip
        slot = (place or st).empty()
    if finished or not (clicked or (automatic and not stopped and (found is None or resumes))):
        if found is not None and not finished:
            slot.caption(f"Stopped: {found.done} of {found.total} {what} are done and shown.")
        elif found is None and stopped:
            slot.caption("Stopped before anything was done.")
        elif found is None and cost:
            slot.caption(cost)
        return found
    # a study that goes on has what an earlier run did, which says nothing about the pace of this one
    before = found.done if resumes and found is not None else 0
    last = _run(start(), keep, slot, key, what, before, settings) or found
    kept = known()
    if kept is not None and kept.done >= kept.total:
        # once more, so that the button above knows that there is nothing left to run
        st.rerun()
    return last


def _run(
    states: Iterator[P],
    keep: Callable[[P], P],
    slot: st.delta_generator.DeltaGenerator,
    key: str,
    what: str,
    before: int,
    settings: str,
) -> P | None:
    started, last = time.perf_counter(), None
    workspace.remember(f"{key}.stopped", None)
    with slot.container(horizontal=True, vertical_alignment="center"):
        bar = st.empty()
        # a click stops this run of the script; what has been kept by then is shown by the next one
        st.button(
            "Stop", icon=":material/stop:", key=f"{key}.stop", help="What is done is kept and shown.",
            on_click=workspace.remember, args=(f"{key}.stopped", settings),
        )  # fmt: skip
    try:
        for state in states:
            last = keep(state)
            share = min(state.done / state.total, 1.0) if state.total else 1.0
            left = time_left(state, before, time.perf_counter() - started)
            bar.progress(share, f"{state.done} of {state.total} {what}{left}")
    except KernexError:
        # the error is drawn beside this: nothing runs any more that could be stopped
        slot.empty()
        raise
    slot.empty()
    return last


def time_left(state: Partial, before: int, seconds: float) -> str:
    """Return ", 12 s left" at the pace since `before` of the parts were done, `seconds` ago; "" before the first."""
    done = state.done - before
    return f", {seconds * (state.total - state.done) / done:.0f} s left" if done > 0 else ""
