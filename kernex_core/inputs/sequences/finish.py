"""The last stretch of every format of sequences: from named strings to Sequences with notes and recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kernex_core.inputs.names import distinct, listed
from kernex_core.inputs.options import SampleOptions
from kernex_core.inputs.samples import Note, SequenceKind, Sequences
from kernex_core.inputs.sequences.alphabet import GAPS, LETTERS, guess_kind, outside
from kernex_core.inputs.upload import Upload
from kernex_core.parameters import parameter


@dataclass(frozen=True)
class SequenceOptions(SampleOptions):
    """How sequences are read, whatever format they come in."""

    alphabet: Literal["auto", "protein", "dna", "structure", "text"] = parameter(
        "auto",
        help="What the letters mean. Case is kept for structure strings and text.",
        label="Kind of sequence",
        choices=("auto", "protein", "dna", "structure", "text"),
    )
    gaps: Literal["remove", "keep"] = parameter(
        "remove",
        help="Whether gaps of an alignment (- and .) are removed.",
        label="Gaps",
        choices=("remove", "keep"),
    )


def sequences_of(
    names: Sequence[str], strings: Sequence[str], upload: Upload, options: SequenceOptions
) -> Sequences:
    """Named strings as sequences: kind and case found out, gaps removed, repeated ids numbered, strange letters counted."""
    kind: SequenceKind = guess_kind(strings) if options.alphabet == "auto" else options.alphabet
    letters, changed = _normalised(strings, kind, options)
    ids, renamed = distinct(names)
    repeated = tuple((new, old) for new, old in zip(ids, names, strict=True) if new != old)
    notes = (*changed, *renamed, *_strange(ids, letters, kind))
    return Sequences(ids, tuple(letters), kind, None, notes, upload.recipe(options), repeated)


def _normalised(
    strings: Sequence[str], kind: SequenceKind, options: SequenceOptions
) -> tuple[list[str], list[Note]]:
    """Upper case and without gaps where the kind has neither."""
    if kind in ("structure", "text"):
        return list(strings), []
    notes = []
    upper = [string.upper() for string in strings]
    lower = sum(a != b for a, b in zip(strings, upper, strict=True))
    if lower:
        notes.append(
            Note(
                f"Sequences with lower case letters: {lower:,}.",
                "They are read as upper case.",
                "Choose the kind text to keep the case.",
            )
        )
    if options.gaps == "remove":
        bare = [string.translate(str.maketrans("", "", GAPS)) for string in upper]
        gapped = sum(a != b for a, b in zip(upper, bare, strict=True))
        if gapped and all(bare):
            notes.append(
                Note(
                    f"Sequences with gaps (- or .): {gapped:,}.",
                    "The gaps are removed.",
                    "Choose to keep them.",
                )
            )
            upper = bare
    return upper, notes


def _strange(ids: Sequence[str], strings: Sequence[str], kind: SequenceKind) -> list[Note]:
    """Letters outside the alphabet, and sequences that look like another kind than the rest."""
    notes = []
    letters = outside(strings, kind)
    if letters:
        having = [i for i, s in zip(ids, strings, strict=True) if not LETTERS[kind].issuperset(s)]
        counted = ", ".join(f"{letter!r} {n:,}×" for letter, n in list(letters.items())[:8])
        notes.append(
            Note(
                f"Letters outside the {kind} alphabet: {counted}; in {len(having):,} sequences ({listed(having)}).",
                "They are kept; kernels treat them as letters that match nothing else.",
                "Choose another kind of sequence if this one is wrong.",
                "warning",
            )
        )
    if kind in ("protein", "dna"):
        other = [
            i
            for i, s in zip(ids, strings, strict=True)
            if len(s) >= 30 and (guess_kind([s]) == "dna") != (kind == "dna")
        ]
        if other:
            title = "proteins" if kind == "dna" else "nucleotides"
            notes.append(
                Note(
                    f"Sequences that look like {title}: {len(other):,} ({listed(other)}).",
                    f"All are read as {kind}.",
                    "Upload one kind a file.",
                    "warning",
                )
            )
    return notes
