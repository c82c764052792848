"""Parts of a similarity as text: an alignment residue by residue, one table row a part, and marks for a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.explanation import AlignedColumn, AlignmentEnd, Part, SharedKmer, SharedSubsequence
from kernex_core.kernels.sequences.mismatch import Mismatch
from pages.shared.figures.along import Shared

WIDTH = 60
SHOWN_POSITIONS = 12
MOST_LINKS: Final = 300
"""Lines of one alignment, side by side, up to which one sees where they lead."""
MOST_CROSSING: Final = 40
"""Lines that cross each other up to which one sees where they lead; the heaviest parts get them."""
MOST_MARKS: Final = 2000
"""Places up to which marks are told apart on two lines; the heaviest parts get them."""


def alignment_text(columns: Sequence[AlignedColumn]) -> str:
    """Return blocks of three lines: first sequence, marks, second sequence, with the first and last positions."""
    blocks = [columns[start : start + WIDTH] for start in range(0, len(columns), WIDTH)]
    margin = len(str(max(at for c in columns for at in (c.position_s or 0, c.position_t or 0)) + 1))
    return "\n\n".join(_block(block, margin) for block in blocks)


def _block(columns: Sequence[AlignedColumn], margin: int) -> str:
    first = _line("".join(c.letter_s for c in columns), [c.position_s for c in columns], margin)
    second = _line("".join(c.letter_t for c in columns), [c.position_t for c in columns], margin)
    return f"{first}\n{' ' * margin}  {''.join(_mark(c) for c in columns)}\n{second}"


def _line(letters: str, positions: Sequence[int | None], margin: int) -> str:
    known = [at + 1 for at in positions if at is not None]
    start, end = (str(known[0]), str(known[-1])) if known else ("", "")
    return f"{start:>{margin}}  {letters.replace('-', '−')}  {end}".rstrip()


def _mark(column: AlignedColumn) -> str:
    if column.position_s is None or column.position_t is None:
        return " "
    if column.letter_s == column.letter_t:
        return "|"
    return "+" if column.contribution > 0.0 else "·"


def part_rows(parts: Sequence[Part], kernel: AbstractKernel[Sequence[str]]) -> list[dict[str, object]]:
    """Return one row a part, positions counted from 1."""
    return [_row(part, isinstance(kernel, Mismatch)) for part in parts]


def marks_of(parts: Sequence[Part], alignment: Sequence[AlignedColumn]) -> list[Shared]:
    """Return the places of the parts in both sequences; of kernels on alignments those of the best alignment.

    The heaviest parts come first, and those that would fill the lines with marks are left out.
    """
    if alignment:
        pairs = [
            (c.position_s, c.position_t)
            for c in alignment
            if c.position_s is not None and c.position_t is not None
        ]
        shown = pairs[:: len(pairs) // MOST_LINKS + 1]
        return [Shared("best alignment", [i for i, _ in pairs], [j for _, j in pairs], 1, shown)]
    room, places, marks = MOST_CROSSING, MOST_MARKS, []
    for part in parts:
        if not isinstance(part, SharedKmer | SharedSubsequence):
            continue
        places -= len(part.positions_s) + len(part.positions_t)
        if places < 0:
            break
        if isinstance(part, SharedKmer):
            name = part.kmer_s if part.kmer_s == part.kmer_t else f"{part.kmer_s}/{part.kmer_t}"
            links = [(i, j) for i in part.positions_s[:room] for j in part.positions_t[:room]]
            width = len(part.kmer_s)
        else:
            name, width = part.word, 1
            links = list(zip(part.positions_s, part.positions_t, strict=True))
        # the links of a part that is everywhere would hide all others
        links = links if len(links) <= room else []
        room -= len(links)
        marks.append(Shared(name, part.positions_s, part.positions_t, width, links))
    return marks


def _row(part: Part, similar: bool) -> dict[str, object]:
    if isinstance(part, SharedKmer):
        named: dict[str, object] = {"K-mer": part.kmer_s}
        if similar:
            named = {"First": part.kmer_s, "Second": part.kmer_t, "Mismatches": part.mismatches,
                     "Features in common": part.common_features}  # fmt: skip
        return {
            **named, "Count in first": len(part.positions_s), "Count in second": len(part.positions_t),
            "Part of K": part.contribution, "At in first": _places(part.positions_s),
            "At in second": _places(part.positions_t),
        }  # fmt: skip
    if isinstance(part, SharedSubsequence):
        return {
            "Subsequence": part.word, "Gaps in first": part.gaps_s, "Gaps in second": part.gaps_t,
            "Count in first": str(part.occurrences_s), "Count in second": str(part.occurrences_t),
            "Part of K": part.contribution, "Tightest in first": _places(part.positions_s),
            "Tightest in second": _places(part.positions_t),
        }  # fmt: skip
    assert isinstance(part, AlignedColumn | AlignmentEnd)  # strings have no other parts
    row: dict[str, object] = {
        "First": part.letter_s, "Second": part.letter_t, "At in first": _place(part.position_s),
        "At in second": _place(part.position_t),
        "Part of K" if isinstance(part, AlignmentEnd) else "Score": part.contribution,
    }  # fmt: skip
    if isinstance(part, AlignmentEnd) or part.probability is not None:
        row["Probability"] = part.probability
    return row


def _place(at: int | None) -> str:
    return "−" if at is None else str(at + 1)


def _places(positions: Sequence[int]) -> str:
    shown = ", ".join(str(at + 1) for at in positions[:SHOWN_POSITIONS])
    return shown if len(positions) <= SHOWN_POSITIONS else f"{shown}, …"
