"""Sequences that are brought to be compared with those that are there."""

from __future__ import annotations

from kernex_core.inputs.formats.fasta import FastaOptions, read
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note, Sequences
from kernex_core.inputs.upload import Upload, open_upload
from kernex_core.validation import check_item_count

NEW_LIMIT = 10_000
"""Largest number of new sequences at a time."""


def read_new(data: bytes | Upload, filename: str, samples: Sequences) -> Sequences:
    """Read new sequences, of the kind of those that are there: FASTA, or one sequence a line without any header.

    Ids that the samples have already get " (new)" behind them.

    Raises
    ------
    InvalidInputError
        No sequence, or no text.
    TooLargeError
        More than NEW_LIMIT sequences.
    """
    upload = open_upload(data, filename)
    lines = [line.strip() for line in upload.text.split("\n") if line.strip()]
    if not any(line.startswith(">") for line in lines):
        check_item_count(len(lines), NEW_LIMIT)
        fasta = "\n".join(f">new_{k}\n{line}" for k, line in enumerate(lines, 1))
        upload = open_upload(fasta.encode(), filename)
    found = read(upload, FastaOptions(alphabet=samples.alphabet, limit=NEW_LIMIT), fewest=1)
    taken, ids, known = set(samples.ids), list(found.ids), []
    for place, name in enumerate(found.ids):
        if name in taken:
            known.append(name)
            ids[place] = f"{name} (new)"
    notes = found.notes
    if known:
        note = Note(
            f"Ids that the data have already: {len(known):,} ({listed(known)}).",
            'They are taken for new items of the same name, with " (new)" behind the id.',
        )
        notes = (*notes, note)
    return Sequences(tuple(ids), found.strings, samples.alphabet, None, notes)
