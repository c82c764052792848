"""The highest of several judged kernels, on the page Evaluate, and what choosing it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.nested_choice import NestedChoice
from kernex_core.learning.chance.tried import Measure
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, choosing_kernel
from pages.evaluate.settings import Subject
from pages.shared.cached import cached
from pages.shared.figures.theme import percent
from pages.shared.messages import plain
from pages.shared.panels.optimism import MEASURES, OPTIMISTIC, choice_row
from pages.shared.panels.staged import Staged

CHOSEN_BY: Final[dict[str, Measure]] = {
    "multi_class": "multi_class",
    "one_vs_rest": "one_vs_rest",
    "balanced": "recall",
}
"""What the choice is made by inside the training folds, by the measure that the page shows."""

OTHER_COLUMNS: Final = (
    "The highest in any other column is too optimistic for the same reason; the choice by Matthews correlation or ROC "
    "area is not made again inside the training folds, because a fold in there may hold too few items of a class for "
    "either."
)
OTHER_LEARNER: Final = (
    "The highest in any other column is too optimistic for the same reason. The choice is made again inside the training "
    "folds for the support vector machine alone."
)

LEAKS: Final = (
    "It is a leak besides: its weights or steps saw the labels of items that it is tested on, and so this number means "
    "nothing. "
)
LEFT_OUT: Final = "because their weights or steps saw the labels of items that they are tested on"


def _choosing(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Iterator[NestedChoice]:
    return choosing_kernel(config, kernels, labels, validation, measure=measure)


@cached(public=True)
def chosen(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> NestedChoice:
    """Return the choice among all kernels; the page keeps partial ones under the same key."""
    return list(_choosing(config, kernels, labels, validation, measure))[-1]


def highest(
    found: Evaluation,
    subject: Subject,
    field: str = "multi_class",
) -> None:
    """Say which kernel is highest by the measure shown, and that it was chosen on these folds; nothing where there is one.

    Parameters
    ----------
    field : {"multi_class", "one_vs_rest", "balanced"}
        Of a judgement.
    """
    judged = found.judgements
    if len(judged) < 2 or found.done < found.total:
        return
    measure, default = CHOSEN_BY[field], subject.asked.learner is None
    means = {name: float(getattr(made, field).mean) for name, made in judged.items()}
    best = max(means, key=means.__getitem__)
    st.caption(
        f"Highest {MEASURES[measure]} of these {len(judged)}: {plain(best)} with {percent(means[best], 1)}, "
        f"which is {OPTIMISTIC}. "
        f"{LEAKS if judged[best].mode == 'leak' else ''}"
        f"{OTHER_COLUMNS if default else OTHER_LEARNER}"
    )
    if not default:
        return
    # of what has seen the labels of test items a choice is worth nothing, wherever it is made
    same = {name: subject.kernels[name] for name, made in judged.items() if made.mode != "leak"}
    leaking = ", ".join(plain(name) for name in judged if name not in same)
    if leaking:
        st.caption(f"Left out of the choice inside the training folds, {LEFT_OUT}: {leaking}.")
    if len(same) < 2:
        return
    choice_row(
        Staged(chosen, _choosing, (subject.config, same, subject.labels, subject.validation, measure)),
        key="evaluate", of="the kernel",
        cost=f"{len(same)} kernels, each judged inside every training fold too: this starts with a click.",
    )  # fmt: skip
