"""The verdict of the page Map: how far held-out items land from their place, beside how far the map itself moves."""

from __future__ import annotations

from typing import Final

from kernex_core.studies.map.study import Placement
from pages.map.subject import Subject
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent
from pages.shared.glossary.entries import explained
from pages.shared.messages import plain

TRUST, ERROR, FOLLOWED = "Trustworthiness", "Error", "Spearman"
MOVES: Final = 0.3
"""Share of the radius by which kept items move from one map to the other, from which errors of placements say little."""


def place_for(subject: Subject, placement: Placement | None) -> VerdictPlace:
    """Return places for the numbers that there are."""
    names = [
        TRUST,
        *([] if placement is None else [ERROR]),
        *([] if subject.along is None else [FOLLOWED]),
    ]
    return VerdictPlace(*names)


def fill(place: VerdictPlace, subject: Subject, placement: Placement | None) -> None:
    """Write it."""
    made = subject.made
    place.say(words(subject, placement))
    about = f"Of all {subject.dataset.n:,} items; in grey, of those that the map was made of."
    place.number(0, TRUST, number(made.trust_all, 3), number(made.trust_kept, 3), explained(TRUST, about))
    if placement is not None:
        place.number(
            1, ERROR, percent(placement.error), f"map moves {percent(made.moved)}",
            "Of the map's radius: of held-out items, from their place in the map of all; in grey, how far the kept ones lie "
            "apart in both maps. Errors count from there.",
        )  # fmt: skip
    if subject.along is not None:
        place.number(
            len(place.names) - 1, FOLLOWED, number(made.along_kept, 3), "kept",
            explained(
                FOLLOWED, f"Largest absolute rank correlation of a coordinate with {plain(subject.along_name)}, kept items."
            ),
        )  # fmt: skip


def words(subject: Subject, placement: Placement | None) -> str:
    """Return what is found."""
    made = subject.made
    if placement is None:
        return (
            f"Trustworthiness {number(made.trust_all, 3)}: it is 1 where all that is near in the map is near. Hold items "
            "out to see where new ones land."
        )
    held = f"{made.held.size:,} held-out items, placed {plain(placement.title)}"
    if made.moved > MOVES:
        return (
            f"The map moves by {percent(made.moved)} of its radius when items are held out: that {held}, lie "
            f"{percent(placement.error)} off says little."
        )
    return f"{held}, lie {percent(placement.error)} of the radius off: the map itself moves by {percent(made.moved)}."
