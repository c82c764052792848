"""Records of a FASTA text as people have them: comments, glued headers and empty records sorted out."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note
from kernex_core.inputs.upload import Upload

_GLUED = "\x00"


@dataclass(frozen=True)
class Records:
    """What stands in a FASTA file.

    Attributes
    ----------
    titles, strings : tuple of str
        Header lines without ">", and sequences without white space, of records that are not empty.
    leading : int
        Lines of text before the first record.
    notes : tuple of Note
        What was odd.
    """

    titles: tuple[str, ...]
    strings: tuple[str, ...]
    leading: int
    notes: tuple[Note, ...]


def read_records(upload: Upload) -> Records:
    """Split FASTA text into records.

    Raises
    ------
    InvalidInputError
        No header line.
    """
    text, leading, comments, glued = _cleaned(upload.text)
    titles: list[str] = []
    strings: list[str] = []
    empty: list[str] = []
    torn: list[str] = []
    for position, (header, sequence) in enumerate(_parse(text), 1):
        title = header.strip(" \t" + _GLUED) or f"sequence_{position}"
        string = "".join(sequence.split())
        if header.startswith(_GLUED) and _holds_sequence(title):
            torn.append(title.split(maxsplit=1)[0])
        elif string:
            titles.append(title)
            strings.append(string)
        else:
            empty.append(title.split(maxsplit=1)[0])
    if not titles and not empty and not torn:
        raise InvalidInputError(
            "FASTA text has header lines that begin with >",
            f"none in {upload.filename}",
            "Export the sequences as FASTA",
        )
    notes = _notes(leading, comments, glued, empty, torn)
    return Records(tuple(titles), tuple(strings), leading, tuple(notes))


def _parse(text: str) -> Iterator[tuple[str, str]]:
    """Biopython's parser (imported where it is used: it is slow to load)."""
    from Bio.SeqIO import FastaIO

    parser: Any = FastaIO.SimpleFastaParser
    yield from parser(io.StringIO(text))


def _cleaned(text: str) -> tuple[str, int, int, list[str]]:
    """Text with every header on a line of its own; leading lines, comment lines, records with a glued header."""
    lines: list[str] = []
    glued: list[str] = []
    leading = comments = 0
    name = ""
    for line in text.split("\n"):
        if line.startswith(">"):
            name = line[1:].split(maxsplit=1)[0] if line[1:].strip() else ""
        elif line.startswith(";"):
            comments += 1
            continue
        elif not lines:
            leading += bool(line.strip())
            continue
        elif ">" in line:  # a second header inside a line of sequence begins a record of its own
            glued.append(name)
            line = line.replace(">", "\n>" + _GLUED)
        lines.append(line)
    return "\n".join(lines), leading, comments, glued


def _holds_sequence(title: str) -> bool:
    """Whether the words behind an id look like the beginning of its sequence."""
    words = title.split()[1:]
    return any(len(word) >= 20 for word in words) and all(word.isalpha() and word.isupper() for word in words)


def _notes(leading: int, comments: int, glued: list[str], empty: list[str], torn: list[str]) -> list[Note]:
    notes = []
    if leading:
        notes.append(Note(f"Lines of text before the first record: {leading}.", "They are left out."))
    if comments:
        notes.append(Note(f"Comment lines that begin with a semicolon: {comments:,}.", "They are left out."))
    if glued:
        lost = f" Part of the sequence of {listed(torn)} stands in that header: dropped." if torn else ""
        notes.append(
            Note(
                f"A second header is glued into the sequence of {listed(glued)}.",
                f"The sequence ends there; what follows is a record of its own.{lost}",
                "Put every header on a line of its own and upload again.",
                "warning",
            )
        )
    if empty:
        notes.append(
            Note(
                f"Records without a sequence: {len(empty):,} ({listed(empty)}).",
                "They are dropped.",
                "Add their sequences (they may stand in the header line) and upload again.",
                "warning",
            )
        )
    return notes


# Ids and labels out of FASTA headers by a pattern such as "{id}|{label}|*": one pass, no regular expressions.

HEADER_LIMIT = 10_000
"""Characters of a header that are looked at."""
PRESETS: tuple[tuple[str, str, int | None], ...] = (
    ("SCOP superfamily (c.1.8)", "{id} {label}", 3),
    ("SCOP family (c.1.8.3)", "{id} {label}", 4),
    ("SCOP fold (c.1)", "{id} {label}", 2),
    ("Second word", "{id} {label}", None),
    ("Between bars: id|label", "{id}|{label}", None),
    ("After the last = : id class=label", "{id} *={label}", None),
)
"""Title, pattern and number of levels of the label that is kept."""
_FIELD = re.compile(r"(\{id\}|\{label\}|\{group\}|\*)")
# one to four short numbers: cannot backtrack
_SCCS = re.compile(r"[a-l]\.\d{1,4}\.\d{1,4}(\.\d{1,4})?$")


@dataclass(frozen=True)
class HeaderPattern:
    """A pattern for headers: text that stands there literally, and {id}, {label}, {group} or * for what varies.

    A field ends where the pattern's next literal text begins; the last field ends at the next white space. White space
    of any length counts as one blank.

    Attributes
    ----------
    pattern : str

    Raises
    ------
    InvalidInputError
        No {label}, a field twice, or two fields without anything between them.
    """

    pattern: str

    def __post_init__(self) -> None:
        pieces = self._pieces
        fields = [piece for piece in pieces if _FIELD.fullmatch(piece)]
        named = [field for field in fields if field != "*"]
        touching = any(_FIELD.fullmatch(a) and _FIELD.fullmatch(b) for a, b in itertools.pairwise(pieces))
        if "{label}" not in fields or len(set(named)) != len(named) or touching:
            raise InvalidInputError(
                "A header pattern has {label}, perhaps {id}, {group} and *, each once with something between them",
                repr(self.pattern),
                'For example "{id} {label}" or "{id}|{label}|*"',
            )

    @property
    def _pieces(self) -> list[str]:
        return [piece for piece in _FIELD.split(" ".join(self.pattern[:500].split())) if piece]

    def match(self, header: str) -> dict[str, str] | None:
        """Return the fields "id", "label" and "group" of a header, or None if it does not fit."""
        rest = " ".join(header[:HEADER_LIMIT].split())
        found: dict[str, str] = {}
        pieces = self._pieces
        for place, piece in enumerate(pieces):
            if not _FIELD.fullmatch(piece):
                if not rest.startswith(piece):
                    return None
                rest = rest[len(piece) :]
                continue
            after = pieces[place + 1] if place + 1 < len(pieces) else " "
            value, separator, _ = rest.partition(after)
            if not separator and place + 1 < len(pieces):
                return None
            rest = rest[len(value) :]
            if piece != "*":
                found[piece[1:-1]] = value
        return found if found.get("label") else None


def suggest_header(headers: Sequence[str]) -> tuple[str, int | None] | None:
    """Pattern and levels if the headers carry SCOP classes as their second word, as in "d3taob_ c.1.1.0"."""
    words = [header[:HEADER_LIMIT].split(maxsplit=2) for header in headers[:200]]
    fitting = sum(len(w) > 1 and _SCCS.match(w[1]) is not None for w in words)
    return ("{id} {label}", 3) if words and fitting >= 0.9 * len(words) else None


def first_levels(label: str, levels: int | None) -> str:
    """Keep the first levels of a label with dots: c.1.8.3 to three levels is c.1.8."""
    return label if levels is None else ".".join(label.split(".")[:levels])
