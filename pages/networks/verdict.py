"""The verdict of the page Networks: which value of the parameter is chosen, what that is worth, and the one that is set."""

from __future__ import annotations

from dataclasses import replace

from kernex_core.inputs.names import listed
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.judgement import Judgement
from kernex_core.studies.networks.study import NetworkSweep, NetworkView
from pages.networks import judged
from pages.networks.subject import Subject
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent
from pages.shared.messages import plain
from pages.shared.shown.remarks import choice_remarks

CHOSEN, HERE = "Choice", "Multi-class"
NEAREST = 3


def names(subject: Subject) -> tuple[str, ...]:
    """Return what the numbers are of; none without classes."""
    if subject.labels is None:
        return ()
    return (f"{CHOSEN} of {subject.scale.symbol}", HERE) if subject.scale.name else (HERE,)


def fill(place: VerdictPlace, subject: Subject, view: NetworkView, value: float) -> None:
    """Write it."""
    found = subject.judged
    if subject.labels is None:
        place.say(_without_labels(subject, view))
    elif found is None or not found.judged:
        if judged.comes_by_itself(subject):
            place.waits("Judged on the same folds at every value …")
        else:
            place.say("Not judged yet.")
    elif found.nested is None or found.done < found.total:
        place.say("Not every value is judged: which one is chosen is not known yet.")
    else:
        _judged(place, subject, found, found.nested, value)


def _judged(
    place: VerdictPlace, subject: Subject, found: NetworkSweep, nested: NestedChoice, value: float
) -> None:
    one = judged.known(subject, value, found)
    floor = f"largest class alone {percent(found.floor, 1)}"
    at = len(place.names) - 1
    if not subject.scale.name:
        place.say(f"{_cell(subject.kernel.title, found.judged[0])}; {floor}.", "multi-class accuracy")
    else:
        called = replace(nested, names=tuple(subject.named(kernel) for kernel in found.kernels))
        (picked, _), interval = called.picks[0], called.interval
        worth = f"{percent(called.mean, 1)} [{_ends(interval.low, interval.high, ', ')}]"
        said = [f"{plain(picked)} is chosen: {worth}; {floor}.", _set(subject, found, value, picked)]
        place.say(" ".join(filter(None, [*said, *choice_remarks(called)])), "multi-class accuracy")
        ends = f"{_ends(interval.low, interval.high)}\u00a0%"
        place.number(0, place.names[0], percent(called.mean, 1), ends)
    shown = "—" if one is None else percent(one.multi_class.mean, 1)
    spread = None if one is None else one.interval()
    note = "" if spread is None else f"{_ends(spread.low, spread.high)}\u00a0%"
    words = subject.scale.words(value)
    place.number(at, f"At {words}" if words else HERE, shown, note)


def _set(subject: Subject, found: NetworkSweep, value: float, picked: str) -> str:
    """How the value that is set stands beside the best of all that were judged."""
    words = subject.scale.words(value)
    made = found.verdict(names=tuple(subject.named(kernel) for kernel in found.kernels))
    if words == picked or made is None:
        return ""
    one = next((each for each in made.candidates if each.name == words), None)
    if one is None:
        return f"{words}, which is set, is not among those that were judged."
    if one is made.best:
        return f"{words}, which is set, reads highest."
    best = f"the best, {made.best.name}"
    return (
        f"{words}, which is set, is worse than {best}."
        if one.told_apart
        else f"{words}, which is set, is not told apart from {best}."
    )


def _cell(name: str, one: Judgement) -> str:
    interval = one.interval()
    ends = "" if interval is None else f" [{_ends(interval.low, interval.high, ', ')}]"
    return f"{name}: {percent(one.multi_class.mean, 1)}{ends}"


def _ends(low: float, high: float, between: str = "–") -> str:
    return f"{number(100.0 * low, 0)}{between}{number(100.0 * high, 0)}"


def _without_labels(subject: Subject, view: NetworkView) -> str:
    ids = subject.network.ids
    near = [ids[int(k)] for k in view.nearest[:NEAREST] if view.column[int(k)] > 0.0]
    most = f"is most similar to {plain(listed(near))}" if near else "is similar to no other node"
    return f"{plain(ids[view.node])} {most}. Labels, under Node table, would say how far similarity should reach."
