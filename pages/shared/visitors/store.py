"""All workspaces of this process: bounded in number and bytes, and by the time that nobody has used one.

STORE.of(visitor) -> Workspace    the visitor's; made where there is none, with a word of what became of the former one
STORE.settle()                    whoever has not been here for longest leaves first, until all bounds hold
STORE.changed(space, before)      written where workspaces are kept on disk
STORE.forget(space)               everything of a visitor
len(STORE)  STORE.size            visitors, and bytes of what is theirs
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from kernex_core.errors import KernexError
from pages.shared.visitors import limits
from pages.shared.visitors.contents import Contents
from pages.shared.visitors.keep import Keeper, keeping
from pages.shared.visitors.space import Workspace

REASONS: Final = 10_000
"""Visitors who are told why their workspace is gone; older reasons are forgotten."""
FULL: Final = (
    "The data that you had open here are gone: this server keeps a limited amount for all visitors, and yours were unused "
    "for the longest time. Bring them again."
)


class Store:
    """Workspaces by visitor, the one that was used last at the end.

    Parameters
    ----------
    clock : callable
        Seconds, for tests.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._spaces: OrderedDict[str, Workspace] = OrderedDict()
        self._reasons: OrderedDict[str, str] = OrderedDict()

    def __len__(self) -> int:
        return len(self._spaces)

    @property
    def size(self) -> int:
        """Bytes of what all visitors have."""
        with self._lock:
            spaces = list(self._spaces.values())
        return sum(space.contents.size for space in spaces)

    def of(self, visitor: str) -> Workspace:
        """Return a visitor's workspace, and mark it as used."""
        keeper = keeping()
        with self._lock:
            space = self._spaces.get(visitor)
            if space is None:
                space = self._spaces[visitor] = Workspace(visitor)
                space.notice = self._reasons.pop(visitor, "")
                space.is_unread = keeper is not None
            space.used = self._clock()
            self._spaces.move_to_end(visitor)
        if keeper is not None:
            with space.lock:  # whoever comes in another tab waits until it is read
                if space.is_unread:
                    _read(space, keeper)
            keeper.is_used(visitor)
        self.settle()
        return space

    def changed(self, space: Workspace, before: Contents) -> None:
        """A workspace has been changed: it is written where it is kept on disk, and all bounds hold again."""
        keeper = keeping()
        if space.visitor is None:
            return
        if keeper is not None and space.contents is not before:
            keeper.note(space.visitor, before, space.contents)
        self.settle()

    def forget(self, space: Workspace) -> None:
        """Let go of everything of a visitor, also on disk."""
        keeper = keeping()
        with space.lock:
            space.empty()
            if keeper is not None and space.visitor is not None:
                keeper.forget(space.visitor)

    def settle(self) -> None:
        """Let workspaces go until all bounds hold; the one that was used last stays."""
        too_old = self._clock() - 3600.0 * limits.idle_hours()
        idle = (
            f"The data that you had open here are gone: not used for {limits.idle_time()}. Bring them again."
        )
        most, most_bytes = limits.most_visitors(), limits.workspace_bytes()
        leaving: list[Workspace] = []
        with self._lock:
            # those that nobody would miss leave first: a crowd of passers-by costs no one their data
            waiting = sorted(self._spaces.values(), key=lambda space: space.contents.is_own)
            newest = next(reversed(self._spaces), None)
            size = sum(space.contents.size for space in waiting)
            for space in waiting:
                is_idle = space.used < too_old
                own = space.contents.size
                over = len(self._spaces) > most or (own and size > most_bytes)
                if not (is_idle or (over and space.visitor != newest)):
                    continue
                size -= own
                leaving.append(space)
                self._leave(space, idle if is_idle else FULL)
        for space in leaving:  # whoever changes it has its lock, and may wait for ours
            space.close()

    def _leave(self, space: Workspace, reason: str) -> None:
        visitor, keeper = space.visitor, keeping()
        assert visitor is not None  # others are never in here
        del self._spaces[visitor]
        if keeper is not None and reason != FULL:
            keeper.forget(visitor)
        if space.contents.is_own and (keeper is None or reason != FULL):  # else it comes back from the disk
            self._reasons[visitor] = reason
            while len(self._reasons) > REASONS:
                self._reasons.popitem(last=False)


def _read(space: Workspace, keeper: Keeper) -> None:
    try:
        space.contents = keeper.read(space.visitor or "")
    except KernexError as error:
        space.notice = str(error)
    space.is_unread = False


STORE: Final = Store()
