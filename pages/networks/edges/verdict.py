"""The verdict of the page Edges of new nodes: the method that is shown beside the best of all, and what needs no kernel."""

from __future__ import annotations

from kernex_core.learning.chance.verdict import Candidate, Verdict
from kernex_core.learning.edges.methods import EDGE_METHODS
from kernex_core.studies.networks.edges.judging import DEGREE, edge_verdict
from kernex_core.studies.networks.edges.sources import EdgeTable
from pages.networks.edges import judged
from pages.networks.edges.cells import AUC, FIELDS, UNITS, WITHIN, called
from pages.networks.edges.controls import Asked
from pages.networks.edges.subject import Subject
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number
from pages.shared.glossary.entries import explained
from pages.shared.messages import plain
from pages.shared.panels.verdicts import verdict_words

SHOWN, ALONE, PREVALENCE = "Method shown", "Degree alone", "Prevalence"
NAMES = (SHOWN, ALONE, PREVALENCE)


def fill(place: VerdictPlace, subject: Subject, asked: Asked) -> None:
    """Write it."""
    found = subject.study().known()
    made = None if found is None else edge_verdict(found, FIELDS[asked.measure], called)
    if found is None or made is None:
        place.waits(
            "Every method is judged on the same folds …"
            if judged.is_automatic(subject)
            else "Edges are ranked; how well such edges are found is not judged yet."
        )
        return
    name = called(subject.kind.name, asked.source)
    one = next((each for each in made.candidates if each.name == name), None)
    measure = asked.measure if asked.measure.startswith(AUC) else asked.measure.capitalize()
    place.say(words(made, one, measure), asked.measure)
    _numbers(place, found, made, one, asked.measure)


def words(made: Verdict, one: Candidate | None, measure: str) -> str:
    """Return the sentence: what is shown beside the highest of all, and degree alone."""
    best, degree = made.best, made.of(called(DEGREE, None))
    if one is None or made.plain_does:  # what is said first is that a plain baseline does
        return verdict_words(made, unit="")
    shown = f"{plain(one.name)}: {measure} {number(one.value, 2)}"
    if one is best:
        first = f"{shown}, the highest of {len(made.candidates)}"
    else:
        beside = "worse than" if one.told_apart else "not told apart from"
        first = f"{shown}, {beside} the highest of {len(made.candidates)}, {plain(best.name)} {number(best.value, 2)}"
    told = "is worse" if degree.told_apart else "is not told apart from it"
    return f"{first}; {plain(degree.name)} {told}."


def _numbers(
    place: VerdictPlace, found: EdgeTable, made: Verdict, one: Candidate | None, measure: str
) -> None:
    about = f"{measure}; in grey 95\u00a0%, for other data sets of as many nodes. {UNITS}"
    degree = made.of(called(DEGREE, None))
    for at, name, each in ((0, SHOWN, one), (1, ALONE, degree)):
        value = "no score" if each is None else number(each.value, 2)
        ends = "" if each is None else f"{number(each.interval.low, 2)}–{number(each.interval.high, 2)}"
        place.number(at, name, value, ends, about if at == 0 else explained(ALONE))
    pairs = found.summary(found.data.sources[0], EDGE_METHODS[0].name).known_new
    if measure == WITHIN:
        place.without(2)
    else:
        place.number(
            2, PREVALENCE, number(pairs.prevalence.mean, 3), f"{pairs.edges:,} edges", explained(PREVALENCE)
        )
