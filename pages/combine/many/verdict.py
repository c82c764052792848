"""The verdict of the page Many kernels: one sentence and three numbers."""

from __future__ import annotations

from typing import Final

from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.verdict import Candidate
from kernex_core.studies.many_kernels import ALONE, ManyAccuracy
from pages.combine.many.alike import between
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent
from pages.shared.messages import plain
from pages.shared.panels.verdicts import verdict_words

BEST, PLAIN, FLOOR = "Best", "Best plain", "Floor"
NAMES: Final = (BEST, PLAIN, FLOOR)
HINTS: Final = {
    PLAIN: "The best of what learns nothing: each kernel alone, and the sum in which all weigh alike.",
    FLOOR: "The largest class alone.",
}
"""They stand in the title's hint: the sliders of the weights are next on the way of the Tab key."""


def fill(place: VerdictPlace, found: ManyAccuracy) -> None:
    """Write it, once all are judged."""
    made = found.verdict
    if made is None:
        return
    alone = [name for name in found.judged if name.endswith(ALONE)]
    place.say(verdict_words(made, typed=alone), "multi-class accuracy")
    first = next(iter(found.judged.values()))
    _number(place, 0, BEST, made.best)
    if made.best_plain is not None:
        _number(place, 1, PLAIN, made.best_plain)
    place.number(2, FLOOR, percent(first.multi_class.floor, 1), help="")


def unlabelled(place: VerdictPlace, kernels: tuple[GramMatrix, ...]) -> None:
    """Say without labels which two are most alike."""
    A = between(kernels)
    value, u, v = max((float(A[u, v]), u, v) for u in range(len(A)) for v in range(u))
    names = f"{plain(kernels[v].name)} and {plain(kernels[u].name)}"
    place.say(
        f"Most alike are {names}: alignment {number(value, 2)}. What each is worth is judged by labels of at least two "
        "classes, brought on Data."
    )


def _number(place: VerdictPlace, at: int, name: str, one: Candidate) -> None:
    place.number(at, name, percent(one.value, 1), _ends(one.interval), help="")


def _ends(interval: Interval) -> str:
    return f"{number(100.0 * interval.low, 0)}–{number(100.0 * interval.high, 0)}\u00a0%"
