"""One visitor's workspace, which all of their tabs share.

with space.lock:                    nobody else changes it meanwhile
    space.contents = changed(space.contents)
space.close()                       everything in it is let go, at once and in all tabs
"""

from __future__ import annotations

import threading
import time
import weakref
from typing import Protocol

from pages.shared.cache.bounded import BoundedCache
from pages.shared.visitors.contents import Contents


class Sight(Protocol):
    """What a tab has of the workspace in sight."""

    seen: Contents
    memory: dict[str, object]


class Workspace:
    """What belongs to one visitor, from whichever tab it is seen.

    Attributes
    ----------
    visitor : str or None
        None where there is no cookie: then the workspace belongs to one tab, and ends with it.
    lock : RLock
        Held while the contents are changed: what is read under it is what is changed.
    contents : Contents
        Replaced as a whole.
    results : BoundedCache or None
        What was computed of these data.
    used : float
        When a page of this visitor was drawn last, in seconds of the process.
    gone : bool
        Whether it was let go; a tab that still has it asks for another one.
    emptied : int
        How often everything in it was forgotten.
    is_unread : bool
        Whether it has still to be read from the disk.
    notice : str
        What happened to the workspace that this visitor had before, until they have read it.
    problem : str
        Why it could not be read from the disk so far.
    """

    def __init__(self, visitor: str | None = None, contents: Contents | None = None) -> None:
        self.visitor = visitor
        self.lock = threading.RLock()
        self.contents = contents or Contents()
        self.results: BoundedCache | None = None
        self.used = time.monotonic()
        self.gone = False
        self.emptied = 0
        self.is_unread = False
        self.notice = self.problem = ""
        self._tabs: weakref.WeakSet[Sight] = weakref.WeakSet()

    def attach(self, tab: Sight) -> None:
        """Let a tab be emptied together with this."""
        with self.lock:
            self._tabs.add(tab)

    def empty(self) -> None:
        """Let go of all data, settings and results, also where tabs have them in sight."""
        with self.lock:
            self.contents, self.notice = Contents(), ""
            self.emptied += 1
            if self.results is not None:
                self.results.clear()
            for tab in list(self._tabs):
                tab.seen, tab.memory = self.contents, {}

    def close(self) -> None:
        """Let go of everything, for good."""
        with self.lock:
            self.gone = True
            self.empty()
