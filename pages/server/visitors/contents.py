"""What a workspace holds, as one value: data sets, kept kernels, selections, settings. Nothing of it is ever changed.

Contents(entries, settings, last)      a workspace can be read off it, and made of it again
Entry(dataset, kernels, selection)     .view: what pages see of it
"""

from __future__ import annotations

import dataclasses
import threading
import time
import weakref
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.upload import Upload
from kernex_core.workspace.workspace import with_kept
from pages.server import cache as origin
from pages.server.cache import BoundedCache, size_in_bytes
from pages.server.visitors import limits

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from kernex_core.gram.matrix import GramMatrix
    from kernex_core.inputs.samples import ChosenItems


CHOSEN = ("chosen.items.", "chosen.pair.", "coloured.classes.")
"""How settings begin that belong to a data set, whose name ends them: chosen items, a chosen pair, coloured classes."""
OF_PAGES, OF_DATA = "settings.pages", "settings.data."
FORMER_PAGES = {"sequences": "strings", "diagonals": "power"}
"""Addresses of pages that were called otherwise: links, saved workspaces and kept ones still have them."""
MOVED_SETTINGS = {"many": ("together", ("many_way", "ways_seed", "drawn", "trust_of", "completed"))}
"""By page: settings that belong to another page now, and which."""
"""Settings of pages that differ from the usual ones, by page and name; those that name something in a data set, whose name
ends the key.
"""


class ItemChoice(Protocol):
    """What `set_selection` takes: which items of a data set to keep, on every page."""

    def items(self, dataset: DataSet, /) -> ArrayLike | ChosenItems: ...  # mask or positions


@dataclasses.dataclass(frozen=True, eq=False)
class Entry:
    """A data set, the kernels kept for it, and the selection."""

    dataset: DataSet
    kernels: dict[str, GramMatrix] = dataclasses.field(default_factory=dict)
    selection: ItemChoice | None = None

    @cached_property
    def view(self) -> DataSet:
        """The data set with its selection applied and the kept kernels that cover it; digests are computed once."""
        choice = self.selection
        view = self.dataset if choice is None else self.dataset.select(choice.items(self.dataset))
        return with_kept(view, self.kernels)

    @property
    def is_own(self) -> bool:
        """Whether anything in it is the visitor's, and would be missed."""
        return not origin.is_public([self.dataset]) or bool(self.kernels) or self.selection is not None

    @cached_property
    def size(self) -> int:
        """Bytes of what is the visitor's own: a demo is there once for all."""
        own: list[object] = [] if origin.is_public([self.dataset]) else [self.dataset]
        return size_in_bytes([*own, self.kernels, None if self.selection is None else self.view])


