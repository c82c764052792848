"""The verdict of the page Combine: one sentence and three numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kernex_core.learning.chance.interval import Interval
from kernex_core.studies.combination import LAMS, CombinationScores, of_each_curve
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent
from pages.shared.messages import plain, shortened
from pages.shared.panels.verdicts import verdict_words

if TYPE_CHECKING:
    from pages.combine.subject import Subject

JOINT, SUM, ALONE, ALIKE = "Joint", "Weighted sum", "Best alone", "Alignment"
CURVES: Final = ((JOINT, "joint"), (SUM, "weighted sum"))


def names(judged: bool) -> tuple[str, ...]:
    """Return what the numbers are of, before anything is computed."""
    return (JOINT, SUM, ALONE) if judged else (ALIKE,)


def fill(place: VerdictPlace, subject: Subject, found: CombinationScores | None, lam: float) -> None:
    """Write it."""
    if subject.labels is None:
        _unlabelled(place, subject)
        return
    if found is None or found.done < found.total:
        place.waits("All combinations are judged on the same folds; the best of them is then said here.")
        return
    place.say(sentence(subject, found), f"{subject.measure.replace('_', '-')} accuracy")
    at = min(LAMS, key=lambda judged: abs(judged - lam))
    for k, (name, kind) in enumerate(CURVES):
        interval = found.interval(kind, at, subject.measure)
        note = _ends(interval) if abs(at - lam) < 1e-9 else f"λ = {number(at, 2)}"
        value = float(found.values(kind, at, subject.measure).mean())
        place.number(k, name, percent(value, 1), note)
    alone = {kind: float(found.values(kind, 0.0, subject.measure).mean()) for kind in ("first", "second")}
    best = max(alone, key=lambda kind: alone[kind])
    kernel = subject.first if best == "first" else subject.second
    place.number(2, ALONE, percent(alone[best], 1), plain(shortened(kernel.name, 12)))


def sentence(subject: Subject, found: CombinationScores) -> str:
    """Say which of all that is on the chart is best, a curve by its best λ, and who is told apart from it."""
    both = subject.first.name, subject.second.name
    made = of_each_curve(subject.verdict(subject.measure), found, *both)
    return verdict_words(made, gain="combining gains nothing", typed=[f"{name} alone" for name in both])


def _unlabelled(place: VerdictPlace, subject: Subject) -> None:
    alike = subject.alike
    place.say(
        f"Alignment {number(alike, 2)}: how alike both kernels are, from 0 to 1. What they are worth together is judged by "
        "labels of at least two classes, brought on Data."
    )
    place.number(
        0, ALIKE, number(alike, 2), "", "Cosine between both kernels, centred: 1 = the same but for size."
    )


def _ends(interval: Interval | None) -> str:
    if interval is None:
        return ""
    return f"{number(100.0 * interval.low, 0)}–{number(100.0 * interval.high, 0)}\u00a0%"
