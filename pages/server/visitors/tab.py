"""What one tab knows: its workspace as it was when its page was drawn, and what no other tab shall see."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.validation import check_item_count, shown_bytes
from kernex_core.workspace.workspace import OpenData
from kernex_core.workspace.workspace import Workspace as SavedWorkspace
from pages.server.cache import BoundedCache
from pages.server.visitors import limits
from pages.server.visitors.contents import (
    CHOSEN,
    OF_DATA,
    OF_PAGES,
    Contents,
    Entry,
    Workspace,
    free_name,
    setting_of,
)
from pages.server.visitors.keep import restored, saved
from pages.server.visitors.store import STORE


class Tab:
    """One tab of a visitor.

    Attributes
    ----------
    space : Workspace
    seen : Contents
        Pages read this: whatever another tab does, one run of a page sees one state.
    chosen : str or None
        Every tab has its own data set open.
    choice_is_stale : bool
        The select box has to follow a choice made by a page.
    memory : dict of str to object
        What pages remember from one run to the next.
    widgets : dict of str to object
        What every widget of a setting said when it was drawn last, by its key.
    page : str
        Address of the page that is drawn.
    notice : str
        Of what this tab had open, and another one has closed; until it is understood.
    arrived : bool
        The page has not been drawn yet since the tab came to it: its address counts.
    """

    def __init__(
        self,
        entries: dict[str, Entry] | None = None,
        chosen: str | None = None,
        *,
        choice_is_stale: bool = False,
    ) -> None:
        self.chosen = chosen
        self.choice_is_stale = choice_is_stale
        self.memory: dict[str, object] = {}
        self.widgets: dict[str, object] = {}
        self.page, self.arrived, self.notice = "", True, ""
        self.space = Workspace(None, Contents(entries or {}, last=chosen))
        self.seen = self.space.contents

    def at(self, page: str) -> None:
        """Note which page is drawn."""
        self.page, self.arrived = page, self.arrived or self.page != page

    def enter(self, visitor: str | None) -> None:
        """Look at the workspace of the visitor whom the tab's cookie names; without one at the tab's own."""
        former = self.space
        if visitor is not None:
            self.space = STORE.of(visitor)
            self.space.attach(self)
        elif self.space.visitor is not None:
            self.space = Workspace()
        if self.space is former:
            self._notice_closed()
        self.look()

    @contextmanager
    def changing(self) -> Iterator[Workspace]:
        """Hold the workspace, to change its contents as they are at this moment; an error leaves them as they were."""
        space = self._held()
        self._notice_closed()
        before = after = space.contents
        try:
            yield space
            _check_size(before, space.contents)
            after = space.contents
        finally:
            space.contents = after
            self.look()
            space.lock.release()
        STORE.changed(space, before)

    def _held(self) -> Workspace:
        """The workspace with its lock; one that was let go at this very moment is no place to put anything."""
        while True:
            space = self.space
            space.lock.acquire()
            if not space.gone:
                return space
            space.lock.release()
            self.enter(space.visitor)

    def _notice_closed(self) -> None:
        """Note that what is open here is no longer there, before anything is done here."""
        if self.chosen is not None and self.space.contents.now_called(self.chosen) is None:
            # where all is gone it may have been forgotten, name and all
            some = self.space.contents.entries
            what = f"The data set “{self.chosen}”" if some else "All that was open here"
            self.notice = f"{what} was closed in another tab."

    def look(self) -> None:
        """See what is there now; a data set that was renamed or closed elsewhere is followed."""
        self.seen = self.space.contents
        now = self.seen.now_called(self.chosen)
        if now != self.chosen:
            self.chosen, self.choice_is_stale = now or next(reversed(self.seen.entries), None), True

    def forget(self) -> None:
        """Let go of all data sets, kernels, settings and results of this visitor, in all tabs."""
        STORE.forget(self.space)
        self.seen, self.memory = self.space.contents, {}
        self.chosen, self.choice_is_stale = None, True

    @property
    def entries(self) -> dict[str, Entry]:
        """Data sets by name."""
        return self.seen.entries

    @property
    def cache(self) -> BoundedCache | None:
        """What was computed in this workspace."""
        return self.space.results

    @cache.setter
    def cache(self, results: BoundedCache) -> None:
        self.space.results = results


def _check_size(before: Contents, after: Contents) -> None:
    """Refuse what would push all other visitors out; on a machine of one's own there is nobody else."""
    if limits.answers_alone():
        return
    most = limits.workspace_bytes() // 2
    if after.size > max(most, before.size):
        raise TooLargeError(
            f"All data of one visitor take at most {shown_bytes(most)} on this server, files that wait among them",
            shown_bytes(after.size),
            "Close data sets that you no longer need, put files away, or select fewer items",
        )


