"""The verdict of the page Joint regularization: one sentence and three numbers."""

from __future__ import annotations

from typing import Final

from kernex_core.studies.papers.joint.comparison import ChosenLam, figure_verdict
from kernex_core.studies.papers.joint.measuring import JointFigure
from pages.papers.joint.charts import named
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent
from pages.shared.panels.verdicts import verdict_words

JOINT, OTHER, FLOOR = "Joint", "Best other", "Floor"
NAMES: Final = (JOINT, OTHER, FLOOR)
SAME: Final = ("Gaussian alone", "linear alone", "sum", "product")
"""Kernels with the same landmarks, weights, nugget and folds as the joint kernel."""


def fill(place: VerdictPlace, found: JointFigure, chosen: ChosenLam | None) -> None:
    """Write it, once every λ is measured."""
    if chosen is None:
        return
    place.say(verdict_words(figure_verdict(found, chosen)), "accuracy")
    joint, made = found.accuracy(chosen.tried), named(found, chosen)
    ends = f"{number(100.0 * joint.interval.low, 0)}–{number(100.0 * joint.interval.high, 0)}\u00a0%"
    place.number(
        0, JOINT, percent(joint.mean, 1), ends, "λ chosen inside every training fold; in grey 95\u00a0%."
    )
    best = max((name for name in SAME if name in made), key=lambda name: made[name].mean, default="")
    if best:
        place.number(
            1, OTHER, percent(made[best].mean, 1), best, "Of each kernel alone, their sum and their product."
        )
    place.number(2, FLOOR, percent(found.floor, 1), "", "The largest class alone.")
