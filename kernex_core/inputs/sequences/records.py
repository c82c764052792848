"""Records of sequences: FASTA as people have it, and GenBank, EMBL and UniProt, read by Biopython."""

from __future__ import annotations

import io
import itertools
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.validation import check_item_count
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note
from kernex_core.inputs.upload import Upload

# Records of a FASTA text as people have them: comments, glued headers and empty records sorted out.

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


# Records of GenBank, EMBL and UniProt as text, read by Biopython: of each its id, its sequence and its organism.

_BEGINS: Final = {
    "GenBank": re.compile(r"\s*LOCUS {3,}\S+\s.*\d+ (bp|aa|rc)\b", re.IGNORECASE),
    "UniProt": re.compile(r"\s*ID   \S+\s+(Reviewed|Unreviewed|STANDARD|PRELIMINARY);.*\d+ AA\."),
    "EMBL": re.compile(r"\s*ID   \S+.*\n(XX|AC)"),
}
"""How the first record of each begins."""
_SAID: Final = re.compile(r"^(?:LOCUS {3,}\S+ +(\d+) (?:bp|aa)\b|ID   .*?(\d+) (?:BP|AA)\.)", re.MULTILINE)
"""Letters of a record, as its first line says."""
_END: Final = re.compile(r"^//", re.MULTILINE)
_REMEDY: Final = "Look whether the file is cut off; or save the records as FASTA"


@dataclass(frozen=True)
class FlatRecords:
    """What the records of a file hold.

    Attributes
    ----------
    names, strings : tuple of str
        Of those with a sequence.
    notes : tuple of Note
    """

    names: tuple[str, ...]
    strings: tuple[str, ...]
    notes: tuple[Note, ...]


def record_form(upload: Upload) -> str:
    """Whose records an upload holds, by how the first begins: "GenBank", "EMBL", "UniProt", or ""."""
    if not upload.is_text:
        return ""
    head = upload.text[:2000]
    return next((form for form, begins in _BEGINS.items() if begins.match(head)), "")


def read_flat_records(upload: Upload, limit: int) -> FlatRecords:
    """Ids and sequences of records.

    Parameters
    ----------
    upload : Upload
    limit : int
        Of records.

    Raises
    ------
    InvalidInputError
        No such records, or a damaged or cut off one.
    TooLargeError
        More records than the limit.
    """
    form = record_form(upload)
    if not form:
        raise InvalidInputError(
            "Records of GenBank, EMBL or UniProt were expected",
            f"something else in {upload.filename}",
            "Choose another way to read it, or save the records as FASTA",
        )
    text = upload.text
    check_item_count(len(_END.findall(text)), limit)
    last = text.rstrip().rpartition("\n")[2]
    if last.strip() != "//":
        raise InvalidInputError(
            f"A record of {form} ends with the line //",
            f"{last[:60]!r} at the end of {upload.filename}",
            _REMEDY,
        )
    try:
        found = list(_parsed(text, form))
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InvalidInputError(
            f"Whole records of {form} were expected",
            f"a damaged one in {upload.filename} ({' '.join(str(error).split())[:100]})",
            _REMEDY,
        ) from None
    _check_lengths(found, text, upload.filename)
    return FlatRecords(
        tuple(name for name, letters, _ in found if letters),
        tuple(letters for _, letters, _ in found if letters),
        tuple(_organism_notes(found)),
    )


def _parsed(text: str, form: str) -> Iterator[tuple[str, str, str]]:
    """Id, letters ("" where there are none) and organism of every record."""
    from Bio import SeqIO  # slow to import
    from Bio.GenBank import Scanner

    stream = io.StringIO(text)
    parse: Any = SeqIO.parse
    if form == "UniProt":
        records = parse(stream, "swiss")
    else:
        scanner: Any = Scanner.GenBankScanner if form == "GenBank" else Scanner.EmblScanner
        records = scanner(debug=0).parse_records(stream, do_features=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd lines, which are none of an id and a sequence
        for record in records:
            letters = str(record.seq) if record.seq.defined else ""
            yield str(record.id), "".join(letters.split()), str(record.annotations.get("organism", ""))


def _check_lengths(found: Sequence[tuple[str, str, str]], text: str, filename: str) -> None:
    """Refuse a record with other letters than its first line says, where every first line says it."""
    said = [int(a or b) for a, b in _SAID.findall(text)]
    if len(said) != len(found):
        return
    for (name, letters, _), size in zip(found, said, strict=True):
        if letters and len(letters) != size:
            raise InvalidInputError(
                "A record has as many letters as its first line says",
                f"{len(letters):,} of {size:,} in {name[:60]!r} of {filename}",
                _REMEDY,
            )


def _organism_notes(found: Sequence[tuple[str, str, str]]) -> Iterator[Note]:
    empty = [name for name, letters, _ in found if not letters]
    if empty:
        yield Note(
            f"Records without a sequence: {len(empty):,} ({listed(empty)}).",
            "They are dropped.",
            "Download them with their sequences (GenBank: full).",
            "warning",
        )
    kinds = sorted({organism for _, letters, organism in found if letters and organism})
    if len(kinds) > 1:
        yield Note(
            f"The records are of {len(kinds):,} organisms ({listed(kinds)}).",
            "They are not used as labels.",
            "Bring a table of id and organism as labels.",
            "fine",
        )
    yield Note("Of every record its id and its sequence are read.", "Features and references are left out.",
               severity="fine")  # fmt: skip
