"""What the page Complete says in words: what its matrices are, and who is best of all that is judged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.studies.completion.candidates import Answer
from kernex_core.studies.completion.share_sweep import Sweep
from kernex_core.studies.completion.study import CompletionView
from pages.shared.figures.theme import number, p_value, percent
from pages.shared.messages import plain
from pages.shared.panels.verdicts import verdict_words

if TYPE_CHECKING:
    from pages.complete.subject import Subject

HIDDEN_ANEW: Final = (
    "Every repetition hides other items; the kept kernel hides one set: its own number stands below."
)


def what_is_seen(subject: Subject, shown: CompletionView) -> str:
    """Say what extrapolated kernel and error are, and what of the upload is not used."""
    made, rests = subject.made, "hidden pairs" if subject.made.hidden.any() else "known pairs"
    said = (
        "Extrapolated: every item is made of the known ones as the source says, and the target follows. Error: the joint "
        f"kernel minus the truth; the joint kernel is smaller by its construction, so it is first multiplied by "
        f"{number(shown.scale)}, which fits the {rests} best (least squares)."
    )
    gaps = subject.target.unknown
    if gaps.dropped.size:
        if not made.hidden.any():
            said += f" Of {plain(subject.target.name)} all that was uploaded is shown; hatched: unknown."
        said += (
            f" The completion rests on the pairs among the {int(made.known.sum()):,} known items alone; zero-fill and "
            "mean-fill below rest on every known pair, as on the page Kernels."
        )
    return said


def verdict(subject: Subject, made: Verdict, lam: float) -> str:
    """Say which of all that is on the chart is best and who is told apart from it, and of the joint kernel in any case."""
    said = verdict_words(made, gain="completing gains nothing", typed=[f"{subject.source.name} alone"])
    joint = made.of(subject.contestants[0].name)
    if joint.told_apart:
        name = joint.name.replace("joint", "joint kernel", 1)
        said += f" The {name} at λ = {number(lam, 2)} has {percent(joint.value, 1)}: worse, p\u00a0{p_value(joint.p)}."
    return said


def rests_on(answer: Answer, sweep: Sweep, made: Verdict) -> str:
    """Say what the verdict rests on, and that the kept kernel has another number; the rule itself stands under Method."""
    pairs = len(made.candidates) * (len(made.candidates) - 1) // 2
    anew = "" if math.isnan(answer.view.hidden_error) else f" {HIDDEN_ANEW}"
    times = judged_times(sweep.n_items, sweep.repeats)
    return f"{times}; told apart: p below .05, corrected for {pairs} pairs (Holm).{anew}"
