"""The words of Kernex: docs/glossary.md, read once, and the hints that pages show of it.

hint("Negative mass", "Repair")         what stands in `help=`: the definitions, one paragraph a word
hint("Floor", first="Of these data.")   with a sentence of the page before them
meaning("Nugget")                       the hint of a label that is a word of the glossary, else ""
explained("Nugget", "Of both.")         the same after what the page says of it; None where there is neither
of_panel("Accuracy", note, "Floor")      the hint of a panel: its name, these words, and those of its note; None for none
words_in(text)                          entries that a text speaks of
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pages.server.digits import unbroken

FILE: Final = Path(__file__).parents[2] / "docs" / "glossary.md"
_LINES: Final = re.compile(r"^(Also|Formula|Picture|More): (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class GlossaryEntry:
    """One word.

    Attributes
    ----------
    term, subject : str
        The word, and the heading under which it stands.
    text : str
        What it means, in plain words.
    also : names that mean the same
    formula : TeX, picture : name of a drawing, more : Markdown link; "" where there is none
    """

    term: str
    subject: str
    text: str
    also: tuple[str, ...] = ()
    formula: str = ""
    picture: str = ""
    more: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The word and all that means the same."""
        return (self.term, *self.also)


def read(text: str) -> tuple[GlossaryEntry, ...]:
    """Return the entries of a glossary in Markdown: a subject a heading, a word a heading below it."""
    subjects = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    return tuple(
        _entry(term.strip(), subject.strip(), body)
        for subject, part in zip(subjects[::2], subjects[1::2], strict=True)
        for term, body in _pairs(re.split(r"^### (.+)$", part, flags=re.MULTILINE)[1:])
    )


def _pairs(parts: list[str]) -> Iterable[tuple[str, str]]:
    return zip(parts[::2], parts[1::2], strict=True)


def _entry(term: str, subject: str, body: str) -> GlossaryEntry:
    said = dict(_LINES.findall(body))
    names = said.get("Also", "").strip(". ")
    also = names.split("; ") if ";" in names else names.split(", ")
    return GlossaryEntry(
        term, subject, unbroken(" ".join(_LINES.sub("", body).split())), tuple(filter(None, also)),
        said.get("Formula", ""), said.get("Picture", ""), said.get("More", ""),
    )  # fmt: skip


ENTRIES: Final = read(FILE.read_text("utf-8"))
_BY_NAME: Final = {name.casefold(): entry for entry in ENTRIES for name in entry.names}
_IN_TEXT: Final = re.compile(
    r"(?<![\w-])(" + "|".join(re.escape(entry.term.casefold()) for entry in ENTRIES) + r")(?![\w-])"
)
EVERYDAY: Final = frozenset(
    (
        *(
            "attribute",
            "attributes",
            "bias",
            "centre",
            "condition",
            "constraint",
            "cost",
            "error",
            "flip",
            "joint",
        ),
        *(
            "kernel",
            "lambda",
            "map",
            "missing",
            "norm",
            "power",
            "shift",
            "source",
            "square",
            "stem",
            "target",
        ),
        *("trust", "tube", "unknown", "variance", "walk", "walks"),
    )
)
"""Names that a note may use as everybody does."""
_OF_ART: Final = re.compile(
    r"(?<![\w-])("
    # the longest first: kernel PCA is no kernel of a kind PCA
    + "|".join(re.escape(name) for name in sorted(_BY_NAME, key=len, reverse=True) if len(name) > 2)
    + r")(?![\w-])"
)


def entry(name: str) -> GlossaryEntry | None:
    """Return the entry of a word or of another name of it, in whatever case."""
    return _BY_NAME.get(" ".join(name.split()).casefold())


def hint(*terms: str, first: str = "") -> str:
    """Return the definitions as Markdown for a hint; `first` is what the page itself says.

    Raises
    ------
    KeyError
        A word that the glossary does not have.
    """
    return "\n\n".join([*filter(None, [first]), *(_defined(_BY_NAME[term.casefold()]) for term in terms)])


def meaning(label: str) -> str:
    """Return the hint of a widget by its label; "" where that is no word of the glossary."""
    found = entry(label)
    return _defined(found) if found else ""


def explained(label: str, said: str | None = None) -> str | None:
    """Return what a page says of something, and what the word means if the glossary has it; None if neither."""
    return "\n\n".join(filter(None, (said, meaning(label)))) or None


def of_panel(name: str, note: str = "", *words: str) -> str | None:
    """Return the hint of a panel: what its name means, these words, and the words of art of its note; None for none."""
    said = _OF_ART.findall(" ".join(f"{name} {note}".split()).casefold())
    asked = [
        *(word for word in (name,) if entry(word)),
        *words,
        *(each for each in said if each not in EVERYDAY),
    ]
    terms = dict.fromkeys(_BY_NAME[word.casefold()].term for word in asked)
    return hint(*terms) or None


def words_in(text: str) -> tuple[GlossaryEntry, ...]:
    """Return the entries that a text speaks of, in the order of the glossary."""
    found = {_BY_NAME[name].term for name in _IN_TEXT.findall(text.casefold())}
    return tuple(each for each in ENTRIES if each.term in found)


def address(entry: GlossaryEntry) -> str:
    """Return the address of a word's place on the page Glossary."""
    return f"glossary?term={entry.term.replace(' ', '+')}"


def _defined(entry: GlossaryEntry) -> str:
    formula = f" ${entry.formula}$" if entry.formula else ""
    drawing = f" [A drawing of it]({address(entry)})" if entry.picture else ""
    return f"**{entry.term}**: {entry.text}{formula}{drawing}"
