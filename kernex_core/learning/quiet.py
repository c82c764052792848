"""Warnings of other libraries that are told in another way, ignored by one thread at a time."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LOCK = threading.Lock()
"""Filters of warnings belong to the process: two threads that set and restore them at once undo one another."""


@contextmanager
def quiet(category: type[Warning]) -> Iterator[None]:
    """Ignore warnings of a category inside; another thread that asks for the same waits meanwhile."""
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield
