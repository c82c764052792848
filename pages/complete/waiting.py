"""Work of the page Complete that a visitor watches: a bar with Stop beside it, and a way to go on after a stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.names import counted
from kernex_core.runtime.executors import one_a_turn
from pages.complete.subject import Subject
from pages.shared import workspace

SHARES = "complete.shares"
SWEEP = "complete.sweep"


@contextmanager
def stoppable(place: DeltaGenerator, key: str, settings: str) -> Iterator[DeltaGenerator]:
    """Draw Stop into an empty place, and yield that of the bar; both are gone when the work is done.

    Drawn outside of fragments: a click inside of one would wait for the end of what it should stop. What holds both stays:
    a fragment that has drawn the bar clears its place before it runs again, and without one the browser shows nothing.
    """
    with place.container(horizontal=True, vertical_alignment="center"):
        bar, stop = st.empty(), st.empty()
    stop.button(
        "Stop", icon=":material/stop:", key=f"{key}.stop", help="What is done stays.",
        on_click=workspace.remember, args=(f"{key}.stopped", settings),
    )  # fmt: skip
    yield bar
    bar.empty()
    stop.empty()


def is_stopped(key: str, settings: str) -> bool:
    """Whether a visitor has stopped this work under these settings."""
    return bool(workspace.recall(f"{key}.stopped", None) == settings)


def go_on(key: str, said: str, label: str) -> None:
    """Say what was stopped, with a button that starts it again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(said, width="content")
        if st.button(label, icon=":material/play_arrow:", key=f"{key}.run"):
            workspace.remember(f"{key}.stopped", None)
            st.rerun()


def more_shares(subject: Subject, place: DeltaGenerator) -> None:
    """Compute the shares that the chart still lacks, one a step, with progress; what is done is kept at once."""
    missing = subject.missing_shares
    if not missing or is_stopped(SWEEP, subject.settings):
        return
    if is_stopped(SHARES, subject.settings):
        with place.container():
            left = counted(len(missing), "other hidden share")
            go_on(SHARES, f"Stopped: {left} to be judged.", "Go on")
        return
    done, total = 0, len(missing)
    with stoppable(place, SHARES, subject.settings) as bar:
        for sweep in one_a_turn(map(subject.sweep, missing)):
            done += sweep is not None
            bar.progress(done / total, f"Accuracy at other hidden shares: {done} of {total} done")
    st.rerun()
