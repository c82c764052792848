"""What the open page shows at the moment: its button "Figure" takes all of it.

    begin()                                   a page opens
    titled("Accuracy", "%, 5-fold")           title and note of the picture that comes next
    show("complete.accuracy", lambda: picture)
    current().panels()                        everything, in the order in which it stands on the page

A fragment that runs again puts its pictures in their former places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pages.shared import workspace
from pages.shared.figures.picture import Picture
from pages.shared.figures.still.sheet import Panel
from pages.shared.figures.theme import class_styles

KEY: Final = "shown.page"
_MARKS: Final = re.compile(
    r"\\(?=[^\w\s]|_)|(?<!\\)[*`$]|:(?:small|gray|orange|green|red|blue)\[|(?<!\\)\]|\u2060"
)


@dataclass(frozen=True)
class Shown:
    """One picture: its title and note without markup, how it is made, and the class of each of its items."""

    title: str
    note: str
    make: Callable[[], Picture]
    classes: tuple[str | None, ...] = ()


@dataclass(eq=False)
class Page:
    """All pictures of a page by their keys, and the title that waits for its picture."""

    pictures: dict[str, Shown] = field(default_factory=dict)
    title: tuple[str, str] = ("", "")

    def panels(self) -> list[Panel]:
        """Make the pictures."""
        return [Panel(each.title, each.note, each.make()) for each in list(self.pictures.values())]

    def classes(self) -> Sequence[str | None]:
        """Return the classes of the items of the first picture that has any."""
        return next((each.classes for each in self.pictures.values() if each.classes), ())


def begin() -> None:
    """Forget what the page before has shown."""
    workspace.remember(KEY, Page())


def current() -> Page:
    """Return the open page; it goes on to know what is shown on it."""
    page: Page | None = workspace.recall(KEY, None)
    if page is None:
        begin()
        page = workspace.recall(KEY, Page())
    return page


def titled(name: str, note: str = "") -> None:
    """Say how the picture is called that comes next; both are markdown."""
    current().title = unmarked(name), unmarked(note)


def show(
    key: str,
    make: Callable[[], Picture],
    *,
    title: str | None = None,
    note: str = "",
    classes: Sequence[str | None] | None = None,
) -> None:
    """Note a picture that the page shows; without a title it has the one that was said last."""
    page = current()
    words = page.title if title is None else (title, note)
    if title is None:
        page.title = ("", "")
    styled = tuple(classes) if classes is not None and class_styles(classes) else ()
    page.pictures[key] = Shown(*words, make, styled)


def unmarked(text: str) -> str:
    """Return the text of a piece of markdown."""
    return _MARKS.sub("", text)
