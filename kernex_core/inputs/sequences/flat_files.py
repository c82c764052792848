"""Records of GenBank, EMBL and UniProt as text, read by Biopython: of each its id, its sequence and its organism."""

from __future__ import annotations

import io
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
        tuple(_notes(found)),
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


def _notes(found: Sequence[tuple[str, str, str]]) -> Iterator[Note]:
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
