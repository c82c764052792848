"""The verdict of the page Evaluate: one sentence and three numbers, by the measure that leads."""

from __future__ import annotations

from typing import Final

from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.verdict import Candidate, Unit, Verdict
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, p_value, percent
from pages.shared.messages import plain, shortened
from pages.shared.panels.verdicts import verdict_words

BEST, NEXT, FLOOR = "Best", "Next", "Floor"
NAMES: Final = (BEST, NEXT, FLOOR)
UNEVEN: Final = 2
"""Times by which the largest class exceeds the smallest above which it is said that accuracy counts items, not classes."""


def fill(place: VerdictPlace, made: Verdict, floor: float, measure: str, unit: Unit, rests: str) -> None:
    """Write it."""
    place.say(verdict_words(made, unit=unit, typed=[each.name for each in made.candidates]), measure)
    best = made.best
    place.number(0, BEST, _value(best.value, unit), _ends(best.interval, unit), _help(best, rests))
    if len(made.candidates) > 1:
        second = made.candidates[1]
        place.number(1, NEXT, _value(second.value, unit), f"p\u00a0{p_value(second.p)}", _help(second, rests))
    else:
        place.without(1)
    place.number(
        2, FLOOR, _value(floor, unit), "", "What knowing nothing of the items gets on the same folds."
    )


def why(field: str, labels: Labels) -> str:
    """Say why this measure leads."""
    if field == "balanced":
        return "Balanced accuracy leads: every class counts alike, however few its items are."
    if field == "one_vs_rest":
        return "One-vs-rest accuracy leads: each class is asked for alone, and all others are one."
    sizes = [size for _, size in labels.classes]
    said = "Multi-class accuracy leads: every item counts alike."
    if max(sizes) > UNEVEN * min(sizes):
        said = f"{said[:-1]}; classes have {min(sizes):,} to {max(sizes):,}, so balanced accuracy may say another thing."
    return said


def _value(value: float, unit: Unit) -> str:
    return percent(value, 1) if unit == "%" else number(value, 3)


def _ends(interval: Interval, unit: Unit) -> str:
    if unit == "%":
        return f"{number(100.0 * interval.low, 0)}–{number(100.0 * interval.high, 0)}\u00a0%"
    return f"{number(interval.low, 2)}–{number(interval.high, 2)}"


def _help(one: Candidate, rests: str) -> str:
    return f"{plain(shortened(one.name, 40))}. {rests}"
