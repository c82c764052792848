"""Workspaces in a folder (KERNEX_KEEP), so that they survive a restart of the server; without it nothing is written.

    keeping() -> Keeper | None
    keeper.note(visitor, before, after)      what is there now; written a moment later, in the background
    keeper.read(visitor) -> Contents         raises KernexError where its file is damaged: that is set aside; OSError where
                                             it cannot be read now: it is left as it is
    keeper.has(visitor)                      whether what was noted last is on disk
    keeper.problem(visitor) -> str           why it is not, for the visitor; "" where all is well
    keeper.forget(visitor)                   no trace is left
    keeper.finish()                          all that was noted is written

A file is named after a digest of the visitor, so that nobody finds a cookie in the folder; files are readable by their owner
alone, replaced as a whole, and of the format of "Save workspace": no pickle. What cannot be written is tried again until it
is: a disk that is full, or a folder that is not ours to write for a while, loses nothing.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import logging
import os
import re
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.inputs.items.selection import Selection
from kernex_core.workspace.workspace import OpenData, Workspace, check_plain
from pages.server.visitors import limits
from pages.server.visitors.contents import Contents, Entry

# A visitor's workspace as the value that a .kernex file holds, and back.
#
# saved(contents) -> Workspace        data sets, kept kernels, selections, plain settings, which data set is open
# restored(workspace) -> Contents
#
# Files that wait to be added are settings, but not plain ones: they are left out.


def saved(contents: Contents) -> Workspace:
    """Return what a file of it holds."""
    return Workspace(
        tuple(
            OpenData(
                entry.dataset,
                entry.kernels,
                entry.selection if isinstance(entry.selection, Selection) else None,
            )
            for entry in contents.entries.values()
        ),
        contents.now_called(contents.last),
        {key: _listed(value) for key, value in contents.settings.items() if _is_plain(_listed(value))},
    )


def restored(workspace: Workspace) -> Contents:
    """Return the contents that a file describes."""
    entries = {
        each.dataset.name: Entry(each.dataset, dict(each.kernels), each.selection) for each in workspace.data
    }
    settings = {key: _tupled(value) for key, value in workspace.settings.items()}
    return Contents(entries, settings, workspace.chosen or next(reversed(entries), None))


def _is_plain(value: object) -> bool:
    try:
        check_plain(value)
    except InvalidInputError:
        return False
    return True


def _listed(value: object) -> object:
    """Tuples as lists: a file knows no tuples."""
    if isinstance(value, tuple):
        return [_listed(item) for item in value]
    return {key: _listed(item) for key, item in value.items()} if isinstance(value, dict) else value


def _tupled(value: Any) -> object:
    """Lists as tuples: settings are never changed in place."""
    if isinstance(value, list):
        return tuple(_tupled(item) for item in value)
    return {key: _tupled(item) for key, item in value.items()} if isinstance(value, Mapping) else value


_log = logging.getLogger("kernex")
_keepers: dict[Path, Keeper] = {}
_lock = threading.Lock()
SOON: Final = 1.0
LATER: Final = 30.0
"""Seconds until a change is written: of data, and of settings alone, for which the whole file is written again."""
AGAIN: Final = 10.0
"""Seconds until what could not be written is tried again."""
OLD_PART: Final = 60.0
"""Seconds after which a file that was begun is one that nobody goes on writing."""
OURS: Final = re.compile(r"[0-9a-f]{40}\.(kernex|damaged)")
"""Files that are removed when their time has come; whatever else is in the folder is none of ours."""
PART: Final = re.compile(r"kernex-\w+\.part")
ON_DISK: Final = 10
"""So many times as many bytes of workspaces may be in the folder as in memory."""


@dataclass(eq=False)
class _Due:
    """What is to be written, and when."""

    visitor: str
    contents: Contents
    at: float
    forgotten: bool = False
    why: str = ""
    """Why it could not be written so far."""


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
        self._kept: set[str] = set()
        self._too_large: dict[str, str] = {}
        self._used: dict[str, float] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_troubled = False

    def path(self, visitor: str) -> Path:
        """File of a visitor."""
        return self._folder / f"{hashlib.sha256(visitor.encode()).hexdigest()[:40]}.kernex"

    def note(self, visitor: str, before: Contents, after: Contents) -> None:
        """Remember what is there now, to write it."""
        soon = before.entries is not after.entries
        with self._changed:
            at = time.monotonic() + (SOON if soon else LATER)
            former = self._due.get(visitor)
            why = "" if former is None else former.why
            self._put(_Due(visitor, after, at if former is None else min(at, former.at), why=why))

    def _put(self, due: _Due) -> None:
        self._due[due.visitor] = due
        self._kept.discard(due.visitor)
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_on, name="kernex-keep", daemon=True)
            self._thread.start()
        self._changed.notify()

    def read(self, visitor: str) -> Contents:
        """Return what was kept, or nothing.

        Raises
        ------
        KernexError
            The file is damaged; it is set aside, and the next one begins anew.
        OSError
            It cannot be read now, and stays as it is.
        """
        with self._changed:
            due = self._due.get(visitor)
        if due is not None:
            return due.contents
        path = self.path(visitor)
        try:
            packed = path.read_bytes()
        except FileNotFoundError:
            return Contents()
        from kernex_core.workspace.file import read_workspace  # slow: it knows all kinds of values

        try:
            found = restored(read_workspace(packed))
        except MemoryError as error:
            raise OSError(errno.ENOMEM, "too little memory is free") from error
        except KernexError as error:
            path.replace(path.with_suffix(".damaged"))
            raise InvalidInputError(
                "The workspace that was kept for you cannot be read, and a new one begins",
                "; ".join(part for part in (error.expected, error.found) if part)[:300],
                "Bring your data again; whoever runs this server has the file",
            ) from error
        with self._changed:
            if visitor not in self._due:
                self._kept.add(visitor)
        return found

    def has(self, visitor: str) -> bool:
        """Whether what was noted last is on disk."""
        with self._changed:
            return visitor in self._kept and visitor not in self._due

    def problem(self, visitor: str) -> str:
        """Why what is open is not on disk, in a sentence for its visitor; "" where it is, or soon will be."""
        with self._changed:
            due = self._due.get(visitor)
            why = due.why if due is not None else ""
            too_large = self._too_large.get(visitor, "")
        if too_large:
            return (
                f"What is open here is not kept on this server's disk ({too_large}), and ends with the server. Save it, on "
                "the page Data."
            )
        if why and due is not None and not due.contents.is_own:
            return f"What you have forgotten is still on this server's disk ({why}). It is tried again until it is gone."
        return why and (
            f"What you changed last is not on this server's disk yet ({why}). It is tried again until it is; if the server "
            "ends before that, it is lost. To be sure, save it on the page Data."
        )

    def forget(self, visitor: str) -> None:
        """Remove all that is there of a visitor, also what is being written at this moment."""
        with self._changed:
            for due in (self._due.pop(visitor, None), self._written):
                if due is not None and due.visitor == visitor:
                    due.forgotten = True
            self._kept.discard(visitor)
            self._used.pop(visitor, None)
            self._too_large.pop(visitor, None)
            try:
                self._remove(visitor)
            except OSError as error:  # tried again, as what is written is; until then it is not read any more
                self._put(_Due(visitor, Contents(), time.monotonic() + AGAIN, why=why_of(error)))
                self._trouble(error)

    def _remove(self, visitor: str) -> None:
        for suffix in (".kernex", ".damaged"):
            self.path(visitor).with_suffix(suffix).unlink(missing_ok=True)

    def is_used(self, visitor: str) -> None:
        """The time begins anew after which an unused workspace is removed; the disk is told later."""
        with self._changed:
            self._used[visitor] = time.time()

    def finish(self) -> None:
        """Write all that was noted."""
        for visitor in list(self._due):
            self._write(visitor)
        self._note_use()
        if left := sum(due.contents.is_own for due in self._due.values()):
            _log.warning("The server ends, and what was changed last in %d workspaces is not on disk.", left)

    def clean(self) -> None:
        """Remove what was not used for long, the oldest of too many, and what was begun and never finished."""
        self._note_use()
        try:
            found = [(path.stat(), path) for path in self._folder.iterdir() if _is_ours(path.name)]
        except OSError:  # gone at this very moment, or not ours to read now: the next time
            return
        now = time.time()
        for stat, path in found:
            if PART.fullmatch(path.name) and stat.st_mtime < now - OLD_PART:
                self._sweep(path)
        files = [each for each in found if OURS.fullmatch(each[1].name)]
        files.sort(key=lambda each: each[0].st_mtime, reverse=True)
        oldest, size = now - 3600.0 * limits.idle_hours(), 0
        for count, (stat, path) in enumerate(files):
            size += stat.st_size
            if (
                stat.st_mtime < oldest
                or count >= ON_DISK * limits.most_visitors()
                or size > ON_DISK * limits.workspace_bytes()
            ):
                self._sweep(path)

    def _sweep(self, path: Path) -> None:
        with contextlib.suppress(OSError), self._changed:
            path.unlink(missing_ok=True)
            self._kept -= {visitor for visitor in self._kept if self.path(visitor) == path}

    def _note_use(self) -> None:
        with self._changed:
            used, self._used = self._used, {}
        for visitor, moment in used.items():
            with contextlib.suppress(OSError):  # there may be none
                os.utime(self.path(visitor), (moment, moment))

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
        """Write what is due of a visitor; what the disk refuses stays due."""
        from kernex_core.workspace.file import write_workspace  # slow, as above

        with self._writing:
            with self._changed:
                due = self._written = self._due.get(visitor)
            if due is None:
                return
            made, refused, too_large = None, None, ""
            try:
                worth = due.contents.is_worth_keeping
                made = self._temporary(write_workspace(saved(due.contents))) if worth else None
            except OSError as error:  # a full disk, say
                refused = error
            except MemoryError:
                refused = OSError(errno.ENOMEM, "too little memory is free")
            except KernexError as error:  # more than a file may hold: the next try would end the same way
                too_large = error.expected
                _log.warning("A workspace is not kept: %s", error)
            except Exception:  # our bug: what others have is written all the same
                too_large = "something went wrong"
                _log.exception("A workspace is not kept")
            with self._changed:
                self._written = None
                if refused is None and not due.forgotten:
                    try:
                        self._settle(due, made, too_large)
                        return
                    except OSError as error:
                        refused = error
                _discard(made)
                if refused is not None and not due.forgotten:
                    self._wait(due, refused)

    def _settle(self, due: _Due, made: str | None, too_large: str) -> None:
        """Put what was written in the place of the former file; raises OSError where that cannot be."""
        if made is not None:
            os.replace(made, self.path(due.visitor))
            self._kept.add(due.visitor)
        elif not due.contents.is_worth_keeping:
            self._remove(due.visitor)
        if self._due.get(due.visitor) is due:
            del self._due[due.visitor]
        self._too_large.pop(due.visitor, None)
        if too_large:
            self._too_large[due.visitor] = too_large
        elif self._is_troubled:
            self._is_troubled = False
            _log.warning("Workspaces are kept again.")

    def _wait(self, due: _Due, error: OSError) -> None:
        """Leave it due, or what came meanwhile, until the next try."""
        left = self._due.get(due.visitor, due)
        left.why, left.at = why_of(error), time.monotonic() + AGAIN
        self._due[due.visitor] = left
        self._trouble(error)

    def _trouble(self, error: OSError) -> None:
        """Tell the terminal once, and not for every workspace and every try."""
        if not self._is_troubled:
            self._is_troubled = True
            _log.warning("Workspaces cannot be kept now (%s): tried again until they are.", why_of(error))

    def _temporary(self, data: bytes) -> str:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(".part", "kernex-", self._folder)  # readable by its owner alone
        try:
            with os.fdopen(number, "wb") as file:
                write(file, data)
        except BaseException:
            _discard(name)  # what is there of it would take the room that the next try needs
            raise
        return name


def write(file: IO[bytes], data: bytes) -> None:
    """Write all of it, down to the disk."""
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def keeping() -> Keeper | None:
    """Who keeps workspaces on disk, if whoever started the server asked for it; one a folder."""
    folder = limits.keep_folder()
    if folder is None:
        return None
    with _lock:
        if folder not in _keepers:
            _keepers[folder] = Keeper(folder)
        return _keepers[folder]


def why_of(error: OSError) -> str:
    """Reason without the place on the server."""
    return (error.strerror or "the disk refused it").lower()


def _is_ours(name: str) -> bool:
    return bool(OURS.fullmatch(name) or PART.fullmatch(name))


def _discard(part: str | None) -> None:
    if part is not None:
        with contextlib.suppress(OSError):
            os.unlink(part)
