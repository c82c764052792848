"""All workspaces of this process: bounded in number and bytes, and by the time that nobody has used one.

STORE.of(visitor) -> Workspace    the visitor's; made where there is none, with a word of what became of the former one
STORE.settle()                    whoever has not been here for longest leaves first, until all bounds hold
STORE.changed(space, before)      written where workspaces are kept on disk
STORE.forget(space)               everything of a visitor
len(STORE)  STORE.size            visitors, and bytes of what is theirs
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from kernex_core.base.errors import InvalidInputError, KernexError
from pages.server.visitors import limits
from pages.server.visitors.contents import Contents, Workspace
from pages.server.visitors.keep import Keeper, keeping, why_of

REASONS: Final = 10_000
"""Visitors who are told why their workspace is gone; older reasons are forgotten."""
EMPTY: Final = 50
"""So many times as many workspaces in which nothing is may be there: they take no room, and no place of others."""
FULL: Final = (
    "The data that you had open here were let go for others: this server keeps a limited amount for all visitors, and yours "
    "were unused for the longest time. Bring them again."
)
FILES: Final = (
    "Your files that waited to be added were let go: this server keeps a limited amount for all visitors. Bring them again,"
    " a few at a time."
)
LOST: Final = (
    "The data that you had open here were let go for others, and are no longer in the folder in which they were kept. Bring"
    " them again."
)
STARTED: Final = (
    "The server was started anew since you were here, and what was open then ended with it. Bring it again, or open a"
    " workspace that you have saved, on the page Data."
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

    def size_of(self, visitor: str) -> int:
        """Bytes of what one visitor has; 0 where they have nothing."""
        with self._lock:
            space = self._spaces.get(visitor)
        return 0 if space is None else space.contents.size

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
        # what is on disk and was not read yet is never written over
        if keeper is not None and not space.is_unread and space.contents is not before:
            keeper.note(space.visitor, before, space.contents)
        self.settle()

    def forget(self, space: Workspace) -> None:
        """Let go of everything of a visitor, also on disk."""
        keeper = keeping()
        with space.lock:
            space.empty()
            if keeper is not None and space.visitor is not None:
                space.is_unread, space.problem = False, ""
                keeper.forget(space.visitor)

    def tell(self, visitor: str, reason: str) -> None:
        """Let a visitor who comes next time read what became of what they had."""
        with self._lock:
            self._note_reason(visitor, reason)

    def settle(self) -> None:
        """Let workspaces go until all bounds hold; the one that was used last stays.

        Files that wait leave before any data set does, those of whoever has most of them first: a crowd of files that nobody
        can use costs their sender, and nobody else.
        """
        too_old = self._clock() - 3600.0 * limits.idle_hours()
        idle = (
            f"The data that you had open here are gone: not used for {limits.idle_time()}. Bring them again."
        )
        most, most_bytes, keeper = limits.most_visitors(), limits.workspace_bytes(), keeping()
        leaving: list[Workspace] = []
        unburdened: list[Workspace] = []
        with self._lock:
            sizes = {space: space.contents.size for space in self._spaces.values()}
            size = sum(sizes.values())
            if size > most_bytes:
                files = {space: space.contents.size_of_files for space in sizes}
                for space in sorted(files, key=files.__getitem__, reverse=True):
                    if size > most_bytes and files[space]:
                        size -= files[space]
                        sizes[space] -= files[space]
                        unburdened.append(space)
            full = sum(not space.contents.is_empty for space in sizes)
            newest = next(reversed(self._spaces), None)
            # those that nobody would miss leave first, and then those that come back from the disk
            for space in sorted(sizes, key=partial(_worth, keeper)):
                own, is_empty = sizes[space], space.contents.is_empty
                over = (full > most and not is_empty) or (own and size > most_bytes)
                crowd = is_empty and len(self._spaces) - full > EMPTY * most
                is_idle = space.used < too_old
                if not (is_idle or ((over or crowd) and space.visitor != newest)):
                    continue
                size -= own
                full -= not is_empty
                leaving.append(space)
                self._leave(space, idle if is_idle else FULL, keeper)
        for space in unburdened:  # whoever changes it has its lock, and may wait for ours
            _unburden(space)
        for space in leaving:
            space.close()

    def _leave(self, space: Workspace, reason: str, keeper: Keeper | None) -> None:
        visitor = space.visitor
        assert visitor is not None  # others are never in here
        del self._spaces[visitor]
        if keeper is not None and reason != FULL:
            keeper.forget(visitor)
        if space.contents.is_own:
            # of what comes back from the disk nothing is said, unless it is no longer there then
            self._note_reason(visitor, LOST if keeper is not None and reason == FULL else reason)
        elif space.notice:  # not read yet
            self._note_reason(visitor, space.notice)

    def _note_reason(self, visitor: str, reason: str) -> None:
        self._reasons[visitor] = reason
        while len(self._reasons) > REASONS:
            self._reasons.popitem(last=False)


def _worth(keeper: Keeper | None, space: Workspace) -> tuple[bool, bool]:
    """Whether anything is lost where it leaves: of the visitor's own; what is not on disk."""
    own = space.contents.is_own
    return own, own and keeper is not None and not keeper.has(space.visitor or "")


