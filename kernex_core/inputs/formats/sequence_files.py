"""Sequences in alignments (Clustal, Stockholm, PHYLIP) and in records (GenBank, EMBL, UniProt)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Note, Sequences
from kernex_core.inputs.sequences.alignments import alignment_form, read_alignment
from kernex_core.inputs.sequences.finish import SequenceOptions, sequences_of
from kernex_core.inputs.sequences.flat_files import read_flat_records, record_form
from kernex_core.inputs.upload import Upload

KNOWN = 0.97
"""Confidence where the first line says it."""


@dataclass(frozen=True)
class AlignmentOptions(SequenceOptions):
    """How an alignment is read."""


@dataclass(frozen=True)
class RecordOptions(SequenceOptions):
    """How records are read."""


def sniff_alignment(upload: Upload) -> float:
    """Confidence that an upload is an alignment."""
    return KNOWN if alignment_form(upload) else 0.0


def sniff_records(upload: Upload) -> float:
    """Confidence that an upload holds records of GenBank, EMBL or UniProt."""
    return KNOWN if record_form(upload) else 0.0


def suggest_alignment(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand: the kind of sequence is found out, and gaps are removed."""
    return Suggestion(AlignmentOptions())


def suggest_records(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand: the kind of sequence is found out."""
    return Suggestion(RecordOptions())


def read_aligned(upload: Upload, options: AlignmentOptions, *, fewest: int = 2) -> Sequences:
    """Read the sequences of an alignment, of at least so many.

    Raises
    ------
    InvalidInputError
        Cut off, of different lengths, or too few sequences.
    TooLargeError
        More sequences than the limit.
    """
    found = read_alignment(upload, options.limit)
    said = Note(f"The file is an alignment in {found.title} format.", severity="fine")
    return _made(found.names, found.strings, (said, *found.notes), upload, options, fewest)


def read_records(upload: Upload, options: RecordOptions, *, fewest: int = 2) -> Sequences:
    """Read the sequences of records, of at least so many.

    Raises
    ------
    InvalidInputError
        Damaged or cut off, or too few sequences.
    TooLargeError
        More records than the limit.
    """
    found = read_flat_records(upload, options.limit)
    return _made(found.names, found.strings, found.notes, upload, options, fewest)


def _made(
    names: Sequence[str],
    strings: Sequence[str],
    notes: Sequence[Note],
    upload: Upload,
    options: SequenceOptions,
    fewest: int,
) -> Sequences:
    if len(names) < fewest:
        raise InvalidInputError(
            "At least two sequences are needed to compare them"
            if fewest > 1
            else "At least one sequence is needed",
            f"{counted(len(names), 'sequence')} in {upload.filename}",
            "Bring all sequences in one file",
        )
    made = sequences_of(names, strings, upload, options)
    return replace(made, notes=(*notes, *made.notes))


ALIGNMENT = Format(
    "alignment",
    "Sequences (alignment)",
    "sequences",
    ("aln", "clustal", "clustalw", "sto", "stk", "stockholm", "phy", "phylip"),
    sniff_alignment,
    suggest_alignment,
    read_aligned,
    AlignmentOptions,
    by_signature=True,
)
RECORDS = Format(
    "records",
    "Sequences (GenBank, EMBL, UniProt)",
    "sequences",
    ("gb", "gbk", "gbff", "genbank", "gp", "embl", "dat"),
    sniff_records,
    suggest_records,
    read_records,
    RecordOptions,
    by_signature=True,
)
