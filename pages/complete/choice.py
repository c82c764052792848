"""What the best λ of the page Complete is worth, chosen inside the training folds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.nested_choice import NestedChoice
from kernex_core.learning.chance.tried import Measure
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.completion.lam_choice import choosing_lam
from pages.complete.subject import share_sweep
from pages.shared.cached import cached
from pages.shared.panels.optimism import OPTIMISTIC, choice_row
from pages.shared.panels.staged import Staged

if TYPE_CHECKING:
    from pages.complete.subject import Subject


def choosing_shown_lam(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Iterator[NestedChoice]:
    """Choose λ inside the training folds of the share that is shown, one state a λ."""
    return choosing_lam(share_sweep(config, source, target, labels, validation), measure=measure)


@cached(public=True)
def nested_lam(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> NestedChoice:
    """The whole of it; the page keeps partial ones under the same key."""
    return list(choosing_shown_lam(config, source, target, labels, validation, measure))[-1]


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
