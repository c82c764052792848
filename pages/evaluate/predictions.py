"""Predicted classes, or numbers, of the unlabelled items, on the page Evaluate."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted
from kernex_core.learning.predict import predict_unlabelled
from kernex_core.learning.regression.evaluate import predict_numbers
from kernex_core.studies.evaluation import judged_form
from pages.evaluate.settings import Subject
from pages.shared import chosen
from pages.shared.digits import in_table, typeset
from pages.shared.downloads import csv_button
from pages.shared.frame import panel_title
from pages.shared.messages import findings, guard
from pages.shared.settings import widgets
from pages.shared.shown import registry
from pages.shared.shown.learners import learner_words


def predictions(what: Subject) -> None:
    """Predict the classes of the items without one."""
    labels = what.labels
    panel_title("Predicted classes", f"of {counted(int((~labels.labelled).sum()), 'unlabelled item')}")
    with guard():
        name, K = _kernel(what, "evaluate.predict")
        made = predict_unlabelled(K, labels, C=what.validation.C, learner=what.asked.learner)
        rows = pd.DataFrame({"id": made.ids, "predicted class": made.labels, "margin": made.margin})
        _listed("evaluate.predictions", rows, "Predicted classes", name)
        st.caption(
            "Margin: largest decision value minus the runner-up; near 0 = undecided. Trained on all labelled items."
        )
        csv_button("Predictions as CSV", lambda: rows, "predictions", key="evaluate.predictions")


def predicted_numbers(what: Subject) -> None:
    """Predict the numbers of the items without one."""
    labels = what.labels
    panel_title("Predicted numbers", f"of {counted(int((~labels.labelled).sum()), 'item')} without one")
    with guard():
        name, K = _kernel(what, "evaluate.predict_numbers")
        choose = what.validation
        made = predict_numbers(K, labels, learner=what.asked.by, choose=choose)
        rows = pd.DataFrame({"id": made.ids, "predicted number": made.numbers})
        _listed("evaluate.predicted_numbers", rows, "Predicted numbers", name)
        chose = ""
        if choose.choose_C and what.asked.symbol:
            units = ", in units of their mean diagonal" if made.learner.scaled else ""
            chose = f", {what.asked.symbol} chosen in folds of these{units}"
        st.caption(
            f"By {typeset(learner_words(made.learner))}{chose}, trained on all {counted(made.trained, 'item')} with a "
            "number. How far such numbers are off is the RMSE above, for items of the same kind."
        )
        findings(made.notes)
        csv_button("Predictions as CSV", lambda: rows, "predicted numbers", key="evaluate.predicted_numbers")


def _kernel(what: Subject, key: str) -> tuple[str, GramMatrix]:
    """Let one of the complete kernels be chosen; its name, and the kernel as it is judged."""
    kernels = what.dataset.kernels
    complete = [name for name, K in kernels.items() if K.unknown.complete]
    name = widgets.choose("predictions_of", complete, key=f"{key}.{what.dataset.name}", label="Kernel")
    return name, judged_form(what.config, kernels[name])


def _listed(key: str, rows: pd.DataFrame, title: str, kernel: str) -> None:
    """Draw the rows, those of chosen items first, and list them for the report."""
    registry.list_rows(key, rows, title, kernel)
    st.dataframe(in_table(chosen.first(rows)), hide_index=True, width="stretch")
