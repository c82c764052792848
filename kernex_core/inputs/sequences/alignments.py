"""Alignments as Clustal, Stockholm and PHYLIP write them: names, and letters in columns.

Clustal and Stockholm name a sequence before each part of it, PHYLIP says on top how many sequences of how many columns there
are, and writes them in turns or one after the other, with names of ten characters or up to a blank.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.validation import check_item_count
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note
from kernex_core.inputs.sequences.finish import GAPS
from kernex_core.inputs.upload import Upload

HEAD: Final = 1_000
"""Letters in which a format is recognised."""
NAME: Final = 10
"""Characters of a name in PHYLIP's strict form."""
_CLUSTAL: Final = re.compile(
    r"\s*(CLUSTAL(?![,;\t])|(MUSCLE|PROBCONS|MSAPROBS|Kalign|T-COFFEE)[ ,]+[^\n]*(alignment|version|\d\.\d))"
)
_STOCKHOLM: Final = re.compile(r"\s*# STOCKHOLM\b")
_PHYLIP: Final = re.compile(r"\s*(\d{1,9})[ \t]+(\d{1,9})[ \t]*(?:[A-Za-z][ \t]*)?\n")
_LOOKS: Final = 20
"""Letters behind the first name from which two counts on top are those of an alignment, even where it is not whole."""
_LETTERS: Final = re.compile(r"[A-Za-z*?.~-]*")
_CONSERVED: Final = frozenset(" *:.0123456789")
_WAY_OUT: Final = "Look whether the file is cut off; or write the alignment again, or the sequences as FASTA"
Rows: TypeAlias = list[tuple[str, str]]
"""Name and letters, gaps among them, of every sequence."""


@dataclass(frozen=True)
class Aligned:
    """Sequences of an alignment without their gaps' meaning.

    Attributes
    ----------
    title : str
        Of the format.
    names, strings : tuple of str
        Letters with gaps, of those that have any letter.
    notes : tuple of Note
    """

    title: str
    names: tuple[str, ...]
    strings: tuple[str, ...]
    notes: tuple[Note, ...]


def alignment_form(upload: Upload) -> str:
    """Which of the formats an upload has, by how it begins: "Clustal", "Stockholm", "PHYLIP", or "".

    Two counts on top are no alignment yet: letters have to follow, as many as the counts say or as look like a sequence.
    """
    if not upload.is_text:
        return ""
    head = upload.text[:HEAD]
    if _STOCKHOLM.match(head):
        return "Stockholm"
    if _CLUSTAL.match(head):
        return "Clustal"
    begin = _PHYLIP.match(head)
    if begin is None:
        return ""
    name, letters = _relaxed(upload.text[begin.end() :][:HEAD].lstrip().partition("\n")[0])
    if name and len(letters) >= min(_LOOKS, int(begin[2])) and _LETTERS.fullmatch(letters):
        return "PHYLIP"
    rows: Rows | None = upload.remembered("phylip", lambda: _phylip_rows(upload))
    return "" if rows is None else "PHYLIP"


def read_alignment(upload: Upload, limit: int) -> Aligned:
    """Sequences of an alignment.

    Parameters
    ----------
    upload : Upload
    limit : int
        Of sequences.

    Raises
    ------
    InvalidInputError
        None of these formats; cut off; or sequences of different length, with the name of one.
    TooLargeError
        More sequences than the limit.
    """
    form = alignment_form(upload)
    if not form:
        raise InvalidInputError(
            "An alignment in Clustal, Stockholm or PHYLIP format was expected",
            f"something else in {upload.filename}",
            "Choose another way to read it, or write the sequences as FASTA",
        )
    found, notes = _READERS[form](upload, limit)
    check_item_count(len(found), limit)
    return _whole(form, found, notes, upload.filename)


def _whole(form: str, found: Rows, notes: list[Note], filename: str) -> Aligned:
    empty = [name for name, letters in found if not letters.strip(GAPS + "~")]
    if empty and len(empty) < len(found):
        notes.append(
            Note(
                f"Sequences of gaps alone: {len(empty):,} ({listed(empty)}).",
                "They are dropped.",
                "Take them out of the alignment.",
                "warning",
            )
        )
        found = [(name, letters) for name, letters in found if letters.strip(GAPS + "~")]
    return Aligned(
        form, tuple(name for name, _ in found), tuple(letters for _, letters in found), tuple(notes)
    )


def _gathered(parts: Mapping[str, list[str]], lines: Mapping[str, int], filename: str) -> Rows:
    """Sequences of one alignment from their parts, which have to be of the same length together."""
    rows = [(name, "".join(each)) for name, each in parts.items()]
    sizes = Counter(len(letters) for _, letters in rows)
    if len(sizes) > 1:
        usual = sizes.most_common(1)[0][0]
        name, letters = next((name, letters) for name, letters in rows if len(letters) != usual)
        raise InvalidInputError(
            "Sequences of an alignment have as many columns each, and a name of their own",
            f"{len(letters):,} columns of {name[:60]!r} (line {lines[name]:,}), {usual:,} of others, in {filename}",
            _WAY_OUT,
        )
    return rows


def _numbered(upload: Upload) -> Iterator[tuple[int, str]]:
    return ((k, line) for k, line in enumerate(upload.text.split("\n"), 1) if line.strip())


def _named_parts(upload: Upload, limit: int, form: str) -> tuple[Rows, list[Note]]:
    """Clustal and Stockholm: a name and a part of its letters a line; several alignments one after the other."""
    made: Rows = []
    parts: dict[str, list[str]] = {}
    first: dict[str, int] = {}
    count = annotated = 0
    begins = {"Clustal": _CLUSTAL, "Stockholm": _STOCKHOLM}[form]
    closed = False
    for number, line in _numbered(upload):
        if begins.match(line):
            made += _gathered(parts, first, upload.filename)
            parts, first, closed = {}, {}, False
            count += 1
        elif form == "Stockholm" and (line.startswith("#") or line.strip() == "//"):
            annotated += line.startswith("#=")
            closed = closed or line.strip() == "//"
        elif form == "Stockholm" or not line[:1].isspace():
            name, letters = _part(line, number, form, upload.filename)
            if name not in first:
                check_item_count(len(made) + len(first) + 1, limit)
                first[name], parts[name] = number, []
            parts[name].append(letters)
        elif not _CONSERVED.issuperset(line.strip()):
            raise _wrong_line(line, number, form, upload.filename)
    made += _gathered(parts, first, upload.filename)
    if form == "Stockholm" and not closed:
        raise InvalidInputError(
            "An alignment in Stockholm format ends with the line //",
            f"another end of {upload.filename}",
            _WAY_OUT,
        )
    notes = []
    if count > 1:
        notes.append(
            Note(f"The file holds {count:,} alignments.", "The sequences of all of them are read.",
                 "Bring one of them in a file of its own.")
        )  # fmt: skip
    if annotated:
        notes.append(Note(f"Lines of annotation (#=): {annotated:,}.", "They are left out.", severity="fine"))
    return made, notes


def _part(line: str, number: int, form: str, filename: str) -> tuple[str, str]:
    """Name and letters of a line; Clustal may count the letters behind them."""
    name, *fields = line.split()
    if form == "Clustal" and len(fields) == 2 and fields[1].isdecimal():
        fields = fields[:1]
    if len(fields) != 1 or _LETTERS.fullmatch(fields[0]) is None:
        raise _wrong_line(line, number, form, filename)
    return name, fields[0]


def _wrong_line(line: str, number: int, form: str, filename: str) -> InvalidInputError:
    return InvalidInputError(
        f"A line of an alignment in {form} format is a name and letters",
        f"{line.strip()[:60]!r} in line {number:,} of {filename}",
        _WAY_OUT,
    )


def _clustal(upload: Upload, limit: int) -> tuple[Rows, list[Note]]:
    return _named_parts(upload, limit, "Clustal")


def _stockholm(upload: Upload, limit: int) -> tuple[Rows, list[Note]]:
    return _named_parts(upload, limit, "Stockholm")


