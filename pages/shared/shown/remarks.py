"""What has to be said with numbers wherever they stand: the end of a grid that was chosen, copies that were kept together.

    remarks("evaluate", {"spectrum": judgement, "mismatch": other})      of judged kernels, by their names
    remarks("kernels.accuracy", {"": judgement})                         of the only one
    remarks_of_choice("complete.choice", nested)                         of a choice that was made inside the folds

On the page a line each; the same sentences stand under the page's figure and beside the numbers of its report.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from kernex_core.learning.chance.nested_choice import NestedChoice
from pages.shared.messages import findings
from pages.shared.shown import registry


class Remarked(Protocol):
    """A judgement of classes or of numbers."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """A sentence each."""


def remarks(key: str, judged: Mapping[str, Remarked]) -> None:
    """Draw what has to be said of judged kernels, and note it for figure and report; `key` tells the place apart."""
    said_once = remarks_words(judged)
    registry.remark(key, said_once)
    findings(said_once)


def remarks_words(judged: Mapping[str, Remarked]) -> tuple[str, ...]:
    """Return the sentences; what holds of all kernels is said once, what holds of some with their names."""
    by_sentence: dict[str, list[str]] = {}
    for name, made in judged.items():
        for sentence in made.remarks:
            by_sentence.setdefault(sentence, []).append(name)
    return tuple(
        sentence if len(names) == len(judged) else f"{', '.join(names)}: {sentence}"
        for sentence, names in by_sentence.items()
    )


def choice_remarks(found: NestedChoice) -> tuple[str, ...]:
    """Return the ends of grids that a choice inside the folds picked most often."""
    return tuple(end.words for end in found.grid_ends)


def remarks_of_choice(key: str, found: NestedChoice) -> None:
    """Note for figure and report what a choice has to say; the words of the choice hold it on the page."""
    registry.remark(key, choice_remarks(found))