# A workspace file that is opened: added to what is here, or in its place.
#
# carried(contents, chosen) -> Workspace        what "Save workspace" writes added(here, file) -> Opened
# nothing of what is here is lost; names that are taken are numbered in_place(file) -> Opened named(file) -> Workspace
# data sets that a script wrote without a name have one
#
# A file may say anything: of its settings only those are taken that are what they have to be.

ADDRESSES = "addresses"
LONGEST_NAME = 1_000
LONGEST_SETTING = 20_000
"""Characters of one setting: the names of some hundred kernels."""
UNNAMED = "unnamed"
Addresses = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, eq=False)
class Opened:
    """What becomes of the workspace.

    Attributes
    ----------
    contents : Contents
    names : dict of str to str
        What each data set of the file is called now.
    here_already : tuple of str
        Data sets of the file that were here, the very same, and are not added again.
    addresses : dict of str to dict of str to str
        Settings of pages, by the last part of their address.
    """

    contents: Contents
    names: Mapping[str, str]
    here_already: tuple[str, ...]
    addresses: Addresses


def carried(contents: Contents, chosen: str | None) -> SavedWorkspace:
    """Return what a file of the workspace holds: the data set that is open, and all others that were brought or changed."""
    own = {name: entry for name, entry in contents.entries.items() if entry.is_own or name == chosen}
    made = saved(replace(contents, entries=own))
    return SavedWorkspace(made.data, chosen, made.settings)


def named(file: SavedWorkspace) -> SavedWorkspace:
    """Give a name to a data set that has none: no list could show it, and no address lead to it."""
    data: list[OpenData] = []
    for each in file.data:
        blank = not each.dataset.name.strip()
        taken = {other.dataset.name for other in (*file.data, *data)}
        name = free_name(UNNAMED, taken) if blank else each.dataset.name
        data.append(replace(each, dataset=replace(each.dataset, name=name)) if blank else each)
    names = {old.dataset.name: new.dataset.name for old, new in zip(file.data, data, strict=True)}
    return replace(file, data=tuple(data), chosen=names.get(file.chosen or "", file.chosen))


def added(here: Contents, file: SavedWorkspace) -> Opened:
    """Add the data sets of a file; one that is here with the same kernels and selection is left as it is."""
    names: dict[str, str] = {}
    already: list[str] = []
    entries = dict(here.entries)
    brought = _restored(file)
    for each in file.data:
        name = each.dataset.name
        if name in entries and _same(entries[name], each):
            names[name] = name
            already.append(name)
            continue
        names[name] = free_name(name, entries)
        named = replace(brought.entries[name], dataset=replace(each.dataset, name=names[name]))
        entries[names[name]] = named
    now = {setting_of(key, names): value for key, value in brought.settings.items()}
    settings = {**now, **here.settings}
    last = names.get(file.chosen or "") or here.last
    contents = _checked(dataclasses.replace(here, entries=entries, settings=settings, last=last))
    return Opened(contents, names, tuple(already), _addresses(brought, names))


def in_place(file: SavedWorkspace) -> Opened:
    """Take a file in place of what is here."""
    names = {each.dataset.name: each.dataset.name for each in file.data}
    made = _checked(_restored(file))
    return Opened(made, names, (), _addresses(made, names))


def check_items(file: SavedWorkspace, most: int) -> None:
    """Refuse matrices of more items than this server allows, and what no page could show.

    Raises
    ------
    TooLargeError
    InvalidInputError
    """
    for each in file.data:
        _check_words(each)
        for K in (*each.dataset.kernels.values(), *each.kernels.values()):
            check_item_count(K.base.n, most)


