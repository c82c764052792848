"""The controls of the page Kernel extrapolation: target, source, and everything behind Settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig
from pages.papers.extrapolation.tables import TABLE_2
from pages.shared.answer.first_row import first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.controls import controls
from pages.shared.declared.settings import declared, in_view, of, setting
from pages.shared.panels import source_target
from pages.shared.settings import widgets

PROTOCOL: Final = ("folds", "repeats", "seed", "C")
TABS: Final = "extrapolation.tab"
MEASURES: Final[Mapping[str, str]] = {"one-vs-rest": "one_vs_rest", "multi-class": "multi_class"}
SETTINGS: Final = declared(
    *in_view(*source_target.SETTINGS, setting("tab", "Part of the page")),
    *of(CrossValidation, *PROTOCOL, prefix="cv_"), *of(CompletionConfig, *TABLE_2.asked[0]),
    setting("measure", "Measure"),
)  # fmt: skip


def choose(dataset: DataSet) -> tuple[GramMatrix, GramMatrix, CompletionConfig, CrossValidation, str]:
    """Draw the first row; return source and target, how they are completed and judged, and the measure."""
    with first_row():
        first, second = st.container(width=280), st.container(width=280)
        last = st.container(width="stretch", horizontal_alignment="right")
    source, target = source_target.choose_kernels(dataset, (first, second))
    with last, settings_box(2) as (left, right):
        with left:
            group("Judging")
            validation = controls(
                CrossValidation(C=dataset.defaults.C), f"papers.{dataset.name}", only=PROTOCOL, prefix="cv_"
            )
        with right:
            group("Completion")
            config = controls(CompletionConfig(), TABLE_2.key, only=TABLE_2.asked[0])
            group("Measure")
            measure = MEASURES[
                widgets.pick(
                    "measure", list(MEASURES), key="papers.measure", help="One-vs-rest is that of the paper."
                )
            ]
    return source, target, replace(config, seed=validation.seed), validation, measure
