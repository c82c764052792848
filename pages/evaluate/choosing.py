"""Choose the kernel: which one training folds choose, and what that choice is worth; why the highest is too optimistic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import Measure, NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, choosing_kernel
from pages.evaluate.settings import TABS, Subject
from pages.shared.answer.choosing import Choosing, choose
from pages.shared.cached import cached
from pages.shared.figures.theme import percent
from pages.shared.messages import plain
from pages.shared.panels.optimism import MEASURES, OPTIMISTIC
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

IN_DETAIL: Final = "In detail"
HELP: Final = "Each kernel is judged inside every training fold too; the one that is chosen opens in detail."
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


def said_of_highest(found: Evaluation, what: Subject) -> str:
    """Say which kernel is highest by the measure that leads, chosen on these folds; "" where there is one."""
    judged = found.judgements
    if len(judged) < 2 or found.done < found.total:
        return ""
    best = max(judged, key=lambda name: float(getattr(judged[name], what.field).mean))
    value = percent(getattr(judged[best], what.field).mean, 1)
    said = (
        f"Highest {MEASURES[CHOSEN_BY[what.field]]} of these {len(judged)}: {plain(best)} with {value}, which is "
        f"{OPTIMISTIC}. {LEAKS if judged[best].mode == 'leak' else ''}"
        f"{OTHER_COLUMNS if what.asked.learner is None else OTHER_LEARNER}"
    )
    leaking = ", ".join(plain(name) for name, made in judged.items() if made.mode == "leak")
    return said + (
        f" Left out of the choice inside the training folds, {LEFT_OUT}: {leaking}." if leaking else ""
    )


def choose_button(found: Evaluation, what: Subject) -> None:
    """Draw the button that opens the choice among the kernels made inside the training folds; what leaks takes no part."""
    # of what has seen the labels of test items a choice is worth nothing, wherever it is made
    same = {name: what.kernels[name] for name, made in found.judgements.items() if made.mode != "leak"}
    if len(same) < 2 or found.done < found.total or what.asked.learner is not None:
        return
    if not st.button("Choose the kernel", key="evaluate.choose", help=HELP):
        return
    measure = CHOSEN_BY[what.field]
    study = Staged(chosen, _choosing, (what.config, same, what.labels, what.validation, measure))
    detail = f"evaluate.detail.{what.dataset.name}"
    choose(Choosing("the kernel", study, "evaluate", lambda name: {detail: name, TABS: IN_DETAIL}))
