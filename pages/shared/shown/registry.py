"""What the open page shows at the moment: its buttons "Figure" and "Report" take all of it.

    begin("Complete", "How well ...?")        a page opens
    titled("Accuracy", "%, 5-fold")           title and note of the picture that comes next
    show("complete.accuracy", lambda: picture)
    count("Accuracy", "91.2 %", "floor 50 %") a number, and what stands beside it
    say_state("page", "leak", "A step ...")   what a judged kernel has seen of test items
    list_rows("complete.baselines", rows)     a table
    remark("evaluate", sentences)             what has to be said with the numbers
    explain(formulas, assumptions)            what the page's expander says
    file_named("trust") -> str                 name of a file: data, page, what it holds
    current().sheet({"node": 3})              all settings, in words
    current().panels()                        all pictures, in the order in which they stand on the page

A fragment that runs again puts its pictures in their former places; `again()` forgets what it may draw no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pages.shared import workspace
from pages.shared.declared.settings import Setting
from pages.shared.figures.classes import like
from pages.shared.figures.picture import Picture
from pages.shared.figures.still.sheet import SheetPanel
from pages.shared.figures.theme import class_styles
from pages.shared.files.names import file_name

KEY: Final = "shown.page"
STATE: Final = "Kernels have seen test items"
_DIRECTIVE: Final = re.compile(
    r":(?:small|gray|orange|green|red|blue|material)\[((?:[^\[\]\\]|\\.|(?<!\w)\[[^\[\]]*\])*)\]"
)
_MARKS: Final = re.compile(r"\\(?=[^\w\s]|_)|(?<!\\)[*`$]|\u2060")


@dataclass(frozen=True)
class Shown:
    """One picture: its title and note without markup, how it is made, and the class of each of its items."""

    title: str
    note: str
    make: Callable[[], Picture]
    classes: Sequence[str | None] = ()


@dataclass(frozen=True)
class Count:
    """One number as it is read, what stands beside it (its floor, its interval), and what it is about."""

    name: str
    value: str
    note: str = ""
    about: str = ""


@dataclass(frozen=True, eq=False)
class Rows:
    """One table: its title and note without markup, and what was drawn."""

    title: str
    note: str
    rows: object


@dataclass(eq=False)
class Page:
    """Everything on a page by its key, and the title that waits for its picture or table."""

    name: str = ""
    question: str = ""
    data: str | None = None
    """What files are named after, where that is not the open data set."""
    pictures: dict[str, Shown] = field(default_factory=dict)
    counts: dict[str, Count] = field(default_factory=dict)
    tables: dict[str, Rows] = field(default_factory=dict)
    remarks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    scripts: dict[str, Callable[[], str]] = field(default_factory=dict)
    states: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What judged kernels have seen, in a word and in a sentence, by the place where the page says it."""
    formulas: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    title: tuple[str, str] = ("", "")
    declared: Mapping[str, Setting] = field(default_factory=dict)
    """What can be set on the page."""
    is_alone: bool = True
    """No page is open: a panel is drawn by itself, and may set what it likes."""
    hints: dict[str, str] = field(default_factory=dict)
    """What controls of the first row mean, by their labels: the title's hint says it."""
    in_first_row: bool = False
    """Controls of the first row are being drawn, which have no hint of their own."""
    say_hints: Callable[[], None] = lambda: None
    """Draws the title with its hint."""
    say_changed: Callable[[], None] = lambda: None
    """Says in the head of the page which settings differ; called again where their widgets have been drawn."""
    settings: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Label and words of every setting that the page shows, by name."""

    def panels(self) -> list[SheetPanel]:
        """Make the pictures."""
        return [SheetPanel(each.title, each.note, each.make()) for each in list(self.pictures.values())]

    def said(self) -> tuple[str, ...]:
        """Return all remarks, each once."""
        return tuple(dict.fromkeys(each for sentences in self.remarks.values() for each in sentences))

    def sheet(self, given: Mapping[str, object]) -> dict[str, str]:
        """Return all settings in words: what the page says of its result, every setting that it shows, and what was seen.

        Parameters
        ----------
        given : mapping
            What the page says of its result.
        """
        shown = {label: unmarked(words) for label, words in self.settings.values()}
        seen = "; ".join(dict.fromkeys(words for words, _ in self.states.values()))
        said = {name: str(value) for name, value in given.items()}
        return {**shown, **said, **({STATE: seen} if seen else {})}

    def classes(self) -> Sequence[str | None]:
        """Return the classes of the items of the first picture that has any."""
        return next((each.classes for each in self.pictures.values() if each.classes), ())


def begin(name: str = "", question: str = "") -> None:
    """Forget what the page before has shown."""
    workspace.remember(KEY, Page(name, question))


def again() -> None:
    """Forget the pictures, numbers and tables of the open page: a fragment of nearly all of it draws them anew."""
    page = current()
    for drawn in (page.pictures, page.counts, page.tables, page.remarks, page.scripts, page.settings):
        drawn.clear()


def current() -> Page:
    """Return the open page; it goes on to know what is shown on it."""
    page: Page | None = workspace.recall(KEY, None)
    if page is None:
        begin()
        page = workspace.recall(KEY, Page())
    return page


def file_named(what: str, of: str | None = None) -> str:
    """Return the name of a file of the open page, without its extension, after its data, the page and what it holds.

    Parameters
    ----------
    what : str
    of : str, optional
        The data set, where it is another than that of the page; "" = none.
    """
    data = current().data if of is None else of
    return file_name((workspace.current_name() or "") if data is None else data, workspace.tab().page, what)


def titled(name: str, note: str = "") -> None:
    """Say how the picture is called that comes next; both are markdown."""
    current().title = unmarked(name), unmarked(note)


def count(name: str, value: str, note: str = "", about: str = "") -> None:
    """Note a number that the page shows."""
    current().counts[f"{about} {name}"] = Count(*map(unmarked, (name, value, note, about)))


def say_state(key: str, words: str, sentence: str) -> None:
    """Note what a judged kernel has seen of test items, as the badge of that place says it."""
    current().states[key] = words, sentence


def list_rows(key: str, rows: object, title: str = "", note: str = "") -> None:
    """Note a table that the page shows: columns by name, or a data frame; without a title it has the one said last."""
    page = current()
    waiting = page.title if not title else (title, note)
    page.title = ("", "") if not title else page.title
    page.tables[key] = Rows(*waiting, rows)


def remark(key: str, sentences: Sequence[str]) -> None:
    """Note what has to be said with the numbers of the page; nothing takes back what stood there before."""
    if sentences:
        current().remarks[key] = tuple(map(unmarked, sentences))
    else:
        current().remarks.pop(key, None)


def explain(formulas: Sequence[str], assumptions: Sequence[str]) -> None:
    """Note the formulas of the page (TeX), and what was assumed (markdown)."""
    page = current()
    page.formulas, page.assumptions = tuple(formulas), tuple(assumptions)


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
    styled = like(classes, tuple(classes)) if classes is not None and class_styles(classes) else ()
    page.pictures[key] = Shown(*words, make, styled)


def unmarked(text: str) -> str:
    """Return the text of a piece of markdown; brackets that are no directive's stay."""
    inner = _DIRECTIVE.sub(r"\1", text)
    while inner != text:
        text, inner = inner, _DIRECTIVE.sub(r"\1", inner)
    return _MARKS.sub("", text)
