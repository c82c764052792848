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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Protocol

import numpy as np
import pyarrow
import streamlit as st

from kernex_core.base.parameters import Parameter, parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.copies import Copies, copies_of, equal_in
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.learners.on_components import OnComponents
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import GREEK, Setting, label
from pages.server.messages import findings
from pages.ui.figures.chart import Picture
from pages.ui.figures.still.sheet import SheetPanel
from pages.ui.figures.theme import class_styles, like
from pages.ui.files import file_name
from pages.ui.glossary import explained, meaning

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


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


# Numbers and tables that are drawn on the page and stand in its report, too.
#
# metric("Rank", "91", help="Of the known items.", note="of 206")    the glossary's definition of the name follows
# measure("Accuracy", "91.2 %", "floor 50 %", "**88 to 94 %** over items")      a number, a chip and small print under it
# table("complete.baselines", rows)         rows: columns by name

PLAIN: Final = re.compile(r"\*\*|:\w+\[([^\]]*)\]")
"""What makes words bold or coloured."""
TEXTS: Final = frozenset({str})
Color = Literal["gray", "green", "orange", "red"]
Width = int | Literal["stretch"]


def metric(
    name: str, value: str, *, help: str | None = None, note: str = "", about: str = "", beside: bool = False
) -> None:
    """Draw a number; `note` is what stands beside it on the page, `about` the panel in which it stands.

    `help` is what the page says of it; where the name is a word of the glossary, its definition follows. With `beside` the
    note is drawn with the name, in grey.
    """
    count(name, value, note, about)
    _number(name, value, help, beside=note if beside else "")


def measure(
    name: str,
    value: str,
    chip: str,
    *lines: str,
    help: str | None = None,
    about: str = "",
    color: Color = "gray",
    width: Width = "stretch",
) -> None:
    """Draw a number with a chip under it, and lines of small print: one element or two, for each one takes its time.

    `help` as in `metric`.
    """
    count(name, value, PLAIN.sub(r"\1", "; ".join((chip, *lines))), about)
    _number(name, value, help, chip, color, width)
    if lines:
        st.caption("  \n".join(lines))


def _number(
    name: str,
    value: str,
    help: str | None,
    chip: str | None = None,
    color: Color = "gray",
    width: Width = "stretch",
    beside: str = "",
) -> None:
    has_it = help is not None and meaning(name) in help
    about = help if has_it else explained(name, help)
    shown = f"{name} :gray[{beside}]" if beside else name
    st.metric(shown, value, chip, color, help=about, delta_arrow="off", width=width)


def table(
    key: str,
    rows: Mapping[str, Sequence[object]] | Sequence[Mapping[str, object]],
    *,
    title: str = "",
    note: str = "",
    hide_index: bool = False,
) -> None:
    """Draw a table; without a title it has the one of the panel that was begun last."""
    list_rows(key, rows, title, note)
    if isinstance(rows, Mapping) and all(TEXTS.issuperset(map(type, cells)) for cells in rows.values()):
        # texts need not become a frame first, nor twice
        st.table(
            pyarrow.table({name: list(cells) for name, cells in rows.items()}),
            border="horizontal",
            hide_index=True,
        )
    else:
        st.table(rows, border="horizontal", hide_index=True if hide_index else None)


# A learner in words: its name, its parameters, and what was chosen inside the folds.
#
# learner_words(KernelRidge(0.001))                  "kernel ridge, λ = 0.001"
# learner_words(KernelRidge(), ((0.01, 8), (0.1, 2)))
#     "kernel ridge, λ chosen inside the folds (in units of the mean diagonal): 0.01 in 8, 0.1 in 2"

CHOSEN: Final = "chosen inside the folds (in units of the mean diagonal)"
"""What stands between the letter of a strength and the values that folds chose."""


def learner_words(learner: Learner, used: Sequence[tuple[float, int]] = ()) -> str:
    """Return name and parameters; `used` are the strengths that folds chose, and in how many."""
    title = learner.title[0].lower() + learner.title[1:]
    parts = [title]
    for name, described in parameters(learner).items():
        symbol = GREEK.get(described.symbol, described.symbol)
        if name == learner.strength and used:
            chosen = ", ".join(f"{value:g} in {count}" for value, count in used)
            parts.append(f"{symbol} {CHOSEN if learner.scaled else 'chosen inside the folds'}: {chosen}")
        elif not described.hidden:
            parts.append(f"{symbol} = {getattr(learner, name):g}")
    if isinstance(learner, OnComponents):
        parts.append(f"then {learner_words(learner.learner, used)}")
    return ", ".join(parts)


def last_of(learner: Learner) -> Learner:
    """Return what learns in the end: on components that is another learner."""
    return last_of(learner.learner) if isinstance(learner, OnComponents) else learner


