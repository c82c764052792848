"""Sequences in files of their own: FASTA, alignments (Clustal, Stockholm, PHYLIP) and records (GenBank, EMBL, UniProt)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Labels, Note, Sequences
from kernex_core.inputs.sequences.alignments import alignment_form, read_alignment
from kernex_core.inputs.sequences.finish import GAPS, SequenceOptions, sequences_of
from kernex_core.inputs.sequences.records import (
    HeaderPattern,
    Records,
    first_levels,
    read_flat_records,
    read_records,
    record_form,
    suggest_header,
)
from kernex_core.inputs.upload import Upload

ENDINGS = ("fasta", "fa", "faa", "fna", "fas", "pro")
LEADING_LINES = 5
"""Lines of text before the first record that are forgiven."""
JUNK = 0.1
"""Share of characters that are no letters beyond which a file is not FASTA."""


@dataclass(frozen=True)
class FastaOptions(SequenceOptions):
    """How FASTA is read."""

    header: str = parameter(
        "",
        help='Pattern of the header lines that finds the class, such as "{id} {label}" or "{id}|{label}|*".',
        label="Class in the header",
    )
    levels: int | None = parameter(
        None,
        help="Number of levels that is kept of a class with dots: 3 makes c.1.8 of c.1.8.3.",
        label="Levels of the class",
        low=1,
        optional=True,
        auto="all",
    )


def sniff_fasta(upload: Upload) -> float:
    """Confidence that an upload is FASTA."""
    if not upload.is_text:
        return 0.0
    lines = [line for line in upload.text[:100_000].split("\n") if line.strip() and not line.startswith(";")]
    at = next((i for i, line in enumerate(lines) if line.startswith(">")), None)
    if at is None:
        return 0.0
    return 0.95 if at == 0 else 0.6 if at <= LEADING_LINES else 0.3


def suggest_fasta(upload: Upload) -> Suggestion:
    """The header pattern for SCOP classes, where at least 9 of 10 headers carry one."""
    found = suggest_header(read_records(upload).titles)
    return Suggestion(FastaOptions() if found is None else FastaOptions(header=found[0], levels=found[1]))


def read_fasta(upload: Upload, options: FastaOptions, *, fewest: int = 2) -> Sequences:
    """Read sequences.

    Records without a sequence are dropped and named, repeated ids are numbered, strange letters are counted.

    Raises
    ------
    InvalidInputError
        Not FASTA, or fewer than two sequences.
    TooLargeError
        More sequences than the limit.
    """
    records = read_records(upload)
    titles, strings, notes = records.titles, records.strings, list(records.notes)
    check_item_count(len(titles), options.limit)
    _check_fasta(records, upload, options, fewest)
    found, labels = _named(titles, options)
    made = sequences_of(found, strings, upload, options)
    if options.header:
        said = _label_notes(made.ids, labels[0], options)
        recipe = upload.recipe(options)
        joined = Labels(made.ids, np.array(labels[0]), np.array(labels[1]) if any(labels[1]) else None)
        joined = replace(joined, recipe=part(recipe, "labels"))
        return replace(made, labels=joined, notes=(*notes, *made.notes, *said))
    if suggest_header(titles):
        notes.append(
            Note(
                "The headers carry SCOP classes.",
                "They are not used as labels.",
                'Choose the header pattern "{id} {label}" with 3 levels to use the superfamilies.',
                "fine",
            )
        )
    return replace(made, notes=(*notes, *made.notes))


def _check_fasta(records: Records, upload: Upload, options: FastaOptions, fewest: int) -> None:
    counts: Counter[str] = Counter()
    for string in records.strings:
        counts.update(string)
    total = sum(counts.values())
    junk = sum(n for letter, n in counts.items() if not letter.isalpha() and letter not in GAPS + "*")
    report = records.leading > LEADING_LINES or junk > JUNK * max(total, 1)
    if report and options.alphabet != "text":
        before = f"{records.leading} lines before the first record, " if records.leading else ""
        raise InvalidInputError(
            "A FASTA file holds headers and sequences only",
            f"{before}{100 * junk / max(total, 1):.0f} % digits and signs among the letters in {upload.filename}: "
            "it looks like a report of a search rather than sequences",
            'Upload the sequences themselves; if these really are sequences of any signs, choose "text"',
        )
    if len(records.strings) < fewest:
        raise InvalidInputError(
            "At least two sequences are needed to compare them"
            if fewest > 1
            else "At least one sequence is needed",
            f"{len(records.strings)} in {upload.filename}",
            "Upload all sequences in one file",
        )


def _named(titles: Sequence[str], options: FastaOptions) -> tuple[list[str], tuple[list[str], list[str]]]:
    """Ids, and labels and groups, out of the headers."""
    ids = [title.split(maxsplit=1)[0] for title in titles]
    if not options.header:
        return ids, ([], [])
    pattern = HeaderPattern(options.header)
    matches = [pattern.match(title) or {} for title in titles]
    ids = [match.get("id") or name for match, name in zip(matches, ids, strict=True)]
    labels = [first_levels(match.get("label", ""), options.levels) for match in matches]
    return ids, (labels, [match.get("group", "") for match in matches])


def _label_notes(ids: Sequence[str], labels: Sequence[str], options: FastaOptions) -> list[Note]:
    without = [name for name, label in zip(ids, labels, strict=True) if not label]
    if not without:
        return []
    if len(without) == len(ids):
        raise InvalidInputError(
            "The header pattern has to fit some of the headers",
            f"none fits {options.header!r}",
            "Compare it with a header of your file",
        )
    return [
        Note(
            f"Headers that do not fit the pattern: {len(without):,} ({listed(without)}).",
            "Their items have no label.",
            "Change the pattern.",
            "warning",
        )
    ]


# Alignments and records, known by their first line.

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


def read_recorded(upload: Upload, options: RecordOptions, *, fewest: int = 2) -> Sequences:
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


FASTA = Format(
    "fasta", "Sequences (FASTA)", "sequences", ENDINGS, sniff_fasta, suggest_fasta, read_fasta, FastaOptions
)
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
    read_recorded,
    RecordOptions,
    by_signature=True,
)
