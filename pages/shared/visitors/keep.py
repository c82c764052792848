"""Workspaces in a folder (KERNEX_KEEP), so that they survive a restart of the server; without it nothing is written.

    keeping() -> Keeper | None
    keeper.note(visitor, before, after)      what is there now; written a moment later, in the background
    keeper.read(visitor) -> Contents         raises KernexError where its file is damaged: that is set aside
    keeper.forget(visitor)                   no trace is left
    keeper.finish()                          all that was noted is written

A file is named after a digest of the visitor, so that nobody finds a cookie in the folder; files are readable by their owner
alone, replaced as a whole, and of the format of "Save workspace": no pickle.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.workspace.file import read_workspace, write_workspace
from pages.shared.visitors import limits
from pages.shared.visitors.contents import Contents
from pages.shared.visitors.saved import restored, saved

_log = logging.getLogger("kernex")
_keepers: dict[Path, Keeper] = {}
_lock = threading.Lock()
SOON: Final = 1.0
LATER: Final = 30.0
"""Seconds until a change is written: of data, and of settings alone, for which the whole file is written again."""
OURS: Final = re.compile(r"[0-9a-f]{40}\.(kernex|damaged)|kernex-\w+\.part")
"""Files that are removed when their time has come; whatever else is in the folder is none of ours."""
ON_DISK: Final = 10
"""So many times as many bytes of workspaces may be in the folder as in memory."""


@dataclass(eq=False)
class _Due:
    """What is to be written, and when."""

    visitor: str
    contents: Contents
    at: float
    forgotten: bool = False


class Keeper:
    """Writes workspaces into a folder, and reads them.

    Parameters
    ----------
    folder : Path
        Made where there is none.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: _Due | None = None
        self._writing = threading.Lock()
        self._due: dict[str, _Due] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def path(self, visitor: str) -> Path:
        """File of a visitor."""
        return self._folder / f"{hashlib.sha256(visitor.encode()).hexdigest()[:40]}.kernex"

    def note(self, visitor: str, before: Contents, after: Contents) -> None:
        """Remember what is there now, to write it."""
        soon = before.entries is not after.entries
        with self._changed:
            at = time.monotonic() + (SOON if soon else LATER)
            former = self._due.get(visitor)
            self._due[visitor] = _Due(visitor, after, at if former is None else min(at, former.at))
            if self._thread is None:
                self._thread = threading.Thread(target=self._write_on, name="kernex-keep", daemon=True)
                self._thread.start()
            self._changed.notify()

    def read(self, visitor: str) -> Contents:
        """Return what was kept, or nothing.

        Raises
        ------
        KernexError
            The file cannot be read; it is set aside, and the next one begins anew.
        """
        with self._changed:
            due = self._due.get(visitor)
        if due is not None:
            return due.contents
        path = self.path(visitor)
        try:
            return restored(read_workspace(path.read_bytes()))
        except FileNotFoundError:
            return Contents()
        except (OSError, KernexError) as error:
            path.replace(path.with_suffix(".damaged"))
            raise InvalidInputError(
                "The workspace that was kept for you cannot be read, and a new one begins", _why(error)[:300],
                "Bring your data again; whoever runs this server has the file",
            ) from error  # fmt: skip

    def forget(self, visitor: str) -> None:
        """Remove all that is there of a visitor, also what is being written at this moment."""
        with self._changed:
            for due in (self._due.pop(visitor, None), self._written):
                if due is not None and due.visitor == visitor:
                    due.forgotten = True
            for suffix in (".kernex", ".damaged"):
                self.path(visitor).with_suffix(suffix).unlink(missing_ok=True)

    def is_used(self, visitor: str) -> None:
        """The time begins anew after which an unused workspace is removed."""
        if (path := self.path(visitor)).exists():
            os.utime(path)

    def finish(self) -> None:
        """Write all that was noted."""
        for visitor in list(self._due):
            self._write(visitor)

    def clean(self) -> None:
        """Remove what was not used for long, and the oldest of too many."""
        files = [(path.stat(), path) for path in self._folder.iterdir() if OURS.fullmatch(path.name)]
        files.sort(key=lambda each: each[0].st_mtime, reverse=True)
        oldest, size = time.time() - 3600.0 * limits.idle_hours(), 0
        for count, (stat, path) in enumerate(files):
            size += stat.st_size
            if (
                stat.st_mtime < oldest
                or count >= ON_DISK * limits.most_visitors()
                or size > ON_DISK * limits.workspace_bytes()
            ):
                path.unlink(missing_ok=True)

    def _write_on(self) -> None:
        while True:
            with self._changed:
                while not self._due:
                    self._changed.wait()
                visitor, due = min(self._due.items(), key=lambda each: each[1].at)
                wait = due.at - time.monotonic()
                if wait > 0:
                    self._changed.wait(wait)
                    continue
            self._write(visitor)

    def _write(self, visitor: str) -> None:
        with self._writing:
            with self._changed:
                due = self._written = self._due.get(visitor)
            if due is None:
                return
            made = self._made(due)
            with self._changed:
                if self._due.get(visitor) is due:
                    del self._due[visitor]
                self._written = None
                if made is not None and not due.forgotten:
                    os.replace(made, self.path(visitor))
                    return
                if made is not None:
                    os.unlink(made)
                if not due.contents.is_own:
                    self.path(visitor).unlink(missing_ok=True)

    def _made(self, due: _Due) -> str | None:
        try:
            return self._temporary(write_workspace(saved(due.contents))) if due.contents.is_own else None
        except (OSError, KernexError) as error:  # a full disk, more than a file may hold
            _log.warning("A workspace is not kept: %s", error)
            return None

    def _temporary(self, data: bytes) -> str:
        number, name = tempfile.mkstemp(".part", "kernex-", self._folder)  # readable by its owner alone
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return name


def keeping() -> Keeper | None:
    """Who keeps workspaces on disk, if whoever started the server asked for it; one a folder."""
    folder = limits.keep_folder()
    if folder is None:
        return None
    with _lock:
        if folder not in _keepers:
            _keepers[folder] = Keeper(folder)
        return _keepers[folder]


def _why(error: OSError | KernexError) -> str:
    """Reason without the place on the server."""
    if isinstance(error, OSError):
        return error.strerror or "the disk refused it"
    return "; ".join(part for part in (error.expected, error.found) if part)