def _check_words(each: OpenData) -> None:
    """Refuse names without end, and text that no browser is sent: half of a pair of UTF-16, which Python lets pass."""
    data = each.dataset
    names = (data.name, *data.kernels, *data.samples, *each.kernels)
    if (longest := max(map(len, names))) > LONGEST_NAME:
        raise TooLargeError(
            f"Names in a workspace file have at most {LONGEST_NAME:,} characters here", f"{longest:,}",
            "Rename it in the script that wrote the file",
        )  # fmt: skip
    for word in _words(each):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise InvalidInputError(
                "Names, ids, classes and sequences in a workspace file have to be text",
                f"{ascii(word)[:60]}, which cannot be shown",
                "Rename it in the script that wrote the file",
            ) from None  # fmt: skip


def _words(value: Any) -> Iterator[str]:
    """All text of a value, however deep: of names, ids, labels, descriptions, columns, sequences, steps."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, np.ndarray):
        if value.dtype.kind == "U":
            yield from value.ravel().tolist()
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _words(pair)
    elif isinstance(value, tuple | list | frozenset):
        for part in value:
            yield from _words(part)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _words(getattr(value, field.name, None))


def _checked(contents: Contents) -> Contents:
    """Return the contents if every data set can be shown; raises where a selection does not fit its data."""
    for entry in contents.entries.values():
        _ = entry.view
    return contents


def _same(here: Entry, there: OpenData) -> bool:
    kernels = {name: K.digest for name, K in here.kernels.items()}
    return (
        here.dataset.digest == there.dataset.digest
        and kernels == {name: K.digest for name, K in there.kernels.items()}
        and here.selection == there.selection
    )


def _restored(file: SavedWorkspace) -> Contents:
    made = restored(file)
    settings = {key: value for key, value in made.settings.items() if _is_choice(key, value)}
    if OF_PAGES not in settings and (former := _former(file.settings.get(ADDRESSES))):
        settings[OF_PAGES] = former
    return dataclasses.replace(made, settings=settings)


def _is_choice(key: str, value: Any) -> bool:
    if key == OF_PAGES or key.startswith(OF_DATA):
        return isinstance(value, Mapping) and all(map(_are_texts, value.values()))
    items, pair, classes = CHOSEN
    texts = isinstance(value, tuple) and all(map(_is_text, value))
    return texts and (key.startswith((items, classes)) or (key.startswith(pair) and len(value) == 2))


def _are_texts(settings: Any) -> bool:
    """Whether this is what `pages.ui.settings` keeps of a page: texts that are not endless."""
    return isinstance(settings, Mapping) and all(
        _is_text(text) and len(text) <= LONGEST_SETTING for pair in settings.items() for text in pair
    )


def _is_text(value: Any) -> bool:
    """Whether it can be sent to a browser: half of a pair of UTF-16 would fail every run of its page."""
    try:
        return isinstance(value, str) and bool(value.encode() or True)
    except UnicodeEncodeError:
        return False


def _former(given: Any) -> dict[str, Mapping[str, str]]:
    """Settings as files of former versions have them: the address of every page, with the name of the data."""
    pages = given.items() if isinstance(given, Mapping) else ()
    made = {
        page: {name: text for name, text in texts.items() if name != "data"}
        for page, texts in pages
        if _are_texts(texts)
    }
    return {page: texts for page, texts in made.items() if texts}


def _addresses(contents: Contents, names: Mapping[str, str]) -> Addresses:
    """Settings of pages as addresses have them, about the data set that was open, under the name that it has now."""
    chosen = contents.last or ""
    parts = [contents.settings.get(key) for key in (OF_PAGES, f"{OF_DATA}{chosen}")]
    found: dict[str, dict[str, str]] = {}
    for pages in parts:
        for page, texts in pages.items() if isinstance(pages, Mapping) else ():
            found.setdefault(page, {"data": names.get(chosen, chosen)}).update(texts)
    return found
