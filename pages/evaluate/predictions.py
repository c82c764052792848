"""Predicted classes, or numbers, of the unlabelled items, on the page Evaluate."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kernex_core.inputs.names import counted
from kernex_core.learning.predict import predict_unlabelled
from kernex_core.learning.regression.predict import predict_numbers
from kernex_core.studies.evaluation import judged_form
from pages.evaluate.settings import Subject
from pages.shared import chosen
from pages.shared.digits import in_table, typeset
from pages.shared.downloads import csv_button
from pages.shared.messages import findings, guard
from pages.shared.shown import registry
from pages.shared.shown.learners import learner_words


def predictions(what: Subject) -> None:
    """Offer the predictions in an expander; nothing where every item has a label."""
    dataset, labels = what.dataset, what.labels
    count = int((~labels.labelled).sum())
    if count == 0:
        return
    panel = st.expander(
        f"Predict the {counted(count, 'unlabelled item')}", on_change="rerun", key="evaluate.predict"
    )
    if not panel.open:
        return
    with panel, guard():
        complete = [name for name, K in dataset.kernels.items() if K.unknown.complete]
        name = st.selectbox("Kernel", complete, key=f"evaluate.predict.{dataset.name}")
        made = predict_unlabelled(
            judged_form(what.config, dataset.kernels[name]),
            labels,
            C=what.validation.C,
            learner=what.asked.learner,
        )
        rows = pd.DataFrame({"id": made.ids, "predicted class": made.labels, "margin": made.margin})
        registry.list_rows("evaluate.predictions", rows, "Predicted classes", name)
        st.dataframe(in_table(chosen.first(rows)), hide_index=True, width="stretch")
        st.caption(
            "Margin: largest decision value minus the runner-up; near 0 = undecided. Trained on all labelled items."
        )
        csv_button("Predictions as CSV", lambda: rows, "predictions", key="evaluate.predictions")


def predicted_numbers(what: Subject) -> None:
    """Offer the numbers of items without one in an expander; nothing where every item has one."""
    dataset, labels = what.dataset, what.labels
    count = int((~labels.labelled).sum())
    if count == 0:
        return
    panel = st.expander(
        f"Predict the {counted(count, 'item')} without a number",
        on_change="rerun",
        key="evaluate.predict_numbers",
    )
    if not panel.open:
        return
    with panel, guard():
        complete = [name for name, K in dataset.kernels.items() if K.unknown.complete]
        name = st.selectbox("Kernel", complete, key=f"evaluate.predict_numbers.{dataset.name}")
        K, choose = judged_form(what.config, dataset.kernels[name]), what.validation
        made = predict_numbers(K, labels, learner=what.asked.by, choose=choose)
        rows = pd.DataFrame({"id": made.ids, "predicted number": made.numbers})
        registry.list_rows("evaluate.predicted_numbers", rows, "Predicted numbers", name)
        st.dataframe(in_table(chosen.first(rows)), hide_index=True, width="stretch")
        chose = (
            f", {what.asked.symbol} chosen in folds of these" if choose.choose_C and what.asked.symbol else ""
        )
        st.caption(
            f"By {typeset(learner_words(made.learner))}{chose}, trained on all {counted(made.trained, 'item')} with a "
            "number. How far such numbers are off is the RMSE above, for items of the same kind."
        )
        findings(made.notes)
        csv_button("Predictions as CSV", lambda: rows, "predicted numbers", key="evaluate.predicted_numbers")
