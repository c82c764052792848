"""What happens to exceptions that no page has caught: app.py gives `report` to Streamlit.

report(error) -> True     logs the traceback under an id, and shows the id in place of the traceback
with recovering(): ...    around a page: what failed once is drawn again, at once
tell()                    says what failed before the page was drawn again

A page that fails loses the rest of itself, sliders and all, and pieces of it that are gone answer nothing any more. So it is
drawn again as a whole, once; where it fails again, a button draws it.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, RerunException, StopException, get_script_run_ctx

from kernex_core.base.errors import KernexError
from pages.server import workspace
from pages.server.messages import show_error
from pages.server.navigation import PAGES
from pages.server.visitors import limits
from pages.server.visitors import store as identity
from pages.server.warmup import peak_bytes

_log = logging.getLogger("kernex")
AGAIN: Final = "failures.again"
SAID: Final = "failures.said"


def report(error: Exception) -> bool:
    """Show a message in place of the traceback; errors meant for users are shown as they are."""
    if type(error).__name__ == "FragmentHandledException":  # of a piece inside: it has been told
        return True
    if isinstance(error, KernexError):
        show_error(error)
        return True
    number = uuid.uuid4().hex[:8]
    _log.error("Error %s", number, exc_info=error)
    try:
        _show(error, number)
    except RerunException as moved:  # the visitor went on at this very moment: their run draws the page
        _run(moved.rerun_data)
    return True


def _show(error: Exception, number: str) -> None:
    if isinstance(error, MemoryError):
        cause = "This computation needs more memory than is free. Select fewer items."
    else:
        cause = "Something went wrong."
    said = f"{cause} Your data is safe. Error id {number}."
    st.error(said, icon=":material/report:")
    context: Any = get_script_run_ctx()
    # nothing that failed may be needed here: where not even that can be remembered, the visitor decides
    with suppress(Exception):
        # a page that is watched, and did not fail just now
        if not isinstance(error, MemoryError) and workspace.recall(AGAIN, None) is False:
            workspace.remember(AGAIN, True)
            workspace.remember(SAID, said)
            # everything is sent again: what the browser kept of earlier runs it may let go at the end of this one
            _run(RerunData(
                query_string=context.query_string, page_script_hash=context.page_script_hash,
                context_info=context.context_info,
            ))  # fmt: skip
            return
        workspace.remember(SAID, "")
    st.button("Draw the page again", key=f"failures.{number}", icon=":material/refresh:", on_click=st.rerun)


def _run(data: RerunData) -> None:
    """Ask for a run of the whole page after this one; from here on whatever reads the session's state ends this one."""
    context: Any = get_script_run_ctx()
    context.script_requests.request_rerun(data)


@contextmanager
def recovering() -> Iterator[None]:
    """Draw a page: one that comes to its end may fail once more, and is drawn again then, too."""
    if workspace.recall(AGAIN, None) is None:
        workspace.remember(AGAIN, False)
    try:
        yield
    except StopException:
        _stands()
        raise
    _stands()


def _stands() -> None:
    workspace.remember(AGAIN, False)
    workspace.remember(SAID, "")


def tell() -> None:
    """Say what failed before the page was drawn again, as long as it goes on by itself."""
    if said := workspace.recall(SAID, ""):
        st.error(f"{said} The page was drawn again.", icon=":material/report:")


# What the server says in the terminal: a line a study, errors under their ids, and warnings to whoever started it.
#
#     configure()                once, at the start
#     with studied("judged"):    a line at its end, also where it was stopped
#
# A line says who (a mark that leads nobody to the cookie), which page and study, of how many items, how long, and the
# most memory that the process has taken so far. No data, no names of data, no addresses.


def configure() -> None:
    """Let lines through to the terminal, and say whom the server answers."""
    if not _log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s  %(message)s"))
        _log.addHandler(handler)
        _log.setLevel(logging.INFO)
        _log.propagate = False
    if limits.is_open_to_all():
        _log.warning(
            "Whoever reaches this address can use this server. To ask every new visitor for a token, start it with %s=...",
            limits.TOKEN,
        )


@contextmanager
def studied(name: str) -> Iterator[None]:
    """Write a line about what is computed inside."""
    started = time.perf_counter()
    try:
        yield
    finally:
        tab, dataset = workspace.tab(), workspace.current()
        peak = peak_bytes()
        _log.info(
            "study %s  visitor %s  page %s  n %s  %.1f s  peak memory %s",
            name,
            identity.mark_of(tab.space.visitor) if tab.space.visitor else "without cookie",
            tab.page or PAGES[0].url_path,
            dataset.n if dataset is not None else 0,
            time.perf_counter() - started,
            "unknown" if peak is None else f"{peak / limits.MEGABYTE:,.0f} MB",
        )
