"""The verdict of the page Features on a network: what the chosen value is worth beside the plain kernel."""

from __future__ import annotations

from dataclasses import replace

from kernex_core.learning.judgement import Judgement
from kernex_core.studies.networks.features.accuracy import FeatureSweep
from pages.networks.features import judged
from pages.networks.features.subject import Subject
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent
from pages.shared.messages import plain
from pages.shared.shown.remarks import choice_remarks

PLAIN = "Plain"


def names(subject: Subject) -> tuple[str, ...]:
    """Return what the numbers are of."""
    scale = subject.scale
    return (f"Choice of {scale.symbol}", "At", PLAIN) if scale.name else ("On the network", PLAIN)


def fill(place: VerdictPlace, subject: Subject, value: float) -> None:
    """Write it."""
    found = subject.judged
    if found is None or found.done < found.total or not found.judged:
        place.waits(
            "Every value is judged on the same folds …" if judged.is_automatic(subject) else "Not judged yet."
        )
        return
    place.say(words(subject, found), "multi-class accuracy")
    kernel = subject.scale.at(subject.kernel, value)
    one = found.judged[found.kernels.index(kernel)] if kernel in found.kernels else None
    if subject.scale.name and found.nested is not None:
        nested = replace(found.nested, names=tuple(subject.named(each) for each in found.kernels))
        interval = nested.interval
        ends = f"{_ends(interval.low, interval.high)}\u00a0%"
        place.number(0, place.names[0], percent(nested.mean, 1), ends)
        _number(place, 1, f"At {subject.named(kernel)}", one)
    else:
        _number(place, 0, place.names[0], one)
    _number(place, len(place.names) - 1, PLAIN, found.plain, "The same profiles without the network.")


def words(subject: Subject, found: FeatureSweep) -> str:
    """Return what is chosen, what that is worth, and whether the plain kernel is told apart from it."""
    end: tuple[str, ...] = ()
    if subject.scale.name and found.nested is not None:
        nested = replace(found.nested, names=tuple(subject.named(each) for each in found.kernels))
        ends = f"[{_ends(nested.interval.low, nested.interval.high, ', ')}]"
        first, end = (
            f"{plain(nested.picks[0][0])} is chosen: {percent(nested.mean, 1)} {ends}",
            choice_remarks(nested),
        )
    else:
        first = f"{subject.kernel.title}: {percent(found.judged[0].multi_class.mean, 1)}"
    without = f"the plain kernel, {percent(found.plain.multi_class.mean, 1)}"
    beside = ""
    if found.claim is not None:
        above = "above" if found.claim.difference > 0.0 else "below"
        beside = f", {above if found.claim.paired.told_apart else 'not told apart from'} {without}"
    floor = f"largest class alone {percent(found.plain.multi_class.floor, 1)}"
    return " ".join([f"{first}{beside}; {floor}.", *end])


def _number(place: VerdictPlace, at: int, name: str, one: Judgement | None, about: str | None = None) -> None:
    interval = None if one is None else one.interval()
    note = "" if interval is None else f"{_ends(interval.low, interval.high)}\u00a0%"
    place.number(at, name, "—" if one is None else percent(one.multi_class.mean, 1), note, about)


def _ends(low: float, high: float, between: str = "–") -> str:
    return f"{number(100.0 * low, 0)}{between}{number(100.0 * high, 0)}"
