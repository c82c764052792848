"""A warning beside every accuracy whose classes were made of a kernel: it would be judged by its own answers."""

from __future__ import annotations

from typing import Final

from kernex_core.inputs.samples import Labels, Note
from pages.shared.messages import findings

OWN: Final = "A kernel that finds them again finds its own answers: the accuracy is no evidence that it knows anything else"


def own_classes(labels: Labels | None) -> None:
    """Write the warning; nothing where classes say something else about the items."""
    if labels is not None and labels.made_from:
        findings(
            [Note(f"These classes were made of similarities: {labels.made_from}", OWN, severity="warning")]
        )
