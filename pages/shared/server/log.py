"""What the server says in the terminal: a line a study, errors under their ids, and warnings to whoever started it.

    configure()                once, at the start
    with studied("judged"):    a line at its end, also where it was stopped

A line says who (a mark that leads nobody to the cookie), which page and study, of how many items, how long, and the most
memory that the process has taken so far. No data, no names of data, no addresses.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pages.shared import workspace
from pages.shared.navigation import PAGES
from pages.shared.server.memory import peak_bytes
from pages.shared.visitors import identity, limits

_log = logging.getLogger("kernex")


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
