"""Where what is measured is drawn: below its button, in place of what is printed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.papers.orthogonal.subject import Found


def measured_below(
    running: Callable[[], Found | None],
    before: Found | None,
    printed: Callable[[], None],
    draw: Callable[[Found], None],
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