def strength_symbol(learner: Learner) -> str:
    """Return the letter of what may be chosen inside the folds, "" where nothing is."""
    last = last_of(learner)
    if not last.strength:
        return ""
    symbol = parameters(last)[last.strength].symbol
    return GREEK.get(symbol, symbol)


# What has to be said with numbers wherever they stand: the end of a grid that was chosen, copies that were kept together.
#
#     remarks("evaluate", {"spectrum": judgement, "mismatch": other})      of judged kernels, by their names
#     remarks("kernels.accuracy", {"": judgement})                         of the only one
#     remarks_of_choice("complete.choice", nested)                         of a choice that was made inside the folds
#     remarks_of_copies("combine", kernels, labels, validation)            of studies that have no judgement
#     controls(start, key, only=["folds", *copies_field(labels, kernels)]) the switch, where there are copies
#
# On the page a line each; the same sentences stand under the page's figure and beside the numbers of its report.


@cached(public=True)
def there_are_copies(labels: Labels, kernels: tuple[GramMatrix, ...]) -> bool:
    """Whether items are equal in the data, or in a kernel as it is or with all items of length 1."""
    if labels.copies is not None:
        return True
    for K in kernels:
        own = np.sqrt(np.maximum(np.diag(K.values), 0.0))
        lengths = np.where(own > 0.0, own, 1.0)
        alone = np.arange(K.n)
        if not np.array_equal(equal_in(K.values / lengths[:, None] / lengths), alone):
            return True
    return False


def copies_field(labels: Labels, kernels: Iterable[GramMatrix]) -> list[str]:
    """Return the field of the protocol that keeps copies together or apart; none where there are no copies."""
    return ["copies"] if there_are_copies(labels, tuple(kernels)) else []


def copies_among(dataset: DataSet) -> list[str]:
    """Return the same for all kernels of a data set that are known everywhere."""
    labels = dataset.judgeable
    known = [K for K in dataset.kernels.values() if K.unknown.complete]
    return [] if labels is None else copies_field(labels, known)


@cached(public=True)
def _copies_said(
    kernels: tuple[GramMatrix, ...], labels: Labels, validation: CrossValidation
) -> tuple[str, ...]:
    return copies_of(kernels, labels, validation).remarks


def remarks_of_copies(
    key: str, kernels: Iterable[GramMatrix], labels: Labels | None, validation: CrossValidation
) -> None:
    """Draw and note what has to be said of copies beside the numbers of kernels that were judged on the same folds."""
    said = () if labels is None else _copies_said(tuple(kernels), labels, validation)
    _say(key, said)


def copies_said(key: str, copies: Copies | None) -> None:
    """Draw and note the same of copies that a study has found itself."""
    _say(key, () if copies is None else copies.remarks)


def _say(key: str, said: tuple[str, ...]) -> None:
    remark(f"{key}.copies", said)
    findings(said)


class Remarked(Protocol):
    """A judgement of classes or of numbers."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """A sentence each."""


def remarks(key: str, judged: Mapping[str, Remarked]) -> None:
    """Draw what has to be said of judged kernels, and note it for figure and report; `key` tells the place apart."""
    said_once = remarks_words(judged)
    remark(key, said_once)
    findings(said_once)


def remarks_words(judged: Mapping[str, Remarked]) -> tuple[str, ...]:
    """Return the sentences; what holds of all kernels is said once, what holds of some with their names."""
    by_sentence: dict[str, list[str]] = {}
    for name, made in judged.items():
        for sentence in made.remarks:
            by_sentence.setdefault(sentence, []).append(name)
    return tuple(
        sentence if len(names) == len(judged) else f"{', '.join(names)}: {sentence}"
        for sentence, names in by_sentence.items()
    )


def choice_remarks(found: NestedChoice) -> tuple[str, ...]:
    """Return the ends of grids that a choice inside the folds picked most often."""
    return tuple(end.words for end in found.grid_ends)


def remarks_of_choice(key: str, found: NestedChoice) -> None:
    """Note for figure and report what a choice has to say; the words of the choice hold it on the page."""
    remark(key, choice_remarks(found))


# Settings in words: what a downloaded picture says of how it was made.


def spelt(owner: DataclassInstance) -> dict[str, str]:
    """Return the settings of a study under the names of their widgets, values as these show them."""
    return {
        label(each, name): value(each, getattr(owner, name))
        for name, each in parameters(owner).items()
        if not each.hidden
    }


def value(parameter: Parameter, given: object) -> str:
    """Return a value in words: the name of a choice, yes or no, a share in percent."""
    if given is None:
        return parameter.auto or "none"
    if isinstance(given, bool):
        return "yes" if given else "no"
    if given in parameter.choices and parameter.names:
        return parameter.names[parameter.choices.index(given)]
    if isinstance(given, float):
        return f"{100.0 * given:g} %" if parameter.unit == "%" else f"{given:g}"
    return str(given)
