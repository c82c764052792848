"""What counts as no label."""

from __future__ import annotations

from collections.abc import Sequence

from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.sentinels import LARGEST, LIMITS, NINES
from kernex_core.inputs.tables.table import UNKNOWN

_LIKE_UNKNOWN = frozenset({"<na>", "n.a.", "na.", "-nan", "na_character_", "na_integer_"})


def as_label(field: str) -> str:
    """Label of a field without outer white space; "" (unlabelled) for an empty field, ?, NA, -2147483648 and the like."""
    label = field.strip()
    return "" if label.lower() in UNKNOWN - {"none"} or is_sentinel(label) else label


def is_sentinel(label: str) -> bool:
    """Whether a label is what programs write where they have none: the smallest whole number, -999, the largest float."""
    if label.lower() in _LIKE_UNKNOWN:
        return True
    if len(label) < 4 or label[-1] not in "0123456789":
        return False
    try:
        value = float(label)
    except ValueError:
        return False
    return value in LIMITS or value in NINES or abs(value) >= LARGEST


def sentinel_notes(fields: Sequence[str]) -> list[Note]:
    """A note on the labels that stand for none without being empty."""
    found = [field.strip() for field in fields if is_sentinel(field.strip())]
    if not found:
        return []
    text = f"Labels that are {listed(sorted(set(found)))}, as programs write where they have none: {len(found):,}."
    return [Note(text, "These items have no label.", "Rename the class if it was meant.", "warning")]
