"""What the accuracies of the page Complete say, in words: which kernel is ahead, and what the best λ is worth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import streamlit as st

from kernex_core.learning.cells import COLUMNS
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.tried import Measure
from kernex_core.studies.completion.answer import Answer, against_extrapolation
from kernex_core.studies.completion.share_sweep import Sweep
from kernex_core.studies.completion.study import CompletionView
from pages.complete.subject import choosing_shown_lam, nested_lam
from pages.shared.figures.theme import number
from pages.shared.messages import plain
from pages.shared.panels.optimism import OPTIMISTIC, choice_row, joint_or_extrapolated
from pages.shared.panels.staged import Staged

if TYPE_CHECKING:
    from pages.complete.subject import Subject

HIDDEN_ANEW: Final = (
    "These accuracies are means over repetitions, each of which hides other items. The kernel that is kept has one set of "
    "hidden items, so it has a number of its own, which the page Evaluate shows; it can be opened below."
)
NAMES: Final[dict[Measure, str]] = {"multi_class": "multi-class", "one_vs_rest": "one-vs-rest"}


def what_is_seen(subject: Subject, shown: CompletionView) -> str:
    """Say what extrapolated kernel and error are, and what of the upload is not used."""
    made, rests = subject.made, "hidden pairs" if subject.made.hidden.any() else "known pairs"
    said = (
        "Extrapolated: every item is made of the known ones as the source says, and the target follows. Error: the joint "
        f"kernel minus the truth; the joint kernel is smaller by its construction, so it is first multiplied by "
        f"{number(shown.scale, 2)}, which fits the {rests} best (least squares)."
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


def who_is_ahead(answer: Answer, sweep: Sweep) -> str:
    """Say of both measures whether the joint kernel beats extrapolation alone, or that the items do not tell."""
    assert answer.accuracy is not None  # there is a sweep
    parts = [f"By {name} accuracy {_beside(answer, sweep, measure)}" for measure, name in NAMES.items()]
    anew = "" if math.isnan(answer.view.hidden_error) else f" {HIDDEN_ANEW}"
    return f"{' '.join(parts)} {judged_times(sweep.n_items, sweep.repeats)}.{anew}"


def _beside(answer: Answer, sweep: Sweep, measure: str) -> str:
    assert answer.accuracy is not None  # who_is_ahead looked
    joint, other = (
        curves[COLUMNS.index(measure)].mean[0] for curves in (answer.accuracy.here, sweep.extrapolated)
    )
    found = against_extrapolation(answer.accuracy, sweep, measure)
    return joint_or_extrapolated(float(joint), float(other), found, answer.lam)


def best_lam(subject: Subject, measure: Measure) -> None:
    """Say that the best λ is read off its own folds, and what it is worth chosen inside the training folds."""
    assert subject.labels is not None  # nobody asks without
    st.caption(f"The accuracy of the best λ, found by moving λ until the number is highest, is {OPTIMISTIC}.")
    args = (
        subject.made.config, subject.source, subject.target, subject.labels, subject.validation, measure
    )  # fmt: skip
    choice_row(
        Staged(nested_lam, choosing_shown_lam, args), key="complete", of="λ",
        cost="Eight λ, each judged inside every training fold too: this starts with a click.",
    )  # fmt: skip
