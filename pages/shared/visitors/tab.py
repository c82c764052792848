"""What one tab knows: its workspace as it was when its page was drawn, and what no other tab shall see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kernex_core.base.errors import TooLargeError
from kernex_core.base.validation import shown_bytes
from pages.shared.cache.bounded import BoundedCache
from pages.shared.visitors import limits
from pages.shared.visitors.contents import Contents, Entry
from pages.shared.visitors.space import Workspace
from pages.shared.visitors.store import STORE


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
