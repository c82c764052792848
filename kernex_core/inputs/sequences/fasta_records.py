"""Records of a FASTA text as people have them: comments, glued headers and empty records sorted out."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kernex_core.errors import InvalidInputError
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
