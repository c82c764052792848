"""The last stretch of every format of sequences: from named strings to Sequences with notes and recipe."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kernex_core.base.parameters import parameter
from kernex_core.inputs.names import distinct, listed
from kernex_core.inputs.options import SampleOptions
from kernex_core.inputs.samples import Note, SequenceKind, Sequences
from kernex_core.inputs.upload import Upload

# Which letters sequences are made of: proteins, nucleotides, structure strings or any text.

GAPS = "-."
MASKED = 5
"""Mean length of stretches of one case from which lower case masks."""
LOOKED_AT = 10_000
"""Letters of a sequence in which stretches are counted."""
LETTERS: Mapping[str, frozenset[str]] = {
    "protein": frozenset("ACDEFGHIKLMNPQRSTVWYBZXJUO*"),
    "dna": frozenset("ACGTUNRYSWKMBDHV"),
    "structure": frozenset("ACDEFGHIKLMNPQRSTVWYX"),
}
"""Letters of each kind, ambiguity codes included; text takes any."""

_AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"
# per cent; amino acids: release statistics of UniProtKB/Swiss-Prot; 3Di: 373 TIM barrels of SCOPe 2.01
_PROTEIN = (
    8.3,
    1.4,
    5.5,
    6.7,
    3.9,
    7.1,
    2.3,
    5.9,
    5.8,
    9.7,
    2.4,
    4.1,
    4.7,
    3.9,
    5.5,
    6.6,
    5.3,
    6.9,
    1.1,
    2.9,
)
_THREE_DI = (
    6.0,
    4.0,
    9.2,
    4.8,
    2.0,
    2.4,
    5.2,
    0.4,
    0.3,
    9.8,
    0.3,
    4.0,
    7.0,
    6.4,
    4.3,
    8.9,
    0.6,
    19.6,
    0.6,
    4.8,
)
_LOG_ODDS = {letter: math.log(d / p) for letter, d, p in zip(_AMINO_ACIDS, _THREE_DI, _PROTEIN, strict=True)}


def guess_kind(strings: Iterable[str]) -> SequenceKind:
    """Guess what sequences are made of.

    Nucleotides if 90 % of the letters are A, C, G, T, U or N. Else, if 90 % are amino acid letters: a structure
    string (Foldseek's 3Di has the same twenty letters) where its composition is likelier as such, a protein otherwise.
    Everything else is text.

    Lower case in long stretches masks parts of sequences and means nothing. Where it alternates with upper case in most
    sequences, it does: text if there are more letters than a structure alphabet has (Reseek's Mu has 36), else a
    structure string.
    """
    counts: Counter[str] = Counter()
    mixed = total = 0
    for string in strings:
        counts.update(string)
        total += 1
        mixed += _case_counts(string)
    for gap in GAPS:
        counts.pop(gap, None)
    letters = sum(counts.values())
    if not letters:
        return "text"
    upper: Counter[str] = Counter()
    for letter, count in counts.items():
        upper[letter.upper()] += count
    if mixed <= total / 2 and sum(upper[x] for x in "ACGTUN") >= 0.9 * letters:
        return "dna"
    if sum(upper[x] for x in LETTERS["protein"]) < 0.9 * letters:
        return "text"
    if mixed > total / 2:
        few = len(counts) <= len(LETTERS["structure"])
        return "structure" if few and all(letter.isalpha() for letter in counts) else "text"
    odds = sum(count * _LOG_ODDS.get(letter, 0.0) for letter, count in upper.items())
    return "structure" if odds > 0.0 else "protein"


def _case_counts(string: str) -> bool:
    """Whether upper and lower case alternate, rather than stand in stretches that mask parts of the sequence."""
    if string in (string.upper(), string.lower()):
        return False
    string = string[:LOOKED_AT]
    stretches = sum(1 for _ in re.finditer("[A-Z]+|[a-z]+", string))
    return len(string) < MASKED * stretches


def outside(strings: Sequence[str], kind: SequenceKind) -> dict[str, int]:
    """Letters that do not belong to the kind, with how often they occur, commonest first; {} for text."""
    if kind not in LETTERS:
        return {}
    counts: Counter[str] = Counter()
    for string in strings:
        counts.update(string)
    return {letter: n for letter, n in counts.most_common() if letter not in LETTERS[kind]}


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
