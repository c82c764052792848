"""The page Evaluate on one screen: what is judged, the verdict, kernels side by side; then what one asks second."""

from __future__ import annotations

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from pages.evaluate import classes, numbers
from pages.evaluate import side_by_side as verdict
from pages.evaluate.settings import SETTINGS, choose
from pages.server.messages import guard
from pages.ui.answer import VerdictPlace
from pages.ui.frame import PageFrame, need_data, open_page


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    labels = dataset.labels_with_copies
    assert labels is not None  # else the page says what it needs
    what = choose(dataset, labels)
    if what is None:
        st.caption("Choose at least one kernel.")
        return
    place = VerdictPlace(*verdict.NAMES)
    (numbers if what.asked.kind == "numbers" else classes).show(page, what, place)


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Evaluate",
        "How well do these kernels predict classes or numbers, and is one of them really better?",
        SETTINGS,
    )
    dataset = need_data()
    with guard():
        show(page, dataset)
