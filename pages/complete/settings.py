"""The controls of the page Complete: what is hidden, how kernels are conditioned, and how they are judged."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.config import CompletionConfig
from pages.shared.controls import controls
from pages.shared.glossary.entries import hint
from pages.shared.panels.side_by_side import places
from pages.shared.shown.remarks import copies_among, copies_width

VALIDATION_FIELDS = ("folds", "repeats", "C")
AS_UPLOADED = "as uploaded"
FIRST_FIELDS = ("nugget", "seed", "constraint")
SETTING_FIELDS = ("repair", "repair_whole", "normalize", "normalize_after", "residual")


def settings(dataset: DataSet, target: GramMatrix) -> CompletionConfig:
    """Draw the controls above the matrices."""
    start = CompletionConfig(nugget=dataset.defaults.nugget)
    share_slot, *slots = places(330, 180, 130, "content", align="bottom")
    with share_slot:
        share = _share(int((~target.known).sum()))
    config = controls(
        start, "complete", only=FIRST_FIELDS, bind=("nugget", "seed", "constraint"), slots=slots
    )
    more = places("content", "content", "content", "content", "content", align="bottom")
    config = controls(config, "complete", only=SETTING_FIELDS, bind=("repair",), slots=more)
    return replace(config, share=share)


def validation_of(dataset: DataSet, seed: int) -> CrossValidation:
    """Draw the protocol above the accuracies that it changes; items without classes have none."""
    protocol = CrossValidation(C=dataset.defaults.C, seed=seed)
    if dataset.judgeable is None:
        return protocol
    more = copies_among(dataset)
    slots = places("content", 150, 300, *copies_width(more), align="bottom")
    return controls(protocol, f"complete.cv.{dataset.name}", only=(*VALIDATION_FIELDS, *more), slots=slots)


def _share(unknown: int) -> float | None:
    """Hidden share from a slider in steps of 5 %; where items are unknown anyway it starts at "as uploaded"."""
    options = ([AS_UPLOADED] if unknown else []) + [f"{five} %" for five in range(5, 100, 5)]
    chosen = st.select_slider(
        "Hidden share of the target kernel",
        options,
        value=AS_UPLOADED if unknown else "25 %",
        # the options differ, so the two sliders are two widgets
        key="hidden" if not unknown else "hidden_more",
        bind="query-params",
        persist_state="session",
        help=hint(
            "Hidden share",
            first=f"As uploaded: only the {unknown} items that are unknown anyway." if unknown else "",
        ),
    )
    return None if chosen == AS_UPLOADED else int(chosen.split()[0]) / 100.0
