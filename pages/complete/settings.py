"""The controls of the page Complete: what is completed from what, how much is hidden, and everything behind Settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from kernex_core.completion.complete import Complete
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.tried import Measure
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig
from pages.shared.answer.first_row import first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.controls import controls
from pages.shared.declared.settings import declared, in_view, of, setting
from pages.shared.glossary.entries import hint
from pages.shared.messages import plain
from pages.shared.panels import linked, source_target
from pages.shared.panels.arrangement import order_box, orders
from pages.shared.panels.inspection import eigenvectors
from pages.shared.settings import widgets
from pages.shared.shown.remarks import copies_among

AS_UPLOADED = "as uploaded"
HIDDEN = "Hidden share"
TABS = "complete.tab"
BOTH_KERNELS = ("repair", "repair_whole", "normalize", "nugget")
COMPLETION = ("constraint", "residual", "normalize_after")
VALIDATION_FIELDS = ("folds", "repeats", "C")
MEASURES: Final[Mapping[str, Measure]] = {"multi-class": "multi_class", "one-vs-rest": "one_vs_rest"}
SETTINGS = declared(
    *in_view(
        *source_target.SETTINGS, setting("hidden", HIDDEN), setting("hidden_more", HIDDEN),
        *of(Complete, "lam"), *linked.SETTINGS, setting("tab", "Part of the page"), *eigenvectors.SETTINGS,
    ),
    *of(CompletionConfig, *BOTH_KERNELS, "seed", *COMPLETION),
    *of(CrossValidation, prefix="cv_"), setting("measure", "Measure"),
    *orders(),
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """Everything that is chosen above the pictures."""

    source: GramMatrix
    target: GramMatrix
    config: CompletionConfig
    validation: CrossValidation
    measure: Measure
    order: str


def choice(dataset: DataSet) -> Choice:
    """Draw the first row: target, source, hidden share, and the button Settings."""
    with first_row():
        first, second = st.container(width=200), st.container(width=200)
        third, fourth = st.container(width="stretch"), st.container(width="content")
    source, target = source_target.choose_kernels(dataset, (first, second))
    with third:
        share = _share(int((~target.known).sum()))
    with fourth:
        found = _settings(dataset, source, target)
    return replace(found, config=replace(found.config, share=share))


def _settings(dataset: DataSet, source: GramMatrix, target: GramMatrix) -> Choice:
    """Draw the button Settings; the hidden share is not among them."""
    config = CompletionConfig(nugget=dataset.defaults.nugget)
    protocol = CrossValidation(C=dataset.defaults.C)
    judged = dataset.judgeable is not None
    measure: Measure = "multi_class"
    with settings_box(3) as (first, second, third):
        with first:
            group("Both kernels")
            config = controls(config, "", only=BOTH_KERNELS)
        with second:
            group("Hiding")
            config = controls(config, "", only=("seed",))
            group("Completion")
            config = controls(config, "", only=COMPLETION)
        protocol = replace(protocol, seed=config.seed)
        with third:
            if judged:  # items without classes have no protocol
                group("Judging")
                fields = (*VALIDATION_FIELDS, *copies_among(dataset))
                protocol = controls(protocol, f"complete.cv.{dataset.name}", only=fields, prefix="cv_")
                measure = MEASURES[widgets.pick("measure", list(MEASURES), key="complete.measure")]
            group("Pictures")
            order = order_box(st.container(), with_classes=judged, kernel=plain(source.name))
    return Choice(source, target, config, protocol, measure, order)


def _share(unknown: int) -> float | None:
    """Hidden share from a slider in steps of 5 %; where items are unknown anyway it starts at "as uploaded"."""
    options = ([AS_UPLOADED] if unknown else []) + [f"{five} %" for five in range(5, 100, 5)]
    chosen = widgets.stop(
        # the options differ, so the two sliders are two widgets
        "hidden" if not unknown else "hidden_more",
        options,
        default=AS_UPLOADED if unknown else "25 %",
        help=hint(
            "Hidden share",
            first=f"As uploaded: only the {unknown} items that are unknown anyway." if unknown else "",
        ),
    )
    return None if chosen == AS_UPLOADED else int(chosen.split()[0]) / 100.0
