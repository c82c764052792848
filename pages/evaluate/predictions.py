"""Predicted classes of the unlabelled items, on the page Evaluate."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kernex_core.inputs.names import counted
from kernex_core.learning.predict import predict_unlabelled
from kernex_core.studies.evaluation import judged_form
from pages.evaluate.settings import Subject
from pages.shared import chosen
from pages.shared.downloads import csv_button
from pages.shared.messages import guard
from pages.shared.shown import registry


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
        st.dataframe(chosen.first(rows), hide_index=True, width="stretch")
        st.caption(
            "Margin: largest decision value minus the runner-up; near 0 = undecided. Trained on all labelled items."
        )
        csv_button("Predictions as CSV", lambda: rows, "predictions", key="evaluate.predictions")