def _unburden(space: Workspace) -> None:
    with space.lock:
        space.contents = space.contents.without_files()
        space.notice = FILES


def _read(space: Workspace, keeper: Keeper) -> None:
    """Read what was kept; what cannot be read now is tried again in the next run, and joins what came meanwhile."""
    try:
        kept = keeper.read(space.visitor or "")
    except OSError as error:
        space.problem = (
            f"The workspace that is kept for you cannot be read now ({why_of(error)}). "
            "It is tried again at each move; until then nothing that you bring is kept on disk."
        )
        return
    except KernexError as error:
        space.notice, kept = str(error), Contents()
    space.is_unread, space.problem = False, ""
    if kept.is_own and space.notice == LOST:
        space.notice = ""
    meanwhile, space.contents = space.contents, kept
    for entry in meanwhile.entries.values():
        space.contents, name = space.contents.with_new(entry.dataset)
        space.contents = space.contents.put(replace(entry, dataset=space.contents.entries[name].dataset))
    if not meanwhile.is_empty:
        settings = {**space.contents.settings, **meanwhile.settings}
        space.contents = replace(space.contents, settings=settings)
        keeper.note(space.visitor or "", kept, space.contents)


STORE: Final = Store()


# Who a visitor is: 192 random bits in a cookie, signed, so that a cookie that this server has not given names nobody.
#
# cookie_name() -> str                 one a server: servers of one machine share their visitors' cookies
# new_cookie() -> str                  a visitor who has not been here
# visitor_of(cookie) -> str | None     whom a cookie names; None where this server has not given it
# is_former(cookie) -> bool            given by this server before it was started anew
# mark_of(visitor) -> str              a visitor in the log: nobody finds the cookie from it
# sign(purpose, text) -> str           what only this server can say of a text

BITS: Final = 192
KEY_BYTES: Final = 32
FORMER: Final = "kernex-former"
"""Cookie that tells a session, and no browser, that the server was started anew while its page was open."""
KEY_FILE: Final = "cookies.key"
_keys: dict[Path | None, bytes] = {}
_lock = threading.Lock()
_COOKIE: Final = re.compile(r"([A-Za-z0-9_-]{32})\.([A-Za-z0-9_-]{22})(?:\.([A-Za-z0-9_-]{22}))?")


def cookie_name() -> str:
    """Name of the cookie; cookies belong to a machine and not to a port, and so the port is part of it."""
    return f"kernex-{st.get_option('server.port')}"


def new_cookie() -> str:
    """Return the cookie of a visitor who has not been here."""
    visitor = secrets.token_urlsafe(BITS // 8)
    return f"{visitor}.{sign('visitor', visitor)}"


def visitor_of(cookie: object) -> str | None:
    """Return the visitor whom a cookie names, or None where this server has not given it."""
    found = _COOKIE.fullmatch(cookie) if isinstance(cookie, str) else None
    if found is None or not hmac.compare_digest(sign("visitor", found[1]), found[2]):
        return None
    return found[1]


def is_former(cookie: object) -> bool:
    """Whether it is a cookie as this server gives them, and another start of it has given this one."""
    return isinstance(cookie, str) and _COOKIE.fullmatch(cookie) is not None and visitor_of(cookie) is None


def mark_of(visitor: str) -> str:
    """Return what stands for a visitor in the log; it tells nobody the cookie."""
    return sign("log", visitor)[:8]


def admitted(cookie: str, token: str) -> str:
    """Return the cookie of the same visitor, once they have said the token."""
    visitor, signature = cookie.split(".")[:2]
    return f"{visitor}.{signature}.{_admission(visitor, token)}"


def is_admitted(cookie: object, token: str) -> bool:
    """Whether the visitor whom a cookie names has said this token."""
    visitor = visitor_of(cookie)
    if visitor is None:
        return False
    said = str(cookie).split(".")[2:]
    return bool(said) and hmac.compare_digest(_admission(visitor, token), said[0])


def _admission(visitor: str, token: str) -> str:
    return sign("admitted", f"{hashlib.sha256(token.encode()).hexdigest()}\n{visitor}")


def sign(purpose: str, text: str) -> str:
    """Return 128 bits that only this server can make of a text for this purpose."""
    made = hmac.digest(_key(limits.keep_folder()), f"{purpose}\n{text}".encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(made[:16]).rstrip(b"=").decode()


def _key(folder: Path | None) -> bytes:
    """The secret: of this process, or where workspaces are kept on disk beside them, so that their cookies hold, too."""
    with _lock:
        if folder not in _keys:
            _keys[folder] = secrets.token_bytes(KEY_BYTES) if folder is None else _kept_key(folder / KEY_FILE)
        return _keys[folder]


def _kept_key(path: Path) -> bytes:
    limits.make_keep_folder()
    with contextlib.suppress(FileExistsError):
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # for its owner alone
        try:
            with os.fdopen(number, "wb") as file:
                file.write(secrets.token_bytes(KEY_BYTES))
        except OSError:
            path.unlink(missing_ok=True)  # half a key would be refused at every start
            raise
    found = path.read_bytes()
    if len(found) != KEY_BYTES:
        raise InvalidInputError(
            f"The key of the cookies has {KEY_BYTES} bytes", f"{len(found)} in {path}", "Remove that file"
        )
    return found
