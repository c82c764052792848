"""What counts as no label."""

from __future__ import annotations

from kernex_core.inputs.tables.table import UNKNOWN


def as_label(field: str) -> str:
    """Label of a field without outer white space; "" (unlabelled) for an empty field, ?, NA and the like."""
    label = field.strip()
    return "" if label.lower() in UNKNOWN - {"none"} else label
