"""A page whose every widget is moved, and the same page opened elsewhere, for tests: what was set has to be there.

page = Moved(path, dataset)             opened, in its frame, with whatever its first moves are
page.move_all()                         every widget of a setting says something else than it did
page.values                             what every widget says, by the name of its setting
page.link                               what Copy link gives
page.contents                           what the visitor has
"""

from __future__ import annotations

from dataclasses import dataclass, field

from streamlit.testing.v1 import AppTest

from pages.server.navigation import ENTRIES
from pages.server.visitors.contents import Contents, Entry
from pages.server.visitors.tab import Tab
from pages.ui import widgets
from tests.conftest import REPOSITORY
from tests.pages.conftest import switch

KINDS = ("choose", "pick", "several", "stop", "slide", "between", "number", "switch", "typed", "tabs")


@dataclass(frozen=True)
class Widget:
    """One that was drawn: of which kind, with which key, what it was given, and what it says."""

    kind: str
    key: str
    given: dict[str, object]
    says: object

    def another(self) -> object:
        """Return something else that it may say."""
        return getattr(self, f"_{self.kind}")()

    def _choose(self):
        options = list(self.given["options"])
        return options[(options.index(self.says) + 1) % len(options)] if self.says in options else options[0]

    _pick = _choose

    def _stop(self):
        options = list(self.given["options"])
        at = options.index(self.says)
        return options[at + 1] if at + 1 < len(options) else options[at - 1]

    def _several(self):
        options = list(self.given["options"])
        left = [each for each in options if each not in self.says]
        return [*self.says, left[0]] if left else self.says[:-1]

    def _tabs(self):
        return self.says

    def _slide(self):
        step, high = self.given["step"], self.given["high"]
        up = self.says + step
        return type(self.says)(round(up if up <= high else self.says - step, 10))

    def _between(self):
        low, high = self.given["low"], self.given["high"]
        return (low + 1, high) if self.says == (low, high) else (low, high)

    def _number(self):
        low, high, step = self.given["low"], self.given["high"], self.given["step"]
        if self.says is None:
            return type(step)(max(2 * step, low or 0))
        up = self.says + step
        return type(step)(round(up if high is None or up <= high else self.says - step, 10))

    def _switch(self):
        return not self.says

    def _typed(self):
        return f"{self.says}A"


@dataclass
class Spy:
    """Every widget of a setting that a run draws."""

    drawn: dict[str, Widget] = field(default_factory=dict)

    def watch(self, monkeypatch) -> None:
        for kind in KINDS:
            monkeypatch.setattr(widgets, kind, self._noting(kind, getattr(widgets, kind)))

    def _noting(self, kind, draw):
        names = [*draw.__code__.co_varnames[: draw.__code__.co_argcount + draw.__code__.co_kwonlyargcount]]

        def noted(*args, **given):
            says = draw(*args, **given)
            every = {**dict(zip(names, args, strict=False)), **given}
            name = every.pop("name")
            if name:
                key = every.get("key") or name
                shown = (
                    next((each for each, tab in zip(every["titles"], says, strict=True) if tab.open), None)
                    if kind == "tabs"
                    else says
                )
                self.drawn[name] = Widget(kind, key, every, shown)
            return says

        return noted


class Moved:
    """A page in one visitor's tab."""

    def __init__(self, spy, path, contents, *, address=None, query=None):
        self.spy = spy
        entry = next(entry for entry in ENTRIES if entry.path == path and entry.address == (address or ""))
        self.page = entry.url_path
        self.at = AppTest.from_file(str(REPOSITORY / "pages" / "main.py"))
        for name, value in (query or {}).items():
            self.at.query_params[name] = value
        tab = Tab(dict(contents.entries), contents.last, choice_is_stale=contents.last is not None)
        tab.space.contents = contents
        tab.look()
        self.at.session_state["kernex"] = tab
        switch(self.at, path if address is None else address)
        self.run()

    def run(self):
        self.spy.drawn.clear()
        self.at.run()
        assert not self.at.exception, [each.value for each in self.at.exception]

    @property
    def tab(self):
        return self.at.session_state["kernex"]

    @property
    def contents(self) -> Contents:
        return self.tab.space.contents

    @property
    def values(self):
        return {name: each.says for name, each in self.spy.drawn.items()}

    @property
    def registry(self):
        return self.tab.memory["shown.page"]

    @property
    def link(self) -> dict[str, str]:
        found = dict(self.at.query_params)
        texts = {
            name: text[0] if isinstance(text, list) else text
            for name, text in found.items()
            if name != "data"
        }
        return texts or {"settings": "usual"}

    def set(self, **values):
        for name, value in values.items():
            self.at.session_state[self.spy.drawn[name].key] = value
        self.run()

    def move_all(self, usual, leave=()):
        """Move every widget from what it says usually; what appears by a move is moved, too. Return the names of all."""
        moved: set[tuple[str, str]] = set()
        for _ in range(8):
            new = {
                name: each
                for name, each in self.spy.drawn.items()
                if (name, each.key) not in moved
                and name not in leave
                and each.says == usual.get(name, each.says)
                and each.another() != each.says
            }
            if not new:
                return {name for name, _ in moved}
            for name, each in new.items():
                self.at.session_state[each.key] = each.another()
                moved.add((name, each.key))
            self.run()
        raise AssertionError(f"there is always another widget: {sorted(new)}")


def with_data(dataset) -> Contents:
    """Contents of a visitor who has opened one data set."""
    return Contents() if dataset is None else Contents({dataset.name: Entry(dataset)}, last=dataset.name)
