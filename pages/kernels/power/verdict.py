"""The verdict of the page Power p: which loss is lowest, and three numbers at the p that is set."""

from __future__ import annotations

from functools import partial

from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.studies.diagonals.judging import Losses
from kernex_core.studies.diagonals.shrink import DiagonalConfig, Shrunk
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep
from pages.kernels.power import losses
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent
from pages.shared.panels.verdicts import verdict_words

SVM, AS_IT_IS, DOMINANCE = "SVM loss", "As it is", "Diagonal ratio"


def names(judged: bool) -> tuple[str, ...]:
    """Return what the numbers are of, before anything is judged."""
    return (SVM, AS_IT_IS, DOMINANCE) if judged else (DOMINANCE,)


def pictured(place: VerdictPlace, made: Shrunk, waits: bool) -> None:
    """Write what needs no labels."""
    at = len(place.names) - 1
    if waits:
        place.waits("Every value of the parameter is being judged on the same folds …")
    elif at == 0:
        place.say(
            f"Self-similarities are {ratio(made.after)} times the others, {ratio(made.before)} before. Losses need labels "
            "of at least two classes among the known items: bring them on Data."
        )
    now, was = ratio(made.after), ratio(made.before)
    place.number(at, DOMINANCE, now, f"before {was}")


def judged(
    place: VerdictPlace, found: DiagonalSweep | None, here: dict[str, Losses] | None, config: DiagonalConfig
) -> None:
    """Write what was judged."""
    whole = None if found is None else found.including(config.strength, here)
    made = None if whole is None else whole.verdict(partial(losses.called, config))
    if made is not None:
        place.say(verdict_words(made), "balanced loss")
    elif found is None:
        place.say("Not judged yet: it takes a while, and starts with a click.")
    elif not found.strengths:
        place.say("No value of the grid has been judged.")
    else:
        place.say(
            "Repetitions do not test the same items: nobody is told apart. The lowest losses stand under Losses."
        )
    as_it_is = None if found is None else found.original.get("svm")
    _loss(place, 0, SVM, None if here is None else here["svm"])
    _loss(place, 1, AS_IT_IS, as_it_is)


def _loss(place: VerdictPlace, at: int, name: str, found: Losses | None) -> None:
    """What it rests on stands under Losses: a hint here would be one more stop of the Tab key before p."""
    ends = ""
    if found is not None and found.interval is not None:
        low, high = (number(100.0 * end, 0) for end in (found.interval.low, found.interval.high))
        ends = f"{low}–{high}\u00a0%"
    place.number(at, name, "—" if found is None else percent(found.mean, 1), ends)


def ratio(d: Diagnosis) -> str:
    """Return a dominance in words."""
    return "—" if d.dominance != d.dominance else number(d.dominance)
