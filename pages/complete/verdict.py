"""The verdict of the page Complete: one sentence and three numbers."""

from __future__ import annotations

from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.studies.completion.candidates import Answer
from kernex_core.studies.completion.share_sweep import Curve, Sweep, level_curve
from pages.complete import waiting, words
from pages.complete.subject import Subject
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent

EXTRAPOLATED, JOINT, ERROR, EXPLAINED = "Extrapolated", "Joint", "Error", "Explained"
ERROR_HELP = (
    "Root mean square of the joint kernel minus the truth, on pairs with a hidden item; every kernel is scaled by least "
    "squares first."
)


def names(subject: Subject) -> tuple[str, ...]:
    """Return what the numbers are of."""
    last = ERROR if subject.made.hidden.any() else EXPLAINED
    return (EXTRAPOLATED, JOINT, last) if subject.labels is not None else (last,)


def fill(
    place: VerdictPlace, subject: Subject, answer: Answer, sweep: Sweep | None, found: Verdict | None
) -> None:
    """Write it; without a verdict nothing was judged."""
    made = subject.made
    hidden = bool(made.hidden.any())
    if sweep is None or answer.accuracy is None or found is None:
        place.say(_not_judged(subject, answer, hidden))
        for at in range(len(place.names) - 1):
            place.number(at, place.names[at], "—")
    else:
        measure = subject.measure.replace("_", "-")
        place.say(words.verdict(subject, found, answer.lam), f"{measure} accuracy")
        floor = (sweep.multi_floor, sweep.one_vs_rest_floor)[subject.column]
        extrapolated = level_curve([cell.plain["extrapolated"] for cell in sweep.cells])
        for at, name, curves in ((0, EXTRAPOLATED, extrapolated), (1, JOINT, answer.accuracy.here)):
            curve = curves[subject.column]
            place.number(
                at, name, percent(float(curve.mean[0]), 1), _ends(curve), _rests(curve, sweep, floor)
            )
    at = len(place.names) - 1
    if hidden:
        fill_error = number(made.errors["mean-fill"], 3)
        place.number(
            at, ERROR, number(answer.view.hidden_error, 3), f"mean-fill {fill_error}", _error_help(subject)
        )
    else:
        explained = made.explained_median
        said = "—" if explained is None else percent(explained)
        place.number(
            at, EXPLAINED, said, "median", "Of the unknown items, by the known ones; each item: Trust."
        )


def _not_judged(subject: Subject, answer: Answer, hidden: bool) -> str:
    made = subject.made
    if subject.labels is not None and waiting.is_stopped(waiting.SWEEP, subject.settings):
        return "Not judged: it was stopped. Judge under Accuracy goes on."
    if hidden:
        plain = made.errors["mean-fill"]
        ratio = f"{percent(answer.view.hidden_error / plain)} of " if plain else "no less than "
        return (
            f"The hidden pairs are rebuilt with {ratio}the error of mean-fill. Without labels of at least two classes there "
            "is no accuracy; bring them on Data."
        )
    unknown = int((~made.known).sum())
    return f"{unknown:,} unknown items are completed. Hide a share to see how well; labels, brought on Data, judge it."


def _ends(curve: Curve) -> str:
    return f"{number(100.0 * float(curve.low[0]), 0)}–{number(100.0 * float(curve.high[0]), 0)}\u00a0%"


def _rests(curve: Curve, sweep: Sweep, floor: float) -> str:
    low, high = (number(100.0 * float(end[0]), 1) for end in (curve.low, curve.high))
    return (
        f"Accuracy; {judged_times(sweep.n_items, sweep.repeats)}, with other hidden items each time. In grey 95\u00a0%, "
        f"other data sets: {low} to {high}\u00a0%. The floor, the largest class alone, is {percent(floor, 1)}. Who is told "
        "apart is said by the sentence, not by intervals. sd over repetitions, which judge the same items again: "
        f"{percent(float(curve.sd[0]), 1)}."
    )


def _error_help(subject: Subject) -> str:
    errors = subject.made.errors
    names = {
        "extrapolated": "extrapolated",
        "zero-fill": "zero-fill",
        "mean-fill": "mean-fill",
        "nystroem": "Nyström",
    }
    said = ", ".join(f"{name} {number(errors[key], 3)}" for key, name in names.items())
    return f"{ERROR_HELP} Others: {said}."