@dataclasses.dataclass(frozen=True, eq=False)
class Contents:
    """A whole workspace at one moment.

    Attributes
    ----------
    entries : dict of str to Entry
        Data sets by name, in order of arrival.
    settings : dict of str to object
        Page settings that are no widget, the same in all tabs.
    last : str or None
        The data set that was chosen last in any tab: a new tab starts with it.
    renamed : dict of str to str
        Where a data set went whose name a tab still knows.
    """

    entries: dict[str, Entry] = dataclasses.field(default_factory=dict)
    settings: dict[str, object] = dataclasses.field(default_factory=dict)
    last: str | None = None
    renamed: dict[str, str] = dataclasses.field(default_factory=dict)

    def with_entry(self, name: str, entry: Entry) -> Contents:
        """Put a data set under a name, in the place of the one that has it."""
        renamed = {old: new for old, new in self.renamed.items() if old != name}
        return dataclasses.replace(self, entries={**self.entries, name: entry}, renamed=renamed)

    def entry(self, name: str | None) -> Entry:
        """Return a data set under the name that it has now, which has to be there."""
        if name is None:
            raise InvalidInputError(
                "A data set has to be open", "an empty workspace", "Open a demo, or upload your own"
            )
        now = self.now_called(name)
        if now is None:
            raise InvalidInputError(
                "The data set has to be open",
                f"{name!r} is not, any more: it may have been closed in another tab",
                "Choose one of the workspace",
            )
        return self.entries[now]

    def put(self, changed: Entry) -> Contents:
        """Put an entry in the place of the one of its name; raises where its selection does not fit its content."""
        _ = changed.view
        return self.with_entry(changed.dataset.name, changed)

    def with_content(self, name: str | None, made: Callable[[DataSet], DataSet]) -> Contents:
        """Change a data set; kept kernels and the selection stay."""
        entry = self.entry(name)
        return self.put(dataclasses.replace(entry, dataset=made(entry.dataset)))

    def with_new(self, dataset: DataSet) -> tuple[Contents, str]:
        """Add a data set, and return its name, numbered where that is taken."""
        name = free_name(dataset.name, self.entries)
        named = dataset if name == dataset.name else dataclasses.replace(dataset, name=name)
        return self.with_entry(name, Entry(named)), name

    def with_replaced(self, dataset: DataSet, base: DataSet | None) -> Contents:
        """Change a data set to one that was made of `base`; refused where another tab has changed it since."""
        if base is not None and self.entry(dataset.name).dataset is not base:
            raise InvalidInputError(
                f"The data set {dataset.name!r} has changed since this page was drawn, in another tab",
                remedy="Look at what it is now, and do it again",
            )
        return self.with_content(dataset.name, lambda _: dataset)

    def opened(self, name: str) -> Contents:
        """Choose a data set, for tabs that are opened from now on."""
        if name not in self.entries:
            raise InvalidInputError("The data set has to be open", repr(name), "Choose one of the workspace")
        return dataclasses.replace(self, last=name)

    def with_selection(self, name: str | None, spec: ItemChoice | None) -> Contents:
        """Select items of a data set."""
        return self.put(dataclasses.replace(self.entry(name), selection=spec))

    def with_kernel(self, name: str | None, wanted: str, K: GramMatrix) -> tuple[Contents, str]:
        """Keep a kernel for a data set, and return the name it got; all its items have to be of that set."""
        entry = self.entry(name)
        strangers = set(K.ids) - set(entry.dataset.ids)
        if strangers:
            raise InvalidInputError(
                f"A kernel kept for {entry.dataset.name} has to be on its items",
                f"{len(strangers)} others, for example {min(strangers)!r}",
            )
        free = free_name(wanted, {*entry.dataset.kernels, *entry.kernels})
        changed = dataclasses.replace(entry, kernels={**entry.kernels, free: K.renamed(free)})
        return self.with_entry(entry.dataset.name, changed), free

    def without_kernel(self, name: str | None, kernel: str) -> Contents:
        """Let go of a kept kernel."""
        entry = self.entry(name)
        left = {key: K for key, K in entry.kernels.items() if key != kernel}
        return self.with_entry(entry.dataset.name, dataclasses.replace(entry, kernels=left))

    def without(self, name: str) -> Contents:
        """Let go of a data set."""
        entries = {key: entry for key, entry in self.entries.items() if key != name}
        last = next(reversed(entries), None) if self.last == name else self.last
        settings = {key: value for key, value in self.settings.items() if key != f"{OF_DATA}{name}"}
        return dataclasses.replace(self, entries=entries, settings=settings, last=last)

    def moved(self, old: str, wanted: str) -> tuple[Contents, str]:
        """Give a data set another name, numbered where it is taken, in its place; return the name it got."""
        entry = self.entry(old)
        old = entry.dataset.name
        new = old if wanted == old else free_name(wanted, self.entries)
        named = dataclasses.replace(entry, dataset=dataclasses.replace(entry.dataset, name=new))
        entries = {
            new if key == old else key: named if key == old else each for key, each in self.entries.items()
        }
        renamed = {key: name for key, name in {**self.renamed, old: new}.items() if key != new}
        last = new if self.last == old else self.last
        settings = {setting_of(key, {old: new}): value for key, value in self.settings.items()}
        return dataclasses.replace(self, entries=entries, settings=settings, last=last, renamed=renamed), new

    def with_setting(self, key: str, value: object) -> Contents:
        """Put a setting."""
        return dataclasses.replace(self, settings={**self.settings, key: value})

    def now_called(self, name: str | None) -> str | None:
        """What became of a data set: its name now, or None where it is gone."""
        for _ in range(len(self.renamed) + 1):
            if name in self.entries:
                return name
            name = self.renamed.get(name or "")
        return None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it, not even a demo."""
        return not self.entries and not any(self.settings.values())

    @property
    def is_own(self) -> bool:
        """Whether anything in it would be missed; settings of pages alone would not."""
        return any(entry.is_own for entry in self.entries.values()) or any(
            value for key, value in self.settings.items() if not key.startswith((OF_PAGES, OF_DATA))
        )

    @property
    def is_worth_keeping(self) -> bool:
        """Whether it is written to the folder of KERNEX_KEEP: settings of pages are, too, with the data they are about."""
        return self.is_own or any(self.settings.values())

    @cached_property
    def size(self) -> int:
        """Bytes of what is the visitor's own, files that wait and are kept among it."""
        others = {key: value for key, value in self.settings.items() if not _files(value)}
        return sum(entry.size for entry in self.entries.values()) + size_in_bytes(others) + self.size_of_files

    @cached_property
    def size_of_files(self) -> int:
        """Bytes of files that were brought and are no data set: as they came, and what is inside of a gzipped one."""
        return sum(_file_size(file) for value in self.settings.values() for file in _files(value))

    def without_files(self) -> Contents:
        """Let go of them."""
        return dataclasses.replace(
            self, settings={key: value for key, value in self.settings.items() if not _files(value)}
        )


