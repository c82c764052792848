"""The highest of several judged kernels, on the page Evaluate, and what choosing it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.choice import NestedChoice
from kernex_core.learning.chance.tried import Measure
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, choosing_kernel
from pages.shared.cached import cached
from pages.shared.figures.theme import percent
from pages.shared.messages import plain
from pages.shared.panels.choice import OPTIMISTIC, choice_row
from pages.shared.panels.staged import Staged


def _choosing(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Iterator[NestedChoice]:
    return choosing_kernel(config, kernels, labels, validation, measure=measure)


@cached
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
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
) -> None:
    """Say which kernel is highest and that it was chosen on these folds; nothing where there is only one."""
    judged = found.judgements
    if len(judged) < 2 or found.done < found.total:
        return
    best = max(judged, key=lambda name: judged[name].multi_class.mean)
    st.caption(
        f"Highest multi-class accuracy of these {len(judged)}: {plain(best)} with "
        f"{percent(judged[best].multi_class.mean, 1)}: {OPTIMISTIC}."
    )
    same = {name: kernels[name] for name in judged}
    choice_row(
        Staged(chosen, _choosing, (config, same, labels, validation, "multi_class")), key="evaluate", of="the kernel",
        cost=f"{len(judged)} kernels, each judged inside every training fold too: this starts with a click.",
    )  # fmt: skip
