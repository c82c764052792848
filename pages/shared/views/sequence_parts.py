"""Parts of a similarity as text: an alignment residue by residue, and one table row a part."""

from __future__ import annotations

from collections.abc import Sequence

from kernex_core.kernels.sequences.explanation import (
    AlignedColumn,
    AlignmentEnd,
    Part,
    SharedKmer,
    SharedSubsequence,
)

WIDTH = 60
SHOWN_POSITIONS = 12


def exact(value: float) -> str:
    """Return a number with twelve digits, and a real minus sign."""
    return f"{value:.12g}".replace("-", "−")


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


def part_rows(parts: Sequence[Part]) -> list[dict[str, object]]:
    """Return one row a part, positions counted from 1."""
    return [_row(part) for part in parts]


def _row(part: Part) -> dict[str, object]:
    if isinstance(part, SharedKmer):
        return {
            "First": part.kmer_s, "Second": part.kmer_t, "Mismatches": part.mismatches,
            "Count in first": len(part.positions_s), "Count in second": len(part.positions_t),
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
    row: dict[str, object] = {
        "First": part.letter_s, "Second": part.letter_t, "At in first": _place(part.position_s),
        "At in second": _place(part.position_t), "Part of K": part.contribution,
    }  # fmt: skip
    if isinstance(part, AlignmentEnd) or part.probability is not None:
        row["Probability"] = part.probability
    return row


def _place(at: int | None) -> str:
    return "−" if at is None else str(at + 1)


def _places(positions: Sequence[int]) -> str:
    shown = ", ".join(str(at + 1) for at in positions[:SHOWN_POSITIONS])
    return shown if len(positions) <= SHOWN_POSITIONS else f"{shown}, …"
