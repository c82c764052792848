"""Notes on classes: singletons, one class only, items without a label."""

from __future__ import annotations

from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Labels, Note


def class_notes(labels: Labels) -> tuple[Note, ...]:
    """Notes on classes with one member, on a single class, and on unlabelled items."""
    notes = []
    alone = [name for name, size in labels.classes if size == 1]
    if alone:
        notes.append(
            Note(
                f"Classes with one member: {len(alone):,} ({listed(alone, 8)}).",
                "They stay in the data; cross-validation cannot test them.",
                "Keep only classes of a smallest size under Selection.",
                "warning",
            )
        )
    if len(labels.classes) == 1:
        notes.append(
            Note(
                f"There is one class only, {labels.classes[0][0]!r}.",
                "The data can be looked at and completed, but not classified.",
                "Bring labels of at least two classes.",
                "warning",
            )
        )
    without = int((~labels.labelled).sum())
    if without:
        notes.append(
            Note(f"Items without a label: {without:,}.", "They are kept and can be predicted.", "", "fine")
        )
    return tuple(notes)