# PHYLIP: four ways to write the same, of which the counts on top tell which it is.

Split: TypeAlias = Callable[[str], tuple[str, str]]


def _relaxed(line: str) -> tuple[str, str]:
    name, _, letters = line.strip().partition(" ") if "\t" not in line else line.strip().partition("\t")
    return name, _joined(letters)


def _strict(line: str) -> tuple[str, str]:
    return line[:NAME].strip(), _joined(line[NAME:])


def _joined(letters: str) -> str:
    return "".join(letters.split())


def _interleaved(lines: Sequence[str], n: int, length: int, split: Split) -> Rows | None:
    if len(lines) % n:
        return None
    rows = [split(line) for line in lines[:n]]
    parts = [[letters] for _, letters in rows]
    for k, line in enumerate(lines[n:]):
        parts[k % n].append(_joined(line))
    return [(name, "".join(each)) for (name, _), each in zip(rows, parts, strict=True)]


def _sequential(lines: Sequence[str], n: int, length: int, split: Split) -> Rows | None:
    rest = iter(lines)
    made: Rows = []
    for line in rest:
        name, letters = split(line)
        parts, size = [letters], len(letters)
        while size < length and (more := next(rest, None)) is not None:
            parts.append(_joined(more))
            size += len(parts[-1])
        made.append((name, "".join(parts)))
        if len(made) > n:
            return None
    return made


def _phylip_rows(upload: Upload) -> Rows | None:
    """Sequences of a PHYLIP file in the first form that gives what its first line says; None if none does."""
    begin = _PHYLIP.match(upload.text)
    if begin is None:
        return None
    n, length = int(begin[1]), int(begin[2])
    lines = [line for line in upload.text[begin.end() :].split("\n") if line.strip()]
    if not 0 < n <= len(lines) or not length > 0:
        return None
    for arranged in (_interleaved, _sequential):
        for split in (_relaxed, _strict):
            rows = arranged(lines, n, length, split)
            if rows is not None and len(rows) == n and all(_fits(row, length) for row in rows):
                return rows
    return None


def _fits(row: tuple[str, str], length: int) -> bool:
    name, letters = row
    return bool(name) and len(letters) == length and _LETTERS.fullmatch(letters) is not None


def _phylip(upload: Upload, limit: int) -> tuple[Rows, list[Note]]:
    begin = _PHYLIP.match(upload.text)
    assert begin is not None  # by its form
    n, length = int(begin[1]), int(begin[2])
    check_item_count(n, limit)
    rows: Rows | None = upload.remembered("phylip", lambda: _phylip_rows(upload))
    if rows is None:
        raise InvalidInputError(
            f"{n:,} sequences of {length:,} columns each have to follow, as the first line says",
            f"{_misfit(upload.text[begin.end() :], n, length)} in {upload.filename}",
            f"{_WAY_OUT}; several alignments in one file are brought one by one",
        )
    first = rows[0][1]
    if "." not in first and any("." in letters for _, letters in rows):  # the same as in the first sequence
        rows = [
            (name, "".join(a if b == "." else b for a, b in zip(first, letters, strict=True)))
            for name, letters in rows
        ]
        said = Note(
            "A dot stands for the letter of the first sequence.", "It is written out.", severity="fine"
        )
        return rows, [said]
    return rows, []


def _misfit(text: str, n: int, length: int) -> str:
    """What does not fit, of the names and letters of a form that nearly does."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < n:
        return f"{len(lines):,} lines"
    rows = _interleaved(lines[: len(lines) // n * n], n, length, _relaxed) or []
    odd = next(((name, letters) for name, letters in rows if len(letters) != length), None)
    if odd is None:
        return f"{len(lines):,} lines that are not as many for each"
    return f"{len(odd[1]):,} columns of {odd[0][:60]!r}"


_READERS: Final[Mapping[str, Callable[[Upload, int], tuple[Rows, list[Note]]]]] = {
    "Clustal": _clustal,
    "Stockholm": _stockholm,
    "PHYLIP": _phylip,
}
