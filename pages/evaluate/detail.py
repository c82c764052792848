"""One of the judged kernels in full, and which of them were completed with one set of hidden items."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.leakage import evaluation_mode
from kernex_core.learning.permutations import Permuted
from kernex_core.studies.evaluation import Evaluation, hidden_once
from pages.evaluate.probabilities import probabilities
from pages.shared.figures.theme import percent
from pages.shared.messages import plain
from pages.shared.panels.accuracy import accuracy_panel
from pages.shared.panels.accuracy_files import learner_of
from pages.shared.settings import widgets
from pages.shared.shown.learners import strength_symbol


def completed_once(found: Evaluation, kernels: Mapping[str, GramMatrix]) -> None:
    """Say why the page Complete has another number for a kernel that was kept there."""
    hidden = {name: hidden_once(kernels[name]) for name in found.judgements}
    once = [f"{plain(name)} ({count:,} hidden items)" for name, count in hidden.items() if count]
    if once:
        st.caption(
            f"Completed once, with one set of hidden items: {', '.join(once)}. On the page Complete every repetition hides "
            "other items, so the accuracy there is an average over hidden sets, and another number."
        )


def learned_before(found: Evaluation, kernels: Mapping[str, GramMatrix]) -> None:
    """Say where the honest number of kernels with learned weights is: the folds do not make these again."""
    leaking = [name for name, made in found.judgements.items() if made.mode == "leak"]
    fixed = [plain(name) for name in leaking if evaluation_mode(kernels[name], inductive=True) == "leak"]
    if fixed:
        st.caption(
            f"Kept with weights that were learned from the labels of all items: {', '.join(fixed)}. Inductive changes "
            "nothing about that, because the weights are fixed numbers by now; the honest number, with weights made again "
            "inside every fold, is on the page Many kernels, under Accuracy."
        )


def one(dataset: DataSet, found: Evaluation, against: Permuted | None = None) -> None:
    """Draw one of the judged kernels in full."""
    names = list(found.judgements)
    name = (
        widgets.choose("detail", names, key=f"evaluate.detail.{dataset.name}") if len(names) > 1 else names[0]
    )
    made = found.judgements.get(name) or found.judgements[names[0]]
    accuracy_panel(
        made, key="evaluate.panel", title=plain(name), name=f"accuracy of {name}", ids=dataset.ids,
        against=against, named=name,
    )  # fmt: skip
    probabilities(made, name)
    if made.grid:
        learner = learner_of(made)
        letter = "C" if learner is None else strength_symbol(learner)
        best, value = made.best_in_grid
        optimism = f"{100 * made.optimism:+.1f}".replace("-", "−")
        st.caption(
            f"Choosing {letter} inside the folds gives {percent(made.multi_class.mean, 1)}. Reporting the best {letter} of "
            f"the grid ({letter} = {best:g}) would read {percent(value, 1)}: {optimism} points of optimism."
        )