def _files(value: object) -> tuple[Upload, ...]:
    found = (value,) if isinstance(value, Upload) else value
    if not (isinstance(found, tuple) and found and all(isinstance(file, Upload) for file in found)):
        return ()
    return found


def _file_size(file: Upload) -> int:
    unpacked = file.memory.get("data")
    return len(file.packed) + (
        len(unpacked) if isinstance(unpacked, bytes) and unpacked is not file.packed else 0
    )


def setting_of(key: str, names: Mapping[str, str]) -> str:
    """Return the key of a setting where data sets have other names now."""
    start = next((each for each in (*CHOSEN, OF_DATA) if key.startswith(each)), key)
    name = key.removeprefix(start)
    return f"{start}{names.get(name, name)}"


def free_name(wanted: str, taken: Container[str]) -> str:
    """Return the name, numbered where it is taken."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} ({number})", number + 1
    return name


# One visitor's workspace, which all of their tabs share.
#
# with space.lock:                    nobody else changes it meanwhile
#     space.contents = changed(space.contents)
# space.close()                       everything in it is let go, at once and in all tabs


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
    has_start_files : bool
        Whether the files that the server was started with have been brought.
    """

    def __init__(self, visitor: str | None = None, contents: Contents | None = None) -> None:
        self.visitor = visitor
        self.lock = threading.RLock()
        self.contents = contents or Contents()
        self.results: BoundedCache | None = None
        self.used = time.monotonic()
        self.gone = False
        self.emptied = 0
        self.is_unread = self.has_start_files = False
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


# Files that the server was started with: every visitor of this machine has them once, as if they had just brought them.
#
# take(arguments)                 what stands behind `--` on the command line: files, and FOR_ALL
# for_visitor(space) -> paths     nothing for somebody who comes from elsewhere, unless FOR_ALL was said

FOR_ALL: Final = "--for-all"
_given: list[str] = []


def take(arguments: Sequence[str]) -> None:
    """Note what the server was started with."""
    _given[:] = arguments


def for_visitor(space: Workspace) -> tuple[Path, ...]:
    """Return the files that a visitor has to be brought; a second time there are none."""
    if not _given or not (limits.answers_alone() or FOR_ALL in _given):
        return ()
    with space.lock:
        had, space.has_start_files = space.has_start_files, True
    return () if had else tuple(Path(each) for each in _given if each != FOR_ALL)
